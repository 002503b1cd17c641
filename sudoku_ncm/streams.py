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


def waves(batch: int) -> list[list[tuple[slice, Stream]]]:
    """The groups of a batch, each with its stream, one a thread; a wave is to be evaluated before the next begins.

    So what a group makes for itself is used again while it is still in the processor's cache: MLX would otherwise go
    through all groups side by side, which takes longer (docs/experiments.md).
    """
    groups, threads = groups_of(batch), lanes(batch)
    alone = len(groups) == 1 or threads == 1
    streams = [mx.default_stream(mx.default_device()) if alone else _stream(number) for number in range(threads)]
    starts = range(0, len(groups), threads)
    return [list(zip(groups[start : start + threads], streams, strict=False)) for start in starts]


def _on_processor() -> bool:
    return bool(mx.default_device() == mx.Device(mx.cpu))


@cache
def _stream(_: int) -> mx.ThreadLocalStream:
    return mx.new_thread_local_stream(mx.cpu)
