"""A board drawn as a 9x9 grid in the classic frame, for a terminal with or without colour.

It only draws; it does not judge. A digit that is not a clue of the puzzle carries a prime, so that clues and
generated digits differ without colour; `LEGEND` says so in words.

Invariant: every drawing is 13 lines of equal width, and one without primes reads back (`formats`) as its board.
"""

from typing import Final

from checker.board import Board

LEGEND: Final = "5 clue, 5' generated"

_CORNERS: Final = {True: ("+++", "+++", "+++"), False: ("┌┬┐", "├┼┤", "└┴┘")}


def to_grid(board: Board, clues: Board, ascii: bool) -> str:
    """Draw `board` [81]; what `clues` [81] do not give is marked with a prime, and a value that is no digit is "?".

    `ascii` draws with ``+ - | .`` alone, otherwise with box-drawing characters and a middle dot.
    """
    bar, open_cell = ("|", ".") if ascii else ("│", "·")
    cells = [_cell(int(value), int(clue), open_cell) for value, clue in zip(board, clues, strict=True)]
    lines = []
    for row in range(9):
        if row % 3 == 0:
            lines.append(_rule(row // 3, ascii))
        boxes = (" ".join(cells[9 * row + box : 9 * row + box + 3]) for box in (0, 3, 6))
        lines.append(bar + bar.join(f" {box}" for box in boxes) + bar)
    return "\n".join([*lines, _rule(2, ascii, last=True)])


def _rule(band: int, ascii: bool, last: bool = False) -> str:
    left, middle, right = _CORNERS[ascii][2 if last else min(band, 1)]
    return left + middle.join([("-" if ascii else "─") * 9] * 3) + right


def _cell(value: int, clue: int, open_cell: str) -> str:
    if value == 0:
        return open_cell + " "
    digit = str(value) if 1 <= value <= 9 else "?"
    return digit + (" " if value == clue else "'")
