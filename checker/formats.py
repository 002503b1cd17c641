"""Every file of puzzles goes through `read`: the layouts are asked in turn, line by line.

It knows no layout itself (`layouts`) and does not judge: clues that clash are a puzzle like any other.

Invariant: what cannot be read with certainty is a Refusal with its line, never another puzzle than the one
given.
"""

from collections.abc import Iterator
from typing import BinaryIO

from checker.layouts import LAYOUTS
from checker.source import Item, Puzzle, Refusal, Source

__all__ = ["Puzzle", "Refusal", "read"]


def read(stream: BinaryIO, name: str) -> Iterator[Item]:
    """Give the puzzles and refusals of `stream` in order, as it is read; `name` is the file's name in both.

    Blank lines and lines that start with `#` are skipped. A file that gives nothing gives one Refusal.
    """
    source = Source(stream, name)
    found, nothing = "an empty file", True
    while (line := source.peek()) is not None:
        found = "no puzzle"
        for item in _skip(source) if line.idle else _items(source):
            nothing = False
            yield item
    if nothing:
        yield source.refuse(1, found, "at least one puzzle")


def _skip(source: Source) -> list[Item]:
    source.take()
    return []


def _items(source: Source) -> list[Item]:
    answers = (layout(source) for layout in LAYOUTS)
    return next(items for items in answers if items is not None)
