"""`sudoku-ncm solve`: what goes in, what comes out, and that it says no more than was proven."""

import gzip
import json
import subprocess
import sys

import numpy as np
import pytest
from running import ROOT, invoke

from checker.board import parse_line, to_line
from checker.drawing import LEGEND, to_grid
from checker.generate import puzzles
from checker.verify import verify
from sudoku_ncm.accounting import run_work
from sudoku_ncm.generator import GeneratorConfig

KEYS = ["puzzle", "board", "solved", "source", "unique", "level", "attempt", "levels_executed", "levels_planned"]
COST = ["positions", "positions_full", "positions_uncached", "pairs", "pairs_full", "pairs_uncached", "cache_bytes"]
TIMES = ["generator_ms", "decode_ms", "check_ms", "compaction_ms"]
EASY = list(puzzles(3, seed=8, lo=45, hi=50))
ONE, ANSWER = map(to_line, EASY[0])


def solve(*arguments, stdin=""):
    """Exit code, stdout and stderr of `solve`."""
    return invoke("solve", *arguments, stdin=stdin)


def record(*arguments):
    """The JSON object of one puzzle."""
    return json.loads(solve(*arguments, "--format", "json")[1])


@pytest.fixture
def file(tmp_path):
    """A file of three easy puzzles, comment and blank line included."""
    path = tmp_path / "three.txt"
    path.write_text("# ours\n\n" + "\n".join(to_line(puzzle) for puzzle, _ in EASY) + "\n")
    return path


def test_a_puzzle_is_solved_from_an_argument_a_file_and_standard_input(file):
    answers = [to_line(solution) for _, solution in EASY]
    assert solve(ONE, "--format", "line")[:2] == (0, ANSWER + "\n")
    assert solve("-", "--format", "line", stdin=ONE)[:2] == (0, ANSWER + "\n")
    assert solve(file, "--format", "line")[:2] == (0, "\n".join([*answers, ""]))


def test_standard_input_may_be_packed_by_gzip():
    command = [sys.executable, "-m", "sudoku_ncm", "check", "-"]
    found = subprocess.run(command, cwd=ROOT, input=gzip.compress(ONE.encode()), capture_output=True, check=True)
    assert found.stdout.decode().strip() == f"stdin:1: one solution: {ANSWER}"


def test_a_drawn_grid_reads_like_a_line(tmp_path):
    (tmp_path / "drawn.txt").write_text(to_grid(EASY[0][0], EASY[0][0], ascii=True))
    assert solve(tmp_path / "drawn.txt", "--format", "line")[:2] == (0, ANSWER + "\n")


def test_index_and_limit_choose_among_the_puzzles_of_the_input(file):
    answers = [to_line(solution) for _, solution in EASY]
    assert solve(file, "--format", "line", "--index", 2)[1].split() == answers[1:2]
    assert solve(file, "--format", "line", "--limit", 2)[1].split() == answers[:2]
    assert solve(file, ONE, "--format", "line", "--index", 4)[1].split() == answers[:1]


def test_a_grid_marks_clues_and_says_what_the_marks_mean():
    _, out, _ = solve(ONE)
    assert LEGEND in out
    drawn = out.replace("│", " ").split("\n")
    cells = "".join(line for line in drawn if "─" not in line and line != LEGEND).split()
    clues = [digit if clue != "." else digit + "'" for digit, clue in zip(ANSWER, ONE, strict=True)]
    assert cells == clues


def test_one_line_on_stderr_accounts_for_a_puzzle(file):
    err = solve(file, "--limit", 1, "--levels", 12)[2]
    found = record(file, "--limit", 1, "--levels", 12)
    assert err.count("\n") == 1
    assert err.startswith(f"{file}:3: verified at level {found['level']}, attempt 1; ")
    positions = f"{found['cost']['positions']} positions (945 a full attempt)"
    assert f"ran {found['levels_executed']} levels (12 an attempt), {positions}, " in err


def test_the_json_object_has_the_documented_keys_and_true_values():
    found = record(ONE, "--levels", 12)
    assert list(found) == ["file", "line", *KEYS, "cost"]
    assert sorted(found["cost"]) == sorted([*COST, *TIMES])
    assert verify(parse_line(found["board"]), parse_line(ONE)).solved
    known = {"puzzle": ONE, "board": ANSWER, "solved": True, "source": "ncm", "unique": "yes", "attempt": 0}
    assert found | known | {"levels_executed": found["level"] + 1, "levels_planned": 12} == found
    ran = GeneratorConfig().level_plan(found["levels_executed"]).kinds
    assert [found["cost"][name] for name in ("positions", "pairs")] == [
        run_work(ran, True).positions,
        run_work(ran, True).pairs,
    ]
    assert (found["cost"]["positions_full"], found["cost"]["cache_bytes"] > 0) == (945, True)


def test_a_puzzle_with_two_solutions_is_solved_but_not_where_uniqueness_is_required():
    puzzle, _ = next(puzzles(1, seed=3, lo=17, hi=81, minimal=True))
    puzzle[np.flatnonzero(puzzle)[0]] = 0
    found, (code, out, err) = record(to_line(puzzle)), solve(to_line(puzzle), "--require-unique")
    assert (found["solved"], found["unique"]) == (True, "no")
    assert verify(parse_line(found["board"]), puzzle).solved
    assert (code, out) == (3, "")
    assert "found more than one solution" in err
    assert "expected exactly one solution (--require-unique)" in err


def test_what_the_network_leaves_open_is_searched_and_says_so():
    code, out, err = solve(ONE, "--levels", 1, "--format", "line")  # one level of box-rows cannot fill a board
    assert (code, out) == (0, ANSWER + "\n")
    assert "not solved by the network; source: search" in err
    found = record(ONE, "--levels", 1)
    assert [found[name] for name in ("solved", "source", "level", "attempt")] == [True, "search", None, None]


def test_without_fallback_the_best_board_is_shown_as_not_solved():
    code, out, err = solve(ONE, "--levels", 1, "--fallback", "none")
    assert code == 1
    assert out.startswith("not solved:\n")
    assert "NOT SOLVED; the best unverified board is shown" in err
    found = record(ONE, "--levels", 1, "--fallback", "none")
    assert [found[name] for name in ("solved", "source", "level", "attempt")] == [False, "none", None, None]
    assert not verify(parse_line(found["board"]), parse_line(ONE)).solved
