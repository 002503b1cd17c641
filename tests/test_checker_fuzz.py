"""The reader on damaged files: no error, no hang, no invented cell (see `fuzz_formats.py` for longer runs)."""

import random
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mutations import check, mutated

from checker.board import parse_line, to_line
from checker.generate import minimal_puzzle
from checker.writers import FORMATS, write

PUZZLE, SOLUTION = minimal_puzzle(np.random.default_rng(77))
LINE, FULL = to_line(PUZZLE), to_line(SOLUTION)
ROWS = [LINE[first : first + 9] for first in range(0, 81, 9)]
SAMPLES = [
    *("".join(write([PUZZLE, SOLUTION], form)).encode() for form in FORMATS.values()),
    f"puzzle,solution\n{LINE},{FULL}\n".encode(),
    ("Grid 01\n" + "\n".join(ROWS) + "\nGrid 02\n" + "\n".join(ROWS)).encode(),
    ("[Puzzle]\n" + "\n".join(ROWS) + "\n[State]\n" + FULL).encode(),
    "\n".join(" ".join("1249" if c == "." else c for c in row) for row in ROWS).encode(),
    "\n".join(",".join(c.replace(".", "") for c in row) for row in ROWS).encode(),
    f"https://sudoku.example/?s={LINE}\n:0000:x:{LINE}:::\n{LINE}:1:{FULL}\n".encode(),
    f"{LINE}\n".encode("utf-16"),
]


@given(st.integers(0, 2**64))
@settings(max_examples=400, deadline=None)
def test_a_damaged_file_gives_no_error_and_no_cell_that_is_not_in_it(seed: int) -> None:
    check(mutated(SAMPLES, random.Random(seed)))


@given(st.lists(st.sampled_from([*"0123456789.-*_xX \n\t,|+[]{}\"':=/#<>", LINE, FULL, *ROWS]), max_size=120))
@settings(max_examples=200, deadline=None)
def test_nor_does_any_text_of_the_characters_of_puzzles(parts: list[str]) -> None:
    check("".join(parts).encode())


def test_the_check_itself_catches_an_invented_cell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["checker.layouts.oneline"], "clues_of", lambda text: parse_line("9" * 81))
    with pytest.raises(AssertionError, match="digits that are not in the file"):
        check(f"{LINE} 1\n".encode())


@pytest.mark.parametrize(
    "piece", ["1", ".", " ", "[", "{", "<a>", '"', "1 ", ",", "-", "|", "\r", "a:", "=", "'1',", "+5"]
)
def test_no_endless_repetition_takes_long(piece: str) -> None:
    check((piece * 100_000)[:100_000].encode())
