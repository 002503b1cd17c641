"""Words that are, or should have been, the 81 cells of a puzzle; shared by the layouts that find such words.

It knows neither lines nor files. A `+` before a digit says that the digit was placed by a player or a program: such a
cell is open, as it is no clue.

Invariant: a word gives a board only if it is exactly 81 cells; what it is instead is said in the BoardError.
"""

import re
from dataclasses import dataclass
from math import isqrt
from typing import Final

import numpy as np

from checker.board import CELLS, Board, BoardError, parse_line

WIDEST_ROW: Final = 36  # a word up to this long may be the row of a grid (see `drawn`)
_PLACED: Final = re.compile(r"\+[1-9]")
_SCIENTIFIC: Final = re.compile(r"\d+[.,]\d+[eE]\+?\d+|\d+[eE]\+\d+")
_NOT_FRAME: Final = CELLS - set("-_")
_ONLY_9X9: Final = "81 cells: only 9x9 is supported"


@dataclass(frozen=True)
class Word:
    """A word of a line and the column, from 1, where it starts."""

    text: str
    column: int = 1

    @property
    def cells(self) -> str:
        """The text with every placed digit as an open cell."""
        return _PLACED.sub(".", self.text) if "+" in self.text else self.text

    @property
    def exact(self) -> bool:
        """Whether the word is exactly 81 cells."""
        cells = self.cells
        return len(cells) == 81 and CELLS.issuperset(cells)

    @property
    def likely(self) -> bool:
        """Too many cells for a row; dashes alone are a rule, unless there are just 81."""
        cells = self.cells
        known = sum(map(CELLS.__contains__, cells))
        dashes = _NOT_FRAME.isdisjoint(cells) and not self.exact
        return len(cells) > WIDEST_ROW and 2 * known >= len(cells) and not dashes

    @property
    def damaged(self) -> bool:
        """Whether a spreadsheet made a number of it."""
        return _SCIENTIFIC.fullmatch(self.text) is not None

    def board(self) -> Board:
        """The board; raises BoardError with its column in the line."""
        if self.damaged:
            found = f"{self.text[:24]}, scientific notation: a spreadsheet has lost the digits"
            raise BoardError(found, "81 cells as text", self.column)
        cells = self.cells
        if len(cells) != 81:
            raise BoardError(*miscounted(cells), self.column)
        try:
            return parse_line(cells)
        except BoardError as error:
            raise BoardError(error.found, error.expected, self._column(error.column or 1)) from None

    def _column(self, cell: int) -> int:
        """The column in the line of a cell counted from 1."""
        ends = [found.end() for found in re.finditer(r"\+[1-9]|.", self.text)]
        return self.column + ends[cell - 1] - 1


def miscounted(cells: str) -> tuple[str, str]:
    """What was found and expected, for a run of cells that are not 81."""
    side = isqrt(len(cells))
    if side * side == len(cells):
        return f"{len(cells)} cells ({side}x{side})", _ONLY_9X9
    found = f"{len(cells)} cell{'s' * (len(cells) != 1)}"
    if 60 < len(cells) < 81 and cells.isdecimal() and "0" in cells:
        return f"{found}; were leading zeros lost in a spreadsheet?", "81 cells"
    return found, "81 cells"


def clues_among(words: list[Word]) -> Board:
    """The one puzzle among some words, which may come with its solution; raises BoardError otherwise."""
    exact = [word for word in words if word.exact]
    if not exact:
        return words[0].board()
    for word in words:
        if word not in exact and len(word.cells) > 64:
            raise BoardError(f"a second word of {len(word.cells)} cells", "one puzzle on a line", word.column)
    first = exact[0].board()
    for word in exact[1:]:
        first = _puzzle_of(first, word)
    return first


def _puzzle_of(first: Board, word: Word) -> Board:
    second = word.board()
    for puzzle, solution in ((first, second), (second, first)):
        if solution.all() and np.array_equal(np.where(puzzle, solution, 0), puzzle):
            return puzzle
    raise BoardError("a second word of 81 cells, not a solution of the first", "one puzzle on a line", word.column)
