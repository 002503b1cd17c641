"""What a generation computed, exactly: positions, allowed pairs, cache bytes; and the seconds that were measured.

Sums of the prefix-caching review: repeated prefix K·P + Σ l[k] positions per layer, prefix once P + Σ l[k]; pairs
per layer are counted from the real unit masks, for one head on each of the three axes. Knows no device and no clock.
Invariant: counts are integers that follow from the plan alone; seconds are only ever measured, never derived.

The prefix counts as P positions in every layer, though the last layer needs no more of it than keys and values.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from sudoku_ncm.levels import PREFIX, Kind, LevelPlan, own_pairs, prefix_pairs


@dataclass(frozen=True)
class Work:
    """Positions processed and allowed query/key pairs, per layer and puzzle."""

    positions: int = 0
    pairs: int = 0

    def __add__(self, other: "Work") -> "Work":
        return Work(self.positions + other.positions, self.pairs + other.pairs)


def level_work(kind: Kind, with_prefix: bool) -> Work:
    """Work of one level: its positions against prefix and itself, and the prefix itself where it is computed too."""
    own = Work(kind.positions, own_pairs(kind) + prefix_pairs(kind))
    return own + Work(PREFIX, own_pairs(Kind.CELL)) if with_prefix else own


def run_work(kinds: Iterable[Kind], cached: bool) -> Work:
    """Work of levels executed in a row: the prefix with the first one only when cached, with each one otherwise."""
    levels = (level_work(kind, with_prefix=not cached or k == 0) for k, kind in enumerate(kinds))
    return sum(levels, Work())


@dataclass(frozen=True)
class Seconds:
    """Measured seconds of one level step or one puzzle's share of them; decode includes the copy to the host."""

    generator: float = 0.0
    decode: float = 0.0
    check: float = 0.0
    compaction: float = 0.0

    def __add__(self, other: "Seconds") -> "Seconds":
        return Seconds(
            self.generator + other.generator,
            self.decode + other.decode,
            self.check + other.check,
            self.compaction + other.compaction,
        )

    @property
    def total(self) -> float:
        """All parts together."""
        return self.generator + self.decode + self.check + self.compaction

    def share(self, rows: int) -> "Seconds":
        """One row's part of a step that `rows` rows took together."""
        return Seconds(self.generator / rows, self.decode / rows, self.check / rows, self.compaction / rows)


@dataclass(frozen=True)
class Cost:
    """What one puzzle cost; `full`: one attempt through all planned levels; `uncached`: what ran, had it no cache."""

    positions: int
    positions_full: int
    positions_uncached: int
    pairs: int
    pairs_full: int
    pairs_uncached: int
    cache_bytes: int
    generator_ms: float
    decode_ms: float
    check_ms: float
    compaction_ms: float

    @classmethod
    def of(
        cls, plan: LevelPlan, executed: list[Kind], work: Work, seconds: Seconds, cached: bool, cache_bytes: int
    ) -> "Cost":
        """Put what was done (`work`, over the levels `executed` in all attempts) beside what would have been."""
        full, uncached = run_work(plan.kinds, cached), run_work(executed, cached=False)
        return cls(
            positions=work.positions,
            positions_full=full.positions,
            positions_uncached=uncached.positions,
            pairs=work.pairs,
            pairs_full=full.pairs,
            pairs_uncached=uncached.pairs,
            cache_bytes=cache_bytes,
            generator_ms=seconds.generator * 1e3,
            decode_ms=seconds.decode * 1e3,
            check_ms=seconds.check * 1e3,
            compaction_ms=seconds.compaction * 1e3,
        )
