"""One puzzle from clues to answer: judged, generated through the door, verified, and if asked for finished by search.

Knows the door and the checker, neither MLX nor the terminal. Invariants: `solved` is the checker's word; a board that
exact search found says so (`source`), and one that nobody verified is never called solved.
"""

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from typing import Any

from checker.board import Board, to_line
from checker.judge import Finding, Judgement
from checker.verify import verify
from sudoku_ncm.policy import ExitPolicy, Options
from sudoku_ncm.session import LevelStep, Outcome, Solver

UNIQUE = {Finding.RIGHT: "yes", Finding.UNIQUE: "yes", Finding.MANY: "no", Finding.UNKNOWN: "unknown"}
"""The findings that allow a run, as the word of the JSON record."""


@dataclass(frozen=True)
class Answered:
    """How one puzzle ended. `source` says where the board comes from: ncm, search, given (it came solved), or none.

    `outcome` is None where nothing was generated.
    """

    clues: Board
    board: Board
    solved: bool
    source: str
    unique: str
    outcome: Outcome | None

    def record(self) -> dict[str, Any]:
        """The JSON object of the puzzle; documented in the README."""
        return {
            "puzzle": to_line(self.clues),
            "board": to_line(self.board),
            "solved": self.solved,
            "source": self.source,
            "unique": self.unique,
            **_generation(self.outcome),
        }


def _generation(outcome: Outcome | None) -> dict[str, Any]:
    if outcome is None:
        return {"level": None, "attempt": None, "levels_executed": 0, "levels_planned": 0, "cost": None}
    return {
        "level": outcome.level if outcome.solved else None,
        "attempt": outcome.attempt if outcome.solved else None,
        "levels_executed": outcome.levels_executed,
        "levels_planned": outcome.levels_planned,
        "cost": {name: round(value, 3) for name, value in asdict(outcome.cost).items()},
    }


def objection(judgement: Judgement, require_unique: bool) -> str | None:
    """Why a puzzle must not be solved (clues clash, no solution, not unique where demanded), or None."""
    if judgement.finding not in UNIQUE:
        return f"found {judgement.describe()}; expected a puzzle with a solution"
    if require_unique and UNIQUE[judgement.finding] != "yes":
        return f"found {judgement.describe()}; expected exactly one solution (--require-unique)"
    return None


def answer(
    clues: Board,
    judgement: Judgement,
    solver: Solver,
    options: Options,
    fallback: bool,
    watch: Callable[[LevelStep], None],
) -> Answered:
    """Generate a board for `clues`, already judged, showing every level to `watch`.

    With `fallback` a puzzle that the network leaves unsolved gets the solution that exact search found, if it did.
    """
    outcome = _generate(clues, solver, options, watch)
    board, source = outcome.board, "ncm" if outcome.solved else "none"
    if not outcome.solved and fallback and judgement.solutions:
        board, source = judgement.solutions[0], "search"
    return Answered(clues, board, verify(board, clues).solved, source, UNIQUE[judgement.finding], outcome)


def given(board: Board) -> Answered:
    """A board that came full and right: nothing is generated."""
    return Answered(board, board, verify(board, board).solved, "given", UNIQUE[Finding.RIGHT], None)


@dataclass(frozen=True)
class Shadow:
    """What leaving early saved of one attempt through all levels, in generator ms: measured, and as calibrated (~)."""

    saved_ms: float
    estimated_ms: float


def shadow(clues: Board, outcome: Outcome, solver: Solver, options: Options, full_ms: float) -> Shadow:
    """Run all levels for real, never leaving, and compare with `full_ms`, the calibrated time of such a run."""
    never = replace(options, policy=ExitPolicy.parse("never"), attempts=1)
    measured, spent = _generate(clues, solver, never, lambda step: None).cost.generator_ms, outcome.cost.generator_ms
    return Shadow(measured - spent, full_ms - spent)


def _generate(clues: Board, solver: Solver, options: Options, watch: Callable[[LevelStep], None]) -> Outcome:
    session = solver.open(clues[None], options)
    for step in session:
        watch(step)
    return session.outcomes()[0]


def trace_record(step: LevelStep) -> Iterator[tuple[str, Any]]:
    """One level of a session of one puzzle as the fields of a trace line."""
    yield from {"attempt": step.attempt, "level": step.level, "kind": step.kind.value, "noise": step.noise}.items()
    yield from asdict(step.work).items()
    yield "cache_bytes", step.cache_bytes
    yield from ((f"{name}_ms", round(value * 1e3, 3)) for name, value in asdict(step.seconds).items())
    if step.decoded is None:
        yield "decision", "not checked"
        return
    verdicts = step.decoded.verdicts
    yield "board", to_line(step.decoded.boards[0])
    yield from ((name, int(getattr(verdicts, name)[0])) for name in ("open_cells", "broken_units", "changed_clues"))
    yield "decision", "exit" if verdicts.solved[0] else "not solved"
