"""How a batch is shared out: groups of neighbouring puzzles, and streams that compute groups side by side.

Knows MLX's streams, nothing of what runs in them. Invariant: neither the group nor the stream of a puzzle changes a
number of it, because every product is one product per puzzle.
"""

from functools import cache
from itertools import pairwise
from math import ceil

import mlx.core as mx

from sudoku_ncm.threads import lanes

Stream = mx.Stream | mx.ThreadLocalStream
LARGEST = 16
"""Puzzles of a group at most: more of them gain nothing and need more memory."""


def groups_of(batch: int) -> list[slice]:
    """The rows of a batch that go through the blocks together: as many groups for every thread, of equal size.

    Another device than a processor gets the batch whole.
    """
    threads = lanes(batch)
    count = threads * ceil(batch / (LARGEST * threads)) if _on_processor() else 1
    edges = [batch * number // count for number in range(count + 1)]
    return [slice(*edge) for edge in pairwise(edges)]


def streams(batch: int) -> list[Stream]:
    """The stream of each group of a batch, in turn."""
    count, threads = len(groups_of(batch)), lanes(batch)
    if count == 1 or threads == 1:
        return [mx.default_stream(mx.default_device())] * count
    return [_stream(number % threads) for number in range(count)]


def _on_processor() -> bool:
    return bool(mx.default_device() == mx.Device(mx.cpu))


@cache
def _stream(_: int) -> mx.ThreadLocalStream:
    return mx.new_thread_local_stream(mx.cpu)
