"""What the command line names, as puzzles: files, `-` for standard input, or a puzzle typed as one argument.

Knows arguments, streams and gzip; the layouts are the reader's business (`checker.formats`). Invariant: an argument is
read as a file if there is one, as a puzzle only if it is long enough to be nothing else; what cannot be opened is an
error.
"""

import gzip
import hashlib
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader, BytesIO
from itertools import islice
from pathlib import Path
from typing import BinaryIO, cast

from checker.board import CELLS
from checker.formats import Puzzle, Refusal, read
from sudoku_ncm.errors import PuzzleError, UsageError

SHORTEST_PUZZLE = 40
"""Characters from which an argument that is no file, but half cells, is taken for a (perhaps damaged) puzzle."""
_GZIP = b"\x1f\x8b"
_FILE = "a puzzle file"


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
def opened(path: Path, expected: str = _FILE) -> Iterator[BinaryIO]:
    """A file of puzzles, unpacked if it is gzip data; `expected` is for the errors.

    Raises UsageError if it cannot be opened, PuzzleError if reading meets damaged gzip data.
    """
    with _file(path, expected) as stream, _unpacked(stream, str(path), expected) as unpacked:
        yield unpacked


@contextmanager
def _unpacked(stream: BinaryIO, name: str, expected: str) -> Iterator[BinaryIO]:
    packed = isinstance(stream, BufferedReader) and stream.peek(2)[:2] == _GZIP
    try:
        yield cast(BinaryIO, gzip.GzipFile(fileobj=stream)) if packed else stream
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise PuzzleError(f"{name}: found damaged gzip data ({error}), expected {expected}") from None


def digest(path: Path) -> str:
    """SHA-256 of a file as it is, to name the data in a report. Raises UsageError if it cannot be opened."""
    with _file(path, _FILE) as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


@contextmanager
def _open(argument: str) -> Iterator[tuple[BinaryIO, str]]:
    if argument == "-":
        with _unpacked(sys.stdin.buffer, "stdin", _FILE) as stream:
            yield stream, "stdin"
    elif _is_puzzle(argument):
        yield BytesIO(argument.encode("utf-8", "surrogateescape")), "argument"
    else:
        with opened(Path(argument), f"{_FILE}, - or 81 characters") as stream:
            yield stream, argument


def _file(path: Path, expected: str) -> BufferedReader:
    try:
        return path.open("rb")
    except (OSError, ValueError) as error:
        found = "a directory" if path.is_dir() else "no such file" if not path.exists() else str(error)
        raise UsageError(f"{path}: found {found}, expected {expected}") from None


def _is_puzzle(argument: str) -> bool:
    try:
        like_cells = 2 * sum(character in CELLS for character in argument) >= len(argument) or "://" in argument
        return len(argument) >= SHORTEST_PUZZLE and like_cells and not Path(argument).exists()
    except (OSError, ValueError):  # too long for a file name, or no file name at all
        return True
