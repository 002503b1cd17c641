"""Claims about refutation, with a plain independent one on sets, and about the puzzles bred to withstand it."""

from itertools import islice
from math import inf

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from checker.board import PEERS, UNITS, Board, parse_line, to_line
from checker.climbing import deep_puzzles, height
from checker.digging import is_minimal, minimal_puzzle
from checker.generate import wanted_deep
from checker.neighbours import exchanged
from checker.refutation import Refutation, Round, refute
from checker.search import Answer, count_solutions
from checker.verify import verify

BEYOND = "......5..6......82..1..3.....93..2...7.8......4.....39.....497.3...67......5...2."
seeds = st.integers(0, 2**32 - 1)
few = settings(max_examples=6, deadline=None)
CELLS = range(81)
Candidates = list[set[int]]


def placed(candidates: Candidates, cell: int, digit: int) -> Candidates:
    return [{digit} if other == cell else set(left) for other, left in enumerate(candidates)]


def with_singles(candidates: Candidates) -> Candidates | None:
    """All naked and hidden singles placed, or None where a cell or a digit of a unit has no place."""
    while True:
        before = [set(left) for left in candidates]
        for cell in CELLS:
            if len(candidates[cell]) == 1:
                for peer in PEERS[cell]:
                    candidates[peer] -= candidates[cell]
        for unit in UNITS.tolist():
            for digit in range(1, 10):
                places = [cell for cell in unit if digit in candidates[cell]]
                if not places:
                    return None
                if len(places) == 1:
                    candidates[places[0]] = {digit} & candidates[places[0]]
        if not all(candidates):
            return None
        if candidates == before:
            return candidates


def plain_rounds(clues: Board) -> list[tuple[int, int]]:
    """Candidates refuted, and wrong ones left, of every round."""
    found = with_singles([{digit} if digit else set(range(1, 10)) for digit in clues.tolist()])
    rounds = []
    while found:
        tried = [(cell, digit) for cell in CELLS if len(found[cell]) > 1 for digit in found[cell]]
        refuted = [(cell, digit) for cell, digit in tried if with_singles(placed(found, cell, digit)) is None]
        if not refuted:
            break
        for cell, digit in refuted:
            found[cell].discard(digit)
        found = with_singles(found)
        assert found
        rounds.append((len(refuted), sum(map(len, found)) - 81))
    return rounds


@given(seeds)
@few
def test_rounds_are_those_of_a_plain_refutation_on_sets(seed: int) -> None:
    puzzle, _ = minimal_puzzle(np.random.default_rng(seed))
    assert [(each.refuted, each.left) for each in refute(puzzle).rounds] == plain_rounds(puzzle)


def test_a_puzzle_beyond_refutation_has_one_solution_that_no_round_finds() -> None:
    puzzle = parse_line(BEYOND)
    seen = refute(puzzle)
    assert count_solutions(puzzle).answer is Answer.ONE
    assert seen.depth == inf
    assert seen.left > 0
    assert [(each.refuted, each.left) for each in seen.rounds] == plain_rounds(puzzle)


def test_singles_alone_are_depth_0() -> None:
    _, solution = minimal_puzzle(np.random.default_rng(0))
    assert refute(solution) == Refutation(0, ())
    assert refute(solution).depth == 0


def test_a_puzzle_without_solution_is_refused() -> None:
    with pytest.raises(ValueError, match="expected one with exactly one"):
        refute(parse_line("11" + "." * 79))


@given(seeds)
@few
def test_an_exchange_changes_one_clue_for_another_and_takes_spare_ones_away(seed: int) -> None:
    rng = np.random.default_rng(seed)
    puzzle, _ = minimal_puzzle(rng)
    for found in filter(None, (exchanged(puzzle, rng) for _ in range(3))):
        other, solution = found
        assert np.count_nonzero((other != puzzle) & (other != 0)) == 1
        assert is_minimal(other)
        assert verify(solution, other).solved
        assert count_solutions(other).answer is Answer.ONE


def test_deep_puzzles_are_minimal_unique_different_and_as_deep_as_asked_for() -> None:
    found = list(islice(deep_puzzles(2).puzzles(np.random.default_rng(4)), 3))
    assert len({to_line(puzzle) for puzzle, _ in found}) == 3
    for puzzle, solution in found:
        assert refute(puzzle).depth >= 2
        assert is_minimal(puzzle)
        assert verify(solution, puzzle).solved
        assert count_solutions(puzzle).answer is Answer.ONE


def test_a_deep_puzzle_depends_on_its_seed_and_number_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("checker.generate.CHAIN", 2)
    whole = [to_line(puzzle) for puzzle, _ in wanted_deep(1, range(4), seed=3)]
    assert whole[1:3] == [to_line(puzzle) for puzzle, _ in wanted_deep(1, range(1, 3), seed=3)]
    assert whole[0] != to_line(next(wanted_deep(1, range(1), seed=4))[0])


def seen(*rounds: tuple[int, int], wrong: int = 100) -> Refutation:
    return Refutation(wrong, tuple(Round(*each) for each in rounds))


def test_more_left_is_higher_later_rounds_even_more_and_what_is_as_deep_as_wanted_is_highest() -> None:
    rising = [
        seen(wrong=0),
        seen((90, 0)),
        seen((30, 0)),
        seen((30, 50), (50, 0)),
        seen((30, 50), (10, 30), (30, 0)),
        seen((1, 99), *[(1, left) for left in range(98, 0, -1)], (1, 0)),
        seen((30, 20)),
    ]
    heights = [height(each, inf) for each in rising]
    assert heights == sorted(set(heights))
    assert height(seen(), inf) == heights[-1]
    assert [height(each, 3) == heights[-1] for each in rising] == [False] * 4 + [True] * 3
