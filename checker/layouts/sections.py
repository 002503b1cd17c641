"""Files of sections headed `[Name]`: the clues are under `[Puzzle]`, never under `[State]` and its like.

It knows no cells: what is under `[Puzzle]`, or a name it does not know, is left to the other layouts.

Invariant: a section that is not of clues is skipped whole.
"""

import re
from typing import Final

from checker.items import Item
from checker.layouts.names import NOT_PUZZLE
from checker.source import Source

_HEADING: Final = re.compile(r"\s*\[\s*([A-Za-z][A-Za-z _-]*)\]\s*")
_SKIPPED: Final = NOT_PUZZLE | {"colours", "colors", "settings", "comments", "history", "timer", "pencil marks"}


def section(source: Source) -> list[Item] | None:
    """Take a heading, and after one that is not of clues the lines up to the next one."""
    name = _name(source)
    if name is None:
        return None
    source.take()
    while name in _SKIPPED and source.peek() is not None and _name(source) is None:
        source.take()
    return []


def _name(source: Source) -> str | None:
    line = source.peek()
    heading = _HEADING.fullmatch(line.text) if line else None
    return heading[1].strip().lower() if heading else None
