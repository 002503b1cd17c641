"""The solver against other solvers on the same puzzles: verified answers a second.

A peer gets one puzzle after another, our network batches. Knows the door and peers as functions, not a device.
Invariants: only boards that the checker verifies count, which is in the time of ours and not in that of a peer; solvers
alternate; a puzzle that is cut off costs the time it took.
"""

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from types import FrameType

from checker.board import Board
from checker.verify import verify
from sudoku_ncm.evaluation.bench import alternate
from sudoku_ncm.evaluation.peers import Peer
from sudoku_ncm.policy import Options
from sudoku_ncm.session import Boards, Solver, drain


@dataclass(frozen=True)
class Race:
    """A solver's run of median time: what it solved (verified), what was cut off, what it gave up or got wrong."""

    solver: str
    batch_size: int
    puzzles: int
    solved: int
    cut_off: int
    unsolved: int
    ms_per_puzzle: float
    solved_per_second: float


@dataclass(frozen=True)
class _Run:
    seconds: float
    boards: list[Board | None]
    cut_off: int = 0


def race(
    solver: Solver,
    batch_sizes: tuple[int, ...],
    options: list[Options],
    peers: dict[str, Peer],
    puzzles: Boards,
    limit: float,
    repeat: int,
) -> Iterator[Race]:
    """Every peer, one puzzle at a time, at most `limit` seconds each, and `solver` with all batch sizes and options."""
    ours = {
        (f"sudoku-ncm, {o.levels} levels, exit {o.policy.text}", size): partial(_batches, solver, puzzles, o, size)
        for o in options
        for size in batch_sizes
    }
    theirs = {(name, 1): partial(_one_by_one, peer, puzzles, limit) for name, peer in peers.items()}
    variants: dict[tuple[str, int], Callable[[], _Run]] = {**ours, **theirs}
    for (name, size), runs in zip(variants, alternate(list(variants.values()), repeat), strict=True):
        yield _result(name, size, sorted(runs, key=lambda run: run.seconds)[len(runs) // 2], puzzles)


def _result(name: str, size: int, run: _Run, puzzles: Boards) -> Race:
    pairs = zip(run.boards, puzzles, strict=True)
    solved = sum(board is not None and verify(board, clues).solved for board, clues in pairs)
    count = len(puzzles)
    unsolved, ms = count - solved - run.cut_off, 1e3 * run.seconds / count
    return Race(name, size, count, solved, run.cut_off, unsolved, ms, solved / run.seconds)


def _batches(solver: Solver, puzzles: Boards, options: Options, size: int) -> _Run:
    started = time.perf_counter()
    boards: list[Board | None] = []
    for at in range(0, len(puzzles), size):
        boards += [outcome.board for outcome in drain(solver.open(puzzles[at : at + size], options))]
    return _Run(time.perf_counter() - started, boards)


def _one_by_one(peer: Peer, puzzles: Boards, limit: float) -> _Run:
    seconds, cut_off = 0.0, 0
    boards: list[Board | None] = []
    for clues in puzzles:
        started = time.perf_counter()
        try:
            with time_limit(limit):
                board = peer(clues, limit)
        except CutOff:
            board, cut_off = None, cut_off + 1
        seconds += time.perf_counter() - started
        boards.append(board)
    return _Run(seconds, boards, cut_off)


class CutOff(BaseException):
    """A peer took too long; not an Exception, which a peer might catch."""


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise CutOff inside the block after `seconds`; Python code stops at once, compiled code when it returns."""

    def stop(_number: int, _frame: FrameType | None) -> None:
        raise CutOff

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
