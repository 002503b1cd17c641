"""Training puzzles are read strictly, and a batch is a function of seed and step alone."""

import gzip
import hashlib

import numpy as np
import pytest

from checker.board import to_line
from checker.generate import puzzles
from checker.verify import verify
from sudoku_ncm.errors import ExitCode, PuzzleError, UsageError
from sudoku_ncm.training.data import Mix, PuzzleSet, batch

HEADER = "puzzle,solution,clues,guesses"


@pytest.fixture(scope="module")
def rows():
    """Eight minimal puzzles as lines of a file."""
    pairs = puzzles(8, seed=2, lo=17, hi=81, minimal=True)
    return [f"{to_line(puzzle)},{to_line(solution)},{np.count_nonzero(puzzle)},0" for puzzle, solution in pairs]


@pytest.fixture
def file(rows, tmp_path):
    path = tmp_path / "puzzles.csv"
    path.write_text("\n".join([HEADER, *rows, ""]))
    return path


@pytest.fixture
def data(file):
    return PuzzleSet.load(file)


def test_a_file_is_read_row_by_row(data, rows, file):
    assert [to_line(board) for board in data.puzzles] == [row[:81] for row in rows]
    assert [to_line(board) for board in data.solutions] == [row[82:163] for row in rows]
    assert data.sha256 == hashlib.sha256(file.read_bytes()).hexdigest()


def test_gzip_zeros_and_windows_lines_read_the_same(data, file, tmp_path):
    packed, windows = tmp_path / "puzzles.csv.gz", tmp_path / "windows.csv"
    packed.write_bytes(gzip.compress(file.read_bytes()))
    windows.write_bytes(file.read_bytes().replace(b"\n", b"\r\n").replace(b".", b"0"))
    for other in (PuzzleSet.load(packed), PuzzleSet.load(windows)):
        assert np.array_equal(other.puzzles, data.puzzles)
        assert np.array_equal(other.solutions, data.solutions)
        assert other.sha256 != data.sha256


def damaged(row, at, text):
    return row[:at] + text + row[at + len(text) :]


ROWS = {
    "a row that is too short": lambda row: row[:100],
    "no comma between the boards": lambda row: damaged(row, 81, ";"),
    "a solution of 82 characters": lambda row: damaged(row, 163, "1"),
    "a letter in the puzzle": lambda row: damaged(row, row.index("."), "q"),
    "an open cell in the solution": lambda row: damaged(row, 100, "."),
    "a solution that breaks the rules": lambda row: damaged(row, 82, row[83]),
    "a clue that the solution changes": lambda row: row[:82] + row[82:163].translate(str.maketrans("19", "91")),
    "a blank line": lambda row: "",
}


@pytest.mark.parametrize("name", ROWS)
def test_a_bad_row_is_refused_with_its_line(rows, file, name):
    file.write_text("\n".join([HEADER, *rows[:2], ROWS[name](rows[2]), *rows[3:]]))
    with pytest.raises(PuzzleError) as caught:
        PuzzleSet.load(file)
    assert str(caught.value).startswith(f"{file}:4: found ")
    assert ", expected " in str(caught.value)
    assert caught.value.exit_code == ExitCode.BAD_PUZZLE


@pytest.mark.parametrize(("text", "line"), [("", 1), ("solution,puzzle\n", 1), (HEADER + "\n", 2)])
def test_a_file_without_header_or_without_rows_is_refused(file, text, line):
    file.write_text(text)
    with pytest.raises(PuzzleError, match=rf"puzzles.csv:{line}: found .*, expected"):
        PuzzleSet.load(file)


@pytest.mark.parametrize("damage", [lambda b: b[:-9], lambda b: b[:40] + b"\0\xff" + b[42:], lambda b: b[:12]])
def test_a_damaged_gzip_file_is_refused(file, damage):
    file.write_bytes(damage(gzip.compress(file.read_bytes())))
    with pytest.raises(PuzzleError, match=r"puzzles.csv: found damaged gzip data \(.*\), expected training puzzles"):
        PuzzleSet.load(file)


def test_a_file_that_cannot_be_opened_is_a_usage_error(tmp_path):
    for path in (tmp_path / "absent.csv", tmp_path):
        with pytest.raises(UsageError, match=r"found (no such file|a directory), expected training puzzles"):
            PuzzleSet.load(path)


def test_a_batch_depends_on_seed_and_step_only(data):
    first = batch(data, 16, seed=3, step=5)
    batch(data, 4, seed=1, step=1)
    assert all(np.array_equal(a, b) for a, b in zip(first, batch(data, 16, seed=3, step=5), strict=True))
    for other in (batch(data, 16, seed=3, step=6), batch(data, 16, seed=4, step=5)):
        assert not np.array_equal(first[0], other[0])


def test_every_row_of_a_batch_is_a_puzzle_with_its_solution(data):
    for clues, solution in zip(*batch(data, 200, seed=0, step=0), strict=True):
        assert verify(solution, clues).solved


def test_clues_are_only_ever_added_within_the_limits_of_the_mix(data):
    fewest = min(np.count_nonzero(puzzle) for puzzle in data.puzzles)
    most = max(np.count_nonzero(puzzle) for puzzle in data.puzzles)
    clues, _ = batch(data, 400, seed=0, step=1, mix=Mix(few=2, many=9, few_share=0.5))
    given = (clues != 0).sum(axis=1)
    assert given.min() >= fewest
    assert given.max() <= most + 9
    assert (given > most + 2).any()
    nothing, _ = batch(data, 50, seed=0, step=1, mix=Mix(few=0, many=0))
    assert set((nothing != 0).sum(axis=1)) <= {np.count_nonzero(puzzle) for puzzle in data.puzzles}


def test_symmetries_move_the_same_puzzle_to_many_places(data):
    one = PuzzleSet(data.puzzles[:1], data.solutions[:1], "")
    clues, _ = batch(one, 64, seed=0, step=0, mix=Mix(few=0, many=0))
    assert len({to_line(board) for board in clues}) == 64


def test_half_of_a_batch_is_hard_puzzles_with_no_clue_added(data):
    hard = PuzzleSet(data.puzzles[:1], data.solutions[:1], "")
    given = np.count_nonzero(hard.puzzles[0])
    eased, mixed = batch(data, 40, seed=0, step=1), batch(data, 40, seed=0, step=1, hard=hard)
    assert [len(part) for part in mixed] == [40, 40]
    assert set((mixed[0][20:] != 0).sum(axis=1)) == {given}
    assert not set((eased[0][20:] != 0).sum(axis=1)) <= {given}
    assert all(verify(solution, clues).solved for clues, solution in zip(*mixed, strict=True))
