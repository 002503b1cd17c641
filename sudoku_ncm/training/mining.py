"""Puzzles that a solver leaves unsolved: what the training of its network lacks.

What costs exact search many guesses need not be hard for a network; so it is asked. Knows a solver by its door only.
Invariant: no puzzle comes twice, and equal solvers, options, roots and random states find equal puzzles.
"""

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from checker.board import to_line
from checker.neighbours import Pair, neighbour
from sudoku_ncm.policy import Options
from sudoku_ncm.session import Solver, drain

BATCH: Final = 64
PATIENCE: Final = 10_000
"""Neighbours tried in vain before there is nothing more to be found."""


def unsolved_puzzles(
    solver: Solver, options: Options, roots: Sequence[Pair], rng: np.random.Generator
) -> Iterator[Pair]:
    """Puzzles [81] that a generation of `options` leaves unsolved, with their solutions.

    First those among `roots`; then neighbours (`checker.neighbours`) of all that was found, or of the roots while
    nothing was. Ends after 10,000 neighbours in vain.
    """
    seen: set[str] = set()
    found: list[Pair] = []
    for start in range(0, len(roots), BATCH):
        left = _unsolved(solver, options, _new(roots[start : start + BATCH], seen))
        found += left
        yield from left
    vain = 0
    while vain < PATIENCE:
        parents = found or list(roots)
        tried = [neighbour(parents[rng.integers(len(parents))][0], rng) for _ in range(BATCH)]
        left = _unsolved(solver, options, _new([pair for pair in tried if pair], seen))
        vain = 0 if left else vain + BATCH
        found += left
        yield from left


def _new(pairs: Sequence[Pair], seen: set[str]) -> list[Pair]:
    """Those whose puzzle is not in `seen`, which then holds it."""
    new = {to_line(puzzle): (puzzle, solution) for puzzle, solution in pairs}
    kept = [pair for line, pair in new.items() if line not in seen]
    seen.update(new)
    return kept


def _unsolved(solver: Solver, options: Options, pairs: list[Pair]) -> list[Pair]:
    if not pairs:
        return []
    outcomes = drain(solver.open(np.stack([puzzle for puzzle, _ in pairs]), options))
    return [pair for pair, outcome in zip(pairs, outcomes, strict=True) if not outcome.solved]
