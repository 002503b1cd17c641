"""Matrix products of a level counted from shapes: operations, bytes, and the least time a machine can need for them.

A floating-point operation is a multiplication or an addition, so `[n, a] @ [a, b]` has 2·n·a·b; numbers are float32.
`Load` is what no implementation of this network avoids: the operations of the products, and the bytes that come from
outside a level and leave it (field, prefix keys and values, weights once a batch). What a level makes for itself may
stay in a processor's cache and is free, and so is everything elementwise, the softmax included. `Rates.floor` takes
the larger of the two times, not their sum, because a processor can load while it multiplies: a bound, no estimate.
Knows no device and no clock. Invariant: counts follow from the sizes of the network and the kind of level alone.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from sudoku_ncm.levels import CELLS, DIGITS, Axis, Kind

FLOAT = 4
"""Bytes of a number."""


class Part(StrEnum):
    """The kinds of operation a level consists of, in the order of their first appearance."""

    EMBEDDING = "embedding"
    NORMS = "norms"
    QKV = "product qkv"
    TO_UNITS = "copies to units"
    SCORES = "scores"
    SOFTMAX = "softmax"
    VALUES = "weighted values"
    TO_POSITIONS = "copies to positions"
    OUT = "product out"
    RESIDUAL = "residual sums"
    DIGIT_MEAN = "mean over digits"
    MEAN = "product mean"
    UP = "product up"
    RELU = "squared relu"
    DOWN = "product down"
    HEAD = "product head"
    REFINE = "quantize and refine"


@dataclass(frozen=True)
class Sizes:
    """What the counts need of a network: `width` of the feed-forward, `knots` of the embedding of a field."""

    channels: int
    blocks: int
    heads: int
    width: int
    knots: int


@dataclass(frozen=True)
class Load:
    """Operations of matrix products, and bytes read or written."""

    flops: int
    bytes: int

    def __add__(self, other: "Load") -> "Load":
        return Load(self.flops + other.flops, self.bytes + other.bytes)


@dataclass(frozen=True)
class Product:
    """`count` products `[rows, inner] @ [inner, columns]` a puzzle; a `weight` is the right factor for all puzzles."""

    rows: int
    inner: int
    columns: int
    count: int = 1
    weight: bool = True

    def load(self, batch: int) -> Load:
        """Operations for `batch` puzzles, and the bytes of both factors and the result, each once."""
        right = (1 if self.weight else batch) * self.inner * self.columns
        return Load(
            2 * batch * self.count * self.rows * self.inner * self.columns,
            FLOAT * self.count * (batch * self.rows * (self.inner + self.columns) + right),
        )


@dataclass(frozen=True)
class Rates:
    """What a machine does in a second: operations of a large matrix product, bytes read and written by a large copy."""

    flops: float
    bytes: float

    def floor(self, load: Load) -> float:
        """The least seconds for `load` at these rates, loading and multiplying at the same time."""
        return max(load.flops / self.flops, load.bytes / self.bytes)


def level_products(sizes: Sizes, kind: Kind) -> dict[Part, Product]:
    """All products of one level of `kind` against a filled prefix cache, biases left out: they are of the weights."""
    rows = DIGITS * kind.positions
    return {
        Part.EMBEDDING: Product(rows, sizes.knots, sizes.channels),
        **_block_products(sizes, kind, kind.unit_size + Kind.CELL.unit_size, sizes.blocks),
        Part.HEAD: Product(rows, sizes.channels, 1),
    }


def prefix_products(sizes: Sizes) -> dict[Part, Product]:
    """All products of the prefix; the last block is asked for keys and values only."""
    blocks = _block_products(sizes, Kind.CELL, Kind.CELL.unit_size, sizes.blocks - 1)
    rows, channels = DIGITS * CELLS, sizes.channels
    asked_for = Product(rows, channels, (3 * sizes.blocks - 1) * channels)
    return {Part.EMBEDDING: Product(rows, 3, channels), **blocks, Part.QKV: asked_for}


def level_load(sizes: Sizes, kind: Kind, batch: int) -> Load:
    """One level of `batch` puzzles: the field read and written, prefix keys and values of its axes and weights read."""
    products = level_products(sizes, kind)
    field = 2 * FLOAT * batch * CELLS * DIGITS
    weights = FLOAT * sum(p.count * p.inner * p.columns for p in products.values() if p.weight)
    return Load(_flops(products, batch), field + _cache_bytes(sizes, len(kind.axes), batch) + weights)


def run_load(sizes: Sizes, kinds: Iterable[Kind], batch: int) -> Load:
    """All levels of `kinds`, and the prefix once: clues read, keys and values written, by weights the levels read."""
    outside = FLOAT * batch * CELLS + _cache_bytes(sizes, len(Axis), batch)
    prefix = Load(_flops(prefix_products(sizes), batch), outside)
    return sum((level_load(sizes, kind, batch) for kind in kinds), prefix)


def _block_products(sizes: Sizes, kind: Kind, keys: int, blocks: int) -> dict[Part, Product]:
    rows, c, width = DIGITS * kind.positions, sizes.channels, sizes.width
    head, across = DIGITS * c // (len(Axis) * sizes.heads), len(kind.axes) * c // len(Axis)
    units = blocks * len(kind.axes) * 9 * sizes.heads
    return {
        Part.QKV: Product(rows, c, 3 * across, blocks),
        Part.SCORES: Product(kind.unit_size, head, keys, units, weight=False),
        Part.VALUES: Product(kind.unit_size, keys, head, units, weight=False),
        Part.OUT: Product(rows, across, c, blocks),
        Part.MEAN: Product(kind.positions, c, width, blocks),
        Part.UP: Product(rows, c, width, blocks),
        Part.DOWN: Product(rows, width, c, blocks),
    }


def _cache_bytes(sizes: Sizes, axes: int, batch: int) -> int:
    return 2 * FLOAT * batch * sizes.blocks * DIGITS * CELLS * sizes.channels * axes // len(Axis)


def _flops(products: dict[Part, Product], batch: int) -> int:
    return sum(product.load(batch).flops for product in products.values())
