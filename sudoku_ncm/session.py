"""The door: what a front end gives a solver and gets back, level by level.

Plain data only: numpy arrays, numbers, verdicts; nothing lazy crosses and no device is known here. The consumer sets
the pace: each `next()` runs one level. Invariant: an outcome is solved only when the checker verified its board.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from checker.verify import BatchVerdict
from sudoku_ncm.accounting import Cost, Seconds, Work
from sudoku_ncm.levels import Kind
from sudoku_ncm.policy import Options

Boards = npt.NDArray[np.int8]
Fields = npt.NDArray[np.float32]
Rows = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Decoded:
    """What was read off after a checked level: fields `[n, 81, 9]`, boards `[n, 81]` and the checker's verdicts."""

    fields: Fields
    boards: Boards
    verdicts: BatchVerdict


@dataclass(frozen=True)
class LevelStep:
    """One executed level: which rows of the batch ran it, what was decoded (None: not checked here), what it cost."""

    attempt: int
    level: int
    kind: Kind
    noise: float
    """Scale of the Gumbel noise on its logits; 0 for none."""
    rows: Rows
    decoded: Decoded | None
    work: Work
    """Per row; with the prefix where this step computed it."""
    cache_bytes: int
    """K/V bytes held for all running rows after the step."""
    seconds: Seconds
    """Of the whole step, all rows together."""


@dataclass(frozen=True)
class Outcome:
    """How one puzzle ended: the solved or the best board, and the `level` and `attempt` (from 0) it was decoded at."""

    board: Boards
    solved: bool
    level: int
    attempt: int
    levels_executed: int
    levels_planned: int
    latency_ms: float
    """From the start of the session to the end of this puzzle's last level, all rows of its batch together."""
    cost: Cost


class Session(Protocol):
    """One generation over a batch of puzzles; iterating runs it, one level a step."""

    def __iter__(self) -> Iterator[LevelStep]: ...

    def __next__(self) -> LevelStep: ...

    def rewind(self, attempt: int, level: int) -> None:
        """Go back to before that level; the next step computes it again. Raises ValueError if it was not reached."""

    def peek(self) -> Decoded | None:
        """What the rows still running would decode to now; for the eye only, nothing is decided or charged.

        None before the first level of an attempt and when no row runs.
        """

    def outcomes(self) -> list[Outcome]:
        """How each puzzle stands, in the order they were given."""


class Solver(Protocol):
    """Whatever can open a session on puzzles `[B, 81]` (0 = blank)."""

    def open(self, puzzles: Boards, options: Options) -> Session:
        """Start a generation; nothing is computed before the first `next()`."""


def drain(session: Session) -> list[Outcome]:
    """Run a session to its end."""
    for _ in session:
        pass
    return session.outcomes()
