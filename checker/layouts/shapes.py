"""What the values of a document (`nested`) mean: a row, a grid, a cell of a saved game, the puzzle of a record.

It knows no text and no place in it.

Invariant: a board comes from 81 values in the order in which they stand, or from cells that name their place and are
marked as fixed; anything else that looks like a grid is a BoardError.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from checker.board import CELLS, Board, BoardError, parse_line
from checker.items import Item, Puzzle
from checker.layouts.names import NOT_PUZZLE, PUZZLE
from checker.layouts.oneline import clues_of, is_oneline

_NOTHING: Final = frozenset({"", "null", "none", "nil", "undefined", "false"})
_FLOAT: Final = re.compile(r"[0-9]\.0*")
_TRUE: Final = ("true", "1")
OF_A_CELL: Final = ("position", "value", "fixed")  # the fields of a cell of a saved game
_SIDES: Final = range(4, 26)  # of the grids that are told their size


@dataclass(frozen=True)
class Cell:
    """A cell of a saved game that names its place (0..80) and its digit; 0 where the digit is no clue."""

    place: int
    digit: int


Row = tuple[str, ...]
Value = str | Row | Cell | Item | None  # None: of no interest


def scalar(text: str) -> Board | str:
    """A string or a number: a puzzle if it is long enough for one, else itself. Raises BoardError."""
    return clues_of(text) if is_oneline(text) else text


def array(values: list[Value]) -> Board | Row | None:
    """A list: a puzzle, a row of one, or nothing. Raises BoardError for a grid of another shape."""
    texts = [value for value in values if isinstance(value, str)]
    rows = [value for value in values if isinstance(value, tuple)]
    cells = [value for value in values if isinstance(value, Cell)]
    if values and len(cells) == len(values):
        return _placed(cells)
    if len(values) in _SIDES and len(rows) == len(values):
        return _grid(rows)
    if len(texts) != len(values):
        return None
    if len(values) in _SIDES and all(len(text) in _SIDES and CELLS.issuperset(text) for text in texts):
        return _grid([tuple(text) for text in texts])
    row = tuple(map(_cell, texts))
    return _board(row) if len(row) == 81 else row


def _cell(text: str) -> str:
    if text.lower() in _NOTHING:
        return "."
    return text[0] if _FLOAT.fullmatch(text) else text


def _grid(rows: list[Row]) -> Board:
    widths = [len(row) for row in rows]
    if len(set(widths)) > 1:
        raise BoardError(f"rows of {', '.join(map(str, widths))} cells", "9 rows of 9 cells")
    if len(rows) != 9 or widths[0] != 9:
        raise BoardError(f"{len(rows)} rows of {widths[0]} cells", "9 rows of 9 cells (only 9x9 is supported)")
    return _board(tuple(cell for row in rows for cell in row))


def _board(cells: Row) -> Board:
    for place, cell in enumerate(cells):
        if len(cell) != 1:
            found = f"{cell[:24]!a} in row {place // 9 + 1}, cell {place % 9 + 1}"
            raise BoardError(found, "one digit or blank a cell")
    return parse_line("".join(cells))


def _placed(cells: list[Cell]) -> Board:
    board = np.zeros(81, dtype=np.int8)
    if len({cell.place for cell in cells}) != len(cells):
        raise BoardError("two cells at one position", "every position once")
    for cell in cells:
        board[cell.place] = cell.digit
    return board


def record(fields: Mapping[str, Value]) -> Cell | None:
    """The cell of a saved game that an object is, if it is one. Raises BoardError for one off the board."""
    position, value = fields.get("position"), fields.get("value")
    if not isinstance(position, tuple) or not isinstance(value, str):
        return None
    numbers = (*position, value)
    if not re.fullmatch("[0-8] [0-8] [0-9]", " ".join(numbers)):
        found = f"a cell at {', '.join(position)[:24]} of {value[:24]}"
        raise BoardError(found, "row and column from 0 to 8, and a digit")
    row, column, digit = map(int, numbers)
    return Cell(9 * row + column, digit if str(fields.get("fixed", "")).lower() in _TRUE else 0)


def chosen(fields: Mapping[str, Value]) -> list[Item]:
    """The puzzles of a record: the one under the best name, or all that are not solutions of another."""
    found = {name: value for name, value in fields.items() if isinstance(value, Item) and name not in NOT_PUZZLE}
    for name in PUZZLE:
        if name in found:
            return [found[name]]
    puzzles = [item for item in found.values() if isinstance(item, Puzzle)]
    return [item for item in puzzles if not any(_solves(item.clues, other.clues) for other in puzzles)]


def _solves(board: Board, clues: Board) -> bool:
    return bool(board.all() and not clues.all() and (board == clues)[clues != 0].all())
