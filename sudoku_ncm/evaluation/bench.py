"""Times of runs by levels, batch size, threads, cache and exit policy; time and memory of a new process's first solve.

Knows the door only. Invariants: all variants of one size alternate inside a repetition, in rotating order; medians are
reported; warm-up is run and not counted.
"""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from pathlib import Path
from statistics import median
from typing import TypeVar

from sudoku_ncm.policy import ExitPolicy, Options
from sudoku_ncm.session import Boards, Solver
from sudoku_ncm.threads import lanes, limited

WARM_UP = 2
T = TypeVar("T")
_PEAK = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, capture_output=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


@dataclass(frozen=True)
class Timing:
    """Median of one variant: ms a puzzle, mean positions a puzzle, positions of work a second."""

    batch_size: int
    threads: int
    levels: int
    exit: str
    cached: bool
    ms_per_puzzle: float
    positions_per_puzzle: float
    positions_per_second: float


def alternate(variants: Sequence[Callable[[], T]], repeat: int) -> list[list[T]]:
    """What `repeat` calls of every variant return, the variants in turn, rotating, after `WARM_UP` uncounted rounds."""
    results: list[list[T]] = [[] for _ in variants]
    for turn in range(WARM_UP + repeat):
        for place in range(len(variants)):
            index = (turn + place) % len(variants)
            result = variants[index]()
            if turn >= WARM_UP:
                results[index].append(result)
    return results


def bench(solver: Solver, puzzles: Boards, levels: int, policies: tuple[str, ...], repeat: int) -> Iterator[Timing]:
    """Time every policy with and without cache on `puzzles` `[B, 81]` in one batch, in one thread and in all."""
    size = len(puzzles)
    counts = sorted({1, lanes(size)})
    variants = [
        (count, Options(levels, ExitPolicy.parse(text), cached=on))
        for count, text, on in product(counts, policies, (True, False))
    ]
    runs = alternate([partial(_run, solver, puzzles, *variant) for variant in variants], repeat)
    for (count, options), timed in zip(variants, runs, strict=True):
        seconds, positions = median(s for s, _ in timed), timed[0][1]
        yield Timing(
            batch_size=size,
            threads=count,
            levels=levels,
            exit=options.policy.text,
            cached=options.cached,
            ms_per_puzzle=1e3 * seconds / size,
            positions_per_puzzle=positions / size,
            positions_per_second=positions / seconds,
        )


def _run(solver: Solver, puzzles: Boards, count: int, options: Options) -> tuple[float, int]:
    """Seconds of a session in `count` threads and positions processed in it."""
    started = time.perf_counter()
    with limited(count):
        positions = sum(step.work.positions * len(step.rows) for step in solver.open(puzzles, options))
    return time.perf_counter() - started, positions


def first_solve(puzzle: str, model: Path, repeat: int) -> float:
    """Median seconds of `sudoku-ncm solve PUZZLE` as a new process, imports and model included."""
    times = []
    for _ in range(repeat):
        started = time.perf_counter()
        subprocess.run(_solve(puzzle, model), check=True, capture_output=True)
        times.append(time.perf_counter() - started)
    return median(times)


def peak_memory(puzzle: str, model: Path) -> float:
    """Largest resident memory of such a process in MB (10⁶ bytes).

    A small process starts it and asks: a child counts what its parent held when it was started.
    """
    done = subprocess.run([sys.executable, "-c", _PEAK, *_solve(puzzle, model)], check=True, capture_output=True)
    return int(done.stdout) * (1 if sys.platform == "darwin" else 1024) / 1e6


def _solve(puzzle: str, model: Path) -> list[str]:
    return [sys.executable, "-m", "sudoku_ncm", "solve", puzzle, "--format", "line", "--model", str(model)]
