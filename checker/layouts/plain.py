"""Many one-line puzzles at once: the fast path for lines of just 81 cells, none of them a space.

It gives what `oneline` would give for the same lines, some twenty times as fast, and leaves any other line alone.

Invariant: a run ends before the first line that is not exactly 81 cells and a line end.
"""

from collections.abc import Iterator
from typing import Final

import numpy as np
import numpy.typing as npt

from checker.board import BLANKS
from checker.items import Puzzle
from checker.source import Source

_LINES: Final = 256  # looked at together
_NO_CELL: Final = 10
_VALUES: Final = np.full(256, _NO_CELL, dtype=np.int8)
_VALUES[[ord(character) for character in BLANKS if character != " "]] = 0
_VALUES[[ord(str(digit)) for digit in range(1, 10)]] = range(1, 10)


def plain(source: Source) -> Iterator[Puzzle] | None:
    """Take the lines of 81 cells that come next, up to `_LINES`, if there is one."""
    line = source.peek()
    if line is None or len(line.text) != 81:
        return None
    for end in (b"\n", b"\r\n"):
        if len(boards := _run(source, end)):
            first = source.number
            source.take_lines(len(boards), 81 + len(end))
            return (Puzzle(board, source.name, first + index) for index, board in enumerate(boards))
    return None


def _run(source: Source, end: bytes) -> npt.NDArray[np.int8]:
    width = 81 + len(end)
    data = source.ahead(_LINES * width).encode("latin-1", "replace")
    codes = np.frombuffer(data, dtype=np.uint8)[: len(data) // width * width].reshape(-1, width)
    boards = _VALUES[codes[:, :81]]
    plain_lines = (boards != _NO_CELL).all(axis=1) & (codes[:, 81:] == np.frombuffer(end, np.uint8)).all(axis=1)
    return boards[: len(boards) if plain_lines.all() else int(plain_lines.argmin())]
