"""Claims about our own puzzles, and about the sets in puzzles/ that were made with them."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from checker.board import Board, to_line
from checker.climbing import Goal, hard_puzzles
from checker.digging import is_minimal
from checker.formats import Puzzle, read
from checker.generate import (
    OutOfReachError,
    add_clues,
    minimal_puzzle,
    puzzles,
    random_grid,
    symmetry_indices,
    wanted_hard,
)
from checker.neighbours import neighbour
from checker.search import Answer, count_solutions
from checker.verify import verify

SETS = Path(__file__).parent.parent / "puzzles"
OPEN = np.zeros(81, dtype=np.int8)
seeds = st.integers(0, 2**32 - 1)
few = settings(max_examples=8, deadline=None)


def lines(pairs: Iterator[tuple[Board, Board]]) -> list[tuple[str, str]]:
    return [(to_line(puzzle), to_line(solution)) for puzzle, solution in pairs]


@given(seeds)
@settings(max_examples=20, deadline=None)
def test_a_random_grid_is_solved_and_stays_so_under_every_symmetry(seed: int) -> None:
    rng = np.random.default_rng(seed)
    grid, indices = random_grid(rng), symmetry_indices(rng)
    assert verify(grid, OPEN).solved
    assert sorted(indices.tolist()) == list(range(81))
    assert verify(grid[indices], OPEN).solved


def test_symmetries_reach_every_cell_and_transpose() -> None:
    drawn = [symmetry_indices(np.random.default_rng(seed)) for seed in range(600)]
    assert {int(indices[0]) for indices in drawn} == set(range(81))
    in_first_row = [indices[:9].max() // 9 == indices[:9].min() // 9 for indices in drawn]
    assert 200 < sum(in_first_row) < 400


def test_random_grids_put_every_digit_into_a_cell_about_as_often() -> None:
    rng = np.random.default_rng(1)
    counts = np.bincount([int(random_grid(rng)[0]) for _ in range(450)], minlength=10)[1:]
    assert counts.min() > 20  # 50 expected, 7 the standard deviation
    assert counts.max() < 80


@given(seeds)
@few
def test_a_minimal_puzzle_loses_its_uniqueness_with_any_clue(seed: int) -> None:
    puzzle, solution = minimal_puzzle(np.random.default_rng(seed))
    assert verify(solution, puzzle).solved
    assert count_solutions(puzzle).answer is Answer.ONE
    for cell in np.flatnonzero(puzzle):
        fewer = puzzle.copy()
        fewer[cell] = 0
        assert count_solutions(fewer).answer is Answer.MANY


@given(seeds, st.integers(0, 50))
@few
def test_added_clues_are_taken_from_the_solution_and_leave_the_puzzle_alone(seed: int, count: int) -> None:
    rng = np.random.default_rng(seed)
    puzzle, solution = minimal_puzzle(rng)
    before = puzzle.copy()
    fuller = add_clues(puzzle, solution, count, rng)
    assert np.count_nonzero(fuller) == np.count_nonzero(puzzle) + count
    assert verify(solution, fuller).solved
    assert np.array_equal(puzzle, before)
    assert verify(fuller, puzzle).changed_clues == ()


def test_more_clues_than_open_cells_are_an_error() -> None:
    rng = np.random.default_rng(0)
    grid = random_grid(rng)
    with pytest.raises(ValueError, match="found 0 open cells, expected at least 1"):
        add_clues(grid, grid, 1, rng)


@pytest.mark.parametrize(("lo", "hi"), [(26, 26), (30, 40), (81, 81)])
def test_puzzles_have_one_solution_and_clues_within_the_range(lo: int, hi: int) -> None:
    for puzzle, solution in puzzles(5, seed=9, lo=lo, hi=hi):
        assert lo <= np.count_nonzero(puzzle) <= hi
        assert to_line(count_solutions(puzzle).solutions[0]) == to_line(solution)
        assert count_solutions(puzzle).answer is Answer.ONE


def test_minimal_puzzles_within_a_range_are_minimal() -> None:
    for puzzle, _ in puzzles(3, seed=9, lo=22, hi=24, minimal=True):
        assert 22 <= np.count_nonzero(puzzle) <= 24
        for cell in np.flatnonzero(puzzle):
            assert count_solutions(np.where(np.arange(81) == cell, 0, puzzle)).answer is Answer.MANY


def test_a_puzzle_depends_on_its_seed_and_number_alone() -> None:
    whole = lines(puzzles(6, seed=3, lo=28, hi=32))
    parts = lines(puzzles(2, seed=3, lo=28, hi=32)) + lines(puzzles(4, seed=3, lo=28, hi=32, first=2))
    assert whole == parts
    assert whole != lines(puzzles(6, seed=4, lo=28, hi=32))
    assert len(set(whole)) == 6


@pytest.mark.parametrize(("lo", "hi"), [(16, 30), (40, 30), (30, 82)])
def test_an_impossible_range_of_clues_is_an_error(lo: int, hi: int) -> None:
    with pytest.raises(ValueError, match="expected one within 17 to 81"):
        next(puzzles(1, seed=0, lo=lo, hi=hi))


def test_a_range_that_no_minimal_puzzle_meets_ends_in_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("checker.generate.TRIES", 3)
    with pytest.raises(OutOfReachError, match="found no puzzle of 60 to 70 clues in 3 grids"):
        next(puzzles(1, seed=0, lo=60, hi=70, minimal=True))


def test_hard_puzzles_are_minimal_unique_and_as_hard_as_asked_for() -> None:
    found = list(wanted_hard(9, range(6), seed=1))
    assert len({to_line(puzzle) for puzzle, _ in found}) == 6
    for puzzle, solution in found:
        count = count_solutions(puzzle)
        assert count.only is not None
        assert to_line(count.only) == to_line(solution)
        assert count.guesses >= 9
        assert is_minimal(puzzle)


def test_a_hard_puzzle_depends_on_its_seed_and_number_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("checker.generate.CHAIN", 2)
    whole = lines(wanted_hard(3, range(5), seed=3))
    assert whole[1:4] == lines(wanted_hard(3, range(1, 4), seed=3))
    assert whole[0] != lines(wanted_hard(3, range(1), seed=4))[0]


def test_more_guesses_than_any_puzzle_needs_are_out_of_reach(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("checker.generate.hard_puzzles", lambda guesses: replace(hard_puzzles(guesses), climbs=1))
    with pytest.raises(OutOfReachError, match="found 0 puzzles as hard as asked for in a chain, expected 1"):
        next(wanted_hard(100_000, range(1), seed=0))


def test_a_climb_is_left_after_as_many_moves_in_vain_and_the_search_after_as_many_climbs() -> None:
    tried = []
    flat = Goal(lambda _: 0, 1, lambda puzzle, rng: tried.append(puzzle), stale=5, climbs=3)
    assert list(flat.puzzles(np.random.default_rng(0))) == []
    assert len(tried) == 15
    assert len({to_line(puzzle) for puzzle in tried}) == 3


@given(seeds)
@few
def test_a_neighbour_is_minimal_unique_and_shares_most_clues(seed: int) -> None:
    rng = np.random.default_rng(seed)
    puzzle, _ = minimal_puzzle(rng)
    found = neighbour(puzzle, rng)
    assert found is not None
    other, solution = found
    assert np.count_nonzero((other == puzzle) & (puzzle != 0)) > np.count_nonzero(puzzle) / 2
    assert is_minimal(other)
    assert verify(solution, other).solved
    assert count_solutions(other).answer is Answer.ONE


def shipped(name: str) -> list[str]:
    with (SETS / name).open("rb") as stream:
        found = list(read(stream, name))
    assert all(isinstance(item, Puzzle) for item in found)
    return [to_line(item.clues) for item in found if isinstance(item, Puzzle)]


@pytest.mark.parametrize(
    ("name", "count", "lo", "hi"),
    [("easy.txt", 10, 38, 42), ("medium.txt", 10, 30, 34), ("hard.txt", 10, 22, 26), ("one.txt", 1, 32, 32)],
)
def test_the_sets_in_the_repository_hold_what_their_readme_says(name: str, count: int, lo: int, hi: int) -> None:
    found = shipped(name)
    assert len(set(found)) == count
    assert all(lo <= 81 - line.count(".") <= hi for line in found)


def test_the_sets_in_the_repository_are_remade_by_their_recipe() -> None:
    minimal = puzzles(1000, seed=3, lo=17, hi=81, minimal=True)
    hard = islice((pair for pair in minimal if count_solutions(pair[0]).guesses >= 3), 10)
    assert [line for line, _ in lines(puzzles(10, seed=1, lo=38, hi=42))] == shipped("easy.txt")
    assert [line for line, _ in lines(puzzles(10, seed=2, lo=30, hi=34))] == shipped("medium.txt")
    assert [line for line, _ in lines(hard)] == shipped("hard.txt")
    assert [line for line, _ in lines(puzzles(1, seed=4, lo=32, hi=32))] == shipped("one.txt")
