"""What `check`, `convert`, `solve` and `generate` do with many puzzles, with bad ones, and on which terminal."""

import json
import os
import pty
import shutil
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from running import ROOT, invoke, ncm

from checker.board import PEERS, parse_line, to_line
from checker.generate import minimal_puzzle, puzzles
from checker.refutation import refute
from sudoku_ncm import terminal
from sudoku_ncm.errors import UsageError

EASY = [tuple(map(to_line, pair)) for pair in puzzles(3, seed=8, lo=45, hi=50)]
PUZZLE, ANSWER = EASY[0]
WRONG = "5" + ANSWER[1:] if ANSWER[0] != "5" else "4" + ANSWER[1:]
MANY = PUZZLE[:20] + "." * 61


@pytest.fixture
def mixed(tmp_path):
    """Two good puzzles, and between them a short line and clues that clash."""
    path = tmp_path / "mixed.txt"
    path.write_text(f"# ours\n{PUZZLE}\n{PUZZLE[:80]}\n55{'.' * 79}\n{EASY[1][0]}\n")
    return path


@pytest.mark.parametrize("command", ["solve", "check"])
def test_a_batch_names_its_bad_lines_and_its_totals_add_up(mixed, command):
    code, out, err = invoke(command, mixed)
    assert code == 3
    assert f"{mixed}:3:1: found 80 cells, expected 81 cells\n" in err
    assert f"{mixed}:4: " in out + err
    assert err.endswith("read 4 = 2 solved + 0 unsolved + 2 rejected\n")
    assert out.count(ANSWER if command == "check" else "+---" if "+---" in out else "┌") >= 1


@pytest.mark.parametrize("command", [["solve"], ["check"], ["convert", "--to", "line"]])
def test_strict_stops_at_the_first_bad_one(mixed, command):
    code, out, err = invoke(*command, mixed, "--strict")
    assert code == 3
    assert EASY[1][1] not in out
    assert "read 2 = 1 " in err
    assert err.endswith("+ 0 unsolved + 1 rejected (stopped at the first bad one)\n")


def test_a_puzzle_that_stays_unsolved_counts_as_such():
    code, _, err = invoke("solve", PUZZLE, EASY[1][0], "--levels", 1, "--fallback", "none", "--format", "line")
    assert (code, err.splitlines()[-1]) == (1, "read 2 = 0 solved + 2 unsolved + 0 rejected")


def test_a_single_puzzle_has_no_totals():
    assert "read" not in invoke("check", PUZZLE)[2]


def test_a_board_that_came_solved_is_said_to_be_and_nothing_is_generated():
    code, out, err = invoke("solve", ANSWER, "--format", "json")
    found = json.loads(out)
    assert (code, found["solved"], found["source"], found["levels_executed"]) == (0, True, "given", 0)
    assert err == "argument:1: already solved: a full board, right\n"


def test_a_board_that_came_full_and_wrong_is_said_to_be_and_where():
    code, out, err = invoke("solve", WRONG)
    assert (code, out) == (3, "")
    assert "found a full board, wrong: row 1: two " in err
    assert " at r1c1, " in err


def test_several_solutions_are_said_on_stderr_and_in_json():
    code, out, err = invoke("solve", MANY, "--format", "json")
    assert (code, json.loads(out)["unique"]) == (0, "no")
    assert "argument:1: more than one solution: " in err
    assert "; not unique" in err
    assert invoke("solve", MANY, "--require-unique")[0] == 3


def test_a_spent_budget_is_named_and_is_not_called_no_solution():
    code, out, _ = invoke("check", PUZZLE[:40] + "." * 41, "--budget", 2)
    assert (code, out) == (1, "argument:1: unknown: the budget of 2 nodes was spent\n")


@pytest.mark.parametrize("form", ["line", "grid", "sdm", "csv", "json", "sdk", "opensudoku"])
def test_convert_writes_what_can_be_converted_back(mixed, form, tmp_path):
    code, out, err = invoke("convert", mixed, "--to", form)
    assert (code, f"{mixed}:3:1: found 80 cells" in err) == (3, True)
    (tmp_path / "converted").write_text(out)
    code, back, err = invoke("convert", tmp_path / "converted", "--to", "line")
    assert (code, back.split()) == (0, [PUZZLE, "55" + "." * 79, EASY[1][0]])
    assert err == "read 3 = 3 converted + 0 unsolved + 0 rejected\n"


