"""Full grids: random ones, and the symmetries that make one out of another.

All chance comes from the numpy Generator given. It knows no puzzles.

Invariant: a grid made here is full and right.
"""

import numpy as np

from checker.board import Board, Indices
from checker.candidates import ALL, Walk
from checker.search import NODES, to_board


def symmetry_indices(rng: np.random.Generator) -> Indices:
    """A random symmetry of the grid as a permutation [81]: ``board[indices]`` is right iff `board` is.

    One of the 2 * 6**8 that shuffle bands, rows in a band, stacks, columns in a stack, and transpose.
    """
    rows, columns = (np.concatenate([3 * band + rng.permutation(3) for band in rng.permutation(3)]) for _ in range(2))
    cells: Indices = 9 * rows[:, None] + columns
    return np.ravel(cells.T if rng.integers(2) else cells)


def random_grid(rng: np.random.Generator) -> Board:
    """A full, right board [81] by randomised search.

    Every grid can come up; the chances are close to equal, not proven equal.
    """
    walk = Walk(ALL, NODES, order=rng.shuffle)
    return to_board(next(iter(walk)))[symmetry_indices(rng)]
