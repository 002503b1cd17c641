"""The board: 81 cells in a row, the units and peers among them, and its text for one puzzle.

It knows the shape of the grid and how people write it down; it does not know what makes a board right
(`verify`), how to fill it (`search`) or which file a text came from (`formats`).

Invariant: cell ``9 * row + column``, counted from 0; a board made here holds only 0 (open) and the digits 1
to 9.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

Board = npt.NDArray[np.int8]  # [81], row-major; 0 = open
Indices = npt.NDArray[np.intp]

BLANKS: Final = "0.-*_xX "  # characters that stand for an open cell
EXPECTED_CELL: Final = "a digit 1-9 or a blank (0 . - * _ x X or space)"
_VALUES: Final = {str(digit): digit for digit in range(1, 10)} | dict.fromkeys(BLANKS, 0)
CELLS: Final = frozenset(_VALUES)  # every character that can be a cell
_DIGITS: Final = str.maketrans({character: str(value) for character, value in _VALUES.items()})


def _frozen(indices: Indices) -> Indices:
    indices.flags.writeable = False
    return indices


ROWS: Final = _frozen(np.arange(81).reshape(9, 9))  # [9, 9] cell indices
COLUMNS: Final = _frozen(ROWS.T.copy())  # [9, 9]
BOXES: Final = _frozen(ROWS.reshape(3, 3, 3, 3).swapaxes(1, 2).reshape(9, 9).copy())  # [9, 9]
UNITS: Final = _frozen(np.concatenate([ROWS, COLUMNS, BOXES]))  # [27, 9]: rows, columns, boxes


def _peers(cell: int) -> list[int]:
    around = set(UNITS[np.isin(UNITS, cell).any(axis=1)].ravel().tolist())
    return sorted(around - {cell})


PEERS: Final = _frozen(np.array([_peers(cell) for cell in range(81)]))  # [81, 20], ascending


class BoardError(ValueError):
    """Not a board: what was found, what was expected, and the column (from 1) where it is known."""

    def __init__(self, found: str, expected: str, column: int | None = None) -> None:
        where = "" if column is None else f" at column {column}"
        super().__init__(f"found {found}{where}, expected {expected}")
        self.found, self.expected, self.column = found, expected, column


def unit_name(unit: int) -> str:
    """Name a unit 0..26 as "row 1", "column 4" or "box 9"."""
    return f"{('row', 'column', 'box')[unit // 9]} {unit % 9 + 1}"


def cell_name(cell: int) -> str:
    """Name a cell 0..80 as "r4c7", both counted from 1."""
    return f"r{cell // 9 + 1}c{cell % 9 + 1}"


def parse_line(text: str) -> Board:
    """Read a puzzle of exactly 81 characters: digits 1-9, and any of `BLANKS` for an open cell.

    Raises BoardError on another length or character.
    """
    if len(text) != 81:
        raise BoardError(f"{len(text)} characters", "81 characters")
    if not CELLS.issuperset(text):
        column = next(column for column, character in enumerate(text, start=1) if character not in CELLS)
        raise BoardError(character_name(text[column - 1]), EXPECTED_CELL, column)
    return np.frombuffer(text.translate(_DIGITS).encode(), dtype=np.int8) - ord("0")


def character_name(character: str) -> str:
    """Name what was found in place of a cell, as "the letter 'A'", "'+'" or "'\\u2075'"."""
    return "the letter " * character.isalpha() + ascii(character)


def check_board(board: Board) -> Board:
    """Give back `board` if it is 81 integers from 0 to 9; raise BoardError otherwise."""
    if board.shape != (81,) or not np.issubdtype(board.dtype, np.integer):
        raise BoardError(f"an array of {board.dtype} {list(board.shape)}", "81 integers")
    wrong = np.flatnonzero((board < 0) | (board > 9))
    if wrong.size:
        raise BoardError(f"{board[wrong[0]]} in {cell_name(int(wrong[0]))}", "values from 0 to 9")
    return board


def to_line(board: Board) -> str:
    """Write a board as 81 characters, `.` for an open cell; raises BoardError if it is not a board."""
    return "".join(".123456789"[value] for value in check_board(board).tolist())
