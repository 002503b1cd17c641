"""How deep a puzzle is: how often all its candidates must be tried before singles alone solve it.

A candidate is refuted when placing it, and every single that follows, leaves some place without candidates. A round
tries every candidate of one position, removes those refuted and places the singles that follow; the literature of hard
puzzles calls this trial and error of depth one. Knows positions (`candidates`), not how puzzles are made.

Invariant: as with singles, only what no solution has is removed.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf

from checker.board import Board
from checker.candidates import KEEP, propagate, set_bits
from checker.search import from_clues


@dataclass(frozen=True)
class Round:
    """Wrong candidates, of a puzzle with one solution: `refuted` in this round, and `left` after its singles."""

    refuted: int
    left: int


@dataclass(frozen=True)
class Refutation:
    """What refutation does to a puzzle with one solution whose singles leave `wrong` wrong candidates."""

    wrong: int
    rounds: tuple[Round, ...]

    @property
    def left(self) -> int:
        """Wrong candidates that no round refutes: to get on, candidates must be tried under other ones."""
        return self.rounds[-1].left if self.rounds else self.wrong

    @property
    def depth(self) -> float:
        """Rounds that solve the puzzle, 0 if singles do, infinity if it is beyond refutation."""
        return inf if self.left else len(self.rounds)


def refute(clues: Board) -> Refutation:
    """Refute candidates of `clues` [81], which has one solution, round by round until none can be refuted."""
    position = _propagated(from_clues(clues))
    wrong, rounds = position.bit_count() - 81, list[Round]()
    while refuted := sum(_refuted(position)):
        position = _propagated(position & ~refuted)
        rounds.append(Round(refuted.bit_count(), position.bit_count() - 81))
    return Refutation(wrong, tuple(rounds))


def _refuted(position: int) -> Iterator[int]:
    """The candidates, as bits, under which some place has none left."""
    for bit in set_bits(position):
        placed = position & KEEP[bit]
        if placed != position and propagate(placed) is None:
            yield 1 << bit


def _propagated(position: int) -> int:
    placed = propagate(position)
    if placed is None:
        raise ValueError("found a puzzle without solution, expected one with exactly one")
    return placed
