"""Unit attention against a plain reference, and the softmax made of products."""

import mlx.core as mx
import numpy as np
import pytest

from sudoku_ncm.blocks import Block
from sudoku_ncm.levels import CELL_COORDINATES, RELATIONS, Axis, Kind, Source
from sudoku_ncm.ops import knot_weights, normalize, softmax, squared_relu
from sudoku_ncm.units import to_positions, to_units

C, HEADS = 12, 2


@pytest.fixture
def block():
    mx.random.seed(1)
    block = Block(C, HEADS, 2 * C, 2)
    block.attention.bias = mx.random.normal(block.attention.bias.shape)
    return block


def coordinates(kind):
    """Each position of a kind as {coordinate: value}, in storage order."""
    names = kind.coordinates
    return [dict(zip(names, np.unravel_index(i, [3] * len(names)), strict=True)) for i in range(kind.positions)]


def relation(query, key, axis, fine):
    same = [query[c] == key[c] for c in query if c in key]
    if not fine:
        return "inside" if all(same) else "outside"
    if all(same):
        return "same cell"
    line = axis is not Axis.BOX
    near = all(query[c] == key[c] for c in "RS") if line else any(query[c] == key[c] for c in "rs")
    return "near" if near else "far"


def projected(attention, x):
    """Normalized states `[9T, C]` -> `[T, 9 digits, axis, q/k/v, head, channel]`."""
    return (np.array(x) @ np.array(attention.qkv)).reshape(-1, 9, 3, 3, HEADS, C // 3 // HEADS)


def reference_attention(attention, x, kind, sources):
    """Attention by a full mask, position by position; `x` is `[9T, C]` of the level, `sources` other keys first."""
    bias = np.array(attention.bias)
    own, out = projected(attention, x), np.zeros((kind.positions, 9, 3, HEADS, C // 3 // HEADS))
    keys = [
        (key, source, state)
        for source, other, states in sources
        for key, state in zip(coordinates(other), states, strict=True)
    ]
    for a, axis in enumerate(Axis):
        if axis not in kind.axes:
            continue
        for i, query in enumerate(coordinates(kind)):
            seen = [k for k in keys if all(k[0][c] == query[c] for c in axis.unit)]
            for h in range(HEADS):
                scores, values = [], []
                for key, source, state in seen:
                    name = relation(query, key, axis, kind is Kind.CELL)
                    column = list(Source).index(source) * len(RELATIONS) + RELATIONS.index(name)
                    score = (own[i, :, a, 0, h] * state[:, a, 1, h]).sum() / np.sqrt(9 * C // 3 // HEADS)
                    scores.append(score + bias[a, h, column])
                    values.append(state[:, a, 2, h])
                weights = np.maximum(1 + (scores - np.max(scores)) / 256, 0) ** 256
                out[i, :, a, h] = np.tensordot(weights / weights.sum(), values, 1)
    return out.reshape(-1, C) @ np.array(attention.out)


@pytest.mark.parametrize("kind", list(Kind))
def test_a_level_attends_to_its_units_prefix_cells_and_its_own_positions_only(block, kind):
    rng = np.random.default_rng(0)
    x, prefix = (mx.array(rng.normal(size=(1, 9 * n, C)).astype(np.float32)) for n in (kind.positions, 81))
    states = block.prefix_states(prefix)
    got = block.level(x, kind, (states[1], states[2]))
    seen, own = (projected(block.attention, normalize(h)[0]) for h in (prefix, x))
    sources = [(Source.LEVEL_PREFIX, Kind.CELL, seen), (Source.LEVEL, kind, own)]
    attended = x + mx.array(reference_attention(block.attention, normalize(x)[0], kind, sources).astype(np.float32))
    expected = attended + block.feed_forward(normalize(attended))
    assert np.allclose(np.array(got), np.array(expected), atol=1e-4)


def test_the_prefix_attends_to_the_prefix_only(block):
    x = mx.array(np.random.default_rng(0).normal(size=(1, 729, C)).astype(np.float32))
    got = block.prefix(x, block.prefix_states(x))
    own = projected(block.attention, normalize(x)[0])
    reference = reference_attention(block.attention, normalize(x)[0], Kind.CELL, [(Source.PREFIX, Kind.CELL, own)])
    attended = x + mx.array(reference.astype(np.float32))
    assert np.allclose(np.array(got), np.array(attended + block.feed_forward(normalize(attended))), atol=1e-4)


def test_the_softmax_of_products_is_close_to_the_exponential_one():
    scores = mx.array(np.random.default_rng(0).normal(scale=3, size=(50, 18)).astype(np.float32))
    got, exact = softmax(scores), mx.softmax(scores, axis=-1)
    assert np.allclose(np.array(got).sum(-1), 1, atol=1e-5)
    assert np.abs(np.array(got - exact)).max() < 0.01


def test_the_softmax_never_overflows_and_far_scores_vanish():
    got = np.array(softmax(mx.array([[1e4, 0.0, -1e4], [0.0, 0.0, -300.0]])))
    assert np.allclose(got, [[1, 0, 0], [0.5, 0.5, 0]])


def test_the_gradient_of_the_softmax_is_that_of_its_weights():
    scores = mx.array(np.random.default_rng(0).normal(size=(4, 6)).astype(np.float32))
    weight = mx.arange(6.0)
    got = mx.grad(lambda s: (softmax(s) * weight).sum())(scores)
    exact = mx.grad(lambda s: (mx.softmax(s, axis=-1) * weight).sum())(scores)
    assert np.allclose(np.array(got), np.array(exact), atol=0.02)


@pytest.mark.parametrize("channels", [24, 18, 6])
@pytest.mark.parametrize("kind", list(Kind))
def test_copies_to_units_and_back_only_move_numbers_and_so_do_their_gradients(kind, channels):
    axes = len(kind.axes)
    products = mx.random.normal((2, 9 * kind.positions, axes * channels))
    q, k, v = to_units(products, kind, 2)
    assert sorted(mx.stack([q, k, v]).flatten().tolist()) == sorted(products.flatten().tolist())
    pulls = [mx.random.normal(part.shape) for part in (q, k, v)]
    pulled = mx.grad(lambda x: sum((part * pull).sum() for part, pull in zip(to_units(x, kind, 2), pulls, strict=True)))
    assert all(mx.array_equal(*pair) for pair in zip(to_units(pulled(products), kind, 2), pulls, strict=True))
    back = to_positions(v, kind, 2)
    of_values = products.reshape(2, -1, axes, 3, channels // 3)[..., 2, :].reshape(back.shape)
    assert mx.array_equal(back, of_values)
    pull = mx.random.normal(back.shape)
    assert mx.array_equal(to_positions(mx.grad(lambda x: (to_positions(x, kind, 2) * pull).sum())(v), kind, 2), pull)


def test_cell_coordinates_are_band_row_stack_column():
    assert [CELL_COORDINATES.index(c) for c in "RrSs"] == [0, 1, 2, 3]


def test_the_squared_relu_and_its_gradient_are_those_of_their_formula():
    x = mx.array(np.random.default_rng(0).normal(size=(40,)).astype(np.float32))
    positive = np.maximum(np.array(x), 0)
    assert np.allclose(np.array(squared_relu(x)), positive**2)
    gradient = mx.grad(lambda v: (squared_relu(v) * mx.arange(40.0)).sum())(x)
    assert np.allclose(np.array(gradient), 2 * positive * np.arange(40))


def test_values_lie_on_the_line_between_two_knots_and_slopes_on_a_knot_are_those_of_its_neighbours():
    heights = mx.array([0.0, 1.0, 4.0, 9.0])
    values = mx.array([[-0.5], [0.0], [0.25], [1.0], [2.5], [3.0], [3.5]])

    def curve(values):
        return (knot_weights(values, mx.arange(4)) * heights).sum(axis=-1)

    assert curve(values).tolist() == [0.0, 0.0, 0.25, 1.0, 6.5, 9.0, 9.0]
    slopes = mx.grad(lambda values: curve(values).sum())(values)
    assert slopes.flatten().tolist() == [0.0, 1.0, 1.0, 2.0, 5.0, 5.0, 0.0]
