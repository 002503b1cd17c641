"""Grids drawn in rows of nine cells, with or without bars, rules, frames, spaces and gaps after bands.

It knows nothing of what the cells mean, and leaves each line to `rows`. Rows are gathered up to a blank line before any
is believed, so that a row too many or too few refuses the lot instead of shifting the rows of one grid into the next.

Invariant: a puzzle is nine rows of whole paragraphs; of paragraphs of three rows, three make one puzzle, of single rows
nine.
"""

import re
from dataclasses import dataclass, replace
from itertools import chain, groupby
from typing import Final

from checker.board import CELLS, EXPECTED_CELL, character_name, parse_line
from checker.items import Item, Puzzle, Refusal
from checker.layouts.names import TITLE
from checker.layouts.oneline import is_oneline
from checker.layouts.rows import Cells, doubtful, row_cells
from checker.source import Source

MOST_ROWS: Final = 90_000  # rows held before they are refused for want of a line that ends them: 10,000 grids
_LONGEST_ROW: Final = 1_000  # characters
_CANDIDATES: Final = re.compile("u[1-9]|1?2?3?4?5?6?7?8?9?")  # of a cell, or a digit that the user put there
_DIGITS: Final = frozenset("123456789")
_FEWEST_OPEN: Final = 3  # cells with candidates: fewer are slips in a grid of another kind
_PARTS: Final = (1, 3)  # rows of a paragraph that is but a part of a grid
_COMMENT: Final = re.compile(r"\s+(?:#|//).*")
_EXPECTED: Final = "9 rows of 9 cells (only 9x9 is supported)"


@dataclass(frozen=True)
class _Row:
    number: int
    cells: Cells
    text: str

    def refuse(self, source: Source, cell: str) -> Refusal:
        """A refusal of the first of such cells in the row."""
        found = f"{character_name(cell)} in cell {self.cells.index(cell) + 1} of the row"
        return source.refuse(self.number, found, EXPECTED_CELL, self.text.find(cell) + 1)


def drawn(source: Source) -> list[Item] | None:
    """Take the rows and rules up to a blank line, and on to the next ones as long as they come in threes or alone."""
    if _ahead(source) is None:
        return None
    paragraphs: list[list[_Row]] = []
    rows, count = _paragraph(source), 0
    while len(rows) in _PARTS:
        paragraphs.extend([rows] if count <= MOST_ROWS else [])
        count += len(rows)
        _skip_blank_lines(source)
        rows = _paragraph(source)
    groups = [list(chain.from_iterable(group)) for _, group in groupby([*paragraphs, rows], key=len)]
    return [item for group in groups for item in _puzzles(source, group)]


def _ahead(source: Source) -> _Row | None:
    line = source.legible()
    if line is None or line.idle or len(line.text) > _LONGEST_ROW:
        return None
    text = _COMMENT.sub("", line.text)
    if is_oneline(text) or TITLE.fullmatch(text):
        return None
    cells = row_cells(text)
    return None if cells is None else _Row(line.number, cells, text)


def _skip_blank_lines(source: Source) -> None:
    while (line := source.peek()) is not None and line.idle and not line.text.strip():
        source.take()


def _paragraph(source: Source) -> list[_Row]:
    rows: list[_Row] = []
    while (row := _ahead(source)) is not None:
        source.take()
        if row.cells and len(rows) <= MOST_ROWS:
            rows.append(row)
    return _settled(rows)


def _settled(rows: list[_Row]) -> list[_Row]:
    """Take the doubtful rows for rules or for rows, whichever alone makes whole grids or a band.

    Where both would, they are given as one cell each, so that the lot is refused.
    """
    sure = [row for row in rows if not doubtful(row.cells)]
    if not _whole(len(sure)) or len(sure) == len(rows):
        return rows
    if not _whole(len(rows)):
        return sure
    return [replace(row, cells=("".join(row.cells),)) if doubtful(row.cells) else row for row in rows]


def _whole(rows: int) -> bool:
    return rows == 3 or (rows > 0 and rows % 9 == 0)


def _puzzles(source: Source, rows: list[_Row]) -> list[Item]:
    if len(rows) <= MOST_ROWS and len(rows) % 9 == 0 and {len(row.cells) for row in rows} <= {9}:
        return [_puzzle(source, rows[first : first + 9]) for first in range(0, len(rows), 9)]
    return [source.refuse(rows[0].number, _shape([len(row.cells) for row in rows]), _EXPECTED)]


def _puzzle(source: Source, rows: list[_Row]) -> Item:
    everything = [cell for row in rows for cell in row.cells]
    if not CELLS.issuperset(everything):
        several = [cell for cell in everything if cell not in _DIGITS]
        candidates = CELLS.isdisjoint(several) and len(several) >= _FEWEST_OPEN
        allowed = _CANDIDATES.fullmatch if candidates else CELLS.__contains__
        for row in rows:
            if wrong := [cell for cell in row.cells if not allowed(cell)]:
                return row.refuse(source, wrong[0])
    text = "".join(cell if len(cell) == 1 else "." for cell in everything)
    return Puzzle(parse_line(text), source.name, rows[0].number)


def _shape(widths: list[int]) -> str:
    if len(widths) > MOST_ROWS:
        return f"more than {MOST_ROWS} rows without a # line or a whole grid between blank lines"
    if len(set(widths)) > 1:
        return f"rows of {', '.join(map(str, widths[:16]))}{' ...' * (len(widths) > 16)} cells"
    grid = f"a {widths[0]}x{widths[0]} grid: "
    return grid * (len(widths) == widths[0]) + f"{len(widths)} row{'s' * (len(widths) > 1)} of {widths[0]} cells"
