"""The account of a run: what was spent, what a full run would have cost, and the difference, with its sign.

Positions and pairs are exact. Milliseconds of levels that never ran are medians of measured ones ("~"): a full run is
the generator time of the levels that ran, the medians of the others, and one decode and check an attempt (the last
level is always checked). Knows no screen and no clock. Invariant: nothing counts as saved before the checker passed
a board; until then what checking cost is a loss.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from statistics import median

from sudoku_ncm.accounting import Seconds, Work, level_work, run_work
from sudoku_ncm.levels import PREFIX, Kind
from sudoku_ncm.policy import ExitPolicy
from sudoku_ncm.session import LevelStep
from tui.trace import Trace

SAMPLES = 32
"""Measured levels a median is taken of, for each kind."""
NEVER = ExitPolicy.parse("never")
"""The policy of a full run."""
Key = tuple[Kind, bool]


@dataclass(frozen=True)
class Calibration:
    """Measured seconds by (kind, computed with the prefix), and the plan of one attempt, learned from a full run."""

    kinds: tuple[Kind, ...] = ()
    generator: dict[Key, tuple[float, ...]] = field(default_factory=dict)
    checks: tuple[float, ...] = ()

    @classmethod
    def of(cls, steps: Iterable[LevelStep]) -> "Calibration":
        """From the steps of one full run."""
        result, kinds = cls(), []
        for step in steps:
            kinds.append(step.kind)
            result = result.measured(step)
        return cls(tuple(kinds), result.generator, result.checks)

    def measured(self, step: LevelStep) -> "Calibration":
        """With one more measured level."""
        key = step.kind, step.work.positions >= PREFIX + step.kind.positions
        samples = (*self.generator.get(key, ()), step.seconds.generator)[-SAMPLES:]
        checks = self.checks
        if step.decoded is not None:
            checks = (*checks, step.seconds.decode + step.seconds.check)[-SAMPLES:]
        return Calibration(self.kinds, {**self.generator, key: samples}, checks)

    def generator_s(self, levels: range, cached: bool) -> float:
        """Median generator seconds of these levels of an attempt, one after another."""
        keys = Counter((self.kinds[k], not cached or k == 0) for k in levels)
        return sum(count * self._median(*key) for key, count in keys.items())

    @property
    def check_s(self) -> float:
        """Median seconds of one decode and check."""
        return median(self.checks) if self.checks else 0.0

    def _median(self, kind: Kind, with_prefix: bool) -> float:
        for key in ((kind, with_prefix), (kind, not with_prefix)):
            if self.generator.get(key):
                return median(self.generator[key])
        return 0.0


@dataclass(frozen=True)
class Account:
    """Figures of the work pane; milliseconds unless the name says otherwise."""

    full: float
    skipped: float
    spent: Seconds
    net: float
    levels: int
    levels_full: int
    work: Work
    work_full: Work
    work_uncached: Work
    cache_bytes: int
    next_check: int | None
    net_if_next: float
    net_if_none: float

    @property
    def skipped_levels(self) -> int:
        """Levels of the attempts begun that have not run."""
        return self.levels_full - self.levels

    def percent(self, milliseconds: float) -> float:
        """A part of the full run."""
        return 100 * milliseconds / self.full if self.full else 0.0


def account(trace: Trace, calibration: Calibration, policy: ExitPolicy) -> Account:
    """The account of a run as it stands."""
    sums, (attempt, following) = trace.sums, (trace.last.attempt, trace.last.level + 1) if trace.last else (0, 0)
    kinds, planned = trace.plan(attempt), [kind for begun in range(attempt + 1) for kind in trace.plan(begun)]
    left = range(following, len(kinds))
    check, over = calibration.check_s, trace.solved or trace.attempt_over
    overhead = sums.seconds.decode + sums.seconds.check + sums.seconds.compaction
    needed = check * (attempt + 1)
    skipped = calibration.generator_s(left, trace.cached)
    loss = (needed if over else check * attempt) - overhead
    checks = [k for k in left if policy.checks(k, len(kinds) - 1)]
    after = range(checks[0] + 1, len(kinds)) if checks else range(0)
    full = run_work(planned, trace.cached)
    return Account(
        full=1e3 * (sums.seconds.generator + skipped + needed),
        skipped=1e3 * skipped,
        spent=sums.seconds,
        net=1e3 * (loss + (skipped if trace.solved else 0.0)),
        levels=sums.levels,
        levels_full=len(planned),
        work=sums.work,
        work_full=full,
        work_uncached=sums.uncached,
        cache_bytes=trace.last.cache_bytes if trace.last else 0,
        next_check=checks[0] if checks and not over else None,
        net_if_next=1e3 * (calibration.generator_s(after, trace.cached) + needed - overhead - check),
        net_if_none=1e3 * (needed - overhead - check * len(checks)),
    )


def level_ms(calibration: Calibration, level: int, cached: bool) -> float:
    """Median generator milliseconds of one level."""
    return 1e3 * calibration.generator_s(range(level, level + 1), cached)


def uncached_pairs(kind: Kind) -> int:
    """Allowed pairs of a level that computes the prefix again."""
    return level_work(kind, with_prefix=True).pairs
