"""The verdict on a board: whether it is full, right in every unit, and true to its clues.

Only this module says "solved". It knows nothing of how a board came about, and never searches.

Invariant: `solved` means 81 digits from 1 to 9, no unit with a repeated digit, every clue kept; any other
value in a board counts as an open cell and can only make it less solved. `verify` and `verify_batch` agree.
"""

from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from checker.board import UNITS, cell_name, unit_name

Integers = npt.NDArray[np.integer[Any]]

_BIT: Final = np.array([0] + [1 << digit for digit in range(9)], dtype=np.int16)
_COUNT_WORDS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


class Change(NamedTuple):
    """A clue that the board does not keep: the cell, the clue and the value found there."""

    cell: int
    clue: int
    found: int


@dataclass(frozen=True)
class Clash:
    """A digit that stands in more than one cell of a unit (0..26, see `board.unit_name`)."""

    unit: int
    digit: int
    cells: tuple[int, ...]

    def __str__(self) -> str:
        where = ", ".join(map(cell_name, self.cells))
        return f"{unit_name(self.unit)}: {_COUNT_WORDS[len(self.cells)]} {self.digit}s at {where}"


@dataclass(frozen=True)
class Verdict:
    """What one board is worth: its open cells, its clashes in unit order, and the clues it changed."""

    open_cells: int
    clashes: tuple[Clash, ...]
    changes: tuple[Change, ...]

    @property
    def solved(self) -> bool:
        """Full, without a clash, and true to every clue."""
        return not (self.open_cells or self.clashes or self.changes)

    @property
    def changed_clues(self) -> tuple[int, ...]:
        """The cells of the clues that the board changed."""
        return tuple(change.cell for change in self.changes)

    def describe(self) -> str:
        """Every reason in one line of English, or "solved"."""
        cells = f"{self.open_cells} open cell{'s' * (self.open_cells != 1)}"
        changes = [f"clue {cell_name(cell)} changed from {clue} to {found}" for cell, clue, found in self.changes]
        return "; ".join([*map(str, self.clashes), *[cells] * (self.open_cells > 0), *changes]) or "solved"


@dataclass(frozen=True, eq=False)
class BatchVerdict:
    """The verdicts on B boards as arrays [B]; `broken_units` counts the units in which a digit repeats."""

    solved: npt.NDArray[np.bool_]
    open_cells: npt.NDArray[np.int64]
    broken_units: npt.NDArray[np.int64]
    changed_clues: npt.NDArray[np.int64]


def verify(board: Integers, clues: Integers) -> Verdict:
    """Judge a board [81] against its clues [81], of any integer type; raises ValueError on other shapes."""
    digits = _digits(board, (81,))
    _digits(clues, (81,))
    changed = np.flatnonzero((clues != 0) & (board != clues))
    changes = tuple(Change(int(cell), int(clues[cell]), int(board[cell])) for cell in changed)
    return Verdict(int((digits == 0).sum()), _clashes(digits), changes)


def verify_batch(boards: Integers, clues: Integers) -> BatchVerdict:
    """Judge boards [B, 81] against clues [B, 81] of any integer type; raises ValueError on other shapes."""
    digits = _digits(boards, (len(boards), 81))
    _digits(clues, (len(boards), 81))
    bits = _BIT[digits.T][UNITS]  # [27, 9, B], one bit a digit: a sum is not the "or" iff a digit repeats
    broken = (bits.sum(axis=1, dtype=np.int16) != np.bitwise_or.reduce(bits, axis=1)).sum(axis=0)
    open_cells = (digits == 0).sum(axis=1)
    changed = ((clues != 0) & (boards != clues)).sum(axis=1)
    return BatchVerdict((open_cells == 0) & (broken == 0) & (changed == 0), open_cells, broken, changed)


def clue_clashes(clues: Integers) -> tuple[Clash, ...]:
    """The clashes among the clues [81] alone, in unit order."""
    return _clashes(_digits(clues, (81,)))


def _digits(values: Integers, shape: tuple[int, ...]) -> npt.NDArray[np.uint8]:
    """The digits 1 to 9 as they are, anything else as 0."""
    if values.shape != shape or not np.issubdtype(values.dtype, np.integer):
        raise ValueError(f"found an array of {values.dtype} {list(values.shape)}, expected integers {list(shape)}")
    return np.where((values >= 1) & (values <= 9), values, 0).astype(np.uint8)


def _clashes(digits: npt.NDArray[np.uint8]) -> tuple[Clash, ...]:
    repeats = ((digits[UNITS][:, :, None] == np.arange(10)).sum(axis=1) > 1)[:, 1:]  # [27, 9]
    return tuple(_clash(digits, unit, digit + 1) for unit, digit in np.argwhere(repeats).tolist())


def _clash(digits: npt.NDArray[np.uint8], unit: int, digit: int) -> Clash:
    return Clash(unit, digit, tuple(cell for cell in UNITS[unit].tolist() if digits[cell] == digit))
