"""Times of full runs, cached and uncached in turn, and of the first solve of a new process.

Knows the door only. Invariants: variants alternate inside one repetition, medians are reported, warm-up is not counted.
"""

import subprocess
import sys
import time
from dataclasses import dataclass, replace
from statistics import median

from sudoku_ncm.accounting import run_work
from sudoku_ncm.levels import LevelPlan
from sudoku_ncm.policy import ExitPolicy, Options
from sudoku_ncm.session import Boards, Solver, drain

WARM_UP = 2


@dataclass(frozen=True)
class Timing:
    """Medians of full runs of `levels` levels at one batch size, in ms a puzzle, and the ratio of positions."""

    batch_size: int
    levels: int
    cached_ms: float
    uncached_ms: float
    positions_ratio: float


def full_runs(solver: Solver, puzzles: Boards, plan: LevelPlan, repeat: int) -> Timing:
    """Run every level of `plan` on `puzzles` `[B, 81]`, never leaving early, with and without cache in turn."""
    base = Options(levels=len(plan), policy=ExitPolicy.parse("never"))
    times: dict[bool, list[float]] = {True: [], False: []}
    for turn in range(WARM_UP + repeat):
        for cached in (True, False):
            seconds = _run(solver, puzzles, replace(base, cached=cached))
            if turn >= WARM_UP:
                times[cached].append(seconds)
    cached_ms, uncached_ms = (1e3 * median(times[cached]) / len(puzzles) for cached in (True, False))
    ratio = run_work(plan.kinds, True).positions / run_work(plan.kinds, False).positions
    return Timing(len(puzzles), len(plan), cached_ms, uncached_ms, ratio)


def _run(solver: Solver, puzzles: Boards, options: Options) -> float:
    started = time.perf_counter()
    drain(solver.open(puzzles, options))
    return time.perf_counter() - started


def first_solve(puzzle: str, repeat: int) -> float:
    """Median seconds of `sudoku-ncm solve PUZZLE` as a new process, imports and model included."""
    command = [sys.executable, "-m", "sudoku_ncm", "solve", puzzle, "--format", "line"]
    times = []
    for _ in range(repeat):
        started = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        times.append(time.perf_counter() - started)
    return median(times)
