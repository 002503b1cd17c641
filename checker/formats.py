"""Every file of puzzles goes through `read`: the layouts are asked in turn, line by line.

It knows no layout itself (`layouts`) and does not judge: clues that clash are a puzzle like any other.

Invariant: what cannot be read with certainty is a Refusal with its line, never another puzzle than the one
given.
"""

from collections.abc import Iterable, Iterator
from typing import BinaryIO

from checker.items import Item, Puzzle, Refusal
from checker.layouts import LAYOUTS
from checker.source import Source

__all__ = ["Puzzle", "Refusal", "read"]


def read(stream: BinaryIO, name: str) -> Iterator[Item]:
    """Give the puzzles and refusals of `stream` in order, as it is read; `name` is the file's name in both.

    `stream` is any buffered binary file (it has `read1`). A file that gives nothing gives one Refusal.
    """
    source = Source(stream, name)
    found, nothing = "an empty file", True
    while source.peek() is not None:
        found = "no puzzle"
        for item in _items(source):
            nothing = False
            yield item
    if nothing:
        yield source.refuse(1, found, "at least one puzzle")


def _items(source: Source) -> Iterable[Item]:
    answers = (layout(source) for layout in LAYOUTS)
    return next(items for items in answers if items is not None)
