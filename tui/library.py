"""The puzzles the window walks through: a file of any length, an argument, a paste, or three of our own.

Knows the reader of the command line; keeps a window of what was read and reads again from the start to go further
back. Invariant: what cannot be read is a Refusal with its reason, shown as such, never another puzzle.
"""

from collections import deque
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path

from checker.formats import Puzzle, Refusal, read
from sudoku_ncm.inputs import items

Item = Puzzle | Refusal
WINDOW = 1000
OWN = (
    "..3..51...92.........9.82..1..4.3.7..5978.34173.51.689..6..7.1.8..169..392183...5",
    "8..792...3......78..6....4.16.5.7.3...4.3..1..9......72..64...3689...1.44.7915..2",
    "6...5..1....87...4.3......8.9....7..3.......5....248......9..2.15...6...7....24..",
)
"""An easy, a medium and a minimal puzzle made by `checker.generate` (seeds 1, 2, 3)."""


class Library:
    """Random access to a stream of puzzles by number from 0; `origin` is (argument or text, name, value)."""

    def __init__(self, name: str, again: Callable[[], Iterator[Item]], origin: tuple[str, str, str]) -> None:
        self.name, self._again, self.origin = name, again, origin
        self.total: int | None = None
        self._restart()
        for _ in range(WINDOW // 2):
            if not self._read():
                break

    def _restart(self) -> None:
        self._stream, self._kept, self._first = self._again(), deque[Item](), 0

    def _read(self) -> bool:
        item = next(self._stream, None)
        if item is None:
            self.total = self._first + len(self._kept)
            return False
        self._kept.append(item)
        if len(self._kept) > WINDOW:
            self._kept.popleft()
            self._first += 1
        return True

    def get(self, number: int) -> Item | None:
        """The item of that number, None past the end."""
        if number < self._first:
            self._restart()
        while number >= self._first + len(self._kept):
            if not self._read():
                return None
        return self._kept[number - self._first]

    def title(self, number: int) -> str:
        """`hard.txt #3/10`; without the total while it is not known, without a number for a single puzzle."""
        if self.total == 1:
            return self.name
        return f"{self.name} #{number + 1}" + (f"/{self.total}" if self.total else "")


def from_argument(argument: str) -> Library:
    """A file or a puzzle in 81 characters; raises UsageError for what cannot be opened."""
    first = next(items((argument,)), None)
    name = "argument" if first is not None and first.file == "argument" else argument
    value = argument if name == "argument" else str(Path(argument).absolute())
    return Library(name, lambda: items((argument,)), ("argument", name, value))


def from_text(text: str, name: str) -> Library:
    """Whatever the reader of files finds in a text."""
    data = text.encode("utf-8", "surrogateescape")
    return Library(name, lambda: read(BytesIO(data), name), ("text", name, text))


def own() -> Library:
    """Three puzzles of our own, easy to hard."""
    return from_text("\n".join(OWN), "our own")


def empty() -> Library:
    """One board without a clue, to be filled in by hand."""
    return from_text("." * 81, "new board")
