"""Puzzles as files that other programs read: the formats of `sudoku-ncm convert`.

It writes clues and nothing else, in ASCII; it does not judge them. Every format is what a file starts with, one text a
puzzle, what stands between two, and what ends it.

Invariant: `formats.read` gives back the same puzzles, in the same order.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from checker.board import Board, to_line
from checker.drawing import to_grid


@dataclass(frozen=True)
class Format:
    """The parts of a file; `one` gives the text of a board [81], without the end of its last line."""

    one: Callable[[Board], str]
    head: str = ""
    between: str = "\n"
    tail: str = "\n"


def _zeros(board: Board) -> str:
    return to_line(board).replace(".", "0")


def _drawn(board: Board) -> str:
    return to_grid(board, board, ascii=True)


def _sdk(board: Board) -> str:
    line = to_line(board)
    return "\n".join(["[Puzzle]", *(line[first : first + 9] for first in range(0, 81, 9))])


FORMATS: Final = {
    "line": Format(to_line),
    "grid": Format(_drawn, between="\n\n"),
    "sdm": Format(_zeros),
    "csv": Format(_zeros, head="puzzle\n"),
    "json": Format(lambda board: json.dumps({"puzzle": to_line(board)}), head="[\n", between=",\n", tail="\n]\n"),
    "sdk": Format(_sdk, between="\n\n"),
    "opensudoku": Format(
        lambda board: f'  <game data="{_zeros(board)}" />',
        head='<?xml version="1.0" encoding="UTF-8"?>\n<opensudoku>\n',
        tail="\n</opensudoku>\n",
    ),
}


def write(boards: Iterable[Board], form: Format) -> Iterator[str]:
    """The text of a file of `boards` in pieces, as they come; nothing at all for no board."""
    before = form.head
    for board in boards:
        yield before + form.one(board)
        before = form.between
    if before is not form.head:
        yield form.tail
