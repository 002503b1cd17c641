"""JSON, and lists as programming languages write them: objects, arrays, one after another or inside one another.

It finds where documents start and what to do when one is broken; `brackets` reads them, token by token, whatever the
length of a file or a line. Commas may be missing, as in the arrays that numpy prints.

Invariant: a broken document gives one refusal at the place where it broke, and is left at the next line that starts
another.
"""

import re
from collections.abc import Iterator
from typing import Final

from checker.board import BoardError
from checker.items import Item
from checker.layouts.brackets import Brackets
from checker.layouts.oneline import is_oneline
from checker.layouts.tokens import END_OF_LINE, TokenError, tokens
from checker.source import Source

_START: Final = re.compile(
    r"\s*(?:[A-Za-z_][\w.<>:\[\] ]{0,60}=\s*)?(?:[A-Za-z_][\w.]*\()?"
    r"(?:\[\s*(?:$|[\"'\[{(\d.*_-]|(?:null|None|[xX])\b)|\{\s*(?:$|[\"'\[{\d}.*_-]|\w+\s*:))"
)
_ROW: Final = re.compile(r"\s*[\[{(][^\[\](){}:]*[\])}][,;]?\s*")
_TAGGED: Final = re.compile(r"\s*[\[(][^\[\](){},\"']{0,24}[\])]\s*[^\s,;:\[\](){}]")  # [12] 53..7....
_SHORT: Final = 100


def nested(source: Source) -> Iterator[Item] | None:
    """Take the lines of the documents that start on the next line."""
    line = source.peek()
    if line is None or not _START.match(line.text) or _is_row(line.text) or _TAGGED.match(line.text):
        return None
    return _items(source, len(line.text) - len(line.text.lstrip()))


def _is_row(text: str) -> bool:
    """Whether a list is all there is on the line, and short: the row of a grid (see `drawn`)."""
    return len(text) < _SHORT and _ROW.fullmatch(text) is not None and not is_oneline(text)


def _items(source: Source, indent: int) -> Iterator[Item]:
    """Everything up to the end of the line on which the last bracket is closed, or what broke it."""
    brackets = Brackets(source.name)
    try:
        for token in tokens(source):
            yield from brackets.take(token)
            if token.kind == END_OF_LINE and brackets.awaited() is None:
                return
        yield brackets.refusal("the end of the file inside brackets", repr(brackets.awaited()), brackets.token)
    except BoardError as error:
        yield brackets.refusal(error.found, error.expected, brackets.token)
        _recover(source, indent)
    except TokenError as error:
        yield brackets.refusal(ascii(error.token.text), "JSON, or a list of rows", error.token)
        _recover(source, indent)


def _recover(source: Source, indent: int) -> None:
    """Skip to a blank line, or to one that starts a document no further right than the broken one."""
    if source.column > 1:
        source.take()
    while (line := source.peek()) is not None and (text := line.text.lstrip()):
        if len(line.text) - len(text) <= indent and _START.match(line.text):
            return
        source.take()
