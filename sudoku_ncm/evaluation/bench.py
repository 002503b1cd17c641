"""Times of runs by levels, batch size, cache and exit policy, and of the first solve of a new process.

Knows the door only. Invariants: all variants of one size alternate inside a repetition, in rotating order; medians are
reported; warm-up is run and not counted.
"""

import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from statistics import median

from sudoku_ncm.policy import ExitPolicy, Options
from sudoku_ncm.session import Boards, Solver

WARM_UP = 2


@dataclass(frozen=True)
class Timing:
    """Median of one variant: ms a puzzle, mean positions a puzzle, positions of work a second."""

    batch_size: int
    levels: int
    exit: str
    cached: bool
    ms_per_puzzle: float
    positions_per_puzzle: float
    positions_per_second: float


def bench(solver: Solver, puzzles: Boards, levels: int, policies: tuple[str, ...], repeat: int) -> Iterator[Timing]:
    """Time every policy with and without cache on `puzzles` `[B, 81]` in one batch."""
    variants = [Options(levels, ExitPolicy.parse(text), cached=on) for text, on in product(policies, (True, False))]
    runs: list[list[tuple[float, int]]] = [[] for _ in variants]
    for turn in range(WARM_UP + repeat):
        for place in range(len(variants)):
            index = (turn + place) % len(variants)
            run = _run(solver, puzzles, variants[index])
            if turn >= WARM_UP:
                runs[index].append(run)
    for options, timed in zip(variants, runs, strict=True):
        seconds, positions = median(s for s, _ in timed), timed[0][1]
        size = len(puzzles)
        yield Timing(
            batch_size=size,
            levels=levels,
            exit=options.policy.text,
            cached=options.cached,
            ms_per_puzzle=1e3 * seconds / size,
            positions_per_puzzle=positions / size,
            positions_per_second=positions / seconds,
        )


def _run(solver: Solver, puzzles: Boards, options: Options) -> tuple[float, int]:
    """Seconds of a session and positions processed in it."""
    started = time.perf_counter()
    session = solver.open(puzzles, options)
    positions = sum(step.work.positions * len(step.rows) for step in session)
    return time.perf_counter() - started, positions


def first_solve(puzzle: str, model: Path, repeat: int) -> float:
    """Median seconds of `sudoku-ncm solve PUZZLE` as a new process, imports and model included."""
    command = [sys.executable, "-m", "sudoku_ncm", "solve", puzzle, "--format", "line", "--model", str(model)]
    times = []
    for _ in range(repeat):
        started = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        times.append(time.perf_counter() - started)
    return median(times)
