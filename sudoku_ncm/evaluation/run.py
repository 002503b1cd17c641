"""Run a solver over samples in batches; every puzzle becomes one record, the row of samples.jsonl.

Knows the door only, never a device. Invariants: the order of records is the order of samples; a board called solved is
looked at again by `is_solution`, which shares no code with the checker.
"""

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any

import numpy as np

from checker.board import Board, to_line
from checker.formats import Refusal
from checker.search import count_solutions
from sudoku_ncm.evaluation.dataset import Sample
from sudoku_ncm.policy import Options
from sudoku_ncm.session import Outcome, Solver

Item = Sample | Refusal
Record = dict[str, Any]


@dataclass(frozen=True)
class Done:
    """What came of one batch, plain enough for JSON: a record an item in order, and the levels its session ran."""

    records: list[Record]
    steps: list[dict[str, Any]]


def batches(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    """Items in order, `size` at a time, the rest at the end."""
    stream = iter(items)
    while batch := list(islice(stream, size)):
        yield batch


def run_batch(solver: Solver, batch: list[Item], options: Options) -> Done:
    """Run one session over the samples of a batch; refusals become records too."""
    puzzles = [item.clues for item in batch if isinstance(item, Sample)]
    session = solver.open(np.stack(puzzles), options) if puzzles else None
    steps = [{"level": step.level, "rows": len(step.rows), **asdict(step.seconds)} for step in session or ()]
    outcomes = iter(session.outcomes() if session else ())
    records = [refused(item) if isinstance(item, Refusal) else record(item, next(outcomes)) for item in batch]
    return Done(records, steps)


def refused(refusal: Refusal) -> Record:
    """The record of something that is no puzzle."""
    return {"file": refusal.file, "line": refusal.line, "rejected": str(refusal)}


def record(sample: Sample, outcome: Outcome) -> Record:
    """The record of a puzzle; `cells` counts empty cells filled right (None if the solution is not known)."""
    solved = outcome.solved
    return {
        "file": sample.file,
        "line": sample.line,
        "stratum": sample.stratum,
        "puzzle": to_line(sample.clues),
        "board": to_line(outcome.board),
        "solved": solved,
        "false_exit": solved and not is_solution(outcome.board, sample.clues),
        "source": "ncm" if solved else "none",
        "level": outcome.level if solved else None,
        "attempt": outcome.attempt if solved else None,
        "levels_executed": outcome.levels_executed,
        "levels_planned": outcome.levels_planned,
        "cells": _cells(sample, outcome),
        "latency_ms": round(outcome.latency_ms, 4),
        "cost": {name: round(value, 4) for name, value in asdict(outcome.cost).items()},
    }


def _cells(sample: Sample, outcome: Outcome) -> int | None:
    """Empty cells filled right: all of a solved board; otherwise compared with the solution, searched if not given."""
    empty = sample.clues == 0
    if outcome.solved:
        return int(empty.sum())
    solution = sample.solution if sample.solution is not None else count_solutions(sample.clues).only
    return None if solution is None else int((empty & (outcome.board == solution)).sum())


def is_solution(board: Board, clues: Board) -> bool:
    """Whether a board solves its clues, by sets of digits: independent of `checker.verify`, to count false exits."""
    grid = [board.tolist()[row : row + 9] for row in range(0, 81, 9)]
    columns = [list(column) for column in zip(*grid, strict=True)]
    boxes = [[grid[r + i][c + j] for i in range(3) for j in range(3)] for r in (0, 3, 6) for c in (0, 3, 6)]
    kept = all(clue in (0, digit) for clue, digit in zip(clues.tolist(), board.tolist(), strict=True))
    return kept and all(sorted(unit) == list(range(1, 10)) for unit in grid + columns + boxes)