def test_expect_compares_a_folder_and_fails_on_any_difference(tmp_path):
    (tmp_path / "good.txt").write_text(f"{PUZZLE}\n{MANY}\n")
    (tmp_path / "batch.txt").write_text(f"{PUZZLE}\n55{'.' * 79}\n")
    (tmp_path / "bad.txt").write_text(PUZZLE[:80])
    right = [
        {"file": "good.txt", "puzzles": [PUZZLE, MANY], "solutions": ["one", "many"], "reject": None},
        {"file": "batch.txt", "puzzles": [PUZZLE], "solutions": ["one"], "reject": None},
        {"file": "bad.txt", "puzzles": [], "solutions": [], "reject": "80 cells"},
    ]
    (tmp_path / "list.json").write_text(json.dumps(right))
    assert invoke("check", "--expect", tmp_path / "list.json", tmp_path) == (
        0,
        "passed good.txt\npassed batch.txt\npassed bad.txt\n3 passed, 0 failed\n",
        "",
    )
    for change in ({"solutions": ["one", "one"]}, {"puzzles": [MANY, PUZZLE]}, {"count": 3}, {"reject": "why"}):
        (tmp_path / "list.json").write_text(json.dumps([right[0] | change]))
        code, out, _ = invoke("check", "--expect", tmp_path / "list.json", tmp_path)
        assert code == 1
        assert out.startswith("FAILED good.txt: ")


def nasty():
    """Boards that are slow for a search that goes row by row, or that trusts its eyes."""
    rng = np.random.default_rng(4)
    puzzle, solution = minimal_puzzle(rng)
    yield np.zeros(81, dtype=np.int8), "more than one"
    yield np.eye(1, 81, 40, dtype=np.int8)[0] * 5, "more than one"
    for _ in range(3):  # a digit that no rule forbids, in a cell that must hold another
        puzzle, solution = minimal_puzzle(rng)
        options = [
            (cell, digit)
            for cell in np.flatnonzero(puzzle == 0)
            for digit in range(1, 10)
            if digit != solution[cell] and digit not in puzzle[PEERS[cell]]
        ]
        cell, digit = options[int(rng.integers(len(options)))]
        broken = puzzle.copy()
        broken[cell] = digit
        yield broken, "no solution"
    for _ in range(3):  # the emptiest rows first, and a first row that counts down
        puzzle, solution = minimal_puzzle(rng)
        order = sorted(range(3), key=lambda band: np.count_nonzero(puzzle[27 * band : 27 * band + 27]))
        cells = np.concatenate([np.arange(27 * band, 27 * band + 27) for band in order])
        names = np.zeros(10, dtype=np.int8)
        names[solution[cells][:9]] = range(9, 0, -1)
        yield names[puzzle[cells]], "one solution"
    sixteen = puzzle.copy()
    sixteen[rng.permutation(np.flatnonzero(puzzle))[16:]] = 0
    yield sixteen, "more than one"
    yield np.array([*range(1, 9), *[0] * 17, 9, *[0] * 55], dtype=np.int8), "no solution"


@pytest.mark.parametrize(("board", "finding"), list(nasty()))
def test_nasty_boards_are_answered_within_two_seconds(board, finding):
    start = time.process_time()
    out = invoke("check", to_line(board))[1]
    assert time.process_time() - start < 2
    assert out.startswith(f"argument:1: {finding}")


@pytest.mark.parametrize("wish", [["--symmetric", "--minimal"], ["--symmetric", "--clues", "31-33"]])
def test_symmetric_puzzles_look_the_same_after_a_half_turn(wish):
    for line in invoke("generate", "-n", 3, *wish)[1].split():
        clues = parse_line(line) != 0
        assert (clues == clues[::-1]).all()
        assert invoke("check", line)[0] == 0


@pytest.mark.parametrize(("difficulty", "guesses"), [("singles", False), ("guesses", True)])
def test_the_difficulty_is_what_exact_search_needs(difficulty, guesses):
    rows = invoke("generate", "-n", 4, "--minimal", "--difficulty", difficulty, "--format", "csv")[1].split()[1:]
    assert len(rows) == 4
    assert all((int(row.split(",")[3]) > 0) is guesses for row in rows)


def test_hard_puzzles_cost_as_many_guesses_as_asked_for_whatever_the_number_of_jobs():
    wish = ("generate", "-n", 34, "--min-guesses", 3, "--format", "csv")
    alone, together = (ncm(*wish, "--jobs", jobs) for jobs in (1, 2))
    assert (alone.returncode, together.stderr) == (0, "")
    assert alone.stdout == together.stdout
    rows = alone.stdout.split()[1:]
    assert len({row[:81] for row in rows}) == 34
    assert min(int(row.split(",")[3]) for row in rows) >= 3


def test_deep_puzzles_take_as_many_rounds_of_refutation_as_asked_for():
    rows = invoke("generate", "-n", 2, "--min-rounds", 1, "--format", "csv")[1].split()[1:]
    assert [refute(parse_line(row[:81])).depth >= 1 for row in rows] == [True, True]


