"""What a file gives: puzzles, refusals, and its numbered lines of text for the layouts to read.

It knows bytes and lines; it does not know a layout (`layouts`).

Invariant: at most one line of a file is held at a time, and a line that is not text is refused, never
guessed at.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import BinaryIO, Final

from checker.board import Board

LONGEST: Final = 65_536  # bytes of one line; a longer one is refused
_BOM: Final = b"\xef\xbb\xbf"


@dataclass(frozen=True, eq=False)
class Puzzle:
    """The clues [81] of one puzzle and where they stood: the file's name, and the first line from 1."""

    clues: Board
    file: str
    line: int


@dataclass(frozen=True)
class Refusal:
    """What is not a puzzle we read: where it is, what was found and what was expected instead."""

    file: str
    line: int
    found: str
    expected: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: found {self.found}, expected {self.expected}"


Item = Puzzle | Refusal


@dataclass(frozen=True)
class Line:
    """A line of text without its end, numbered from 1; `problem` says (found, expected) if it is not text."""

    number: int
    text: str
    problem: tuple[str, str] | None = None

    @property
    def idle(self) -> bool:
        """Blank, or a comment: the first thing on it is `#`."""
        return not self.text.strip() or self.text.lstrip().startswith("#")


class Source:
    """A file open for reading, line by line, with one line of look-ahead; a line ends in LF, CR or both.

    A line that is not text is given as "\N{REPLACEMENT CHARACTER}", which no layout takes for a cell, with
    its `problem`; after a NUL byte nothing more is read.
    """

    def __init__(self, stream: BinaryIO, name: str) -> None:
        self.name = name
        self._lines = _decoded(stream)
        self._ahead = next(self._lines, None)

    def peek(self) -> Line | None:
        """The next line, left in place; None at the end."""
        return self._ahead

    def take(self) -> None:
        """Move on to the line after."""
        self._ahead = next(self._lines, None)

    def refuse(self, number: int, found: str, expected: str) -> Refusal:
        """A refusal at line `number` of this file."""
        return Refusal(self.name, number, found, expected)


# A layout takes the next lines if it knows them and gives what they hold, or takes none and gives None.
Layout = Callable[[Source], list[Item] | None]


def _decoded(stream: BinaryIO) -> Iterator[Line]:
    for number, raw in enumerate(_raw(stream), start=1):
        line = _line(number, raw)
        yield line
        if raw is not None and b"\0" in raw:
            return


def _line(number: int, raw: bytes | None) -> Line:
    if raw is None:
        return Line(number, "\ufffd", (f"a line of {LONGEST} bytes or more", "shorter lines"))
    if b"\0" in raw:
        return Line(number, "\ufffd", ("a NUL byte (a binary file, or UTF-16)", "UTF-8 text"))
    try:
        return Line(number, raw.removeprefix(_BOM if number == 1 else b"").decode())
    except UnicodeDecodeError as error:
        return Line(number, "\ufffd", (f"the byte 0x{raw[error.start]:02x}", "UTF-8 text"))


def _raw(stream: BinaryIO) -> Iterator[bytes | None]:
    """The lines as bytes; None for one that is too long."""
    while chunk := stream.readline(LONGEST):
        if len(chunk) < LONGEST or chunk.endswith(b"\n"):
            yield from chunk.splitlines()
            continue
        while chunk and not chunk.endswith(b"\n"):
            chunk = stream.readline(LONGEST)
        yield None
