"""Hides a board behind a symmetry of the grid and new names for the digits."""

import numpy as np

from checker.board import Board
from checker.grids import symmetry_indices


def disguised(board: Board, rng: np.random.Generator) -> Board:
    """A board equivalent to `board`."""
    names = np.append(0, rng.permutation(9) + 1).astype(np.int8)
    return names[board[symmetry_indices(rng)]]
