"""Copies between the order of positions and that of units, and back.

MLX copies what is not in order number by number, so numbers travel in pairs where their count is even. All arrays are
float32. Knows kinds and their geometry, no weights. Invariant: both copies only move numbers, so the gradient of each
is a copy the other way.
"""

from collections.abc import Callable
from functools import cache
from typing import cast

import mlx.core as mx

from sudoku_ncm.levels import DIGITS, Kind

Copies = Callable[[mx.array], list[mx.array]]
Copy = Callable[[mx.array], mx.array]


def to_units(products: mx.array, kind: Kind, heads: int) -> list[mx.array]:
    """Queries, keys and values by unit, each `[B, axes, 9, heads, n, 9·c]`, of `[B, 9T, axes·3·heads·c]`."""
    return _to_units(kind, heads)(products)


def to_positions(units: mx.array, kind: Kind, heads: int) -> mx.array:
    """`[B, axes, 9, heads, n, 9·c]` -> `[B, 9T, axes·heads·c]`, axes side by side."""
    return _to_positions(kind, heads)(units)


@cache
def _to_units(kind: Kind, heads: int) -> Copies:
    together, axes = f"b{kind.coordinates}dphc", kind.axes
    by_unit = [f"pb{axis.unit}h{kind.members(axis)}dc" for axis in axes]
    to_unit, to_position = _orders(together, by_unit)

    @mx.custom_function
    def forward(products: mx.array) -> list[mx.array]:
        shape = (len(products), *_threes(kind.coordinates), DIGITS, len(axes), 3, heads, -1)
        pairs = _pairs(products.reshape(shape))
        parts = [pairs[..., i, :, :, :].transpose(order) for i, order in enumerate(to_unit)]
        return list(_floats(mx.stack(parts, axis=2)).reshape(3, len(products), len(axes), 9, heads, kind.unit_size, -1))

    @forward.vjp
    def backward(products: mx.array, cotangents: list[mx.array], _: list[mx.array]) -> mx.array:
        shape = (3, len(products), len(axes), 3, 3, heads, *_threes(kind.members(axes[0])), DIGITS, -1)
        pairs = _pairs(mx.stack(cotangents).reshape(shape))
        parts = [pairs[:, :, i].transpose(order) for i, order in enumerate(to_position)]
        return _floats(mx.stack(parts, axis=-4)).reshape(products.shape)

    return cast(Copies, forward)


@cache
def _to_positions(kind: Kind, heads: int) -> Copy:
    together, axes = f"b{kind.coordinates}dhc", kind.axes
    by_unit = [f"b{axis.unit}h{kind.members(axis)}dc" for axis in axes]
    to_unit, to_position = _orders(together, by_unit)

    @mx.custom_function
    def forward(units: mx.array) -> mx.array:
        shape = (len(units), len(axes), 3, 3, heads, *_threes(kind.members(axes[0])), DIGITS, -1)
        pairs = _pairs(units.reshape(shape))
        parts = [pairs[:, i].transpose(order) for i, order in enumerate(to_position)]
        return _floats(mx.stack(parts, axis=-3)).reshape(len(units), DIGITS * kind.positions, -1)

    @forward.vjp
    def backward(units: mx.array, cotangent: mx.array, _: mx.array) -> mx.array:
        shape = (len(units), *_threes(kind.coordinates), DIGITS, len(axes), heads, -1)
        pairs = _pairs(cotangent.reshape(shape))
        parts = [pairs[..., i, :, :].transpose(order) for i, order in enumerate(to_unit)]
        return _floats(mx.stack(parts, axis=1)).reshape(units.shape)

    return cast(Copy, forward)


def _orders(source: str, targets: list[str]) -> tuple[list[list[int]], list[list[int]]]:
    """Transpositions of dimensions that the letters of `source` name, one into the order of each target; and back."""
    there = [[source.index(letter) for letter in target] for target in targets]
    return there, [[target.index(letter) for letter in source] for target in targets]


def _pairs(x: mx.array) -> mx.array:
    """Two neighbouring numbers as one, if the last dimension is even."""
    return x if x.shape[-1] % 2 else x.view(mx.uint64)


def _floats(x: mx.array) -> mx.array:
    return x.view(mx.float32)


def _threes(coordinates: str) -> list[int]:
    return [3] * len(coordinates)
