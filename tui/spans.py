"""Text with a meaning: a line is a row of spans, each with a role, not a colour.

Knows neither Textual nor terminals; `palette` gives roles their look. Invariant: meaning is never carried by the role
alone, there is always a character or a word that says the same.
"""

from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple


class Role(StrEnum):
    """What a piece of text is."""

    PLAIN = "plain"
    DIM = "dim"
    SHADE = "shade"
    STRONG = "strong"
    CLUE = "clue"
    ENTRY = "entry"
    GENERATED = "generated"
    CHANGED = "changed"
    CLASH = "clash"
    PASS = "pass"
    FAIL = "fail"


class Span(NamedTuple):
    """A piece of one line; `marked` is the cursor or the picked row, `click` the action a click on it runs."""

    text: str
    role: Role = Role.PLAIN
    marked: bool = False
    click: str = ""


Line = tuple[Span, ...]


def line(*parts: str | Span) -> Line:
    """A line of plain strings and spans."""
    return tuple(Span(part) if isinstance(part, str) else part for part in parts)


def text(spans: Iterable[Span]) -> str:
    """The characters of a line."""
    return "".join(span.text for span in spans)


def fit(spans: Line, width: int) -> Line:
    """The line cut to `width` characters, the last one an ellipsis where something is lost."""
    if len(text(spans)) <= width:
        return spans
    kept: list[Span] = []
    room = width - 1
    for span in spans:
        kept.append(span._replace(text=span.text[:room]))
        room -= len(kept[-1].text)
        if room <= 0:
            break
    return (*kept, Span("…", Role.DIM))


def wrap(words: str, width: int, role: Role = Role.PLAIN) -> list[Line]:
    """Words broken into lines of at most `width` characters."""
    rows = [""]
    for word in words.split():
        joined = f"{rows[-1]} {word}".strip()
        if len(joined) <= width:
            rows[-1] = joined
        else:
            rows.append(word)
    return [(Span(row, role),) for row in rows]
