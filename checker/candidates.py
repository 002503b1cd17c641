"""The candidates of a whole grid in one Python integer of 729 bits, and the search over them.

Bit ``81 * (digit - 1) + cell`` is set while `digit` is a candidate of `cell`. One integer is one position:
there is nothing to copy, undo or keep in step. A Sudoku asks for exactly one candidate in each of 324
places (every cell, and every digit in every row, column and box); `_fold` counts "none, one, more" in all
of them at once. This module knows nothing of boards, texts or answers, and nothing here is public outside
`checker`.

Invariant: a step only removes candidates that no solution under the position has, so a dead end is a proof.
"""

from collections.abc import Callable, Iterator
from typing import Final

from checker.board import PEERS

ALL: Final = (1 << 729) - 1


def _bits(positions: Iterator[int]) -> int:
    return sum(1 << position for position in positions)


def set_bits(value: int) -> Iterator[int]:
    """The positions of the set bits, lowest first."""
    while value:
        lowest = value & -value
        yield lowest.bit_length() - 1
        value ^= lowest


_CELL: Final = _bits(81 * d for d in range(9))  # the nine candidates of cell 0; shift left by the cell
_ROW_STARTS: Final = _bits(9 * i for i in range(81))
_COLUMN_STARTS: Final = _bits(81 * d + c for d in range(9) for c in range(9))
_BOX_STARTS: Final = _bits(81 * d + 27 * b + 3 * s for d in range(9) for b in range(3) for s in range(3))
_CELL_STARTS: Final = (1 << 81) - 1
# Multiplying the start of a place by its shape sets every bit of the place; places of a kind never overlap.
_ROW_SHAPE: Final = _bits(iter(range(9)))
_COLUMN_SHAPE: Final = _bits(9 * r for r in range(9))
_BOX_SHAPE: Final = _bits(9 * r + c for r in range(3) for c in range(3))
_PLACES: Final = (
    *(_CELL << cell for cell in range(81)),
    *(_ROW_SHAPE << start for start in set_bits(_ROW_STARTS)),
    *(_COLUMN_SHAPE << start for start in set_bits(_COLUMN_STARTS)),
    *(_BOX_SHAPE << start for start in set_bits(_BOX_STARTS)),
)


def _keep(digit: int, cell: int) -> int:
    gone = _CELL << cell | _bits(int(peer) for peer in PEERS[cell]) << 81 * digit
    return ALL & ~gone | 1 << 81 * digit + cell


# `position & KEEP[bit]` places that candidate.
KEEP: Final = tuple(_keep(digit, cell) for digit in range(9) for cell in range(81))


def _fold(some: int, more: int, step: int) -> tuple[int, int]:
    """Join three neighbours, `step` bits apart, of a count kept as "at least one" and "at least two" bits."""
    second, third = some >> step, some >> 2 * step
    either = some | second
    return either | third, more | more >> step | more >> 2 * step | some & second | either & third


def singles(position: int) -> int | None:
    """Bits of the naked and hidden singles that still have something to remove, or None at a dead end."""
    mini, minis = _fold(position, 0, 1)
    row, rows = _fold(mini, minis, 3)
    box, boxes = _fold(mini, minis, 9)
    column, columns = _fold(*_fold(position, 0, 9), 27)
    cell, cells = _fold(*_fold(position, 0, 81), 243)
    if _ROW_STARTS & ~row or _COLUMN_STARTS & ~column or _BOX_STARTS & ~box or _CELL_STARTS & ~cell:
        return None
    in_row = (_ROW_STARTS & ~rows) * _ROW_SHAPE
    in_column = (_COLUMN_STARTS & ~columns) * _COLUMN_SHAPE
    in_box = (_BOX_STARTS & ~boxes) * _BOX_SHAPE
    in_cell = (_CELL_STARTS & ~cells) * _CELL
    return position & (in_row | in_column | in_box | in_cell) & ~(in_row & in_column & in_box & in_cell)


def propagate(position: int) -> int | None:
    """Place singles until none is left; None when some place has no candidate (no solution down here)."""
    while forced := singles(position):
        while forced:
            lowest = forced & -forced
            position &= KEEP[lowest.bit_length() - 1]
            forced ^= lowest
    return position if forced == 0 else None


def branches(position: int) -> list[int]:
    """The candidates, as bits, of the first undecided place with the fewest; cells go first."""
    fewest, best = 82, 0
    for place in _PLACES:
        left = position & place
        count = left.bit_count()
        if 1 < count < fewest:
            fewest, best = count, left
            if count == 2:
                break
    return list(set_bits(best))


class Walk:
    """Depth-first walk over the solutions of a position, on an explicit stack, a node per position seen.

    Iterating yields solved positions (81 bits each). `nodes` and `guesses` (nodes that had to branch) count
    up as it goes; `spent` turns true if the walk ended because `budget` nodes were not enough. `order` may
    reorder the branches of a guess in place; without it the walk is deterministic, smallest digit first.
    """

    def __init__(self, position: int, budget: int, order: Callable[[list[int]], None] | None = None) -> None:
        self.nodes = self.guesses = 0
        self.spent = False
        self._stack, self._budget, self._order = [position], budget, order

    def __iter__(self) -> Iterator[int]:
        while self._stack and not self.spent:
            if self.nodes == self._budget:
                self.spent = True
                return
            self.nodes += 1
            position = propagate(self._stack.pop())
            if position is None:
                continue
            if position.bit_count() == 81:
                yield position
            else:
                self._guess(position)

    def _guess(self, position: int) -> None:
        self.guesses += 1
        bits = branches(position)
        if self._order is not None:
            self._order(bits)
        self._stack.extend(position & KEEP[bit] for bit in reversed(bits))
