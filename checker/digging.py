"""Puzzles dug out of full grids, clue by clue or in pairs, and clues given back to them.

All chance comes from the numpy Generator given. It knows nothing of how many clues are wanted (`generate`).

Invariant: a puzzle made here has exactly one solution, the grid that it was dug out of.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np

from checker.board import Board
from checker.candidates import Walk
from checker.grids import random_grid
from checker.search import NODES, from_clues

_CENTRE: Final = 40
_PAIRS: Final = (*((cell, 80 - cell) for cell in range(_CENTRE)), (_CENTRE,))  # what a half turn exchanges


def minimal_puzzle(rng: np.random.Generator) -> tuple[Board, Board]:
    """A puzzle [81] with one solution from which no clue can be taken away, and that solution [81].

    Clues of a random grid are tried once each, in random order: a clue that is needed stays needed when
    others go.
    """
    solution = random_grid(rng)
    return without_spare_clues(solution, solution, rng), solution


def without_spare_clues(puzzle: Board, solution: Board, rng: np.random.Generator) -> Board:
    """A minimal puzzle [81] among the clues of `puzzle`, which has this one solution."""
    return _dug(puzzle, solution, [(cell,) for cell in np.flatnonzero(puzzle).tolist()], rng)


def symmetric_puzzle(rng: np.random.Generator) -> tuple[Board, Board]:
    """A puzzle [81] whose pattern of clues a half turn does not change, and its one solution [81].

    No pair of clues can be taken away; a single clue sometimes can (see `is_minimal`).
    """
    solution = random_grid(rng)
    return _dug(solution, solution, _PAIRS, rng), solution


def _dug(puzzle: Board, solution: Board, orbits: Sequence[tuple[int, ...]], rng: np.random.Generator) -> Board:
    """Take the cells of each orbit out of a puzzle together, in random order, where one solution is left."""
    puzzle = puzzle.copy()
    for number in rng.permutation(len(orbits)):
        cells = list(orbits[number])
        puzzle[cells] = 0
        if any(_another_digit_fits(puzzle, cell, int(solution[cell])) for cell in cells):
            puzzle[cells] = solution[cells]
    return puzzle


def is_minimal(puzzle: Board) -> bool:
    """Whether every clue is needed, in a puzzle [81] that has one solution."""
    without = [np.where(np.arange(81) == cell, 0, puzzle).astype(np.int8) for cell in np.flatnonzero(puzzle)]
    clues = np.flatnonzero(puzzle).tolist()
    return all(_another_digit_fits(fewer, cell, int(puzzle[cell])) for fewer, cell in zip(without, clues, strict=True))


def _another_digit_fits(puzzle: Board, cell: int, digit: int) -> bool:
    """Has `puzzle` a solution with another digit in `cell`? If the budget is spent, yes: the clue stays."""
    without = from_clues(puzzle) & ~(1 << 81 * (digit - 1) + cell)
    walk = Walk(without, NODES)
    return next(iter(walk), None) is not None or walk.spent


def add_clues(puzzle: Board, solution: Board, count: int, rng: np.random.Generator) -> Board:
    """A copy of `puzzle` with `count` more cells, chosen at random, given from `solution`.

    Raises ValueError if fewer cells are open.
    """
    open_cells = np.flatnonzero(puzzle == 0)
    if count > open_cells.size:
        raise ValueError(f"found {open_cells.size} open cells, expected at least {count}")
    cells, fuller = rng.choice(open_cells, size=count, replace=False), puzzle.copy()
    fuller[cells] = solution[cells]
    return fuller


def add_pairs(puzzle: Board, solution: Board, count: int, rng: np.random.Generator) -> Board | None:
    """The same, in pairs that keep the pattern symmetric; None where `count` cannot be made of them."""
    centre = [_CENTRE] if count % 2 else []
    pairs = [pair for pair in _PAIRS if len(pair) == 2 and puzzle[pair[0]] == 0]
    if (centre and puzzle[_CENTRE]) or count // 2 > len(pairs):
        return None
    chosen = [cell for index in rng.permutation(len(pairs))[: count // 2] for cell in pairs[index]]
    fuller = puzzle.copy()
    fuller[chosen + centre] = solution[chosen + centre]
    return fuller
