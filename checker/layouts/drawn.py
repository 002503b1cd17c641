"""Grids drawn in rows of nine cells, with or without bars, rules, frames, spaces and gaps after bands.

It knows nothing of what the cells mean. Rows are gathered up to a blank line before any is believed, so
that a row too many or too few refuses the lot instead of shifting the rows of one grid into the next.

Invariant: a puzzle is nine rows of whole paragraphs; of paragraphs of three rows, three make one puzzle.
"""

import re
from dataclasses import dataclass, replace
from typing import Final

from checker.board import CELLS, EXPECTED_CELL, parse_line
from checker.layouts.oneline import is_oneline
from checker.source import Item, Puzzle, Source

MOST_ROWS: Final = 9_000  # rows gathered before they are refused for want of a line that ends them
_BAR: Final = re.compile("[|\u00a6\u2502\u2503\u2506\u2507\u250a\u250b\u2551]+")
_STROKES: Final = re.compile("[-=_\u2500\u2501\u2504\u2505\u2508\u2509\u2550]")  # what runs across in a rule
_FRAME: Final = re.compile(r"[-=_+|\u00a6\s\u2500-\u257f]+")
_MIDDLE_DOT: Final = "\N{MIDDLE DOT}"  # the open cell of our own drawings (`drawing`)

Cells = tuple[str, ...]  # the cells of a row as written; none for a rule


@dataclass(frozen=True)
class _Row:
    number: int
    cells: Cells

    @property
    def doubtful(self) -> bool:
        """Nine dashes: a row of open cells, or a rule."""
        return len(self.cells) == 1 and len(self.cells[0]) == 9 and set(self.cells[0]) <= set("-_")


def drawn(source: Source) -> list[Item] | None:
    """Take the rows and rules up to a blank line, and on to the next ones as long as they come in threes."""
    if _ahead(source) is None:
        return None
    bands: list[_Row] = []
    while len(rows := _paragraph(source)) == 3:
        bands.extend(rows if len(bands) <= MOST_ROWS else [])
        _skip_blank_lines(source)
    return _puzzles(source, bands) + _puzzles(source, rows)


def _ahead(source: Source) -> _Row | None:
    line = source.peek()
    cells = None if line is None or line.idle else _cells(line.text)
    return None if line is None or cells is None else _Row(line.number, cells)


def _skip_blank_lines(source: Source) -> None:
    while (line := source.peek()) is not None and not line.text.strip():
        source.take()


def _paragraph(source: Source) -> list[_Row]:
    rows: list[_Row] = []
    while (row := _ahead(source)) is not None:
        source.take()
        if row.cells and len(rows) <= MOST_ROWS:
            rows.append(row)
    return _settled(rows)


def _settled(rows: list[_Row]) -> list[_Row]:
    """Take the doubtful rows for rules or for rows, whichever alone makes whole grids or a band."""
    sure = [row for row in rows if not row.doubtful]
    if _whole(len(sure)) == _whole(len(rows)):
        return rows
    if _whole(len(sure)):
        return sure
    return [replace(row, cells=tuple(row.cells[0])) if row.doubtful else row for row in rows]


def _whole(rows: int) -> bool:
    return rows == 3 or (rows > 0 and rows % 9 == 0)


def _cells(text: str) -> Cells | None:
    """The cells of a row, however many; none for a rule; None for a line that is neither."""
    fields = [field.strip() for field in _BAR.split(text.strip())]
    fields = fields[not fields[0] :]
    fields = fields[: -1 if fields and not fields[-1] else None]
    words = [word for field in fields for word in field.split()]
    together = "".join(words)
    if set(together) <= set("-_") and len(together) == 9:
        return (together,)
    if _FRAME.fullmatch(text) and len(_STROKES.findall(text)) > 2:
        return ()
    return None if is_oneline(text) or not _like_cells(words) else _split(fields, words)


def _like_cells(words: list[str]) -> bool:
    """Letters, digits and blanks, at least half of them cells; or one character a word, as in big grids."""
    together = "".join(words)
    return all(c in CELLS or c == _MIDDLE_DOT or (c.isascii() and c.isalnum()) for c in together) and (
        2 * sum(c in CELLS for c in together) >= len(together) or len(words) == len(together)
    )


def _split(fields: list[str], words: list[str]) -> Cells | None:
    if len(fields) == 9 and all(len(field) < 2 for field in fields):
        return tuple(field or "." for field in fields)
    if len(words) == 1 or [len(word) for word in words] == [3, 3, 3]:
        words = list("".join(words))
    uneven = len(fields) != 1 and [len("".join(field.split())) for field in fields] != [3, 3, 3]
    return None if len(words) == 9 and uneven else tuple(words)


def _puzzles(source: Source, rows: list[_Row]) -> list[Item]:
    if len(rows) % 9 == 0 and {len(row.cells) for row in rows} <= {9}:
        return [_puzzle(source, rows[first : first + 9]) for first in range(0, len(rows), 9)]
    return [source.refuse(rows[0].number, _shape(rows), "9 rows of 9 cells (only 9x9 is supported)")]


def _puzzle(source: Source, rows: list[_Row]) -> Item:
    for row in rows:
        for column, cell in enumerate(row.cells, start=1):
            if cell not in CELLS and cell != _MIDDLE_DOT:
                return source.refuse(row.number, f"{cell!a} in cell {column} of the row", EXPECTED_CELL)
    text = "".join("".join(row.cells) for row in rows).replace(_MIDDLE_DOT, ".")
    return Puzzle(parse_line(text), source.name, rows[0].number)


def _shape(rows: list[_Row]) -> str:
    widths = [len(row.cells) for row in rows]
    if len(rows) > MOST_ROWS:
        return f"more than {MOST_ROWS} rows without a # line or a whole grid between blank lines"
    if len(set(widths)) > 1:
        return f"rows of {', '.join(map(str, widths[:16]))}{' ...' * (len(widths) > 16)} cells"
    grid = f"a {widths[0]}x{widths[0]} grid: "
    return grid * (len(rows) == widths[0]) + f"{len(rows)} row{'s' * (len(rows) > 1)} of {widths[0]} cells"
