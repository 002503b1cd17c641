"""The layout of last resort: it refuses a line that no other layout took.

Invariant: one line, one refusal, with no control character of the file in it.
"""

from typing import Final

from checker.items import Item
from checker.source import Source

_SHOWN: Final = 24  # characters of the line that a refusal quotes


def unknown(source: Source) -> list[Item] | None:
    """Refuse the next line, saying what is not text about it or quoting how it starts."""
    line = source.peek()
    if line is None:
        return None
    source.take()
    text = line.text.strip()
    quoted = ascii(text[:_SHOWN]) + "..." * (len(text) > _SHOWN)
    column = len(line.text) - len(line.text.lstrip()) + 1
    return [source.refuse(line.number, *(line.problem or (quoted, "a puzzle of 81 cells or a row of 9", column)))]
