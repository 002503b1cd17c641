"""Puzzles that refutation solves late or not at all, bred from random ones.

Such puzzles are too rare to be met by chance, and next to one that two rounds solve most are easy. But they can be
bred: a population keeps the deepest puzzles, in families that each come from a random puzzle of its own, and exchanges
their clues. All chance comes from the numpy Generator given. Knows nothing of how many are wanted (`generate`).

Invariant: a puzzle made here has exactly one solution, the one that comes with it, and no clue of it can be taken away.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from checker.board import Board, to_line
from checker.climbing import Pair, exchanged, neighbour
from checker.digging import minimal_puzzle
from checker.refutation import Refutation, refute

_FOUNDERS: Final = 100  # families before the first clue is exchanged between generations
_FRESH: Final = 0.005  # share of new founders after that
_STALE: Final = 200  # neighbours tried in vain before a founder is as deep as it gets
_SIZE: Final = 400  # puzzles kept, and how many of one family
_FAMILY: Final = 10
_CLOSE: Final = 0.8  # share of children that differ in one clue from their parent; the others in more
_BEYOND: Final = 1_000  # what a puzzle is worth that is beyond refutation, and no other


@dataclass(frozen=True, eq=False)
class Member:
    """A puzzle and solution [81] of a family, and what refutation does to it."""

    puzzle: Board
    solution: Board
    family: int
    refutation: Refutation

    @property
    def worth(self) -> int:
        """Rises with the wrong candidates that rounds leave, late rounds more, and falls with those refuted at once."""
        seen = self.refutation
        if seen.left:
            return _BEYOND + 4 * seen.left
        if not seen.rounds:
            return -_BEYOND
        left = sum(number * each.left for number, each in enumerate(seen.rounds, start=1))
        return min(_BEYOND - 1, seen.wrong - 2 * seen.rounds[0].refuted + left)


@dataclass
class Population:
    """The members kept; a new one takes the place of the worst, of its family where that is full."""

    members: list[Member] = field(default_factory=list)

    def parent(self, rng: np.random.Generator) -> Member:
        """The best of three."""
        drawn = [self.members[int(at)] for at in rng.integers(len(self.members), size=3)]
        return max(drawn, key=lambda member: member.worth)

    def add(self, new: Member) -> None:
        """Keep `new` if there is room or it is worth no less than the worst."""
        full = Counter(member.family for member in self.members)[new.family] >= _FAMILY
        if not full and len(self.members) < _SIZE:
            self.members.append(new)
            return
        rivals = [at for at, member in enumerate(self.members) if member.family == new.family or not full]
        worst = min(rivals, key=lambda at: self.members[at].worth)
        if new.worth >= self.members[worst].worth:
            self.members[worst] = new


def deep_puzzles(depth: float, rng: np.random.Generator) -> Iterator[Pair]:
    """Minimal puzzles [81], no two equal, of this depth (`checker.refutation`) or more, with their solutions.

    Does not end. Depth 2 takes seconds, 3 a minute; the first beyond refutation may take an hour, and
    the next ones less and less.
    """
    population, seen = Population(), set[str]()
    for new in _bred(population, rng):
        line = to_line(new.puzzle)
        if line not in seen:
            seen.add(line)
            population.add(new)
            if new.refutation.depth >= depth:
                yield new.puzzle, new.solution


def _bred(population: Population, rng: np.random.Generator) -> Iterator[Member]:
    """Founders first, then children of what the population is at the time."""
    families = 0
    while True:
        if families < _FOUNDERS or rng.random() < _FRESH:
            families += 1
            yield _founder(families, rng)
            continue
        parent = population.parent(rng)
        child = (exchanged if rng.random() < _CLOSE else neighbour)(parent.puzzle, rng)
        if child:
            yield Member(*child, parent.family, refute(child[0]))


def _founder(family: int, rng: np.random.Generator) -> Member:
    """The end of a climb from a random minimal puzzle to deeper and deeper neighbours."""
    puzzle, solution = minimal_puzzle(rng)
    best, stale = Member(puzzle, solution, family, refute(puzzle)), 0
    while stale < _STALE:
        stale += 1
        if (found := neighbour(best.puzzle, rng)) is None:
            continue
        new = Member(*found, family, refute(found[0]))
        if new.worth >= best.worth:
            best, stale = new, 0 if new.worth > best.worth else stale
    return best
