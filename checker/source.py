"""What a file gives: puzzles, refusals, and its numbered lines of text for the layouts to read.

It knows bytes and lines; it does not know a layout (`layouts`).

Invariant: at most one line of a file is held at a time, and a line that is not text is refused, never guessed at.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import BinaryIO, Final

from checker.board import Board

LONGEST: Final = 65_536  # bytes of one line; a longer one is refused
_BOM: Final = b"\xef\xbb\xbf"


@dataclass(frozen=True, eq=False)
class Puzzle:
    """The clues [81] of one puzzle and where they stood: the file's name and the first line, counted from 1."""

    clues: Board
    file: str
    line: int


@dataclass(frozen=True)
class Refusal:
    """Something in a file that is not a puzzle we read: where, what was found and what was expected instead."""

    file: str
    line: int
    found: str
    expected: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: found {self.found}, expected {self.expected}"


Item = Puzzle | Refusal


@dataclass
class Line:
    """A line of text without its end, numbered from 1."""

    number: int
    text: str

    @property
    def blank(self) -> bool:
        """Only white space."""
        return not self.text.strip()

    @property
    def comment(self) -> bool:
        """The first thing on it is `#`."""
        return self.text.lstrip().startswith("#")


@dataclass
class Source:
    """A file open for reading, line by line, with one line of look-ahead.

    Lines that are not text are left out and collected in `refusals`; after a NUL byte nothing more is read.
    """

    stream: BinaryIO
    name: str
    refusals: list[Refusal] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._lines = self._decoded()
        self._ahead = next(self._lines, None)

    def peek(self) -> Line | None:
        """The next line, left in place; None at the end."""
        return self._ahead

    def take(self) -> Line | None:
        """The next line, and move on; None at the end."""
        line, self._ahead = self._ahead, next(self._lines, None)
        return line

    def refusal(self, number: int, found: str, expected: str) -> Refusal:
        """A refusal at line `number` of this file."""
        return Refusal(self.name, number, found, expected)

    def _decoded(self) -> Iterator[Line]:
        for number, raw in enumerate(self._raw(), start=1):
            if b"\0" in raw:
                self.refusals.append(self.refusal(number, "a NUL byte (a binary file, or UTF-16)", "UTF-8 text"))
                return
            if len(raw) >= LONGEST:
                self.refusals.append(self.refusal(number, f"a line of {LONGEST} bytes or more", "shorter lines"))
                continue
            try:
                yield Line(number, raw.removeprefix(_BOM if number == 1 else b"").decode())
            except UnicodeDecodeError as error:
                self.refusals.append(self.refusal(number, f"the byte 0x{raw[error.start]:02x}", "UTF-8 text"))

    def _raw(self) -> Iterator[bytes]:
        while chunk := self.stream.readline(LONGEST):
            whole = chunk
            while len(chunk) == LONGEST and not chunk.endswith(b"\n"):
                chunk = self.stream.readline(LONGEST)
            yield from whole.splitlines() or [b""]
