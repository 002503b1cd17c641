"""Puzzles for which exact search must guess often, found by exchanging clues of a puzzle and keeping what is hard.

Random puzzles hardly ever need fifty guesses, but next to one that does there are more. All chance comes from the numpy
Generator given. It knows nothing of how many puzzles are wanted (`generate`).

Invariant: a puzzle made here has exactly one solution, the one that comes with it, and no clue of it can be taken away.
"""

from collections.abc import Iterator
from itertools import islice
from typing import Final

import numpy as np

from checker.board import Board, to_line
from checker.candidates import Walk, set_bits
from checker.digging import minimal_puzzle, without_spare_clues
from checker.search import count_solutions, from_clues, to_board

_STALE: Final = 50  # neighbours tried in vain before a climb begins anew,
_LOYAL: Final = 500  # or is left where it has found what is wanted
_STUCK: Final = 1_000  # known puzzles in a row after which a climb is left
_CLIMBS: Final = 500  # climbs in vain before there is nothing to be found
_BUDGET: Final = 5_000  # nodes spent on one neighbour; harder ones are passed over
_SOLUTIONS: Final = 300  # solutions looked at for a clue that only one of them has

Pair = tuple[Board, Board]


def hard_puzzles(guesses: int, rng: np.random.Generator) -> Iterator[Pair]:
    """Minimal puzzles [81], no two equal, that cost exact search `guesses` or more, with their solutions.

    Neighbours of a puzzle are taken while they cost no less than it, or `guesses`; where none is found for
    long, or none that is new, the climb begins anew at a random minimal puzzle. Ends after 500 climbs in vain.
    """
    seen: set[str] = set()
    vain = 0
    while vain < _CLIMBS:
        vain += 1
        stuck = 0
        for puzzle, solution, found in _climb(guesses, rng):
            stuck += 1
            if found >= guesses and (line := to_line(puzzle)) not in seen:
                seen.add(line)
                vain = stuck = 0
                yield puzzle, solution
            if stuck == _STUCK:
                break


def _climb(enough: int, rng: np.random.Generator) -> Iterator[tuple[Board, Board, int]]:
    """Puzzles, solutions and guesses along one climb."""
    puzzle, solution = minimal_puzzle(rng)
    guesses, vain = count_solutions(puzzle).guesses, 0
    yield puzzle, solution, guesses
    while vain < (_STALE if guesses < enough else _LOYAL):
        vain += 1
        found = neighbour(puzzle, rng)
        count = count_solutions(found[0], budget=_BUDGET) if found else None
        if found is None or count is None or count.only is None or count.guesses < min(guesses, enough):
            continue
        if count.guesses > guesses or (guesses >= enough and not np.array_equal(found[0], puzzle)):
            vain = 0
        (puzzle, solution), guesses = found, count.guesses
        yield puzzle, solution, guesses


def neighbour(puzzle: Board, rng: np.random.Generator) -> Pair | None:
    """A minimal puzzle and its solution that share most clues with `puzzle` [81]; None if the budget is spent.

    One clue is taken away, clues of a random solution of what is left are given until it is the only one, and clues
    that are not needed are taken away.
    """
    left = puzzle.copy()
    left[rng.choice(np.flatnonzero(puzzle), size=1)] = 0
    solved = next(iter(Walk(from_clues(left), _BUDGET, order=rng.shuffle)), None)
    if solved is None:
        return None
    solution = to_board(solved)
    while len(others := (count := count_solutions(left, budget=_BUDGET)).solutions) > 1:
        cell = rng.choice(np.flatnonzero(others[0] != others[1]))
        left[cell] = solution[cell]
    return (without_spare_clues(left, solution, rng), solution) if count.complete else None


def exchanged(puzzle: Board, rng: np.random.Generator) -> Pair | None:
    """A minimal puzzle and its solution that differ from `puzzle` [81] in one clue, and in those then spare.

    One clue is taken away, and one given that a single solution of what is left has. None if there are too many of
    them, or no such clue.
    """
    left, cell = puzzle.copy(), rng.choice(np.flatnonzero(puzzle))
    left[cell] = 0
    walk = Walk(from_clues(left), _BUDGET)
    solutions = list(islice(walk, _SOLUTIONS + 1))
    if walk.spent or len(solutions) > _SOLUTIONS:
        return None
    once = more = 0
    for solved in solutions:
        once, more = once | solved, more | once & solved
    bits = list(set_bits(once & ~more & ~(1 << 81 * (int(puzzle[cell]) - 1) + int(cell))))
    if not bits:
        return None
    bit = bits[rng.integers(len(bits))]
    solution = to_board(next(solved for solved in solutions if solved >> bit & 1))
    left[bit % 81] = bit // 81 + 1
    return without_spare_clues(left, solution, rng), solution
