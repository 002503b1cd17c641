"""XML: OpenSudoku collections and KSudoku saves; any other document is refused by the name of its root.

It knows the elements (`saves` knows what is in them), and reads in pieces, whatever the length of a file or a line.

Invariant: no entity is ever declared and nothing outside the file is ever opened: a DOCTYPE that says more than a name
ends the reading, as does everything that is not well-formed.
"""

import re
from collections.abc import Iterator
from typing import Final
from xml.parsers import expat

from checker.board import BoardError
from checker.items import Item, Puzzle
from checker.layouts.saves import Reading, ksudoku, opensudoku
from checker.source import Source

_START: Final = re.compile(r"\s*<[?!A-Za-z]")
_HELD: Final = 1 << 20  # characters of one tag or comment
_TEXT: Final = 1_000  # characters kept of the text of an element


def markup(source: Source) -> Iterator[Item] | None:
    """Take a document up to its end, or, where it is broken, the rest of the file."""
    line = source.peek()
    return _Document(source).items() if line is not None and _START.match(line.text) else None


class _Document:
    """One document on its way through the parser; `_found` holds what the last piece gave."""

    def __init__(self, source: Source) -> None:
        self._source, self._first = source, source.number
        self._path: list[str] = []
        self._texts: dict[str, str] = {}
        self._found: list[Item] = []
        self._over, self._fed = False, 0
        self._parser = expat.ParserCreate()
        self._parser.StartDoctypeDeclHandler = self._doctype
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._text

    def items(self) -> Iterator[Item]:
        """What the document holds, as it is read."""
        try:
            while not self._over:
                self._feed(self._source.piece())
                yield from self._taken()
        except BoardError as error:
            yield from self._taken()
            yield self._refusal(error.found, error.expected)
            while self._source.piece():
                pass

    def _taken(self) -> list[Item]:
        found, self._found = self._found, []
        return found

    def _feed(self, piece: str) -> None:
        try:
            self._parser.Parse(piece.encode("utf-8", "replace").decode(), not piece)
        except expat.ExpatError as error:
            raise BoardError(f"broken XML ({expat.ErrorString(error.code)})", "a well-formed document") from None
        if self._held(piece) > _HELD:
            raise BoardError(f"an XML tag of more than {_HELD} characters", "shorter ones")

    def _held(self, piece: str) -> int:
        self._fed += len(piece.encode("utf-8", "replace"))
        return self._fed - max(self._parser.CurrentByteIndex, 0)

    def _refusal(self, found: str, expected: str) -> Item:
        line, column = self._place()
        return self._source.refuse(line, found, expected, column)

    def _place(self) -> tuple[int, int]:
        return self._first + self._parser.CurrentLineNumber - 1, self._parser.CurrentColumnNumber + 1

    def _doctype(self, name: str, system: str | None, public: str | None, inside: bool) -> None:
        if system or public or inside:
            raise BoardError(f"a DOCTYPE {name[:24]!a} that declares or names more", "XML without entities")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if not self._path and name not in ("opensudoku", "ksudoku"):
            raise BoardError(f"XML of another kind, {name[:24]!a}", "an opensudoku or ksudoku document")
        self._path.append(name)
        self._texts[name] = ""
        if name == "game" and self._path[0] == "opensudoku":
            self._give(opensudoku, attributes)

    def _text(self, text: str) -> None:
        if self._path and len(self._texts.get(self._path[-1], "")) < _TEXT:
            self._texts[self._path[-1]] += text

    def _end(self, name: str) -> None:
        self._path.pop()
        if name == "puzzle" and self._path[:1] == ["ksudoku"]:
            self._give(ksudoku, self._texts)
        self._over = not self._path

    def _give(self, read: Reading, parts: dict[str, str]) -> None:
        try:
            self._found.append(Puzzle(read(parts), self._source.name, self._place()[0]))
        except BoardError as error:
            self._found.append(self._refusal(error.found, error.expected))
