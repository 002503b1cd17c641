"""Claims about the judgement on a puzzle, and about `python -m checker`."""

import io
import subprocess
import sys
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from checker import __main__ as command
from checker.board import parse_line, to_line
from checker.generate import minimal_puzzle
from checker.judge import Finding, judge

PUZZLE, SOLUTION = minimal_puzzle(np.random.default_rng(21))
UNIQUE, FULL = to_line(PUZZLE), to_line(SOLUTION)
WRONG = ("1" if FULL[0] != "1" else "2") + FULL[1:]
CLASH = "99" + "." * 79
NO_SOLUTION = "12345678" + "." * 9 + "." + "." * 8 + "9" + "." * 54
MANY = "5" + "." * 80


@pytest.mark.parametrize(
    ("line", "finding", "good"),
    [
        (UNIQUE, Finding.UNIQUE, True),
        (FULL, Finding.RIGHT, True),
        (WRONG, Finding.WRONG, False),
        (CLASH, Finding.CLASH, False),
        (NO_SOLUTION, Finding.NONE, False),
        (MANY, Finding.MANY, False),
    ],
)
def test_every_kind_of_puzzle_has_its_finding(line: str, finding: Finding, good: bool) -> None:
    judgement = judge(parse_line(line))
    assert judgement.finding is finding
    assert judgement.good is good


def test_one_solution_is_told_in_full() -> None:
    assert judge(PUZZLE).describe() == f"one solution: {FULL}"


def test_clashes_are_told_with_their_places() -> None:
    told = "the clues clash: row 1: two 9s at r1c1, r1c2; box 1: two 9s at r1c1, r1c2"
    assert judge(parse_line(CLASH)).describe() == told
    assert "a full board, wrong: " in judge(parse_line(WRONG)).describe()
    assert "at r1c1, " in judge(parse_line(WRONG)).describe()


def test_many_solutions_are_proven_by_two_that_differ() -> None:
    judgement = judge(parse_line(MANY))
    first, second = judgement.solutions
    assert to_line(first) != to_line(second)
    assert judgement.describe().startswith(
        f"more than one solution: {to_line(first)} and {to_line(second)} differ at r"
    )


def test_a_spent_budget_is_unknown_and_never_unsolvable() -> None:
    judgement = judge(parse_line(MANY), budget=2)
    assert judgement.finding is Finding.UNKNOWN
    assert judgement.describe() == "unknown: the budget of 2 nodes was spent"


@pytest.fixture
def written(tmp_path: Path) -> partial[str]:
    def write(name: str, text: str) -> str:
        path = tmp_path / name
        path.write_text(text)
        return str(path)

    return partial(write, "puzzles.txt")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (f"{UNIQUE}\n{FULL}\n", 0),
        (f"{UNIQUE}\n{CLASH}\n", 3),
        (NO_SOLUTION, 3),
        (MANY, 3),
        (WRONG, 3),
        (UNIQUE[:80], 3),
        ("", 3),
    ],
)
def test_the_exit_code_tells_the_worst_puzzle(text: str, code: int, written: partial[str]) -> None:
    assert command.main([written(text)]) == code


def test_an_unknown_puzzle_exits_with_one(written: partial[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "judge", partial(judge, budget=2))
    assert command.main([written(f"{FULL}\n{MANY}\n")]) == 1
    assert command.main([written(f"{MANY}\n{CLASH}\n")]) == 3


def test_results_go_to_stdout_and_refusals_to_stderr(written: partial[str], capsys: pytest.CaptureFixture[str]) -> None:
    name = written(f"# ours\n{UNIQUE}\n{UNIQUE[:80]}\n")
    command.main([name])
    shown = capsys.readouterr()
    assert shown.out == f"{name}:2: one solution: {FULL}\n"
    assert shown.err == f"{name}:3:1: found 80 cells, expected 81 cells\n"


def test_a_dash_reads_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(UNIQUE.encode())))
    assert command.main(["-"]) == 0
    assert capsys.readouterr().out.startswith("<stdin>:1: one solution")


def test_a_missing_file_is_one_line_and_the_others_are_still_checked(
    tmp_path: Path, written: partial[str], capsys: pytest.CaptureFixture[str]
) -> None:
    missing = str(tmp_path / "missing.txt")
    assert command.main([missing, written(UNIQUE)]) == 2
    shown = capsys.readouterr()
    assert shown.err == f"{missing}: No such file or directory\n"
    assert "one solution" in shown.out


def test_a_directory_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main([str(tmp_path)]) == 2
    assert capsys.readouterr().err == f"{tmp_path}: Is a directory\n"


def test_no_file_at_all_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        command.main([])
    assert "usage: python -m checker" in capsys.readouterr().err


def test_the_checker_needs_numpy_alone() -> None:
    program = "import sys, checker.__main__, checker.generate; print(*sys.modules)"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    loaded = {module.split(".")[0] for module in ran.stdout.split()}
    assert "numpy" in loaded
    assert not loaded & {"mlx", "click", "textual", "sudoku_ncm", "tui"}


def test_a_reader_that_goes_away_leaves_no_traceback(written: partial[str]) -> None:
    name = written(f"{MANY}\n" * 2000)
    with subprocess.Popen(
        [sys.executable, "-m", "checker", name], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
