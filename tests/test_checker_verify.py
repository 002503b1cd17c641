"""Claims about the verdict; `plainly_solved` is an independent check by sets."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from checker.board import Board, parse_line
from checker.generate import random_grid
from checker.verify import Clash, clue_clashes, verify, verify_batch

GRID = random_grid(np.random.default_rng(7))
OPEN = np.zeros(81, dtype=np.int8)

values = st.one_of(st.integers(1, 9), st.integers(-128, 127))
wild_boards = st.lists(values, min_size=81, max_size=81).map(lambda v: np.array(v, dtype=np.int8))
spoilt_cells = st.dictionaries(st.integers(0, 80), values, max_size=3)


def spoilt(changes: dict[int, int]) -> Board:
    board = GRID.copy()
    for cell, value in changes.items():
        board[cell] = value
    return board


spoilt_boards = spoilt_cells.map(spoilt)
clue_boards = st.lists(st.booleans(), min_size=81, max_size=81).map(lambda kept: np.where(kept, GRID, OPEN))


def plain_units() -> list[list[tuple[int, int]]]:
    rows = [[(r, c) for c in range(9)] for r in range(9)]
    columns = [[(r, c) for r in range(9)] for c in range(9)]
    boxes = [[(r, c) for r in range(b, b + 3) for c in range(s, s + 3)] for b in (0, 3, 6) for s in (0, 3, 6)]
    return rows + columns + boxes


def plainly_solved(board: Board, clues: Board) -> bool:
    square = board.reshape(9, 9).tolist()
    right = all({square[r][c] for r, c in unit} == set(range(1, 10)) for unit in plain_units())
    return right and all(clue in (0, value) for clue, value in zip(clues.tolist(), board.tolist(), strict=True))


def plainly_broken_units(board: Board) -> int:
    square = board.reshape(9, 9).tolist()
    counts = (Counter(square[r][c] for r, c in unit if 1 <= square[r][c] <= 9) for unit in plain_units())
    return sum(max(count.values(), default=0) > 1 for count in counts)


@given(st.one_of(spoilt_boards, wild_boards), st.one_of(clue_boards, wild_boards))
def test_solved_is_nine_different_digits_in_every_unit_and_every_clue_kept(board: Board, clues: Board) -> None:
    assert verify(board, clues).solved == plainly_solved(board, clues)


@given(st.lists(st.tuples(st.one_of(spoilt_boards, wild_boards), clue_boards), min_size=1, max_size=5))
def test_verify_and_verify_batch_agree(pairs: list[tuple[Board, Board]]) -> None:
    batch = verify_batch(np.stack([board for board, _ in pairs]), np.stack([clues for _, clues in pairs]))
    for row, (board, clues) in enumerate(pairs):
        verdict = verify(board, clues)
        assert batch.solved[row] == verdict.solved
        assert batch.open_cells[row] == verdict.open_cells
        assert batch.changed_clues[row] == len(verdict.changed_clues)
        assert batch.broken_units[row] == len({clash.unit for clash in verdict.clashes})
        assert batch.broken_units[row] == plainly_broken_units(board)


def test_a_right_full_board_is_solved() -> None:
    assert verify(GRID, OPEN).solved
    assert verify(GRID, GRID).describe() == "solved"


@given(st.integers(0, 80), st.integers(1, 8))
def test_a_full_board_with_a_repeated_digit_is_never_solved(cell: int, shift: int) -> None:
    wrong = (int(GRID[cell]) - 1 + shift) % 9 + 1
    verdict = verify(spoilt({cell: wrong}), OPEN)
    assert not verdict.solved
    assert len(verdict.clashes) == 3
    assert all(cell in clash.cells and clash.digit == wrong for clash in verdict.clashes)


@pytest.mark.parametrize("value", [-128, -1, 0, 10, 127])
def test_a_value_that_is_no_digit_is_an_open_cell_even_as_a_clue(value: int) -> None:
    board = spoilt({40: value})
    verdict = verify(board, board)
    assert (verdict.solved, verdict.open_cells, verdict.clashes) == (False, 1, ())


def test_another_right_grid_than_the_clues_ask_for_is_not_solved() -> None:
    other = (GRID % 9 + 1).astype(np.int8)
    verdict = verify(other, GRID)
    assert not verdict.solved
    assert verdict.changed_clues == tuple(range(81))
    assert verdict.clashes == ()
    batch = verify_batch(np.stack([other, GRID]), np.stack([GRID, GRID]))
    assert batch.solved.tolist() == [False, True]
    assert batch.changed_clues.tolist() == [81, 0]


@pytest.mark.parametrize("clue", [-1, 10])
def test_a_clue_that_is_no_digit_cannot_be_kept(clue: int) -> None:
    clues = np.full(81, clue, dtype=np.int8)
    assert not verify(GRID, clues).solved
    assert verify_batch(GRID[None], clues[None]).changed_clues.tolist() == [81]


def test_a_verdict_says_every_reason_in_one_line() -> None:
    clues = parse_line("5" + "." * 80)
    board = parse_line("6" + "." * 29 + "8" + "." * 17 + "8" + "." * 32)
    reason = "box 5: two 8s at r4c4, r6c4; 78 open cells; clue r1c1 changed from 5 to 6"
    assert verify(board, clues).describe() == f"column 4: two 8s at r4c4, r6c4; {reason}"


def test_a_single_open_cell_is_told_in_the_singular() -> None:
    assert verify(spoilt({0: 0}), OPEN).describe() == "1 open cell"


def test_clashing_clues_are_found_in_row_column_and_box() -> None:
    clues = parse_line("9" + "." * 9 + "9" + "." * 70)
    assert clue_clashes(clues) == (Clash(18, 9, (0, 10)),)
    assert clue_clashes(GRID) == ()


def test_wide_integers_do_not_wrap_into_digits() -> None:
    board = GRID.astype(np.int64) + 256
    assert verify(board, OPEN).open_cells == 81
    assert verify_batch(board[None], OPEN[None]).open_cells.tolist() == [81]


def test_an_empty_batch_has_empty_verdicts() -> None:
    assert verify_batch(np.zeros((0, 81), np.int8), np.zeros((0, 81), np.int8)).solved.shape == (0,)


@pytest.mark.parametrize("board", [np.zeros(80, np.int8), np.zeros((9, 9), np.int8), np.zeros(81)])
def test_another_shape_or_type_is_an_error_and_no_verdict(board: Board) -> None:
    with pytest.raises(ValueError, match="expected integers"):
        verify(board, OPEN)
    with pytest.raises(ValueError, match="expected integers"):
        verify_batch(board[None], OPEN[None])
    with pytest.raises(ValueError, match="expected integers"):
        verify(GRID, board)