@pytest.mark.parametrize("other", [["--clues", "30"], ["--symmetric"], ["--difficulty", "singles"]])
@pytest.mark.parametrize("hard", [["--min-guesses", 5], ["--min-rounds", 2]])
def test_hard_puzzles_cannot_be_wished_otherwise(hard, other):
    with pytest.raises(UsageError, match=f"{hard[0]}: found another wish"):
        invoke("generate", *hard, *other)


def test_puzzles_are_hard_by_guesses_or_by_rounds():
    with pytest.raises(UsageError, match="--min-guesses: found another wish"):
        invoke("generate", "--min-guesses", 5, "--min-rounds", 2)


@pytest.mark.skipif(not shutil.which("pgrep"), reason="needs pgrep")
def test_no_process_is_left_when_generate_is_killed():
    def children(of):
        found = subprocess.run(["pgrep", "-P", str(of)], capture_output=True, text=True, check=False).stdout
        return found.split()

    def until(condition):
        for _ in range(200):
            if condition():
                return True
            time.sleep(0.1)
        return False

    command = [sys.executable, "-m", "sudoku_ncm", "generate", "-n", "64", "--min-guesses", "1000", "--jobs", "2"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL) as parent:
        assert until(lambda: len(children(parent.pid)) >= 3)  # two workers and the tracker of their resources
        workers = children(parent.pid)
        parent.kill()
    assert until(lambda: not any(Path(f"/proc/{worker}").exists() for worker in workers))


def test_the_number_of_jobs_does_not_change_what_is_generated():
    alone, together = (ncm("generate", "-n", 40, "--clues", "30", "--jobs", jobs) for jobs in (1, 2))
    assert (alone.returncode, together.returncode, together.stderr) == (0, 0, "")
    assert alone.stdout == together.stdout
    assert alone.stdout.count("\n") == 40


# Terminals


def on_a_terminal(environment):
    """Stdout of `solve PUZZLE` where it is a terminal."""
    main, side = pty.openpty()
    base = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "TERM")}
    command = [sys.executable, "-m", "sudoku_ncm", "solve", PUZZLE]
    subprocess.run(
        command, cwd=ROOT, env=base | environment, stdout=side, stderr=subprocess.PIPE, check=True, timeout=60
    )
    os.close(side)
    with os.fdopen(main, "rb") as stream:
        return stream.read1(1 << 16).decode()


def test_colour_is_for_terminals_only_and_never_with_no_color():
    coloured = on_a_terminal({"TERM": "xterm"})
    assert "\x1b[1m" in coloured
    assert "\x1b[36m" in coloured
    assert "\x1b" not in on_a_terminal({"TERM": "xterm", "NO_COLOR": "1"})
    assert "\x1b" not in on_a_terminal({"TERM": "dumb"})
    assert "\x1b" not in invoke("solve", PUZZLE)[1]


@pytest.mark.parametrize("environment", [{"PYTHONIOENCODING": "cp1252"}, {"LC_ALL": "C"}])
def test_a_terminal_without_unicode_gets_ascii(environment):
    base = {name: value for name, value in os.environ.items() if name != "PYTHONIOENCODING"}
    command = [sys.executable, "-m", "sudoku_ncm", "solve", PUZZLE]
    done = subprocess.run(command, cwd=ROOT, env=base | environment, capture_output=True, timeout=60, check=True)
    assert done.stdout.isascii()
    assert b"+---------+" in done.stdout


def test_a_file_whose_name_the_terminal_cannot_show_is_still_checked(tmp_path):
    path = tmp_path / "r\u00e4tsel\u2603.txt"
    path.write_text(PUZZLE)
    command = [sys.executable, "-m", "sudoku_ncm", "check", str(path)]
    environment = os.environ | {"PYTHONIOENCODING": "cp1252"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"\\u2603.txt:1: one solution" in done.stdout


@pytest.mark.parametrize("command", ["check", "convert --to line", "generate -n 20000 --clues 81"])
def test_a_reader_that_goes_away_leaves_no_traceback(tmp_path, command):
    (tmp_path / "many.txt").write_text(f"{PUZZLE}\n" * 3000)
    files = [] if command.startswith("generate") else [str(tmp_path / "many.txt")]
    with subprocess.Popen(
        [sys.executable, "-m", "sudoku_ncm", *command.split(), *files],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        process.stdout.readline()
        process.stdout.close()
        assert b"Traceback" not in process.stderr.read()


def test_unicode_is_shown_where_the_user_asked_for_it(monkeypatch):
    stream = type("Stream", (), {"encoding": "utf-8"})()
    monkeypatch.delenv("PYTHONIOENCODING", raising=False)
    monkeypatch.setenv("LC_ALL", "C")
    assert not terminal.unicode(stream)
    monkeypatch.setenv("PYTHONIOENCODING", "utf-8")
    assert terminal.unicode(stream)
    stream.encoding = "cp1252"
    assert not terminal.unicode(stream)
