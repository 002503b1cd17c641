"""A board drawn as a 9x9 grid in the classic frame, for a terminal with or without colour.

It only draws; it does not judge. A digit that is not a clue of the puzzle carries a prime, so that clues and
generated digits differ without colour; `LEGEND` says so in words.

Invariant: every drawing is 13 lines of equal width, and one without primes reads back as its board.
"""

from typing import Final

from checker.board import Board

LEGEND: Final = "5 = clue, 5' = generated"

_ASCII_RULES: Final = ("+---------+---------+---------+",) * 3
_BOX_RULES: Final = (
    "┌─────────┬─────────┬─────────┐",
    "├─────────┼─────────┼─────────┤",
    "└─────────┴─────────┴─────────┘",
)
_STYLES: Final = ("\x1b[1m{}\x1b[0m", "\x1b[36m{}\x1b[0m")  # of a clue, of another digit
_NO_STYLES: Final = ("{}", "{}")


def to_grid(board: Board, clues: Board, ascii: bool, colour: bool = False) -> str:
    """Draw `board` [81]; what `clues` [81] do not give has a prime, and a value that is no digit is "?".

    `ascii` draws with ``+ - | .`` alone, otherwise with box-drawing characters and a middle dot. With `colour` clues
    are bold and other digits cyan, in ANSI codes.
    """
    bar, open_cell = ("|", ".") if ascii else ("│", "·")
    top, middle, bottom = _ASCII_RULES if ascii else _BOX_RULES
    styles = _STYLES if colour else _NO_STYLES
    cells = [_cell(int(value), int(clue), open_cell, styles) for value, clue in zip(board, clues, strict=True)]
    rows = [_row(cells[first : first + 9], bar) for first in range(0, 81, 9)]
    return "\n".join([top, *rows[:3], middle, *rows[3:6], middle, *rows[6:], bottom])


def _row(cells: list[str], bar: str) -> str:
    return bar + bar.join(" " + " ".join(cells[box : box + 3]) for box in (0, 3, 6)) + bar


def _cell(value: int, clue: int, open_cell: str, styles: tuple[str, str]) -> str:
    if value == 0:
        return open_cell + " "
    digit = str(value) if 1 <= value <= 9 else "?"
    return styles[0].format(digit + " ") if value == clue else styles[1].format(digit + "'")
