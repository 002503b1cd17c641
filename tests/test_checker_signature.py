"""Signatures are blind to every disguise and to nothing else that random boards show; equivalence is exact."""

from itertools import pairwise, permutations, product

import numpy as np
import pytest
from disguise import disguised
from hypothesis import example, given, settings
from hypothesis import strategies as st

from checker.board import PEERS, Board
from checker.equivalence import equivalent
from checker.generate import minimal_puzzle, puzzles, random_grid
from checker.signature import signatures
from checker.verify import clue_clashes, verify

OPEN = np.zeros(81, np.int8)
ROWS, COLUMNS = np.divmod(np.arange(81), 9)
CYCLIC = ((3 * (ROWS % 3) + ROWS // 3 + COLUMNS) % 9 + 1).astype(np.int8)  # 648 symmetries keep such a grid
GRID = (3 * ((ROWS + COLUMNS // 3) % 3) + (ROWS // 3 + COLUMNS) % 3 + 1).astype(np.int8)
SYMMETRIC = {
    "open": OPEN,
    "one clue": np.where(ROWS + COLUMNS == 0, 1, OPEN),
    "one digit": np.where(GRID == 1, GRID, 0),
    "three digits": np.where(CYCLIC < 4, CYCLIC, 0),
    "a cyclic grid": CYCLIC,
    "a grid of two cycles": GRID,
}
seeds = st.integers(0, 2**32 - 1)


def three_boxes(*boxes: list[int]) -> Board:
    """Three boxes down the diagonal, the rest open."""
    board = np.zeros((9, 9), np.int8)
    for at, box in zip((0, 3, 6), boxes, strict=True):
        board[at : at + 3, at : at + 3] = np.reshape(box, (3, 3))
    return board.ravel()


@given(seeds)
@settings(max_examples=12, deadline=None)
def test_a_disguise_changes_no_signature_and_hides_nothing(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for board in minimal_puzzle(rng):
        other = disguised(board, rng)
        assert signatures(np.stack([board])) == signatures(np.stack([other]))
        assert equivalent(board, other)


@pytest.mark.parametrize("name", SYMMETRIC)
def test_a_symmetric_board_is_found_behind_a_disguise(name: str) -> None:
    rng, board = np.random.default_rng(3), SYMMETRIC[name]
    assert not clue_clashes(board)
    for _ in range(4):
        other = disguised(board, rng)
        assert np.ptp(signatures(np.stack([board, other]))) == 0
        assert equivalent(board, other)


@given(seeds)
@example(1)  # a digit that occurs once becomes one that does not occur: only another name
@settings(max_examples=5, deadline=None)
def test_another_clue_or_one_less_is_another_signature(seed: int) -> None:
    puzzle, _ = minimal_puzzle(np.random.default_rng(seed))
    boards, clues = [puzzle], np.bincount(puzzle, minlength=10)
    for cell in np.flatnonzero(puzzle):
        for digit in set(range(10)) - set(puzzle[PEERS[cell]].tolist()) - {int(puzzle[cell])}:
            if clues[puzzle[cell]] > 1 or clues[digit]:
                boards.append(np.where(np.arange(81) == cell, np.int8(digit), puzzle))
    found = signatures(np.stack(boards))
    assert (found[1:] != found[0]).all()
    assert not any(equivalent(puzzle, board) for board in boards[1:20])


def test_random_grids_and_puzzles_have_signatures_of_their_own() -> None:
    rng = np.random.default_rng(0)
    grids = [random_grid(rng) for _ in range(300)] + [CYCLIC, GRID]
    boards = np.stack([*grids, *(board for pair in puzzles(20, 4, 24, 40) for board in pair)])
    assert len(np.unique(signatures(boards))) == len(boards)


def test_a_signature_is_the_same_in_every_batch_process_and_place() -> None:
    assert all(verify(grid, OPEN).solved for grid in (CYCLIC, GRID))
    assert signatures(np.stack([CYCLIC])).tolist() == [14535454019313437294]
    assert signatures(np.stack([OPEN, CYCLIC, GRID]))[1:].tolist() == [14535454019313437294, 13076226890308732315]
    assert signatures(np.zeros((0, 81), np.int8)).shape == (0,)


def test_what_colours_cannot_tell_apart_is_told_apart() -> None:
    box, across = [1, 2, 3, 4, 5, 6, 7, 8, 9], [1, 5, 9, 2, 6, 7, 3, 4, 8]  # its rows are diagonals of the other
    alike, mixed = three_boxes(box, box, box), three_boxes(box, across, box)
    assert np.ptp(signatures(np.stack([alike, mixed]))) == 0
    assert not equivalent(alike, mixed)
    assert not equivalent(mixed, alike)
    assert equivalent(mixed, three_boxes(across, box, across))


def orders() -> np.ndarray:
    """The 1296 orders of nine lines in three bands."""
    three = list(permutations(range(3)))
    return np.array([[3 * b + k for b, r in zip(bands, rows, strict=True) for k in r]
                     for bands in three for rows in product(three, repeat=3)])  # fmt: skip


def carried(board: Board, other: Board) -> bool:
    """Whether one of all 3,359,232 symmetries makes `board` `other` but for the names of the digits."""
    lines, target = orders(), other.reshape(9, 9)
    for grid in (board.reshape(9, 9), board.reshape(9, 9).T):
        rows, columns = np.nonzero(grid)
        digits = grid[rows, columns]
        onto = target[lines[:, rows][:, None], lines[:, columns][None]].reshape(-1, len(rows))
        right = (onto > 0).all(axis=1) & (np.count_nonzero(target) == len(rows))
        for i, j in product(range(len(rows)), repeat=2):
            right &= (onto[:, i] == onto[:, j]) == (digits[i] == digits[j])
        if right.any():
            return True
    return False


def test_the_answer_is_that_of_trying_every_symmetry() -> None:
    rng, boards = np.random.default_rng(16), []
    while len(boards) < 14:
        board = OPEN.copy()
        board[rng.choice(81, 3, replace=False)] = rng.integers(1, 3, 3)
        if not clue_clashes(board):
            boards.append(board)
    answers = [equivalent(board, other) for board, other in pairwise(boards)]
    assert answers == [carried(board, other) for board, other in pairwise(boards)]
    assert {True, False} <= set(answers)
