"""Neighbours of a puzzle: minimal puzzles that share most of its clues.

Next to a hard puzzle there are more of its kind than among random ones. All chance comes from the numpy Generator
given. Knows nothing of what makes a puzzle hard.

Invariant: a puzzle made here has exactly one solution, the one that comes with it, and no clue of it can be taken away.
"""

from itertools import islice
from typing import Final

import numpy as np

from checker.board import Board
from checker.candidates import Walk, set_bits
from checker.digging import without_spare_clues
from checker.search import count_solutions, from_clues, to_board

BUDGET: Final = 5_000
"""Nodes of exact search spent on one neighbour; harder ones are passed over."""
_SOLUTIONS: Final = 300  # solutions looked at for a clue that only one of them has

Pair = tuple[Board, Board]


def neighbour(puzzle: Board, rng: np.random.Generator) -> Pair | None:
    """A minimal puzzle and its solution that share most clues with `puzzle` [81]; None if the budget is spent.

    One clue is taken away, clues of a random solution of what is left are given until it is the only one, and clues
    that are not needed are taken away.
    """
    left = puzzle.copy()
    left[rng.choice(np.flatnonzero(puzzle), size=1)] = 0
    solved = next(iter(Walk(from_clues(left), BUDGET, order=rng.shuffle)), None)
    if solved is None:
        return None
    solution = to_board(solved)
    while len(others := (count := count_solutions(left, budget=BUDGET)).solutions) > 1:
        cell = rng.choice(np.flatnonzero(others[0] != others[1]))
        left[cell] = solution[cell]
    return (without_spare_clues(left, solution, rng), solution) if count.complete else None


def exchanged(puzzle: Board, rng: np.random.Generator) -> Pair | None:
    """A minimal puzzle and its solution that differ from `puzzle` [81] in one clue, and in those then spare.

    One clue is taken away, and one given that a single solution of what is left has. None if there are too many of
    them, or no such clue.
    """
    left, cell = puzzle.copy(), rng.choice(np.flatnonzero(puzzle))
    left[cell] = 0
    walk = Walk(from_clues(left), BUDGET)
    solutions = list(islice(walk, _SOLUTIONS + 1))
    if walk.spent or len(solutions) > _SOLUTIONS:
        return None
    once = more = 0
    for solved in solutions:
        once, more = once | solved, more | once & solved
    bits = list(set_bits(once & ~more & ~(1 << 81 * (int(puzzle[cell]) - 1) + int(cell))))
    if not bits:
        return None
    bit = bits[rng.integers(len(bits))]
    solution = to_board(next(solved for solved in solutions if solved >> bit & 1))
    left[bit % 81] = bit // 81 + 1
    return without_spare_clues(left, solution, rng), solution
