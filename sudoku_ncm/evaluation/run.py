"""Run a solver over samples in batches and count, per stratum, what came out.

Knows the door only. Invariants: whole boards are counted, never cells; a false exit (a board called solved that is
none) is counted by a check of its own that shares no code with the checker.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import sqrt
from statistics import mean

import numpy as np

from checker.board import Board
from sudoku_ncm.evaluation.dataset import Sample
from sudoku_ncm.policy import Options
from sudoku_ncm.session import Outcome, Solver, drain

Result = tuple[Sample, Outcome]


def evaluate(solver: Solver, samples: list[Sample], options: Options, batch_size: int) -> Iterator[Result]:
    """Outcomes in the order of the samples, `batch_size` puzzles a session."""
    for start in range(0, len(samples), batch_size):
        batch = samples[start : start + batch_size]
        clues = np.stack([sample.clues for sample in batch])
        yield from zip(batch, drain(solver.open(clues, options)), strict=True)


def wilson(successes: int, trials: int, z: float = 1.96) -> tuple[float, float]:
    """Wilson score interval of a rate (E. B. Wilson 1927), 95 % for the default z."""
    if not trials:
        return 0.0, 1.0
    rate, spread = successes / trials, z * z / trials
    centre = rate + spread / 2
    half = z * sqrt(rate * (1 - rate) / trials + spread / (4 * trials))
    return max(0.0, (centre - half) / (1 + spread)), min(1.0, (centre + half) / (1 + spread))


def is_solution(board: Board, clues: Board) -> bool:
    """Whether a board solves its clues, by sets of digits: independent of `checker.verify`, to count false exits."""
    grid = [board.tolist()[row : row + 9] for row in range(0, 81, 9)]
    columns = [list(column) for column in zip(*grid, strict=True)]
    boxes = [[grid[r + i][c + j] for i in range(3) for j in range(3)] for r in (0, 3, 6) for c in (0, 3, 6)]
    kept = all(clue in (0, digit) for clue, digit in zip(clues.tolist(), board.tolist(), strict=True))
    return kept and all(sorted(unit) == list(range(1, 10)) for unit in grid + columns + boxes)


@dataclass(frozen=True)
class Row:
    """Counts of one stratum. `exit_level` and `positions` are means, over solved and over all puzzles."""

    stratum: str
    puzzles: int
    solved: int
    low: float
    high: float
    exit_level: float
    positions: float
    false_exits: int


def summarize(results: Iterable[Result]) -> list[Row]:
    """A row a stratum, in order of appearance, and one for all."""
    groups: dict[str, list[Result]] = defaultdict(list)
    for sample, outcome in results:
        groups[sample.stratum].append((sample, outcome))
    groups["all"] = [result for group in list(groups.values()) for result in group]
    return [_row(name, group) for name, group in groups.items() if group]


def _row(name: str, group: list[Result]) -> Row:
    solved = [(sample, outcome) for sample, outcome in group if outcome.solved]
    low, high = wilson(len(solved), len(group))
    return Row(
        stratum=name,
        puzzles=len(group),
        solved=len(solved),
        low=low,
        high=high,
        exit_level=mean(outcome.level for _, outcome in solved) if solved else float("nan"),
        positions=mean(outcome.cost.positions for _, outcome in group),
        false_exits=sum(not is_solution(outcome.board, sample.clues) for sample, outcome in solved),
    )
