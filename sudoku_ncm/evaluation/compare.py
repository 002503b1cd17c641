"""The same puzzles through every way to run them, in turn: cache off/on times exit off/on, and the controls.

Controls: a checker that never passes (pure overhead), an oracle that leaves where the exit run left but is charged the
generator alone (an upper bound), and exact search. Knows the door only. Invariants: variants alternate batch by batch
in rotating order, batches do not mix strata, the first batch is run once for warm-up and not counted.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from statistics import median
from typing import Any

import numpy as np
import numpy.typing as npt

from checker.search import count_solutions
from checker.verify import BatchVerdict, verify_batch
from sudoku_ncm.accounting import run_work
from sudoku_ncm.evaluation.dataset import Sample
from sudoku_ncm.evaluation.statistics import ratio_interval
from sudoku_ncm.evaluation.tally import ALL
from sudoku_ncm.levels import LevelPlan
from sudoku_ncm.policy import ExitPolicy, Options
from sudoku_ncm.session import Boards, LevelStep, Solver

FULL, CACHED_FULL = "uncached, full", "cached, full"
EXIT, CACHED_EXIT = "uncached, exit", "cached, exit"
BLIND = "cached, checker never passes"
Seconds = npt.NDArray[np.float64]
ORACLE, SEARCH = "oracle (checks free)", "exact search"


def never_passes(boards: Boards, clues: Boards) -> BatchVerdict:
    """The checker of the overhead control: does all the work and then says no."""
    return replace(verify_batch(boards, clues), solved=np.zeros(len(boards), np.bool_))


@dataclass
class Timings:
    """Seconds of every batch of one group by variant, and what shadow estimates need."""

    puzzles: int = 0
    seconds: dict[str, list[float]] = field(default_factory=dict)
    positions: dict[str, int] = field(default_factory=dict)
    saved_estimate: float = 0.0
    saved_measured: float = 0.0
    overhead: float = 0.0
    """Decode and check seconds of the cached exit run."""
    generator: float = 0.0
    """Generator seconds of the cached exit run."""

    def book(self, variant: str, seconds: float, positions: int = 0) -> None:
        """Add one batch."""
        self.seconds.setdefault(variant, []).append(seconds)
        self.positions[variant] = self.positions.get(variant, 0) + positions


class Comparison:
    """Runs the variants on one batch after another and keeps the times per stratum."""

    def __init__(self, solver: Solver, blind: Solver, options: Options, plan: LevelPlan) -> None:
        never = replace(options, policy=ExitPolicy.parse("never"))
        self.plan, self.groups = plan, {ALL: Timings()}
        self._level_seconds: dict[tuple[int, int], list[float]] = {}
        self._variants: dict[str, tuple[Solver, Options]] = {
            FULL: (solver, replace(never, cached=False)),
            CACHED_FULL: (solver, never),
            EXIT: (solver, replace(options, cached=False)),
            CACHED_EXIT: (solver, options),
            BLIND: (blind, options),
        }
        self._turn = 0

    def run(self, batch: list[Sample]) -> None:
        """Run all variants on a batch of one stratum."""
        clues = np.stack([sample.clues for sample in batch])
        names = list(self._variants)
        if not self._turn:
            for name in names:
                self._steps(name, clues)
        names = names[self._turn % len(names) :] + names[: self._turn % len(names)]
        self._turn += 1
        runs = {name: self._steps(name, clues) for name in names}
        groups = self.groups[ALL], self.groups.setdefault(batch[0].stratum, Timings())
        searched = _timed(lambda: [count_solutions(row) for row in clues])
        for group in groups:
            self._book(group, runs, len(batch), searched)

    def _steps(self, name: str, clues: Boards) -> tuple[float, list[LevelStep]]:
        solver, options = self._variants[name]
        steps: list[LevelStep] = []
        seconds = _timed(lambda: steps.extend(_without_fields(solver.open(clues, options))))
        return seconds, steps

    def _book(
        self, group: Timings, runs: dict[str, tuple[float, list[LevelStep]]], puzzles: int, searched: float
    ) -> None:
        group.puzzles += puzzles
        for name, (seconds, steps) in runs.items():
            group.book(name, seconds, sum(step.work.positions * len(step.rows) for step in steps))
        left, full = runs[CACHED_EXIT][1], runs[CACHED_FULL][1]
        generator = sum(step.seconds.generator for step in left)
        group.book(ORACLE, generator)
        group.book(SEARCH, searched)
        group.generator += generator
        group.overhead += sum(step.seconds.decode + step.seconds.check for step in left)
        self._shadow(group, left, full, puzzles)

    def _shadow(self, group: Timings, left: list[LevelStep], full: list[LevelStep], puzzles: int) -> None:
        """Add what the exit run saved: estimated from medians of levels so far, and measured by the full run."""
        for step in full:
            self._level_seconds.setdefault((step.level, puzzles), []).append(step.seconds.generator)
        estimate = sum(median(self._level_seconds[step.level, puzzles]) for step in full)
        spent = sum(step.seconds.generator for step in left)
        group.saved_estimate += estimate - spent
        group.saved_measured += sum(step.seconds.generator for step in full) - spent

    def report(self) -> dict[str, Any]:
        """Per group: ms a puzzle by variant, ratios with bootstrap intervals, net, overhead, shadow."""
        cached, uncached = (run_work(self.plan.kinds, on).positions for on in (True, False))
        groups = {name: _summary(group) for name, group in self.groups.items() if group.puzzles}
        return {"positions_full": cached, "positions_full_uncached": uncached, "groups": groups}


def _without_fields(session: Iterator[LevelStep]) -> Iterator[LevelStep]:
    return (replace(step, decoded=None) for step in session)


def _timed(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def _summary(group: Timings) -> dict[str, Any]:
    seconds = {name: np.array(values) for name, values in group.seconds.items()}
    full, cached_exit = seconds[CACHED_FULL], seconds[CACHED_EXIT]
    return {
        "puzzles": group.puzzles,
        "ms_per_puzzle": {name: 1e3 * float(values.sum()) / group.puzzles for name, values in seconds.items()},
        "positions_per_puzzle": {name: count / group.puzzles for name, count in group.positions.items()},
        "ratios": {
            "cache, full runs": _ratio(full, seconds[FULL]),
            "cache, exit runs": _ratio(cached_exit, seconds[EXIT]),
            "exit, uncached": _ratio(seconds[EXIT], seconds[FULL]),
            "exit, cached": _ratio(cached_exit, full),
            "both": _ratio(cached_exit, seconds[FULL]),
            "never-passing checker": _ratio(seconds[BLIND], full),
            "oracle": _ratio(seconds[ORACLE], full),
        },
        "overhead_of_generator": group.overhead / group.generator,
        "saved_ms": {
            "estimate": 1e3 * group.saved_estimate / group.puzzles,
            "measured": 1e3 * group.saved_measured / group.puzzles,
        },
    }


def _ratio(numerator: Seconds, denominator: Seconds) -> dict[str, Any]:
    return {
        "ratio": float(numerator.sum() / denominator.sum()),
        "interval": list(ratio_interval(numerator, denominator)),
    }
