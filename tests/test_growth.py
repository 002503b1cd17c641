"""A grown network begins as what the smaller one was, and all of it learns."""

from dataclasses import replace

import mlx.core as mx
import numpy as np
import pytest
from mlx.nn.utils import value_and_grad
from mlx.utils import tree_flatten, tree_map

from sudoku_ncm.attention import seen_by_level
from sudoku_ncm.cache import PrefixCache
from sudoku_ncm.errors import ModelError
from sudoku_ncm.levels import Kind
from sudoku_ncm.ops import normalize
from sudoku_ncm.training.growth import grow


def logits(model, clues):
    """Logits of one level of each kind, each of a random field of its own."""
    for number, kind in enumerate(Kind):
        field = mx.random.uniform(shape=(len(clues), 81, 9), key=mx.random.key(number))
        yield np.array(model(field, kind, PrefixCache(mx.array(clues.astype(np.int32)))))


def largest_difference(small, large, clues):
    return max(np.abs(a - b).max() for a, b in zip(logits(small, clues), logits(large, clues), strict=True))


@pytest.mark.parametrize("blocks", [2, 3, 5])
def test_a_deeper_network_computes_what_the_smaller_one_did_bit_for_bit(tiny, clues, blocks):
    assert largest_difference(tiny, grow(tiny, replace(tiny.config, blocks=blocks)), clues) == 0


@pytest.mark.parametrize("change", [{"q": 64}, {"channels": 24}, {"ffn": 3}, {"channels": 18, "ffn": 4, "blocks": 3}])
def test_a_wider_network_or_one_with_finer_codes_does_to_rounding(tiny, clues, change):
    grown = grow(tiny, replace(tiny.config, **change))
    assert grown.level_in.shape == (grown.config.q + 1, grown.config.channels)
    assert largest_difference(tiny, grown, clues) < 1e-4


@pytest.mark.parametrize("change", [{"blocks": 3}, {"blocks": 5}, {"channels": 24}, {"ffn": 3}])
def test_all_of_a_grown_network_learns(tiny, clues, change):
    grown, field = grow(tiny, replace(tiny.config, **change)), mx.random.uniform(shape=(len(clues), 81, 9))
    puzzles = mx.array(clues.astype(np.int32))
    learn = value_and_grad(grown, lambda: mx.square(grown(field, Kind.CELL, PrefixCache(puzzles))).mean())
    pulled = dict.fromkeys(dict(tree_flatten(grown.parameters())), False)
    for _ in range(3):  # what is written with zeros moves first, then what is read from there
        slopes = learn()[1]
        pulled = {name: pulled[name] | (np.array(slope) != 0) for name, slope in tree_flatten(slopes)}
        grown.update(tree_map(lambda value, slope: value - 1e-3 * mx.sign(slope), grown.parameters(), slopes))
    shares = {name: where.mean() for name, where in pulled.items() if not name.endswith(("kind_in", "bias"))}
    assert min(shares.values()) > 0.9, str(shares)


def test_heads_that_look_alike_merge_without_a_change(tiny, clues):
    for block in tiny.blocks:
        columns = block.attention.qkv.reshape(12, 3, 3, 2, 2)
        columns[:, :, :2, 1] = columns[:, :, :2, 0]
        block.attention.qkv = columns.reshape(12, 36)
        block.attention.bias = mx.repeat(block.attention.bias[:, :1], 2, axis=1)
    merged = grow(tiny, replace(tiny.config, heads=1, channels=24))
    assert largest_difference(tiny, merged, clues) < 1e-4


def test_a_merged_head_looks_where_its_heads_looked_on_average(tiny, clues):
    x, puzzles = mx.random.uniform(shape=(2, 81, 9)), mx.array(clues[:2].astype(np.int32))

    def scores(model):
        attention = model.blocks[0].attention
        q, *own = attention.project(normalize(model.embed_level(x, Kind.CELL)), Kind.CELL)
        _, k, v = attention.project(normalize(model.embed_prefix(puzzles)), Kind.CELL)
        return attention.scores(q, seen_by_level(own, Kind.CELL, (k, v)), Kind.CELL)

    one, two = scores(grow(tiny, replace(tiny.config, heads=1, channels=24))), scores(tiny)
    assert np.allclose(np.array(one[:, :, :, 0]), np.array(two.mean(axis=3)), atol=1e-4)


def test_a_network_does_not_shrink_or_split_its_heads(tiny):
    for change in ({"blocks": 1}, {"channels": 6}, {"heads": 4}, {"ffn": 1}, {"q": 6}, {"q": 2}):
        with pytest.raises(ModelError, match="expected the shape to begin with"):
            grow(tiny, replace(tiny.config, **change))
