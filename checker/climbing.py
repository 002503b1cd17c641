"""Hard and deep puzzles, found by exchanging clues of a puzzle and keeping what is worth no less.

Random puzzles hardly ever need fifty guesses of exact search, or more than two rounds of refutation, but a climb from
one to neighbours that come nearer gets there. All chance comes from the numpy Generator given. It knows nothing of how
many puzzles are wanted (`generate`).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import inf
from typing import Final

import numpy as np

from checker.board import Board, to_line
from checker.digging import minimal_puzzle
from checker.neighbours import BUDGET, Pair, exchanged, neighbour
from checker.refutation import Refutation, refute
from checker.search import count_solutions

_LOYAL: Final = 500  # neighbours tried in vain before a climb is left that has found what is wanted
_STUCK: Final = 1_000  # known puzzles in a row after which a climb is left
_EXCHANGED: Final = 0.3  # share of the moves to deep puzzles that exchange exactly one clue
_DEEP: Final = 10_000  # what a puzzle as deep as wanted is worth, and no other


@dataclass(frozen=True)
class Goal:
    """Puzzles worth `enough`; what a puzzle [81] is worth, or None to pass it over; and how to get to them.

    A climb that has not got there is left after `stale` neighbours in vain, the search after `climbs` climbs in vain.
    """

    worth: Callable[[Board], int | None]
    enough: int
    move: Callable[[Board, np.random.Generator], Pair | None]
    stale: int
    climbs: float

    def climb(self, rng: np.random.Generator) -> Iterator[tuple[Board, Board, int]]:
        """Puzzles, solutions and their worth along one climb; once worth `enough`, it need not rise any more."""
        puzzle, solution = minimal_puzzle(rng)
        reached, vain = self.worth(puzzle) or 0, 0
        yield puzzle, solution, reached
        while vain < (self.stale if reached < self.enough else _LOYAL):
            vain += 1
            found = self.move(puzzle, rng)
            worth = self.worth(found[0]) if found else None
            if found is None or worth is None or worth < min(reached, self.enough):
                continue
            if worth > reached or (reached >= self.enough and not np.array_equal(found[0], puzzle)):
                vain = 0
            (puzzle, solution), reached = found, worth
            yield puzzle, solution, reached

    def puzzles(self, rng: np.random.Generator) -> Iterator[Pair]:
        """Minimal puzzles [81], no two equal, worth `enough`, with their solutions.

        Where none is found for long, or none that is new, the climb begins anew at a random minimal puzzle.
        """
        seen: set[str] = set()
        vain = 0
        while vain < self.climbs:
            vain += 1
            stuck = 0
            for puzzle, solution, worth in self.climb(rng):
                stuck += 1
                if worth >= self.enough and (line := to_line(puzzle)) not in seen:
                    seen.add(line)
                    vain = stuck = 0
                    yield puzzle, solution
                if stuck == _STUCK:
                    break


def hard_puzzles(guesses: int) -> Goal:
    """Puzzles that cost exact search `guesses` or more; given up after 500 climbs in vain."""
    return Goal(_guesses, guesses, neighbour, stale=50, climbs=500)


def deep_puzzles(depth: float) -> Goal:
    """Puzzles of this depth (`checker.refutation`) or more; never given up.

    Depth 2 takes seconds, 3 a minute; one climb in a few hundred ends beyond refutation, which may take hours.
    """
    return Goal(lambda puzzle: height(refute(puzzle), depth), _DEEP, _near, stale=300, climbs=inf)


def _guesses(puzzle: Board) -> int | None:
    count = count_solutions(puzzle, budget=BUDGET)
    return count.guesses if count.only is not None else None


def height(seen: Refutation, depth: float) -> int:
    """Rises with the wrong candidates that rounds leave, late rounds more, and falls with those refuted at once."""
    if seen.depth >= depth:
        return _DEEP
    if not seen.rounds:
        return -_DEEP
    left = sum(number * each.left for number, each in enumerate(seen.rounds, start=1))
    return min(_DEEP - 1, seen.wrong - 2 * seen.rounds[0].refuted + left)


def _near(puzzle: Board, rng: np.random.Generator) -> Pair | None:
    return (exchanged if rng.random() < _EXCHANGED else neighbour)(puzzle, rng)
