"""How a batch is shared out: groups of neighbouring puzzles, and streams that compute groups side by side.

Knows MLX's streams, nothing of what runs in them. Invariant: neither the group nor the stream of a puzzle changes a
number of it, because every product is one product per puzzle.
"""

from functools import cache
from itertools import cycle, islice
from math import ceil

import mlx.core as mx

from sudoku_ncm.threads import threads

Stream = mx.Stream | mx.ThreadLocalStream
LARGEST = 16
"""Puzzles of a group at most: more of them gain nothing and need more memory."""
SMALLEST = 4
"""Puzzles of a group at least, where it is split only to keep another thread busy."""


def groups_of(batch: int) -> list[slice]:
    """The rows of a batch that go through the blocks together: as many for every thread; all, on another device."""
    lanes = max(1, min(threads(), batch // SMALLEST))
    count = lanes * ceil(batch / (LARGEST * lanes)) if _on_processor() else 1
    size = ceil(batch / count)
    return [slice(at, at + size) for at in range(0, batch, size)]


def streams(count: int) -> list[Stream]:
    """A stream for each of `count` groups, in turn."""
    lanes = min(threads(), count)
    if lanes < 2 or not _on_processor():
        return [mx.default_stream(mx.default_device())] * count
    return list(islice(cycle(_made(lanes)), count))


def _on_processor() -> bool:
    return bool(mx.default_device() == mx.Device(mx.cpu))


@cache
def _made(lanes: int) -> list[mx.ThreadLocalStream]:
    return [mx.new_thread_local_stream(mx.cpu) for _ in range(lanes)]
