"""Brackets, marks, strings and words of a document, one after another, with their places.

It knows no grammar (`nested`). A line may be longer than `source.LONGEST`: it is read in pieces, and a token that the
end of a piece cuts in two is put together again.

Invariant: the tokens are the text in its order, less blanks; what is no token is a TokenError at its place.
"""

import json
import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from checker.source import LONGEST, Source

END_OF_LINE: Final = "line"  # the kind of a token that says so; the others are the names of the groups
_TOKEN: Final = re.compile(
    r"\s*(?:(?P<open>[\[{(])|(?P<close>[\]})])|(?P<mark>[,:;=])"
    r"|\"(?P<string>(?:[^\"\\\n\r]|\\.)*)\"|'(?P<quoted>(?:[^'\\\n\r]|\\.)*)'|(?P<word>[\w.+*-]+)|$)"
)


class Token(NamedTuple):
    """A token without its quotes, and where it starts in the file."""

    kind: str
    text: str
    line: int
    column: int


class TokenError(ValueError):
    """A character that starts no token; `token` holds it with its place."""

    def __init__(self, token: Token) -> None:
        super().__init__(token)
        self.token = token


def unescaped(text: str) -> str:
    """The text of a string token with its escapes, where JSON knows them, as what they stand for."""
    try:
        return str(json.loads(f'"{text}"')) if "\\" in text else text
    except ValueError:
        return text


def tokens(source: Source) -> Iterator[Token]:
    """Take lines as long as tokens are asked for; after those of a line comes one of kind END_OF_LINE."""
    rest = ""
    while True:
        line, column = source.number, source.column - len(rest)
        piece = source.piece()
        text, at = rest + piece, 0
        whole = not piece or piece.endswith(("\n", "\r"))
        while at < len(text):
            found = _TOKEN.match(text, at)
            if not whole and (found is None or found.end() == len(text)) and len(text) - at < LONGEST:
                break
            if found is None:
                at += len(text[at:]) - len(text[at:].lstrip())
                raise TokenError(Token("", text[at], line, column + at))
            at = found.end()
            if kind := found.lastgroup:
                yield Token(kind, found[kind], line, column + found.start(kind))
        rest = text[at:]
        if whole:
            yield Token(END_OF_LINE, "", line, column + at)
        if not piece:
            return
