"""Measures what the exit schedule needs, on this machine, and compares expected with realised cost on held-out puzzles.

Knows the door only. Invariant: nothing that is measured on the held-out half enters the schedule.
"""

import time
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from sudoku_ncm.evaluation.schedule import Calibration, Line, best_schedule, fit
from sudoku_ncm.policy import ExitPolicy, Options
from sudoku_ncm.session import Boards, LevelStep, Outcome, Solver, drain

Point = tuple[int, float]


@dataclass(frozen=True)
class Measured:
    """A calibration and how often a board that passed at a level passed at all later ones."""

    calibration: Calibration
    persistence: float


def measure(solver: Solver, clues: Boards, options: Options, batch_size: int) -> Measured:
    """Calibrate at one batch size on `clues` `[N, 81]`, N ≥ `batch_size`; the first batch runs once unmeasured."""
    batches = [clues[at : at + batch_size] for at in range(0, len(clues) - batch_size + 1, batch_size)]
    every = replace(options, policy=ExitPolicy.parse("every"), attempts=1)
    drain(solver.open(batches[0], every))
    steps, outcomes = [], []
    for batch in batches:
        session = solver.open(batch, every)
        steps.extend(list(session))
        outcomes.extend(session.outcomes())
    calibration = _calibration(steps, outcomes, options.levels, batch_size)
    return Measured(calibration, _persistence(solver, batches, every))


def _calibration(steps: list[LevelStep], outcomes: list[Outcome], levels: int, batch_size: int) -> Calibration:
    exits = [outcome.level if outcome.solved else levels for outcome in outcomes]
    survival = tuple(sum(exit > level for exit in exits) / len(exits) for level in range(levels))
    return Calibration(
        batch_size=batch_size,
        survival=survival,
        levels=_level_lines(steps, levels),
        check=_line([(len(s.rows), s.seconds.decode + s.seconds.check) for s in steps]),
        compaction=_line([(len(s.rows), s.seconds.compaction) for s in steps if _compacted(s)]),
    )


def _level_lines(steps: list[LevelStep], levels: int) -> tuple[Line, ...]:
    """A line per level; levels of one kind after the first share theirs, for late levels see few rows."""
    lines: list[Line] = []
    kinds = {step.level: step.kind for step in steps}
    for level in range(levels):
        kind = kinds.get(level, kinds[max(kinds)])
        same = [s for s in steps if s.level == level or (level > 0 and s.level > 0 and s.kind is kind)]
        lines.append(_line([(len(s.rows), s.seconds.generator) for s in same]))
    return tuple(lines)


def _compacted(step: LevelStep) -> bool:
    if step.decoded is None:
        return False
    return 0 < int(step.decoded.verdicts.solved.sum()) < len(step.rows)


def _line(points: list[Point]) -> Line:
    """The line through the median seconds of each number of rows; no points, no cost."""
    rows = sorted({n for n, _ in points})
    medians = [(n, float(np.median([s for m, s in points if m == n]))) for n in rows]
    return fit(medians) if medians else Line(0.0, 0.0)


def _persistence(solver: Solver, batches: list[Boards], every: Options) -> float:
    """Share of puzzles verified at some level whose field, run on to the end, is still right there."""
    kept = passed = 0
    for batch in batches:
        early = drain(solver.open(batch, every))
        late = drain(solver.open(batch, replace(every, policy=ExitPolicy.parse("never"))))
        passed += sum(outcome.solved for outcome in early)
        kept += sum(a.solved and b.solved for a, b in zip(early, late, strict=True))
    return kept / passed if passed else 1.0


def realised(
    solver: Solver, clues: Boards, options: Options, calibration: Calibration, repeat: int
) -> dict[str, dict[str, float]]:
    """Expected and realised ms a puzzle of `scheduled`, `every` and `never`, in turn on the same held-out batches."""
    size = calibration.batch_size
    schedule = best_schedule(calibration, options.levels)
    checks = {"scheduled": schedule, "every": list(range(options.levels)), "never": [options.levels - 1]}
    seconds: dict[str, list[float]] = {name: [] for name in checks}
    for turn in range(repeat):
        for at in range(0, len(clues) - size + 1, size):
            for name in _rotated(list(checks), turn + at // size):
                policy = ExitPolicy(name, None, frozenset(checks[name]))
                seconds[name].append(_run(solver, clues[at : at + size], replace(options, policy=policy, attempts=1)))
    return {
        name: {
            "expected_ms": 1e3 * calibration.expected(checks[name]),
            "realised_ms": 1e3 * float(np.mean(values)) / size,
        }
        for name, values in seconds.items()
    }


def _rotated(names: list[str], turn: int) -> list[str]:
    return names[turn % len(names) :] + names[: turn % len(names)]


def _run(solver: Solver, batch: Boards, options: Options) -> float:
    started = time.perf_counter()
    drain(solver.open(batch, options))
    return time.perf_counter() - started


def to_json(measured: Measured) -> dict[str, Any]:
    """A calibration as JSON, with the hazards spelt out for the reader."""
    calibration = measured.calibration
    return {
        "batch_size": calibration.batch_size,
        "survival": list(calibration.survival),
        "hazard": [calibration.hazard(level) for level in range(len(calibration.survival))],
        "levels": [[line.fixed, line.per_row] for line in calibration.levels],
        "check": [calibration.check.fixed, calibration.check.per_row],
        "compaction": [calibration.compaction.fixed, calibration.compaction.per_row],
        "persistence": measured.persistence,
    }


def from_json(value: dict[str, Any]) -> Calibration:
    """The calibration of one batch size. Raises KeyError, TypeError or ValueError for anything else."""
    return Calibration(
        batch_size=int(value["batch_size"]),
        survival=tuple(map(float, value["survival"])),
        levels=tuple(Line(float(fixed), float(per_row)) for fixed, per_row in value["levels"]),
        check=Line(*map(float, value["check"])),
        compaction=Line(*map(float, value["compaction"])),
    )
