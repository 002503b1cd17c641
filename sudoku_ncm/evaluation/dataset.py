"""Puzzles to evaluate on, each with the stratum it belongs to.

Reads a CSV with a header that names at least `puzzle` (and `stratum`, if there is one), or any file the reader knows,
whose name then is the stratum. Knows nothing of solvers. Invariant: a row that is no puzzle is an error with its line.
"""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from checker.board import Board, BoardError, parse_line
from checker.formats import Refusal
from sudoku_ncm.errors import PuzzleError, UsageError
from sudoku_ncm.inputs import items


@dataclass(frozen=True, eq=False)
class Sample:
    """A puzzle `[81]` of an evaluation and where it comes from."""

    stratum: str
    clues: Board
    file: str
    line: int


def load(path: str) -> list[Sample]:
    """All samples of a file. Raises PuzzleError at a row that is no puzzle, UsageError if it cannot be opened."""
    rows = _csv(path)
    return list(rows) if rows is not None else list(_puzzles(path))


def _puzzles(path: str) -> Iterator[Sample]:
    for item in items((path,)):
        if isinstance(item, Refusal):
            raise PuzzleError(str(item))
        yield Sample(Path(path).stem, item.clues, item.file, item.line)


def _csv(path: str) -> Iterator[Sample] | None:
    """The rows of a CSV whose header names a `puzzle` column; None for any other file."""
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError:
        return None
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}, expected a file of puzzles") from None
    header = next(csv.reader(lines[:1]), [])
    return _rows(path, csv.DictReader(lines)) if "puzzle" in header else None


def _rows(path: str, reader: "csv.DictReader[str]") -> Iterator[Sample]:
    for row in reader:
        try:
            clues = parse_line(row["puzzle"] or "")
        except BoardError as error:
            raise PuzzleError(f"{path}:{reader.line_num}: {error}") from None
        yield Sample(row.get("stratum") or Path(path).stem, clues, path, reader.line_num)
