"""Puzzles of our own: random full grids, minimal puzzles with one solution, and the symmetries of the grid.

It knows nothing of how hard a puzzle feels; it only counts clues. All chance comes from the numpy Generator
given.

Invariant: every puzzle made here has exactly one solution, the one that comes with it; puzzle i of a seed
depends on the seed and i alone, so parallel jobs make the same file.
"""

from collections.abc import Iterator
from typing import Final

import numpy as np

from checker.board import Board, Indices
from checker.candidates import ALL, Walk
from checker.search import NODES, from_clues, to_board

TRIES: Final = 500  # minimal puzzles tried for one puzzle before its range of clues is called out of reach


class OutOfReachError(ValueError):
    """No puzzle with a number of clues in the range asked for was found."""


def symmetry_indices(rng: np.random.Generator) -> Indices:
    """A random symmetry of the grid as a permutation [81]: ``board[indices]`` is right iff `board` is.

    One of the 2 * 6**8 that shuffle bands, rows in a band, stacks, columns in a stack, and transpose.
    """
    rows, columns = (
        np.concatenate([3 * band + rng.permutation(3) for band in rng.permutation(3)]) for _ in range(2)
    )
    cells: Indices = 9 * rows[:, None] + columns
    return np.ravel(cells.T if rng.integers(2) else cells)


def random_grid(rng: np.random.Generator) -> Board:
    """A full, right board [81] by randomised search.

    Every grid can come up; the chances are close to equal, not proven equal.
    """
    walk = Walk(ALL, NODES, order=rng.shuffle)
    return to_board(next(iter(walk)))[symmetry_indices(rng)]


def minimal_puzzle(rng: np.random.Generator) -> tuple[Board, Board]:
    """A puzzle [81] with one solution from which no clue can be taken away, and that solution [81].

    Clues of a random grid are tried once each, in random order: a clue that is needed stays needed when
    others go.
    """
    solution = random_grid(rng)
    puzzle = solution.copy()
    for cell in rng.permutation(81):
        puzzle[cell] = 0
        if _another_digit_fits(puzzle, int(cell), int(solution[cell])):
            puzzle[cell] = solution[cell]
    return puzzle, solution


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


def puzzles(
    count: int, seed: int, lo: int, hi: int, minimal: bool = False, first: int = 0
) -> Iterator[tuple[Board, Board]]:
    """Puzzles `first` .. `first + count - 1` of `seed`, as (puzzle, solution), with `lo` to `hi` clues each.

    With `minimal` no clue of a puzzle can be taken away (these have about 21 to 28); otherwise random cells
    of a minimal puzzle are given until the number of clues, drawn evenly from the range, is reached. Raises
    ValueError on an impossible range and OutOfReachError on one that `TRIES` grids did not meet.
    """
    if not 17 <= lo <= hi <= 81:
        raise ValueError(f"found a range of {lo} to {hi} clues, expected one within 17 to 81")
    for index in range(first, first + count):
        yield _puzzle(np.random.default_rng([seed, index]), lo, hi, minimal)


def _puzzle(rng: np.random.Generator, lo: int, hi: int, minimal: bool) -> tuple[Board, Board]:
    clues = int(rng.integers(lo, hi + 1))
    for _ in range(TRIES):
        puzzle, solution = minimal_puzzle(rng)
        given = int(np.count_nonzero(puzzle))
        if minimal and lo <= given <= hi:
            return puzzle, solution
        if not minimal and given <= clues:
            return add_clues(puzzle, solution, clues - given, rng), solution
    raise OutOfReachError(f"found no puzzle of {lo} to {hi} clues in {TRIES} grids, expected one")
