"""What has been seen of one puzzle: every level that ran, as plain frozen data, and the plan it runs by.

Knows the door and the checker, neither Textual nor time. Invariants: a `Seen` says exit only for a board that was
checked and that the checker calls solved; a board that was only peeked at decides nothing.
"""

from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from checker.board import Board
from checker.verify import Verdict, verify
from sudoku_ncm.accounting import Seconds, Work, level_work
from sudoku_ncm.levels import Kind
from sudoku_ncm.session import Decoded, LevelStep

KEPT = 128
"""Levels kept in full; of older ones only the sums remain, so that memory does not grow with the steps."""


@dataclass(frozen=True, eq=False)
class Seen:
    """One executed level: the board `[81]` and field `[81, 9]` after it, the verdict in words, its exact work."""

    attempt: int
    level: int
    kind: Kind
    noise: float
    board: Board
    field: npt.NDArray[np.float32]
    changed: npt.NDArray[np.bool_]
    verdict: Verdict
    checked: bool
    work: Work
    cache_bytes: int
    seconds: Seconds

    @classmethod
    def of(cls, step: LevelStep, peeked: Decoded | None, clues: Board, before: Board) -> "Seen":
        """The level of a session of one puzzle; `before` is the board of the level before, or the clues."""
        decoded = step.decoded or peeked
        board = before if decoded is None else decoded.boards[0]
        beliefs = np.zeros((81, 9), np.float32) if decoded is None else decoded.fields[0]
        return cls(
            step.attempt,
            step.level,
            step.kind,
            step.noise,
            board,
            beliefs,
            board != before,
            verify(board, clues),
            step.decoded is not None,
            step.work,
            step.cache_bytes,
            step.seconds,
        )

    @property
    def exited(self) -> bool:
        """Whether the run ended here with a verified board."""
        return self.checked and self.verdict.solved

    @property
    def broken(self) -> int:
        """Units in which a digit repeats."""
        return len({clash.unit for clash in self.verdict.clashes})


@dataclass(frozen=True)
class Sums:
    """Exact sums over executed levels; `uncached` is what they would have been without a prefix cache."""

    levels: int = 0
    checks: int = 0
    work: Work = field(default_factory=Work)
    uncached: Work = field(default_factory=Work)
    seconds: Seconds = field(default_factory=Seconds)

    def add(self, seen: Seen, uncached: Work) -> "Sums":
        """With one more level."""
        return Sums(
            self.levels + 1,
            self.checks + seen.checked,
            self.work + seen.work,
            self.uncached + uncached,
            self.seconds + seen.seconds,
        )


@dataclass(frozen=True, eq=False)
class Trace:
    """The levels seen of one generation, oldest first, by the plan `kinds` of the first attempt.

    Later attempts have the first `retry` levels of it.
    """

    clues: Board
    kinds: tuple[Kind, ...] = ()
    cached: bool = True
    retry: int | None = None
    seens: tuple[Seen, ...] = ()
    settled: Sums = Sums()

    def plan(self, attempt: int) -> tuple[Kind, ...]:
        """The kinds of the levels of an attempt."""
        return self.kinds[: self.retry] if attempt else self.kinds

    @property
    def last(self) -> Seen | None:
        """The level that ran last."""
        return self.seens[-1] if self.seens else None

    @property
    def solved(self) -> bool:
        """Whether the last level ended in a verified exit."""
        return self.last is not None and self.last.exited

    @property
    def attempt_over(self) -> bool:
        """Whether all levels of the attempt ran and none passed."""
        return self.last is not None and not self.solved and self.last.level + 1 == len(self.plan(self.last.attempt))

    @property
    def next(self) -> tuple[int, int]:
        """(attempt, level) of the step to come."""
        if self.last is None:
            return 0, 0
        return (self.last.attempt + 1, 0) if self.attempt_over else (self.last.attempt, self.last.level + 1)

    def before(self, attempt: int, level: int) -> Board:
        """The board that level started from: that of the level before it in its attempt, or the clues."""
        found = [s.board for s in self.seens if (s.attempt, s.level) == (attempt, level - 1)]
        return found[-1] if found else self.clues

    def add(self, seen: Seen) -> "Trace":
        """With one more level; the oldest one is settled when there are too many."""
        seens, settled = (*self.seens, seen), self.settled
        if len(seens) > KEPT:
            settled, seens = settled.add(seens[0], self.uncached(seens[0])), seens[1:]
        return replace(self, seens=seens, settled=settled)

    def back(self) -> "Trace":
        """Without the last level."""
        return replace(self, seens=self.seens[:-1])

    def uncached(self, seen: Seen) -> Work:
        """The work of a level, had its prefix been computed with it."""
        return level_work(seen.kind, with_prefix=True)

    @property
    def sums(self) -> Sums:
        """Sums over everything that ran."""
        total = self.settled
        for seen in self.seens:
            total = total.add(seen, self.uncached(seen))
        return total
