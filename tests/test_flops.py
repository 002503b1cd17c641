"""Operations and bytes of matrix products against counts by hand."""

import pytest

from sudoku_ncm.accounting import level_work
from sudoku_ncm.flops import Load, Part, Product, Rates, Sizes, level_load, level_products, prefix_products, run_load
from sudoku_ncm.levels import Kind

SIZES = Sizes(channels=36, blocks=4, heads=2, width=72, knots=5)
CELL_BLOCK = {
    Part.QKV: 2 * 729 * 36 * 108,
    Part.SCORES: 27 * 2 * (2 * 9 * 54 * 18),  # units, heads, queries by keys of prefix and level
    Part.VALUES: 27 * 2 * (2 * 9 * 18 * 54),
    Part.OUT: 2 * 729 * 36 * 36,
    Part.MEAN: 2 * 81 * 36 * 72,
    Part.UP: 2 * 729 * 36 * 72,
    Part.DOWN: 2 * 729 * 72 * 36,
}
CELL_ENDS = {Part.EMBEDDING: 2 * 729 * 5 * 36, Part.HEAD: 2 * 729 * 36}
KEYS_AND_VALUES = 2 * 4 * 81 * 9 * 36 * 4


def flops(products, batch=1):
    return {part: product.load(batch).flops for part, product in products.items()}


def test_the_products_of_a_cell_level_are_those_counted_by_hand():
    assert flops(level_products(SIZES, Kind.CELL)) == CELL_ENDS | {p: 4 * n for p, n in CELL_BLOCK.items()}


def test_a_coarse_level_has_fewer_positions_and_two_axes_of_units_of_three():
    counted = flops(level_products(SIZES, Kind.BOX_ROW))
    assert counted[Part.QKV] == 4 * 2 * 243 * 36 * 72
    assert counted[Part.SCORES] == counted[Part.VALUES] == 4 * 18 * 2 * (2 * 3 * 54 * 12)


@pytest.mark.parametrize("kind", list(Kind))
def test_scores_and_values_are_as_many_as_the_allowed_pairs(kind):
    counted = flops(level_products(SIZES, kind))
    assert counted[Part.SCORES] == counted[Part.VALUES] == 4 * 2 * 3 * 36 * level_work(kind, with_prefix=False).pairs


def test_the_last_block_is_asked_for_no_more_of_the_prefix_than_keys_and_values():
    counted = flops(prefix_products(SIZES))
    attention = 27 * 2 * (2 * 9 * 54 * 9)
    others = {part: 3 * n for part, n in CELL_BLOCK.items()} | {Part.SCORES: 3 * attention, Part.VALUES: 3 * attention}
    assert counted == others | {Part.EMBEDDING: 2 * 729 * 3 * 36, Part.QKV: 11 * CELL_BLOCK[Part.QKV] // 3}


def test_a_weight_is_read_once_a_batch_and_everything_else_once_a_puzzle():
    assert Product(729, 36, 108).load(32) == Load(32 * 2 * 729 * 36 * 108, 4 * (32 * 729 * (36 + 108) + 36 * 108))
    assert Product(9, 54, 18, count=2, weight=False).load(3).bytes == 3 * 2 * 4 * (9 * 54 + 54 * 18 + 9 * 18)


def test_a_level_cannot_avoid_its_field_its_prefix_and_the_weights():
    weights = 4 * (5 * 36 + 36 + 4 * (36 * 108 + 36 * 36 + 3 * 36 * 72))
    field = 81 * 9 * 4
    assert level_load(SIZES, Kind.CELL, 8).bytes == 8 * (2 * field + KEYS_AND_VALUES) + weights
    assert level_load(SIZES, Kind.CELL, 8).flops == 8 * (4 * sum(CELL_BLOCK.values()) + sum(CELL_ENDS.values()))


def test_a_run_is_its_levels_and_the_prefix_once():
    prefix = sum(flops(prefix_products(SIZES), 2).values())
    first, second = level_load(SIZES, Kind.BOX_ROW, 2), level_load(SIZES, Kind.CELL, 2)
    whole = Load(prefix, 2 * (4 * 81 + KEYS_AND_VALUES)) + first + second
    assert run_load(SIZES, [Kind.BOX_ROW, Kind.CELL], 2) == whole


@pytest.mark.parametrize(("load", "seconds"), [(Load(200, 30), 2.0), (Load(200, 90), 3.0)])
def test_the_floor_is_the_longer_of_multiplying_and_loading(load, seconds):
    assert Rates(flops=100, bytes=30).floor(load) == seconds
