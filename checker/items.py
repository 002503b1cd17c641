"""What a file of puzzles gives: puzzles, and refusals of what is none.

It knows neither files nor layouts.

Invariant: every item says where it stood.
"""

from dataclasses import dataclass

from checker.board import Board


@dataclass(frozen=True, eq=False, slots=True)
class Puzzle:
    """The clues [81] of one puzzle and where they stood: the file's name, and the first line from 1."""

    clues: Board
    file: str
    line: int


@dataclass(frozen=True)
class Refusal:
    """What is not a puzzle we read: where it is, what was found and what was expected instead."""

    file: str
    line: int
    found: str
    expected: str
    column: int = 1

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}: found {self.found}, expected {self.expected}"


Item = Puzzle | Refusal
