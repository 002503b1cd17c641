"""How many threads a process works with: its share of the machine's cores, fewer on request.

Knows ranks and numbers, no MLX. Invariant: the number changes how long a generation takes, and nothing else; training
always has one, because the order in which gradients are added up depends on it.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache

from sudoku_ncm import launch

SMALLEST = 4
"""Puzzles that are worth a thread."""
VARIABLE = "SUDOKU_NCM_THREADS"
_LIMIT: ContextVar[int | None] = ContextVar("limit", default=None)


def threads() -> int:
    """Threads of this process now: as `limited`, else as SUDOKU_NCM_THREADS says, else its share of the cores.

    Raises UsageError when the variable holds no positive number.
    """
    wish = launch.positive(VARIABLE)
    return _LIMIT.get() or wish or _share()


def lanes(batch: int) -> int:
    """Threads that share out a batch: `threads`, but none for fewer than four puzzles."""
    return max(1, min(threads(), batch // SMALLEST))


@contextmanager
def limited(count: int) -> Iterator[None]:
    """Work with `count` threads inside."""
    token = _LIMIT.set(count)
    try:
        yield
    finally:
        _LIMIT.reset(token)


@cache
def _share() -> int:
    """The cores that this process may run on, shared with the ranks of its group on this machine."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, cores // launch.ranks_here())
