"""One block of the generator: attention inside units, then a feed-forward that also sees the mean over digits.

Hidden states are `[B, T, 9, C]` flattened to `[B, 9T, C]`; weights are shared by the nine digits, which meet only in
the attention scores and in the mean. Every product is one matrix product per puzzle (`per_puzzle`), so the numbers of a
puzzle do not depend on its batch, and prefix and level are separate products, so they do not depend on caching.
Knows nothing of fields, levels' order or caches being filled. Invariant: `block_diagonal`, a position attends to the
prefix cells of its unit and to its own level's positions of that unit, never to another level.
"""

from functools import cache
from itertools import accumulate
from typing import cast

import mlx.core as mx
import numpy as np
from mlx.nn.layers.base import Module

from sudoku_ncm.cache import KeyValue
from sudoku_ncm.levels import DIGITS, RELATIONS, Axis, Kind, Source, relation_table

EPSILON = 1e-5
SQUARINGS = 8
Seen = dict[Source, KeyValue]
"""Keys and values by where they come from."""


def per_puzzle(x: mx.array, weight: mx.array) -> mx.array:
    """`x @ weight` for `[B, n, a]` and `[a, b]` as B products of the same shape: bitwise independent of B."""
    return x @ mx.broadcast_to(weight, (x.shape[0], *weight.shape))


def normalize(x: mx.array) -> mx.array:
    """RMSNorm over channels without a gain (the next matrix absorbs it)."""
    return mx.fast.rms_norm(x, None, EPSILON)


@mx.custom_function
def softmax(scores: mx.array) -> mx.array:
    """Softmax over the last axis with exp(x) read as (1 + x/256)^256: products only, six times faster on CPU.

    exp(x) is the limit of (1 + x/n)^n; with x ≤ 0 the error is below x²/512 relative, and far scores become exactly 0.
    """
    shifted = scores - scores.max(axis=-1, keepdims=True)
    power = mx.maximum(shifted * (1 / 2**SQUARINGS) + 1, 0)
    for _ in range(SQUARINGS):
        power = power * power
    return power * (1 / power.sum(axis=-1, keepdims=True))


@softmax.vjp
def _softmax_vjp(_: mx.array, cotangent: mx.array, weights: mx.array) -> mx.array:
    weighted = weights * cotangent
    return weighted - weights * weighted.sum(axis=-1, keepdims=True)


@cache
def relation_planes(kind: Kind, sources: tuple[Source, ...]) -> mx.array:
    """One-hot relation of every allowed pair of a unit, `[axes, sources·relations, n·m]`, keys of the prefix first."""
    keys = [kind if source is Source.LEVEL else Kind.CELL for source in sources]
    offsets = [len(RELATIONS) * list(Source).index(source) for source in sources]
    flat = np.stack(
        [
            np.concatenate(
                [relation_table(kind, k, axis) + o for k, o in zip(keys, offsets, strict=True)], axis=1
            ).ravel()
            for axis in kind.axes
        ]
    )
    planes = mx.array((np.arange(len(RELATIONS) * len(Source))[:, None] == flat[:, None]).astype(np.float32))
    mx.eval(planes)
    return planes


def axes_of(stacked: mx.array, kind: Kind, dimension: int) -> mx.array:
    """The axes of `kind` among all three of `stacked` along `dimension`, as a slice: two axes have one step."""
    first, *rest = (list(Axis).index(axis) for axis in kind.axes)
    step = rest[0] - first
    return stacked[(*[slice(None)] * dimension, slice(first, rest[-1] + 1, step))]


