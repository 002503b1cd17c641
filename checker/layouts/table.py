"""A table whose first line names its columns: the puzzles are in the column that is named like one.

It knows the names (`names`) and the separators; the other columns, solutions among them, are not read.

Invariant: every row after the heading gives one puzzle or one refusal.
"""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from checker.board import BoardError
from checker.items import Item, Puzzle
from checker.layouts.names import best_column
from checker.layouts.oneline import is_oneline
from checker.layouts.words import Word
from checker.source import Line, Source

_SEPARATORS: Final = ",;\t|"


@dataclass(frozen=True)
class _Heading:
    separator: str
    names: tuple[str, ...]
    column: int  # of the puzzles, from 0


def table(source: Source) -> Iterator[Item] | None:
    """Take a heading and all the rows under it; a heading without rows like it is taken alone."""
    line = source.legible()
    heading = _heading(line.text) if line else None
    if heading is None:
        return None
    source.take()
    return _rows(source, heading)


def _heading(text: str) -> _Heading | None:
    if is_oneline(text):
        return None
    for separator in _SEPARATORS:
        names = tuple(name.strip().lower() for name in _fields(text, separator))
        column = best_column(names) if len(names) > 1 else None
        if column is not None:
            return _Heading(separator, names, column)
    return None


def _fields(text: str, separator: str) -> list[str]:
    return next(csv.reader([text], delimiter=separator), [])


def _rows(source: Source, heading: _Heading) -> Iterator[Item]:
    while (line := source.peek()) is not None and not line.problem:
        if not line.idle and heading.separator not in line.text:
            return
        source.take()
        if not line.idle and _heading(line.text) != heading:
            yield _row(source, heading, line)


def _row(source: Source, heading: _Heading, line: Line) -> Item:
    fields = _fields(line.text, heading.separator)
    if len(fields) <= heading.column:
        found = f"{len(fields)} field{'s' * (len(fields) > 1)}"
        return source.refuse(line.number, found, f"a column {heading.column + 1} ({heading.names[heading.column]})")
    damaged = next((field for field in fields if Word(field).damaged), fields[heading.column])
    field = damaged if len(fields[heading.column].strip()) != 81 else fields[heading.column]
    cells = field if len(field) == 81 else field.strip()
    try:
        return Puzzle(Word(cells, line.text.find(cells) + 1).board(), source.name, line.number)
    except BoardError as error:
        return source.refuse(line.number, error.found, error.expected, error.column or 1)
