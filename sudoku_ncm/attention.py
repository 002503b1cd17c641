"""Unit attention: every position looks at the prefix cells and the own level's positions of its row, column and box.

Hidden states are `[B, T, 9, C]` flattened to `[B, 9T, C]`; digits meet in the scores. Prefix and level are separate
products, so numbers do not depend on caching. Invariant: `block_diagonal`, a position never attends to another level.
"""

from functools import cache
from itertools import accumulate
from typing import cast

import mlx.core as mx
import numpy as np
from mlx.nn.layers.base import Module

from sudoku_ncm.cache import KeyValue
from sudoku_ncm.levels import DIGITS, RELATIONS, Axis, Kind, Source, relation_table
from sudoku_ncm.ops import per_puzzle, softmax
from sudoku_ncm.units import to_positions, to_units

Seen = dict[Source, KeyValue]
"""Keys and values by where they come from."""


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
    """The axes of `kind` among all three of `stacked` along `dimension`; all of them cost nothing."""
    every = len(kind.axes) == len(Axis)
    return stacked if every else stacked[(*[slice(None)] * dimension, _slice_of(kind))]


@cache
def _slice_of(kind: Kind) -> slice:
    """Where the two axes of a coarse `kind` stand among all: two have one step, so a slice finds them."""
    first, *rest = (list(Axis).index(axis) for axis in kind.axes)
    return slice(first, rest[-1] + 1, rest[0] - first)


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
        return to_units(self.products(x, kind), kind, self.heads)

    def products(self, x: mx.array, kind: Kind) -> mx.array:
        """States `[B, 9T, C]` times the columns of the axes of `kind`: `[B, 9T, axes·C]`, by axis, q/k/v and head."""
        columns = axes_of(self.qkv.reshape(len(self.qkv), len(Axis), -1), kind, 1)
        return per_puzzle(x, columns.flatten(1, 2))

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
        return bias.reshape(len(kind.axes), 1, self.heads, kind.unit_size, -1)

    def merge(self, units: mx.array, kind: Kind) -> mx.array:
        """Back from units to positions, and out: `[B, 9T, C]`."""
        return self.outward(to_positions(units, kind, self.heads), kind)

    def outward(self, x: mx.array, kind: Kind) -> mx.array:
        """Positions `[B, 9T, axes·C/3]` times the rows of their axes: `[B, 9T, C]`."""
        rows = axes_of(self.out.reshape(len(Axis), -1, self.out.shape[1]), kind, 0)
        return per_puzzle(x, rows.flatten(0, 1))


def seen_by_level(own: list[mx.array], kind: Kind, prefix: KeyValue) -> Seen:
    """Keys and values that a level sees: those of the prefix on the axes of `kind`, and its own."""
    (prefix_k, prefix_v), (k, v) = (axes_of(part, kind, 1) for part in prefix), own
    return {Source.LEVEL_PREFIX: (prefix_k, prefix_v), Source.LEVEL: (k, v)}
