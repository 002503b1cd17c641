"""Puzzles of our own, as wanted: how many clues, minimal, symmetric, falling to singles or not.

It knows nothing of how hard a puzzle feels; it counts clues, and asks whether exact search must guess. Grids come from
`grids`, puzzles from `digging`.

Invariant: every puzzle made here has exactly one solution, the one that comes with it; puzzle i of a seed
depends on the seed and i alone, so parallel jobs make the same file. Hard and deep puzzles (`climbing`) come in
chains.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby, islice
from typing import Final

import numpy as np

from checker.board import Board, to_line
from checker.climbing import Goal, deep_puzzles, hard_puzzles
from checker.digging import add_clues, add_pairs, is_minimal, minimal_puzzle, symmetric_puzzle
from checker.grids import random_grid, symmetry_indices
from checker.neighbours import Pair
from checker.search import count_solutions

__all__ = [
    "CSV_HEADER",
    "OutOfReachError",
    "Pair",
    "Wanted",
    "add_clues",
    "csv_row",
    "minimal_puzzle",
    "puzzles",
    "random_grid",
    "symmetry_indices",
    "wanted",
    "wanted_deep",
    "wanted_hard",
]

CSV_HEADER: Final = "puzzle,solution,clues,guesses"
CHAIN: Final = 32  # hard or deep puzzles found one from another; those of another chain share nothing with them
TRIES: Final = 500  # minimal puzzles tried for one puzzle before its range of clues is called out of reach


class OutOfReachError(ValueError):
    """No puzzle with a number of clues in the range asked for was found."""


@dataclass(frozen=True)
class Wanted:
    """What puzzles are asked for: `lo` to `hi` clues; with `guesses`, ones for which exact search must guess, or not.

    With `minimal` no clue of a puzzle can be taken away (these have about 21 to 28); otherwise random cells of a
    minimal puzzle are given until the number of clues, drawn evenly from the range, is reached. `symmetric` puzzles
    look the same after a half turn. Raises ValueError on an impossible range.
    """

    lo: int = 17
    hi: int = 81
    minimal: bool = False
    symmetric: bool = False
    guesses: bool | None = None

    def __post_init__(self) -> None:
        if not 17 <= self.lo <= self.hi <= 81:
            raise ValueError(f"found a range of {self.lo} to {self.hi} clues, expected one within 17 to 81")

    def one(self, rng: np.random.Generator) -> Pair:
        """A puzzle like this, and its solution; raises OutOfReachError if `TRIES` grids did not give one."""
        clues = int(rng.integers(self.lo, self.hi + 1))
        for _ in range(TRIES):
            puzzle, solution = symmetric_puzzle(rng) if self.symmetric else minimal_puzzle(rng)
            fitted = self._fit(puzzle, solution, clues, rng)
            if fitted is not None and self._hard_enough(fitted):
                return fitted, solution
        raise OutOfReachError(f"found no puzzle of {self.lo} to {self.hi} clues in {TRIES} grids, expected one")

    def _fit(self, puzzle: Board, solution: Board, clues: int, rng: np.random.Generator) -> Board | None:
        given = int(np.count_nonzero(puzzle))
        if self.minimal:
            return puzzle if self.lo <= given <= self.hi and (not self.symmetric or is_minimal(puzzle)) else None
        if given > clues:
            return None
        return (add_pairs if self.symmetric else add_clues)(puzzle, solution, clues - given, rng)

    def _hard_enough(self, puzzle: Board) -> bool:
        return self.guesses is None or (count_solutions(puzzle).guesses > 0) is self.guesses


def puzzles(count: int, seed: int, lo: int, hi: int, minimal: bool = False, first: int = 0) -> Iterator[Pair]:
    """Puzzles `first` .. `first + count - 1` of `seed`, as (puzzle, solution), as `Wanted` says."""
    return wanted(Wanted(lo, hi, minimal), range(first, first + count), seed)


def wanted(like: Wanted, numbers: range, seed: int) -> Iterator[Pair]:
    """The puzzles with these numbers of `seed`, as (puzzle, solution); raises OutOfReachError."""
    for number in numbers:
        yield like.one(np.random.default_rng([seed, number]))


def wanted_hard(guesses: int, numbers: range, seed: int) -> Iterator[Pair]:
    """The puzzles with these numbers (rising) of `seed` that cost exact search `guesses` or more, minimal ones.

    Raises OutOfReachError where no more are found.
    """
    return _chained(hard_puzzles(guesses), numbers, seed)


def wanted_deep(depth: float, numbers: range, seed: int) -> Iterator[Pair]:
    """The same for puzzles of this depth (`checker.refutation`) or more."""
    return _chained(deep_puzzles(depth), numbers, seed)


def _chained(goal: Goal, numbers: range, seed: int) -> Iterator[Pair]:
    for chain, members in groupby(numbers, lambda number: number // CHAIN):
        chosen, found = [number % CHAIN for number in members], 0
        for pair in islice(goal.puzzles(np.random.default_rng([seed, chain])), max(chosen) + 1):
            if found in chosen:
                yield pair
            found += 1
        if found <= max(chosen):
            raise OutOfReachError(f"found {found} puzzles as hard as asked for in a chain, expected {max(chosen) + 1}")


def csv_row(puzzle: Board, solution: Board, guesses: int) -> str:
    """A puzzle [81] as a row of `CSV_HEADER`: its solution, how many clues it has, what it costs exact search."""
    return f"{to_line(puzzle)},{to_line(solution)},{np.count_nonzero(puzzle)},{guesses}"
