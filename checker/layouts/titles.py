"""Titles between puzzles: `Grid 01`, `Puzzle 3 (hard):`, `Difficulty: easy`; and `Solution`, whose grid is no puzzle.

It knows no cells: it asks the layouts of grids to take what a title like `Solution` announces.

Invariant: a title is short and has fewer digits than a puzzle; what follows one like `Solution` is never a puzzle.
"""

import re
from typing import Final

from checker.items import Item
from checker.layouts.drawn import drawn
from checker.layouts.names import TITLE
from checker.layouts.oneline import is_oneline, oneline
from checker.source import Source

LONGEST_TITLE: Final = 120  # characters
_SOLUTION: Final = re.compile(r"\W*(?:the )?(?:solutions?|answers?|pencil ?marks)\b(?P<more>.*)", re.IGNORECASE)
_NUMBER: Final = re.compile(r"\W*(?:\d{1,4}\W*)?")  # what a heading may have after such a word


def title(source: Source) -> list[Item] | None:
    """Take a title; one like `Solution` with what it announces, on its line or, if there is nothing, under it."""
    line = source.legible()
    if line is None or len(line.text) > LONGEST_TITLE:
        return None
    solution = _SOLUTION.fullmatch(line.text)
    if not solution and (not TITLE.fullmatch(line.text) or is_oneline(line.text)):
        return None
    source.take()
    if solution and _NUMBER.fullmatch(solution["more"]):
        _skip_grid(source)
    return []


def _skip_grid(source: Source) -> None:
    while (line := source.peek()) is not None and not line.text.strip():
        source.take()
    if oneline(source) is None:
        drawn(source)
