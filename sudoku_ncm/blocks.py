"""One block of the generator: attention inside units, then a feed-forward that also sees the mean over digits.

Weights are shared by the nine digits, which meet only in the attention scores and in the mean. Knows nothing of
fields, of the order of levels, or of when a cache is filled.
"""

import mlx.core as mx
from mlx.nn.layers.base import Module

from sudoku_ncm.attention import Seen, UnitAttention, seen_by_level
from sudoku_ncm.cache import KeyValue
from sudoku_ncm.levels import Kind, Source
from sudoku_ncm.ops import digit_mean, hidden_units, normalize, per_puzzle


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
