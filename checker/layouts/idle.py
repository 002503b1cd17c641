"""Lines that hold nothing: blank ones, comments, and the fences round a block of code.

Invariant: it gives no item.
"""

import re
from typing import Final

from checker.items import Item
from checker.source import Source

_FENCE: Final = re.compile(r"\s*(```+|~~~+)[ \w+.-]*")


def idle(source: Source) -> list[Item] | None:
    """Take the lines that come next as long as there is nothing on them to read."""
    if not _idle(source):
        return None
    while _idle(source):
        source.take()
    return []


def _idle(source: Source) -> bool:
    line = source.peek()
    return line is not None and (line.idle or bool(_FENCE.fullmatch(line.text)))
