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
    @mx.custom_function
    def forward(products: mx.array) -> list[mx.array]:
        return list(_scattered(products, 3, kind, heads))

    @forward.vjp
    def backward(_: mx.array, cotangents: list[mx.array], __: list[mx.array]) -> mx.array:
        return _gathered(mx.stack(cotangents), kind, heads)

    return cast(Copies, forward)


@cache
def _to_positions(kind: Kind, heads: int) -> Copy:
    @mx.custom_function
    def forward(units: mx.array) -> mx.array:
        return _gathered(units[None], kind, heads)

    @forward.vjp
    def backward(_: mx.array, cotangent: mx.array, __: mx.array) -> mx.array:
        return _scattered(cotangent, 1, kind, heads)[0]

    return cast(Copy, forward)


def _scattered(x: mx.array, parts: int, kind: Kind, heads: int) -> mx.array:
    """`[B, 9T, axes·parts·heads·c]` -> `[parts, B, axes, 9, heads, n, 9·c]`."""
    shape = (len(x), *_threes(kind.coordinates), DIGITS, len(kind.axes), parts, heads, -1)
    pairs = _pairs(x.reshape(shape))
    by_unit = [pairs[..., i, :, :, :].transpose(order) for i, order in enumerate(_orders(kind)[0])]
    return _floats(mx.stack(by_unit, axis=2)).reshape(parts, len(x), len(by_unit), 9, heads, kind.unit_size, -1)


def _gathered(units: mx.array, kind: Kind, heads: int) -> mx.array:
    """`[parts, B, axes, 9, heads, n, 9·c]` -> `[B, 9T, axes·parts·heads·c]`: `_scattered` undone."""
    shape = (*units.shape[:3], 3, 3, heads, *_threes(kind.members(kind.axes[0])), DIGITS, -1)
    pairs = _pairs(units.reshape(shape))
    by_axis = [pairs[:, :, i].transpose(order) for i, order in enumerate(_orders(kind)[1])]
    return _floats(mx.stack(by_axis, axis=-4)).reshape(units.shape[1], DIGITS * kind.positions, -1)


@cache
def _orders(kind: Kind) -> tuple[list[list[int]], list[list[int]]]:
    """For each axis the transposition of (batch, coordinates…, digit, part, head, channel) by unit, and back."""
    together = f"b{kind.coordinates}dphc"
    by_unit = [f"pb{axis.unit}h{kind.members(axis)}dc" for axis in kind.axes]
    there = [[together.index(name) for name in order] for order in by_unit]
    return there, [[order.index(name) for name in together] for order in by_unit]


def _pairs(x: mx.array) -> mx.array:
    """Two neighbouring numbers as one, if the last dimension is even."""
    return x if x.shape[-1] % 2 else x.view(mx.uint64)


def _floats(x: mx.array) -> mx.array:
    return x.view(mx.float32)


def _threes(coordinates: str) -> list[int]:
    return [3] * len(coordinates)
