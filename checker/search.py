"""Exact search: whether a puzzle has no solution, one, or many.

Propagation of naked and hidden singles, then a guess where the fewest candidates are left (a cell, or a
digit in a unit), on an explicit stack (`candidates.Walk`). It knows nothing of files, models or names of
techniques.

Invariant: an answer is a proof. What the budget did not suffice to prove is BUDGET_SPENT, never "none".
"""

from dataclasses import dataclass
from enum import Enum
from itertools import islice
from typing import Final

import numpy as np

from checker.board import Board, check_board
from checker.candidates import ALL, KEEP, Walk, set_bits

NODES: Final = 50_000  # default budget: under a second; the hardest known puzzles take a few thousand nodes


class Answer(Enum):
    """What is proven about the number of solutions."""

    NONE = "no solution"
    ONE = "one solution"
    MANY = "more than one solution"
    BUDGET_SPENT = "unknown: the budget was spent"


class BudgetSpentError(RuntimeError):
    """The search stopped before it could say whether there is a solution."""


@dataclass(frozen=True, eq=False)
class Count:
    """The first solutions found, what the search cost, and whether it walked the whole tree (`complete`).

    `nodes` counts positions looked at, `guesses` those among them that had to branch: a puzzle with no
    guesses falls to naked and hidden singles alone.
    """

    solutions: tuple[Board, ...]
    nodes: int
    guesses: int
    complete: bool

    @property
    def only(self) -> Board | None:
        """The solution, if it is proven to be the only one."""
        return self.solutions[0] if self.answer is Answer.ONE else None

    @property
    def answer(self) -> Answer:
        """NONE and ONE need a complete walk; two solutions are MANY however the walk ended."""
        if len(self.solutions) >= 2:
            return Answer.MANY
        if not self.complete:
            return Answer.BUDGET_SPENT
        return Answer.ONE if self.solutions else Answer.NONE


def from_clues(clues: Board) -> int:
    """The position (see `candidates`) with every clue placed; clashing clues leave a dead end, no error."""
    position = ALL
    for cell, digit in enumerate(check_board(clues).tolist()):
        if digit:
            position &= KEEP[81 * (digit - 1) + cell]
    return position


def to_board(solved: int) -> Board:
    """The board of a solved position."""
    board = np.zeros(81, dtype=np.int8)
    for bit in set_bits(solved):
        board[bit % 81] = bit // 81 + 1
    return board


def count_solutions(clues: Board, limit: int = 2, budget: int = NODES) -> Count:
    """Find the first `limit` (at least 2) solutions of `clues` [81] within `budget` nodes.

    The order is deterministic. Raises BoardError if `clues` is not a board, ValueError on a limit or budget
    that could prove nothing.
    """
    if limit < 2 or budget < 1:
        raise ValueError(f"found limit {limit} and budget {budget}, expected at least 2 and 1")
    walk = Walk(from_clues(clues), budget)
    solutions = tuple(to_board(solved) for solved in islice(walk, limit))
    return Count(solutions, walk.nodes, walk.guesses, complete=len(solutions) < limit and not walk.spent)


def solve(clues: Board, budget: int = NODES) -> Board | None:
    """The first solution of `clues`, None if there is provably none; BudgetSpentError if neither is known."""
    count = count_solutions(clues, budget=budget)
    if not count.solutions and not count.complete:
        raise BudgetSpentError(f"no solution found in {count.nodes} nodes")
    return count.solutions[0] if count.solutions else None
