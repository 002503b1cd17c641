"""`sudoku-ncm overlap`: every disguise of a planted puzzle is found, and nothing else."""

import gzip
import json

import numpy as np
import pytest
from disguise import disguised
from running import invoke

from checker.board import to_line
from checker.digging import add_clues
from checker.generate import puzzles
from sudoku_ncm.errors import ExitCode, PuzzleError, UsageError
from sudoku_ncm.evaluation import overlap

PAIRS = list(puzzles(9, seed=21, lo=26, hi=34))
A, OTHERS = PAIRS[:6], PAIRS[6:]
RNG = np.random.default_rng(8)
MORE = [add_clues(puzzle, solution, 6, RNG) for puzzle, solution in A]
PLANTED = [
    ("same puzzle", 3, A[1][0]),
    ("equivalent puzzle", 4, disguised(A[2][0], RNG)),
    ("same solution", 5, MORE[3]),
    ("equivalent solution", 6, disguised(MORE[4], RNG)),
]
B = [OTHERS[0][0], *(board for *_, board in PLANTED), OTHERS[1][0]]


def lines(boards):
    return "\n".join(map(to_line, boards)) + "\n"


@pytest.fixture
def a(tmp_path):
    """Six puzzles with their solutions, packed."""
    path = tmp_path / "a.csv.gz"
    rows = [f"{to_line(puzzle)},{to_line(solution)}" for puzzle, solution in A]
    path.write_bytes(gzip.compress("\n".join(["puzzle,solution", *rows, ""]).encode()))
    return path


@pytest.fixture
def b(tmp_path):
    """Four disguises between two other puzzles, without solutions."""
    path = tmp_path / "b.txt"
    path.write_text(lines(B))
    return path


def found(report):
    return [(pair["kind"], pair["a"]["line"], pair["b"]["line"]) for pair in report["overlaps"]]


def test_every_planted_puzzle_is_found_and_named_with_what_it_shares(a, b):
    code, out, _ = invoke("overlap", a, b, "-o", "json")
    report = json.loads(out)
    assert code == ExitCode.UNSOLVED
    assert found(report) == [(kind, line, at) for at, (kind, line, _) in enumerate(PLANTED, start=2)]
    assert report["totals"] == {kind: 1 for kind, *_ in PLANTED}
    assert report["overlaps"][0]["b"] == {"file": str(b), "line": 2, "puzzle": to_line(A[1][0])}
    assert [(report[side]["compared"], report[side]["rejected"]) for side in "ab"] == [(6, 0), (6, 0)]


@pytest.mark.parametrize("chunk", [1, 4])
def test_neither_the_order_of_the_sets_nor_the_chunks_matter(a, b, chunk, monkeypatch):
    monkeypatch.setattr(overlap, "CHUNK", chunk)
    report = json.loads(invoke("overlap", b, a, "-o", "json")[1])
    assert found(report) == [(kind, at, line) for at, (kind, line, _) in enumerate(PLANTED, start=2)]


def test_a_reader_gets_a_line_a_pair_and_the_totals(a, b):
    out = invoke("overlap", a, b)[1]
    assert f"| equivalent solution | {a}:6 | {b}:5 |\n" in out
    assert f"compared 6 puzzles of {a} (0 rejected) with 6 puzzles of {b} (0 rejected)\n" in out
    assert out.endswith("\nsame puzzle 1, equivalent puzzle 1, same solution 1, equivalent solution 1\n")


def test_sets_with_nothing_in_common_are_exit_code_zero(a, tmp_path):
    (tmp_path / "others.txt").write_text(lines(puzzle for puzzle, _ in OTHERS))
    code, out, _ = invoke("overlap", a, tmp_path / "others.txt")
    assert code == ExitCode.SOLVED
    assert out.startswith("compared 6 puzzles of ")
    assert out.endswith("same puzzle 0, equivalent puzzle 0, same solution 0, equivalent solution 0\n")


BAD = {
    "more than one solution": lambda puzzle, solution: lines([np.where(np.arange(81) < 20, puzzle, 0)]),
    "the clues clash": lambda puzzle, solution: "55" + "." * 79 + "\n",
    "a wrong solution": lambda puzzle, solution: f"{to_line(puzzle)},{to_line(solution)[::-1]}\n",
    "3 characters": lambda puzzle, solution: "1.3\n",
}


@pytest.mark.parametrize("name", BAD)
def test_a_row_that_cannot_be_compared_is_named_and_the_others_are_compared(a, name, tmp_path):
    bad = tmp_path / "bad.csv"
    bad.write_text("puzzle,solution\n" + BAD[name](*OTHERS[0]) + lines([A[0][0]]))
    code, out, err = invoke("overlap", a, bad, "-o", "json")
    report = json.loads(out)
    assert code == ExitCode.BAD_PUZZLE
    assert f"{bad}:2:1: found {name}" in err
    assert (report["b"]["rejected"], found(report)) == (1, [("same puzzle", 2, 3)])


def test_a_file_that_cannot_be_opened_or_unpacked_is_an_error(a, b, tmp_path):
    with pytest.raises(UsageError, match=r"none: found no such file, expected a puzzle file"):
        invoke("overlap", a, tmp_path / "none")
    a.write_bytes(a.read_bytes()[:-20])
    with pytest.raises(PuzzleError, match=r"a.csv.gz: found damaged gzip data \(.*\), expected a puzzle file"):
        invoke("overlap", a, b)
