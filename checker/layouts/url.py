"""A link that shares a puzzle: one of its parts is the 81 cells.

It knows no site: any part of the path, the query or the fragment will do.

Invariant: exactly 81 cells between two separators of the link; anything else is refused.
"""

import re
from typing import Final
from urllib.parse import unquote

from checker.board import BoardError
from checker.items import Item, Puzzle
from checker.layouts.words import Word, clues_among
from checker.source import Source

_LINK: Final = re.compile(r"(?:[a-z][a-z0-9+]{1,20}://|\bwww\.)\S+", re.IGNORECASE)
_PART: Final = re.compile(r"[^/?&=#:;,()<>\[\]\"'\s]+")


def url(source: Source) -> list[Item] | None:
    """Take the next line if there is a link on it."""
    line = source.legible()
    link = _LINK.search(line.text) if line else None
    if line is None or link is None:
        return None
    source.take()
    parts = [Word(part[0], link.start() + 1) for part in _PART.finditer(unquote(link[0]))]
    if not (exact := [part for part in parts if part.exact]):
        return [source.refuse(line.number, "a link without 81 cells", "a puzzle in the link", link.start() + 1)]
    try:
        return [Puzzle(clues_among(exact), source.name, line.number)]
    except BoardError as error:
        return [source.refuse(line.number, error.found, error.expected, error.column or 1)]
