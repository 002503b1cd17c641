"""A `Solver` that reads from a script instead of a network: no MLX, no weights, the same door.

A script says what board a puzzle shows after each level. Rows leave when the judge calls them solved, unsolved rows go
on to the next attempt, and costs follow from the plan. Time passes only as `seconds` a level says.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from checker.board import Board
from checker.search import solve
from checker.verify import BatchVerdict, verify_batch
from sudoku_ncm.accounting import Cost, Seconds, Work, level_work
from sudoku_ncm.levels import LevelPlan
from sudoku_ncm.policy import Options
from sudoku_ncm.session import Boards, Decoded, LevelStep, Outcome, Rows

Script = Callable[[Board, int], Sequence[Board]]
"""Clues and attempt -> the boards after levels 0, 1, …; the last one stays."""
Judge = Callable[[Boards, Boards], BatchVerdict]
PLAN = ["box-row", "box-column", "cell"]
LEVEL_SECONDS = Seconds(generator=4e-3, decode=2e-3, check=1e-3)


def solved_at(level: int, attempt: int = 0) -> Script:
    """The clues alone until `level` of `attempt`, then the solution that exact search finds."""
    return lambda clues, now: [clues] * level + [solve(clues)] if now == attempt else [clues]


def never(clues: Board, attempt: int) -> Sequence[Board]:
    """The clues alone, for ever."""
    return [clues]


def gullible(boards: Boards, clues: Boards) -> BatchVerdict:
    """A judge that believes every board: to have false exits."""
    nothing = np.zeros(len(boards), np.int64)
    return BatchVerdict(np.ones(len(boards), np.bool_), nothing, nothing, nothing)


@dataclass(frozen=True)
class ScriptedSolver:
    """See the module; satisfies `sudoku_ncm.session.Solver`."""

    script: Script
    judge: Judge = verify_batch
    seconds: Seconds = LEVEL_SECONDS

    def open(self, puzzles: Boards, options: Options) -> "ScriptedSession":
        """Start a session on puzzles `[B, 81]`."""
        return ScriptedSession(self, puzzles, options)


class ScriptedSession:
    """All that has happened is the list of steps so far; satisfies `sudoku_ncm.session.Session`."""

    def __init__(self, solver: ScriptedSolver, puzzles: Boards, options: Options) -> None:
        self._solver, self._puzzles, self._options = solver, puzzles, options
        self._plan = LevelPlan.parse(PLAN, options.levels)
        self._steps: list[LevelStep] = []

    def __iter__(self) -> Iterator[LevelStep]:
        return self

    def __next__(self) -> LevelStep:
        options, rows = self._options, self._running()
        attempt, level = self._place()
        if not rows.size or attempt == options.attempts:
            raise StopIteration
        checked = options.policy.checks(level, options.levels_of(attempt) - 1)
        decoded = self._decode(rows, attempt, level) if checked else None
        work = level_work(self._plan.kinds[level], with_prefix=not (options.cached and self._steps))
        kind, noise = self._plan.kinds[level], options.noise_scale(attempt, level)
        step = LevelStep(attempt, level, kind, noise, rows, decoded, work, 0, self._solver.seconds)
        self._steps.append(step)
        return step

    def _before(self, attempt: int) -> int:
        """Steps of all attempts before this one, had nothing been solved."""
        return sum(self._options.levels_of(begun) for begun in range(attempt))

    def _place(self) -> tuple[int, int]:
        """(attempt, level) of the step to come."""
        attempt = 0
        while self._before(attempt + 1) <= len(self._steps):
            attempt += 1
        return attempt, len(self._steps) - self._before(attempt)

    def rewind(self, attempt: int, level: int) -> None:
        """Forget that level and all after it."""
        if (attempt, level) not in [(step.attempt, step.level) for step in self._steps]:
            raise ValueError(f"attempt {attempt}, level {level} was not reached, so there is nothing to rewind to")
        del self._steps[self._before(attempt) + level :]

    def peek(self) -> Decoded | None:
        """What the running rows show after the last step, if that was not the last of an attempt."""
        rows, (attempt, level) = self._running(), self._place()
        return self._decode(rows, attempt, level - 1) if rows.size and level else None

    def outcomes(self) -> list[Outcome]:
        """How each puzzle stands, in the order they were given."""
        return [self._outcome(row) for row in range(len(self._puzzles))]

    def _running(self) -> Rows:
        if not self._steps:
            return np.arange(len(self._puzzles))
        last = self._steps[-1]
        return last.rows if last.decoded is None else last.rows[~last.decoded.verdicts.solved]

    def _decode(self, rows: Rows, attempt: int, level: int) -> Decoded:
        scripts = [self._solver.script(clues, attempt) for clues in self._puzzles[rows]]
        boards = np.stack([script[min(level, len(script) - 1)] for script in scripts])
        fields = (boards[..., None] == np.arange(1, 10)).astype(np.float32)
        return Decoded(fields, boards, self._solver.judge(boards, self._puzzles[rows]))

    def _outcome(self, row: int) -> Outcome:
        steps = [step for step in self._steps if row in step.rows]
        board, solved, level, attempt = self._puzzles[row], False, 0, 0
        for step in steps:
            if step.decoded is not None:
                at = step.rows.tolist().index(row)
                board, solved = step.decoded.boards[at], bool(step.decoded.verdicts.solved[at])
                level, attempt = step.level, step.attempt
        latency = 1e3 * sum(step.seconds.total for step in steps)
        executed, planned = len(steps), len(self._plan)
        return Outcome(board, solved, level, attempt, executed, planned, latency, self._cost(steps))

    def _cost(self, steps: list[LevelStep]) -> Cost:
        seconds = sum((step.seconds.share(len(step.rows)) for step in steps), Seconds())
        work = sum((step.work for step in steps), Work())
        kinds = [step.kind for step in steps]
        return Cost.of(self._plan, kinds, work, seconds, self._options.cached, cache_bytes=0)