class UnitAttention(Module):
    """Attention on the row, column and box axes side by side; `heads` heads an axis, head size 9·C/(3·heads).

    All axes of a kind have units of one size, so they go through scores, softmax and values as one stack.
    """

    def __init__(self, channels: int, heads: int, blocks: int) -> None:
        super().__init__()
        self.heads = heads
        self.per_digit = channels // (len(Axis) * heads)
        self.qkv = mx.random.normal((channels, 3 * channels)) * channels**-0.5
        self.out = mx.random.normal((channels, channels)) * (2 * blocks * channels) ** -0.5
        self.bias = mx.zeros((len(Axis), heads, len(Source) * len(RELATIONS)))

    def project(self, x: mx.array, kind: Kind) -> list[mx.array]:
        """Queries, keys and values by unit: `[B, 9T, C]` -> three arrays `[B, axes, 9, heads, n, head size]`."""
        return self.to_units(per_puzzle(x, self.qkv), kind)

    def to_units(self, projected: mx.array, kind: Kind) -> list[mx.array]:
        """The product of `project`, `[B, 9T, 3C]`, sorted into its three arrays by unit."""
        shape = self._position_shape(projected.shape[0], kind)
        split = (*shape[:-2], 3 * len(Axis), *shape[-2:])
        parts = mx.split(projected.reshape(split), 3 * len(Axis), axis=-3)
        return [self._to_units([part.squeeze(-3) for part in parts[which::3]], kind) for which in range(3)]

    def attend(self, q: mx.array, seen: Seen, kind: Kind) -> mx.array:
        """Scores, softmax and weighted values: `[B, axes, 9, heads, n, head size]`."""
        return self.weighted(cast(mx.array, softmax(self.scores(q, seen, kind))), seen)

    def scores(self, q: mx.array, seen: Seen, kind: Kind) -> mx.array:
        """Scaled products of queries and all keys seen, with their biases: `[B, axes, 9, heads, n, m]`."""
        products = mx.concatenate([q @ k.swapaxes(-1, -2) for k, _ in seen.values()], axis=-1)
        scale: float = (DIGITS * self.per_digit) ** -0.5
        return products * scale + self.biases(kind, tuple(seen))

    def weighted(self, weights: mx.array, seen: Seen) -> mx.array:
        """Values seen, weighted and summed: `[B, axes, 9, heads, n, head size]`."""
        ends = list(accumulate(k.shape[-2] for k, _ in seen.values()))
        parts = zip(mx.split(weights, ends[:-1], axis=-1), seen.values(), strict=True)
        first, *rest = (part @ v for part, (_, v) in parts)
        return sum(rest, first)

    def biases(self, kind: Kind, sources: tuple[Source, ...]) -> mx.array:
        """Learned bias of every allowed pair of a unit, `[axes, 1, heads, n, m]`."""
        bias = axes_of(self.bias, kind, 0) @ relation_planes(kind, sources)
        return bias.reshape(len(kind.axes), 1, self.heads, 3 ** len(kind.members(Axis.BOX)), -1)

    def merge(self, units: mx.array, kind: Kind) -> mx.array:
        """Back from units to positions, and out: `[B, 9T, C]`."""
        return per_puzzle(self.to_positions(units, kind), self.out)

    def to_positions(self, units: mx.array, kind: Kind) -> mx.array:
        """Back from units to positions `[B, 9T, C]`, axes side by side in the channels (zero where there is none)."""
        batch = units.shape[0]
        shape = self._position_shape(batch, kind)
        by_axis = dict(zip(kind.axes, mx.split(units, len(kind.axes), axis=1), strict=True))
        parts = [self._from_units(by_axis[a], kind, a) if a in by_axis else mx.zeros(shape) for a in Axis]
        return mx.concatenate(parts, axis=-2).reshape(batch, -1, self.out.shape[0])

    def _position_shape(self, batch: int, kind: Kind) -> tuple[int, ...]:
        return (batch, *[3] * len(kind.coordinates), DIGITS, self.heads, self.per_digit)

    def _to_units(self, by_axis: list[mx.array], kind: Kind) -> mx.array:
        parts = zip(Axis, by_axis, strict=True)
        stacked = mx.stack([x.transpose(_unit_order(kind, a)) for a, x in parts if a in kind.axes], axis=1)
        size = 3 ** len(kind.members(Axis.BOX))
        return stacked.reshape(-1, len(kind.axes), 9, self.heads, size, DIGITS * self.per_digit)

    def _from_units(self, x: mx.array, kind: Kind, axis: Axis) -> mx.array:
        shape, order = self._position_shape(x.shape[0], kind), _unit_order(kind, axis)
        return x.reshape([shape[i] for i in order]).transpose([order.index(i) for i in range(len(order))])


