"""Field and codes: the digit-plane codec is exact, coarse levels cross, ties stay open."""

import mlx.core as mx
import numpy as np
import pytest

from checker.generate import random_grid
from sudoku_ncm.field import decode, empty_field, planes, pool, quantize, refine, spread
from sudoku_ncm.levels import Kind

Q = 4


@pytest.fixture
def board():
    return random_grid(np.random.default_rng(3))


def true_codes(board, kind):
    """The codes of certainty: q where the digit stands in the position."""
    return mx.round(pool(mx.array(planes(board[None])), kind) * kind.span * Q).astype(mx.int32)


def test_decoding_the_planes_of_a_board_gives_the_board(board):
    assert (decode(planes(board[None]))[0] == board).all()


def test_a_tie_is_an_open_cell():
    field = np.zeros((1, 81, 9), np.float32)
    field[0, 0, [2, 5]] = 0.5
    field[0, 1, 7] = 0.25
    assert decode(field)[0, :3].tolist() == [0, 8, 0]


def test_right_box_rows_and_box_columns_fix_every_cell_at_five_ninths(board):
    field = empty_field(1)
    for kind in (Kind.BOX_ROW, Kind.BOX_COLUMN):
        field = refine(field, true_codes(board, kind), kind, Q)
    found = np.array(field)[0]
    assert (decode(found[None])[0] == board).all()
    assert np.allclose(found[np.arange(81), board - 1], 5 / 9)
    assert set(np.round(np.unique(found) * 9).astype(int)) == {-1, 2, 5}


def test_a_cell_level_sets_the_field_to_its_codes():
    rng = np.random.default_rng(0)
    field = mx.array(rng.normal(size=(2, 81, 9)).astype(np.float32))
    codes = mx.array(rng.integers(0, Q + 1, (2, 81, 9)))
    assert np.allclose(np.array(refine(field, codes, Kind.CELL, Q)), np.array(codes) / Q, atol=1e-6)


@pytest.mark.parametrize("kind", list(Kind))
def test_pooling_what_was_spread_gives_it_back(kind):
    values = mx.array(np.random.default_rng(1).normal(size=(2, kind.positions, 9)).astype(np.float32))
    assert np.allclose(np.array(pool(spread(values, kind), kind)), np.array(values), atol=1e-6)


def test_a_box_row_pools_three_cells_side_by_side():
    field = np.zeros((1, 81, 9), np.float32)
    field[0, [30, 31, 32], 4] = [0.3, 0.6, 0.9]  # row 4, middle stack
    pooled = np.array(pool(mx.array(field), Kind.BOX_ROW))[0]
    assert pooled[3 * 3 + 1, 4] == pytest.approx(0.6)
    assert np.count_nonzero(pooled) == 1


def test_codes_are_the_rounded_expectation_between_zero_and_q():
    logits = mx.array(np.random.default_rng(2).normal(scale=3, size=(1, 81, 9)).astype(np.float32))
    codes = np.array(quantize(logits, Kind.CELL, Q))
    p = np.exp(np.array(logits)) / np.exp(np.array(logits)).sum(-1, keepdims=True)
    assert (codes == np.round(Q * p)).mean() > 0.999
    assert codes.min() >= 0
    assert codes.max() <= Q


def test_a_coarse_code_reads_each_digit_on_its_own():
    logits = mx.full((1, 27, 9), 10.0)
    assert (np.array(quantize(logits, Kind.BOX_ROW, Q)) == Q).all()
