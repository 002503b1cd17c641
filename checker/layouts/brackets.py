"""The brackets that are open in a document (`nested`), and the items that come out as they are closed.

It knows what tokens make; `shapes` knows what that means for a puzzle.

Invariant: what stands under a name like "solution" gives nothing; no more is held than the brackets that are open, and
of each no more values than a grid has.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from checker.board import Board, BoardError
from checker.items import Item, Puzzle, Refusal
from checker.layouts.names import NOT_PUZZLE, PUZZLE
from checker.layouts.shapes import OF_A_CELL, Value, array, chosen, record, scalar
from checker.layouts.tokens import END_OF_LINE, Token, unescaped
from checker.layouts.words import Word

_PAIR: Final = {"[": "]", "{": "}", "(": ")"}
_DEEPEST: Final = 64
_MOST: Final = 82  # values kept of one array: one more than any that counts


@dataclass
class _Open:
    """A bracket that is still open: where, under which name, and what stood in it so far.

    `silent` says that nothing in it is a puzzle, by its name or by that of a bracket round it.
    """

    bracket: str
    token: Token
    name: str = ""
    silent: bool = False
    key: str = ""
    record: bool = False  # whether it had a key
    values: list[Value] = field(default_factory=list)
    fields: dict[str, Value] = field(default_factory=dict)


class Brackets:
    """The brackets open so far; `token` is the one at hand."""

    def __init__(self, file: str) -> None:
        self.token = Token("", "", 1, 1)
        self._file = file
        self._stack: list[_Open] = []
        self._name = ""  # what a document after `name =` is called
        self._found: list[Item] = []

    def take(self, token: Token) -> list[Item]:
        """Take the next token and give what it completed; raises BoardError where it cannot stand."""
        self.token, self._found = token, []
        self._take(token.kind, token.text)
        return self._found

    def awaited(self) -> str | None:
        """The bracket that would close the last one; None if none is open."""
        return _PAIR[self._stack[-1].bracket] if self._stack else None

    def refusal(self, found: str, expected: str, token: Token) -> Refusal:
        """A refusal at the place of a token."""
        return Refusal(self._file, token.line, found, expected, token.column)

    def _take(self, kind: str, text: str) -> None:
        if kind == "open":
            self._open(text)
        elif kind == "close":
            self._close(text)
        elif kind == "mark":
            self._mark(text)
        elif kind != END_OF_LINE:
            self._scalar(text)

    def _open(self, bracket: str) -> None:
        if len(self._stack) == _DEEPEST:
            raise BoardError(f"brackets more than {_DEEPEST} deep", "fewer")
        name, silent = self._standing()
        self._stack.append(_Open(bracket, self.token, name, silent))

    def _standing(self) -> tuple[str, bool]:
        """The name of what comes next, and whether it is none of a puzzle's."""
        name, silent = (self._stack[-1].key, self._stack[-1].silent) if self._stack else (self._name, False)
        return name, silent or name in NOT_PUZZLE

    def _close(self, bracket: str) -> None:
        if not self._stack and bracket == ")":  # of a call round the list
            return
        if bracket != self.awaited():
            raise BoardError(repr(bracket), repr(self.awaited() or "an opening bracket before it"))
        closed = self._stack.pop()
        self._name = ""
        if closed.record:
            self._found.extend([] if closed.silent else chosen(closed.fields))
            self._deliver(record(closed.fields))
        else:
            self._deliver(self._item(closed, lambda: array(closed.values)))

    def _mark(self, mark: str) -> None:
        if not self._stack:
            self._name = self._name if mark in "=:" else ""
        elif mark in "=:":
            top = self._stack[-1]
            if top.bracket != "{" or not top.values or not isinstance(top.values[-1], str):
                raise BoardError(repr(mark), "a comma or a bracket")
            top.key = str(top.values.pop()).lower()

    def _scalar(self, text: str) -> None:
        if not self._stack:
            if Word(text).likely:
                raise BoardError("a puzzle outside the brackets", "a bracket or the end of the line")
            self._name = text.rsplit(".", 1)[-1].lower()
            return
        text = unescaped(text)
        here = _Open("", self.token, *self._standing())
        self._deliver(text if here.silent else self._item(here, lambda: scalar(text)))

    def _item(self, place: _Open, read: Callable[[], Value | Board]) -> Value:
        """What was read, a board as a puzzle, and what is wrong with it as a refusal, if it could be one."""
        if place.silent:
            return None
        try:
            value = read()
        except BoardError as error:
            known = not place.name or place.name in PUZZLE
            return self.refusal(error.found, error.expected, place.token) if known else None
        return Puzzle(value, self._file, place.token.line) if isinstance(value, np.ndarray) else value

    def _deliver(self, value: Value) -> None:
        top = self._stack[-1] if self._stack else None
        if top is not None and top.key:
            if isinstance(value, Puzzle | Refusal) or top.key in OF_A_CELL:
                top.fields[top.key] = value
            top.key, top.record = "", True
        elif isinstance(value, Puzzle | Refusal):
            self._found.append(value)
        elif top is not None and len(top.values) < _MOST:
            top.values.append(value)
