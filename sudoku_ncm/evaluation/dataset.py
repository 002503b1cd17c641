"""Puzzles to evaluate on, streamed, each with its stratum and, where the file gives one, its solution.

Reads a CSV whose header names at least `puzzle` (and perhaps `stratum` and `solution`), or any file the reader knows,
whose name then is the stratum; gzip data is unpacked. Knows nothing of solvers. Invariant: one row of the file, one
sample or one refusal.
"""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from io import TextIOWrapper
from itertools import chain
from pathlib import Path

from checker.board import Board, BoardError, parse_line
from checker.formats import Refusal
from sudoku_ncm.errors import UsageError
from sudoku_ncm.inputs import items, opened


@dataclass(frozen=True, eq=False)
class Sample:
    """A puzzle `[81]` of an evaluation, where it comes from, and its solution `[81]` if the file has it."""

    stratum: str
    clues: Board
    file: str
    line: int
    solution: Board | None = None


def samples(files: tuple[str, ...]) -> Iterator[Sample | Refusal]:
    """Samples and refusals of all files in order; raises UsageError or PuzzleError as `inputs.opened` does."""
    return chain.from_iterable(map(_file, files))


def _file(path: str) -> Iterator[Sample | Refusal]:
    if "puzzle" in _header(path):
        yield from _table(path)
        return
    for item in items((path,)):
        yield item if isinstance(item, Refusal) else Sample(Path(path).stem, item.clues, item.file, item.line)


def _header(path: str) -> list[str]:
    """The columns of the first line, none if it is not one of a table. A pipe is refused: files are read twice."""
    if Path(path).is_fifo():
        raise UsageError(f"{path}: found a pipe, expected a file")
    with opened(Path(path)) as stream:
        first = stream.readline(1000).decode("utf-8-sig", "replace")
    try:
        return next(csv.reader([first]), [])
    except csv.Error:
        return []


def _table(path: str) -> Iterator[Sample | Refusal]:
    with opened(Path(path)) as data, TextIOWrapper(data, "utf-8-sig", "replace") as stream:
        columns, empty = next(csv.reader([next(stream)])), True
        for line, text in enumerate(stream, start=2):
            if text.strip():
                empty = False
                yield _row(columns, text, path, line)
    if empty:
        yield Refusal(path, 1, "a header and no rows", "at least one puzzle")


def _row(columns: list[str], text: str, path: str, line: int) -> Sample | Refusal:
    """One line of a table is one row, whatever its quotes say."""
    try:
        return _sample(dict(zip(columns, next(csv.reader([text])), strict=False)), path, line)
    except BoardError as error:
        at = "" if error.column is None else f" as character {error.column} of a board"
        return Refusal(path, line, error.found + at, error.expected)
    except csv.Error as error:
        return Refusal(path, line, f"a damaged row ({error})", "one of comma-separated columns")


def _sample(row: dict[str, str], path: str, line: int) -> Sample:
    clues, solution = parse_line(row.get("puzzle", "")), row.get("solution")
    return Sample(row.get("stratum") or Path(path).stem, clues, path, line, parse_line(solution) if solution else None)
