"""Counts over records, one at a time, so that a report of any length needs little memory.

Knows records and nothing of how they were made. Invariants: read = solved + unsolved + rejected; the same records give
the same numbers in any order of batches, whether just made or read back.
"""

from array import array
from collections import Counter
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from sudoku_ncm.accounting import Seconds
from sudoku_ncm.evaluation.run import Record
from sudoku_ncm.evaluation.statistics import wilson
from sudoku_ncm.policy import EVERY, Options

ALL = "all"
_SUMS = ("positions", "positions_full", "positions_uncached", "pairs", "pairs_full", "pairs_uncached")
_TIMES = ("generator_ms", "decode_ms", "check_ms", "compaction_ms")


@dataclass
class Group:
    """Counts of one group of puzzles."""

    puzzles: int = 0
    solved: int = 0
    false_exits: int = 0
    empty_cells: int = 0
    right_cells: int = 0
    exits: Counter[tuple[int, int]] = field(default_factory=Counter)
    """Solved boards by (attempt, level)."""
    levels: int = 0
    """Levels executed for all puzzles, over all attempts."""
    levels_planned: int = 0
    cost: Counter[str] = field(default_factory=Counter)

    def add(self, record: Record) -> None:
        """Count one puzzle."""
        self.puzzles += 1
        self.solved += record["solved"]
        self.false_exits += record["false_exit"]
        if record["solved"]:
            self.exits[record["attempt"], record["level"]] += 1
        if record["cells"] is not None:
            self.empty_cells += record["puzzle"].count(".")
            self.right_cells += record["cells"]
        self.levels += record["levels_executed"]
        self.levels_planned = max(self.levels_planned, record["levels_planned"])
        self.cost.update({name: record["cost"][name] for name in (*_SUMS, *_TIMES)})

    def summary(self, options: Options) -> dict[str, Any]:
        """Rates with Wilson 95 % intervals, means per puzzle, of runs with `options`.

        What fewer levels would have solved is known only where every level was checked.
        """
        known = depths(self.levels_planned) if options.policy == EVERY else [self.levels_planned]
        levels = [level for (_, level), count in self.exits.items() for _ in range(count)]
        return {
            "puzzles": self.puzzles,
            **self._rate(self.solved),
            "pass_at": {n: self._rate(self._passed(n)) for n in budgets(options.attempts)},
            "solved_by": {k: self._rate(self._solved_by(k)) for k in known},
            "levels_per_solved": self.levels / self.solved if self.solved else None,
            "false_exits": self.false_exits,
            "mean_exit_level": float(np.mean(levels)) if levels else None,
            "cells_only": self.right_cells / self.empty_cells if self.empty_cells else None,
            "mean": {name: self.cost[name] / self.puzzles for name in (*_SUMS, *_TIMES)},
        }

    def _rate(self, solved: int) -> dict[str, Any]:
        return {"solved": solved, "rate": solved / self.puzzles, "interval": [*wilson(solved, self.puzzles)]}

    def _passed(self, attempts: int) -> int:
        return sum(count for (attempt, _), count in self.exits.items() if attempt < attempts)

    def _solved_by(self, levels: int) -> int:
        """Puzzles that a first attempt of `levels` levels solves: a shorter run is the beginning of a longer one."""
        return sum(count for (attempt, level), count in self.exits.items() if attempt == 0 and level < levels)


def depths(levels: int) -> list[int]:
    """Numbers of levels to report of `levels` planned: powers of two from 8 below it, and itself."""
    return [*(2**power for power in range(3, levels.bit_length()) if 2**power < levels), levels]


def budgets(attempts: int) -> list[int]:
    """Numbers of attempts to report of `attempts` allowed: powers of four below it, and itself."""
    return [*(4**power for power in range(attempts.bit_length()) if 4**power < attempts), attempts]


class LevelTimes:
    """Seconds of every level of the sessions watched, all rows together, by what they went into."""

    def __init__(self) -> None:
        self.seconds: list[Seconds] = []
        self.rows: list[int] = []

    def add(self, level: int, rows: int, **seconds: float) -> None:
        """Count one step of any attempt, `seconds` by the names of `Seconds`."""
        while len(self.seconds) <= level:
            self.seconds.append(Seconds())
            self.rows.append(0)
        self.seconds[level] += Seconds(**seconds)
        self.rows[level] += rows

    def report(self) -> list[dict[str, Any]]:
        """Per level: how many rows ran it and total seconds by part."""
        return [{"rows": n, **asdict(seconds)} for n, seconds in zip(self.rows, self.seconds, strict=True)]


class Tally:
    """Everything a report says of the records seen so far."""

    def __init__(self) -> None:
        self.read = self.rejected = 0
        self.strata: dict[str, Group] = {}
        self.clue_counts: dict[int, Group] = {}
        self.all = Group()
        self.latencies = array("d")
        self.level_times = LevelTimes()

    def add(self, record: Record) -> None:
        """Count one record, of a puzzle or of a rejected line."""
        self.read += 1
        if "rejected" in record:
            self.rejected += 1
            return
        clues = 81 - record["puzzle"].count(".")
        groups = (
            self.strata.setdefault(record["stratum"], Group()),
            self.clue_counts.setdefault(clues, Group()),
            self.all,
        )
        for group in groups:
            group.add(record)
        self.latencies.append(record["latency_ms"])

    def report(self, options: Options) -> dict[str, Any]:
        """The numbers of a report on runs with `options`."""
        everything = self.all
        return {
            "totals": {
                "read": self.read,
                "solved": everything.solved,
                "unsolved": everything.puzzles - everything.solved,
                "rejected": self.rejected,
                "false_exits": everything.false_exits,
            },
            "strata": {name: group.summary(options) for name, group in self._strata()},
            "clue_counts": {str(n): group.summary(options) for n, group in sorted(self.clue_counts.items())},
            "exit_levels": [everything.exits[0, level] for level in range(everything.levels_planned)],
            "survival": self._survival(),
            "level_seconds": self.level_times.report(),
            "latency_ms": self._latency(),
        }

    def _strata(self) -> list[tuple[str, Group]]:
        return [*self.strata.items(), (ALL, self.all)] if self.all.puzzles else []

    def _survival(self) -> list[float]:
        """S(k): share of puzzles not verified after level k of the first attempt."""
        counts = np.cumsum([self.all.exits[0, level] for level in range(self.all.levels_planned)])
        return [1 - float(count) / self.all.puzzles for count in counts]

    def _latency(self) -> dict[str, float] | None:
        if not self.latencies:
            return None
        median, p95 = np.percentile(np.frombuffer(self.latencies), [50, 95])
        return {"median": float(median), "p95": float(p95), "max": max(self.latencies)}
