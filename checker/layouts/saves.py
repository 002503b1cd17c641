"""What programs save inside XML: the clues of one game, without what the player put down.

It knows no XML: a game comes as a few named texts.

Invariant: only a digit that the program itself marks as given is a clue.
"""

import re
from collections.abc import Callable, Mapping
from typing import Final

import numpy as np

from checker.board import Board, BoardError, parse_line
from checker.layouts.words import Word, clues_among
from checker.verify import verify

Reading = Callable[[Mapping[str, str]], Board]

_VERSION: Final = re.compile(r"version: *(\d+)\s+")
_DIGIT: Final = re.compile("[0-9]").fullmatch
_EDITABLE: Final = ("0", "1")
_LETTERS: Final = str.maketrans("_bcdefghij", ".123456789")  # KSudoku: b is 1; `a` is no value


def opensudoku(attributes: Mapping[str, str]) -> Board:
    """The `data` of a game: 81 cells, or a saved game, of which the cells that cannot be edited are clues."""
    if "data" not in attributes:
        raise BoardError("a game without data", 'data="81 cells"')
    data = attributes["data"].strip()
    saved = _VERSION.match(data)
    return _saved(data[saved.end() :]) if saved else clues_among([Word(data)])


def _saved(text: str) -> Board:
    fields = text.strip().removesuffix("|").split("|")
    size = len(fields) // 81
    cells = [fields[first : first + size] for first in range(0, len(fields), size or 1)]
    if size not in (3, 4) or len(fields) % 81 or not all(_DIGIT(cell[0]) and cell[-1] in _EDITABLE for cell in cells):
        raise BoardError(f"a saved game of {len(fields)} fields", "81 cells of value|notes|editable|")
    return parse_line("".join(value if editable == "0" else "." for value, *_, editable in cells))


def ksudoku(texts: Mapping[str, str]) -> Board:
    """The `values` of a puzzle, letters for digits, where its `solution` proves how they are meant.

    Raises BoardError without that proof: the letters are not guessed at.
    """
    values, solution = (texts.get(name, "").strip().translate(_LETTERS) for name in ("values", "solution"))
    try:
        clues, board = parse_line(values), parse_line(solution)
    except BoardError:
        clues, board = np.zeros((2, 81), dtype=np.int8)
    if not verify(board, clues).solved or not clues.any():
        raise BoardError(
            "a KSudoku save whose letters no <solution> proves to be digits",
            "one with it: KSudoku XML is not supported otherwise",
        )
    return clues