def _unit_order(kind: Kind, axis: Axis) -> list[int]:
    """Transposition (batch, coordinates…, digit, head, channel) -> (batch, unit, head, members, digit, channel)."""
    at = {c: 1 + i for i, c in enumerate(kind.coordinates)}
    digit, head, channel = (1 + len(at) + i for i in range(3))
    return [0, *(at[c] for c in axis.unit), head, *(at[c] for c in kind.members(axis)), digit, channel]


def digit_mean(x: mx.array) -> mx.array:
    """Mean over the nine digits of a position: `[B, 9T, C]` -> `[B, T, C]`."""
    return x.reshape(x.shape[0], -1, DIGITS, x.shape[2]).mean(axis=2)


@mx.custom_function
def squared_relu(x: mx.array) -> mx.array:
    """relu²: max(x, 0)²."""
    positive = mx.maximum(x, 0)
    return positive * positive


@squared_relu.vjp
def _squared_relu_vjp(x: mx.array, cotangent: mx.array, _: mx.array) -> mx.array:
    """2·max(x, 0), without the mask that the derivative of the maximum would cost."""
    return mx.maximum(x, 0) * cotangent * 2


def hidden_units(x: mx.array, shared: mx.array) -> mx.array:
    """relu² of `x` `[B, 9T, W]` plus what its nine digits share, `[B, T, W]`."""
    together = x.reshape(x.shape[0], -1, DIGITS, x.shape[2]) + shared[:, :, None]
    return cast(mx.array, squared_relu(together)).reshape(x.shape)


class FeedForward(Module):
    """relu²(x W1 + mean over digits(x) M1) W2."""

    def __init__(self, channels: int, width: int, blocks: int) -> None:
        super().__init__()
        self.up = mx.random.normal((channels, width)) * channels**-0.5
        self.mean = mx.random.normal((channels, width)) * channels**-0.5
        self.down = mx.random.normal((width, channels)) * (2 * blocks * width) ** -0.5

    def __call__(self, x: mx.array) -> mx.array:
        """`[B, 9T, C]` -> `[B, 9T, C]`."""
        shared = per_puzzle(digit_mean(x), self.mean)
        return per_puzzle(hidden_units(per_puzzle(x, self.up), shared), self.down)


def seen_by_level(own: list[mx.array], kind: Kind, prefix: KeyValue) -> Seen:
    """Keys and values that a level sees: those of the prefix on the axes of `kind`, and its own."""
    (prefix_k, prefix_v), (k, v) = (axes_of(part, kind, 1) for part in prefix), own
    return {Source.LEVEL_PREFIX: (prefix_k, prefix_v), Source.LEVEL: (k, v)}


class Block(Module):
    """Unit attention and feed-forward, pre-norm, each added to the residual stream."""

    def __init__(self, channels: int, heads: int, width: int, blocks: int) -> None:
        super().__init__()
        self.attention = UnitAttention(channels, heads, blocks)
        self.feed_forward = FeedForward(channels, width, blocks)

    def prefix_states(self, x: mx.array) -> list[mx.array]:
        """Queries, keys and values of prefix states `[B, 9·81, C]`; the keys and values are what a cache keeps."""
        return self.attention.project(normalize(x), Kind.CELL)

    def prefix(self, x: mx.array, states: list[mx.array]) -> mx.array:
        """Prefix states after the block: prefix positions attend to prefix positions only."""
        q, k, v = states
        return self._finish(x, q, {Source.PREFIX: (k, v)}, Kind.CELL)

    def level(self, x: mx.array, kind: Kind, prefix: KeyValue) -> mx.array:
        """Level states `[B, 9·l, C]` after the block, given the prefix keys and values of this block."""
        q, *own = self.attention.project(normalize(x), kind)
        return self._finish(x, q, seen_by_level(own, kind, prefix), kind)

    def _finish(self, x: mx.array, q: mx.array, seen: Seen, kind: Kind) -> mx.array:
        x = x + self.attention.merge(self.attention.attend(q, seen, kind), kind)
        return x + self.feed_forward(normalize(x))
