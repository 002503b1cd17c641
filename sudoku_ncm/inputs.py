"""What the command line names, as puzzles: files, `-` for standard input, or a puzzle typed as one argument.

Knows arguments and streams; the layouts are the reader's business (`checker.formats`). Invariant: an argument is read
as a file if there is one, as a puzzle only if it is long enough to be nothing else; what cannot be opened is an error.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from checker.board import CELLS
from checker.formats import Puzzle, Refusal, read
from sudoku_ncm.errors import UsageError

SHORTEST_PUZZLE = 40
"""Characters from which an argument that is no file, but half cells, is taken for a (perhaps damaged) puzzle."""


def items(arguments: tuple[str, ...]) -> Iterator[Puzzle | Refusal]:
    """Puzzles and refusals of all arguments in order, streamed. Raises UsageError for what cannot be opened."""
    for argument in arguments:
        with _open(argument) as (stream, name):
            yield from read(stream, name)


def selected(arguments: tuple[str, ...], index: int | None, limit: int | None) -> Iterator[Puzzle | Refusal]:
    """The same, but the `index`-th item only (from 1), or the first `limit`; raises UsageError past the end."""
    found = islice(items(arguments), index - 1 if index else 0, index or limit)
    count = 0
    for count, item in enumerate(found, start=1):  # noqa: B007 (the count outlives the loop)
        yield item
    if index and not count:
        raise UsageError(f"--index {index}: there are fewer puzzles than that")


@contextmanager
def _open(argument: str) -> Iterator[tuple[BinaryIO, str]]:
    if argument == "-":
        yield sys.stdin.buffer, "stdin"
    elif _is_puzzle(argument):
        yield BytesIO(argument.encode("utf-8", "surrogateescape")), "argument"
    else:
        with _file(Path(argument)) as stream:
            yield stream, argument


def _file(path: Path) -> BinaryIO:
    try:
        return path.open("rb")
    except (OSError, ValueError) as error:
        found = "a directory" if path.is_dir() else "no such file" if not path.exists() else str(error)
        raise UsageError(f"{path}: found {found}, expected a puzzle file, - or 81 characters") from None


def _is_puzzle(argument: str) -> bool:
    try:
        like_cells = 2 * sum(character in CELLS for character in argument) >= len(argument) or "://" in argument
        return len(argument) >= SHORTEST_PUZZLE and like_cells and not Path(argument).exists()
    except (OSError, ValueError):  # too long for a file name, or no file name at all
        return True
