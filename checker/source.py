"""What a file gives: puzzles, refusals, and its numbered lines of text for the layouts to read.

It knows lines; it knows neither encodings (`decoding`) nor layouts (`layouts`).

Invariant: no more than a block and a line of a file is held at a time; line numbers are those of the file; a line that
is not text or too long has a `problem`, and only a layout that reads it in pieces may take it for more than that.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import BinaryIO, Final

from checker.decoding import texts
from checker.items import Item, Refusal

LONGEST: Final = 65_536  # characters of a line that are held; only documents read in pieces may have longer ones
_END: Final = re.compile(r"\r\n?|\n")
_NOT_UTF8: Final = re.compile("[\udc80-\udcff]")
_OPEN_ROWS: Final = ("\t" * 8, " " * 9, " " * 17)  # nothing between tabs, in nine cells, in nine set apart
_COMMENT: Final = ("#", "//", ";")


@dataclass(frozen=True)
class Line:
    """A line of text without its end, numbered from 1; `problem` says (found, expected, column) if it is not text."""

    number: int
    text: str
    problem: tuple[str, str, int] | None = None

    @property
    def idle(self) -> bool:
        """Blank (but see `_OPEN_ROWS`), or a comment: it starts like one."""
        start = self.text.lstrip()
        if not start:
            return self.text not in _OPEN_ROWS
        return start.startswith(_COMMENT) and self.text.count(";") < 8


class Source:
    """A file open for reading, line by line, with one line of look-ahead; a line ends in LF, CR or both."""

    def __init__(self, stream: BinaryIO, name: str) -> None:
        self.name = name
        self.number, self.column = 1, 1  # where the unread text starts
        self._blocks = texts(stream)
        self._text, self._at = "", 0
        self._line: Line | None = None
        self._end: tuple[int, bool] | None = None

    def peek(self) -> Line | None:
        """The next line, left in place; None at the end."""
        if self._line is None and (stop := self._line_end()[0]) > self._at:
            text = self._text[self._at : min(stop, self._at + LONGEST)].rstrip("\r\n")
            long = stop - self._at > LONGEST
            self._line = Line(self.number, text, _too_long() if long else _not_text(text))
        return self._line

    def legible(self) -> Line | None:
        """The next line, left in place, if there is one and nothing is wrong with it as text."""
        line = self.peek()
        return None if line is None or line.problem else line

    def take(self) -> None:
        """Move on to the line after."""
        while (text := self.piece()) and not text.endswith(("\n", "\r")):
            pass

    def piece(self) -> str:
        """Take what is left of the line, its end included, but at most `LONGEST` characters; "" at the end."""
        stop, ended = self._line_end()
        if stop - self._at > LONGEST:
            stop, ended = self._at + LONGEST, False
        text = self._text[self._at : stop]
        self._moved(stop, self.number + ended, 1 if ended else self.column + len(text))
        return text

    def ahead(self, length: int) -> str:
        """Up to `length` characters that follow, as far as they have been read already."""
        return self._text[self._at : self._at + length]

    def take_lines(self, lines: int, length: int) -> None:
        """Move on by so many whole lines of `length` characters, ends included, all within `ahead`."""
        self._moved(self._at + lines * length, self.number + lines, 1)

    def refuse(self, number: int, found: str, expected: str, column: int = 1) -> Refusal:
        """A refusal at line `number` of this file."""
        return Refusal(self.name, number, found, expected, column)

    def _moved(self, at: int, number: int, column: int) -> None:
        self._at, self.number, self.column, self._line, self._end = at, number, column, None, None

    def _line_end(self) -> tuple[int, bool]:
        """Where the line, with its end, stops in the text held, and whether it ends there."""
        if self._end is None:
            self._end = self._find_end()
        return self._end

    def _find_end(self) -> tuple[int, bool]:
        while True:
            end = _END.search(self._text, self._at)
            if end and (end[0] != "\r" or end.end() < len(self._text)):
                return end.end(), True
            if len(self._text) - self._at > LONGEST or not self._fill():
                return len(self._text), end is not None

    def _fill(self) -> bool:
        block = next(self._blocks, None)
        if block is None:
            return False
        self._text, self._at = self._text[self._at :] + block, 0
        return True


# A layout takes the next lines if it knows them and gives what they hold, or takes none and gives None.
Layout = Callable[[Source], Iterable[Item] | None]


def _too_long() -> tuple[str, str, int]:
    return f"a line of more than {LONGEST} characters", "shorter lines", LONGEST + 1


def _not_text(text: str) -> tuple[str, str, int] | None:
    if "\0" in text:
        return "binary data", "text", text.index("\0") + 1
    wrong = None if text.isascii() else _NOT_UTF8.search(text)
    if wrong is None:
        return None
    return f"the byte 0x{ord(wrong[0]) - 0xDC00:02x}", "UTF-8 text", wrong.start() + 1
