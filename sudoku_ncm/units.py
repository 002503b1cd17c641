"""Copies between the order of positions and that of units, and back.

MLX copies what is not in order number by number, so numbers travel in pairs where their count is even. Knows kinds and
their geometry, no weights. Invariant: both copies only move numbers, so the gradient of each is a copy the other way.
"""

from collections.abc import Callable
from functools import cache
from typing import cast

import mlx.core as mx

from sudoku_ncm.levels import DIGITS, Kind

Copies = Callable[[mx.array], list[mx.array]]
Copy = Callable[[mx.array], mx.array]


def to_units(products: mx.array, kind: Kind, heads: int) -> list[mx.array]:
    """Queries, keys and values by unit, each `[B, axes, 9, heads, n, 9·c]`, of `[B, axes·3·heads, 9T, c]`."""
    return _to_units(kind, heads)(products)


def to_positions(units: mx.array, kind: Kind, heads: int) -> mx.array:
    """`[B, axes, 9, heads, n, 9·c]` -> `[B, 9T, axes·heads·c]`, axes side by side."""
    return _to_positions(kind, heads)(units)


@cache
def _to_units(kind: Kind, heads: int) -> Copies:
    apart, axes = f"bph{kind.coordinates}e", kind.axes
    by_unit = [f"pb{axis.unit}h{kind.members(axis)}e" for axis in axes]

    @mx.custom_function
    def forward(products: mx.array) -> list[mx.array]:
        shape = (len(products), len(axes), 3, heads, *_threes(kind.coordinates), -1)
        pairs = _pairs(products.reshape(shape))
        parts = [_ordered(pairs[:, i], apart, order) for i, order in enumerate(by_unit)]
        return list(_floats(mx.stack(parts, axis=2)).reshape(3, len(products), len(axes), 9, heads, _size(kind), -1))

    @forward.vjp
    def backward(products: mx.array, cotangents: list[mx.array], _: list[mx.array]) -> mx.array:
        shape = (3, len(products), len(axes), 3, 3, heads, *_threes(kind.members(axes[0])), -1)
        pairs = _pairs(mx.stack(cotangents).reshape(shape))
        parts = [_ordered(pairs[:, :, i], order, apart) for i, order in enumerate(by_unit)]
        return _floats(mx.stack(parts, axis=1)).reshape(products.shape)

    return cast(Copies, forward)


@cache
def _to_positions(kind: Kind, heads: int) -> Copy:
    together, axes = f"b{kind.coordinates}dhc", kind.axes
    by_unit = [f"b{axis.unit}h{kind.members(axis)}dc" for axis in axes]

    @mx.custom_function
    def forward(units: mx.array) -> mx.array:
        shape = (len(units), len(axes), 3, 3, heads, *_threes(kind.members(axes[0])), DIGITS, -1)
        pairs = _pairs(units.reshape(shape))
        parts = [_ordered(pairs[:, i], order, together) for i, order in enumerate(by_unit)]
        return _floats(mx.stack(parts, axis=-3)).reshape(len(units), DIGITS * kind.positions, -1)

    @forward.vjp
    def backward(units: mx.array, cotangent: mx.array, _: mx.array) -> mx.array:
        shape = (len(units), *_threes(kind.coordinates), DIGITS, len(axes), heads, -1)
        pairs = _pairs(cotangent.reshape(shape))
        parts = [_ordered(pairs[..., i, :, :], together, order) for i, order in enumerate(by_unit)]
        return _floats(mx.stack(parts, axis=1)).reshape(units.shape)

    return cast(Copy, forward)


def _ordered(x: mx.array, source: str, target: str) -> mx.array:
    """`x` with its dimensions, which the letters of `source` name, in the order of `target`."""
    return x.transpose([source.index(letter) for letter in target])


def _pairs(x: mx.array) -> mx.array:
    """Two neighbouring numbers as one, if the last dimension is even."""
    return x if x.shape[-1] % 2 else x.view(mx.uint64)


def _floats(x: mx.array) -> mx.array:
    return x.view(mx.float32)


def _threes(coordinates: str) -> list[int]:
    return [3] * len(coordinates)


def _size(kind: Kind) -> int:
    """Positions of a unit."""
    return int(3 ** len(kind.members(kind.axes[0])))
