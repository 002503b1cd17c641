"""Exactness of the network: cached is uncached, a batch is its puzzles, digits are symmetric, levels are local."""

from dataclasses import replace

import mlx.core as mx
import numpy as np
import pytest

from sudoku_ncm.cache import PrefixCache
from sudoku_ncm.checkpoint import named
from sudoku_ncm.exactness import trajectory
from sudoku_ncm.field import empty_field
from sudoku_ncm.generator import Generator, GeneratorConfig
from sudoku_ncm.levels import Kind
from sudoku_ncm.policy import Options

OPTIONS = Options(levels=10)  # the last two with noise


def cache_of(clues):
    return PrefixCache(mx.array(clues.astype(np.int32)))


@pytest.mark.parametrize("batch", [1, 5])
def test_cached_and_uncached_runs_give_the_same_codes_and_logits_at_every_level(tiny, clues, batch):
    cached, uncached = (trajectory(tiny, clues[:batch], replace(OPTIONS, cached=cached)) for cached in (True, False))
    for (codes, logits), (other_codes, other_logits) in zip(cached, uncached, strict=True):
        assert (codes == other_codes).all()
        assert (logits == other_logits).all()


def test_a_puzzle_gets_the_same_numbers_in_any_batch(tiny, clues):
    together = trajectory(tiny, clues[:5], OPTIONS)
    for row in range(5):
        alone = trajectory(tiny, clues[row : row + 1], OPTIONS)
        assert all((a[1][row] == b[1][0]).all() for a, b in zip(together, alone, strict=True))


def test_relabelling_the_digits_of_a_puzzle_relabels_the_logits(tiny, clues):
    new = np.random.default_rng(0).permutation(9)
    relabelled = np.concatenate([[0], new + 1])[clues[:2]]
    cold = replace(OPTIONS, temperature=0)
    for (_, logits), (_, other) in zip(
        trajectory(tiny, clues[:2], cold), trajectory(tiny, relabelled, cold), strict=True
    ):
        assert np.allclose(other[..., new], logits, atol=1e-4)


def test_level_zero_fills_the_cache_and_later_levels_leave_it_alone(tiny, clues):
    cache, field = cache_of(clues[:2]), empty_field(2)
    assert not cache.filled
    _, field = tiny.step(field, Kind.BOX_ROW, cache)
    before = [np.array(array) for array in cache.arrays]
    tiny.step(field, Kind.CELL, cache)
    assert all((np.array(array) == old).all() for array, old in zip(cache.arrays, before, strict=True))
    assert len(cache.blocks) == tiny.config.blocks


def test_the_prefix_does_not_depend_on_the_level_that_fills_it(tiny, clues):
    first, second = cache_of(clues[:1]), cache_of(clues[:1])
    tiny.step(empty_field(1), Kind.BOX_ROW, first)
    tiny.step(mx.random.uniform(shape=(1, 81, 9)), Kind.CELL, second)
    assert all(mx.array_equal(a, b).item() for a, b in zip(first.arrays, second.arrays, strict=True))


def test_the_cache_holds_the_bytes_of_the_formula(tiny, clues):
    cache = cache_of(clues[:3])
    tiny.step(empty_field(3), Kind.BOX_ROW, cache)
    config = tiny.config
    assert cache.nbytes == 2 * config.blocks * 3 * 81 * 9 * config.channels * 4


def test_coordinates_restart_so_a_level_does_not_know_its_number(tiny, clues):
    field = mx.random.uniform(shape=(1, 81, 9))
    cache = cache_of(clues[:1])
    third = tiny(field, Kind.CELL, cache)
    for _ in range(3):
        tiny.step(empty_field(1), Kind.CELL, cache)
    assert mx.array_equal(tiny(field, Kind.CELL, cache), third).item()


def test_a_level_reads_its_field_kind_and_prefix_and_nothing_else(tiny, clues):
    cache = cache_of(clues[:1])
    base = tiny(empty_field(1), Kind.CELL, cache)
    assert not mx.array_equal(tiny(empty_field(1) + 0.3, Kind.CELL, cache), base).item()
    assert not mx.array_equal(tiny(empty_field(1), Kind.CELL, cache_of(clues[1:2])), base).item()
    assert tiny(empty_field(1), Kind.BOX_ROW, cache).shape == (1, 27, 9)


def test_rows_of_a_cache_keep_their_own_prefix(tiny, clues):
    cache = cache_of(clues[:4])
    tiny.step(empty_field(4), Kind.BOX_ROW, cache)
    kept = cache.rows(mx.array([1, 3]))
    assert (np.array(kept.clues) == clues[[1, 3]]).all()
    assert all((np.array(a) == np.array(b)[[1, 3]]).all() for a, b in zip(kept.arrays, cache.arrays, strict=True))


def test_any_other_attention_policy_is_refused():
    with pytest.raises(ValueError, match=r'"block_causal" is not supported.*"block_diagonal"'):
        GeneratorConfig(attention="block_causal")


@pytest.mark.parametrize("wrong", [{"channels": 10}, {"blocks": 0}, {"q": -1}, {"plan": ("row",)}, {"plan": ()}])
def test_a_config_that_does_not_fit_together_is_refused(wrong):
    with pytest.raises(ValueError, match=r"channels|positive|row|plan"):
        GeneratorConfig(**wrong)


def test_the_default_network_has_the_shape_of_the_bundled_one_and_the_size_its_card_names(bundled):
    assert GeneratorConfig() == bundled.model.config
    assert sum(value.size for value in named(Generator(GeneratorConfig()).parameters()).values()) == 79_164
