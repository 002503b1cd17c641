"""The judgement on a puzzle as given: right, wrong, clashing, no solution, one, many, or unknown.

The one place that puts the clash check and the search together; it knows nothing of files or models.

Invariant: a puzzle whose search ran out of budget is UNKNOWN, never called unsolvable.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Final

import numpy as np

from checker.board import Board, cell_name, to_line
from checker.search import NODES, Answer, count_solutions
from checker.verify import Clash, clue_clashes


class Finding(Enum):
    """What a puzzle turned out to be; RIGHT and WRONG are for a board given full."""

    RIGHT = "a full board, right"
    WRONG = "a full board, wrong"
    CLASH = "the clues clash"
    NONE = "no solution"
    UNIQUE = "one solution"
    MANY = "more than one solution"
    UNKNOWN = "unknown"


_FINDING: Final = {
    Answer.NONE: Finding.NONE,
    Answer.ONE: Finding.UNIQUE,
    Answer.MANY: Finding.MANY,
    Answer.BUDGET_SPENT: Finding.UNKNOWN,
}


@dataclass(frozen=True, eq=False)
class Judgement:
    """A finding, its proof (the clashes, or the solutions found: two that differ for MANY) and the cost."""

    finding: Finding
    clashes: tuple[Clash, ...] = ()
    solutions: tuple[Board, ...] = ()
    nodes: int = 0

    @property
    def good(self) -> bool:
        """A puzzle with exactly one solution, or a full board that is right."""
        return self.finding in (Finding.RIGHT, Finding.UNIQUE)

    def describe(self) -> str:
        """The finding and its proof in one line of English."""
        if self.finding is Finding.UNKNOWN:
            return f"unknown: the budget of {self.nodes} nodes was spent"
        proof = "; ".join(map(str, self.clashes)) or " and ".join(map(to_line, self.solutions))
        return ": ".join(filter(None, (self.finding.value, proof))) + self._difference()

    def _difference(self) -> str:
        if self.finding is not Finding.MANY:
            return ""
        cell = int(np.flatnonzero(self.solutions[0] != self.solutions[1])[0])
        return f" differ at {cell_name(cell)}"


def judge(clues: Board, budget: int = NODES) -> Judgement:
    """Judge a puzzle [81] within `budget` nodes of search; raises BoardError if it is not a board."""
    clashes, full = clue_clashes(clues), bool(np.all(clues))
    if clashes:
        return Judgement(Finding.WRONG if full else Finding.CLASH, clashes)
    count = count_solutions(clues, budget=budget)
    finding = Finding.RIGHT if full else _FINDING[count.answer]
    return Judgement(finding, (), count.solutions, count.nodes)
