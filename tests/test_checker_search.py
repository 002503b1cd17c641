"""Claims about the exact search; `plain_count` is an independent, slow search in row order."""

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from checker.board import PEERS, Board, BoardError, parse_line, to_line
from checker.candidates import Walk, singles
from checker.generate import add_clues, minimal_puzzle, random_grid
from checker.search import NODES, Answer, BudgetSpentError, count_solutions, from_clues, solve
from checker.verify import verify

EMPTY = np.zeros(81, dtype=np.int8)
GRID = random_grid(np.random.default_rng(11))
seeds = st.integers(0, 2**32 - 1)


def row_by_row(digits: str) -> Board:
    return parse_line(digits.ljust(81, "."))


# No clue clashes, but r1c9 has no candidate: 1 to 8 in its row, 9 in its column.
NO_CANDIDATE = row_by_row("12345678" + "." * 9 + "." + "." * 8 + "9")
# No clue clashes, but box 1 has no place for 1: it stands in row 1, and rows 2 and 3 are given there.
NO_PLACE = row_by_row("....1...." + "234......" + "567......")


def against_row_order() -> tuple[Board, Board]:
    """A puzzle whose first row is open and must become 987654321, which row order tries last."""
    renamed = np.zeros(10, dtype=np.int8)
    renamed[GRID[:9]] = range(9, 0, -1)
    solution = renamed[GRID]
    puzzle = solution.copy()
    for cell in range(81):
        puzzle[cell] = 0
        if count_solutions(puzzle).answer is not Answer.ONE:
            puzzle[cell] = solution[cell]
    return puzzle, solution


def plain_count(clues: Board, limit: int) -> int:
    """The number of solutions up to `limit`, by trying digits cell by cell."""
    if not (open_cells := np.flatnonzero(clues == 0)).size:
        return 1
    cell, found = int(open_cells[0]), 0
    for digit in set(range(1, 10)) - set(clues[PEERS[cell]].tolist()):
        filled = clues.copy()
        filled[cell] = digit
        found += plain_count(filled, limit - found)
        if found >= limit:
            break
    return found


@given(seeds, st.integers(0, 12))
@settings(max_examples=25, deadline=None)
def test_a_count_agrees_with_a_plain_search_in_row_order(seed: int, emptied: int) -> None:
    rng = np.random.default_rng(seed)
    clues = random_grid(rng)
    pair = rng.permutation(9)[:2] + 1
    clues[np.isin(clues, pair) & (rng.random(81) < 0.9)] = 0
    clues[rng.permutation(81)[:emptied]] = 0
    expected = plain_count(clues, limit=50)
    assert len(count_solutions(clues, limit=50).solutions) == expected


@given(seeds)
@settings(max_examples=20, deadline=None)
def test_every_solution_found_is_solved_and_they_all_differ(seed: int) -> None:
    rng = np.random.default_rng(seed)
    clues = add_clues(EMPTY, random_grid(rng), 22, rng)
    found = count_solutions(clues, limit=20).solutions
    assert all(verify(board, clues).solved for board in found)
    assert len({to_line(board) for board in found}) == len(found) > 0


@given(seeds)
@settings(max_examples=10, deadline=None)
def test_a_puzzle_with_one_solution_is_answered_one_and_solved(seed: int) -> None:
    puzzle, solution = minimal_puzzle(np.random.default_rng(seed))
    count = count_solutions(puzzle)
    assert count.answer is Answer.ONE
    assert count.complete
    assert to_line(count.solutions[0]) == to_line(solution)


def test_swapping_two_digits_of_an_unavoidable_rectangle_makes_two_solutions() -> None:
    first = GRID.copy()
    first[np.isin(first, (1, 2))] = 0
    assert count_solutions(first).answer is Answer.MANY


@pytest.mark.parametrize("clues", [NO_CANDIDATE, NO_PLACE, row_by_row("99"), row_by_row("9........" * 2)])
def test_a_contradiction_is_answered_none_without_a_guess(clues: Board) -> None:
    count = count_solutions(clues)
    assert count.answer is Answer.NONE
    assert count.guesses == 0
    assert solve(clues) is None


@pytest.mark.parametrize("clues", [NO_CANDIDATE, NO_PLACE])
def test_a_place_without_a_candidate_is_seen_at_once(clues: Board) -> None:
    assert singles(from_clues(clues)) is None


@pytest.mark.parametrize("clues", [EMPTY, row_by_row("5"), row_by_row("123456789")])
def test_few_clues_are_answered_many_within_two_seconds(clues: Board) -> None:
    start = time.process_time()
    count = count_solutions(clues)
    assert time.process_time() - start < 2
    assert count.answer is Answer.MANY


def test_a_puzzle_built_against_row_order_is_solved_within_two_seconds() -> None:
    puzzle, solution = against_row_order()
    assert to_line(puzzle)[:9] == "." * 9
    start = time.process_time()
    count = count_solutions(puzzle)
    assert time.process_time() - start < 2
    assert count.answer is Answer.ONE
    assert to_line(count.solutions[0]) == to_line(solution)
    assert to_line(solution).startswith("987654321")


def test_a_whole_budget_is_spent_within_two_seconds() -> None:
    start = time.process_time()
    for _ in (walk := Walk(from_clues(EMPTY), NODES)):
        pass
    assert walk.spent
    assert walk.nodes == NODES
    assert time.process_time() - start < 2


def test_a_full_right_board_is_its_own_solution_in_one_node() -> None:
    count = count_solutions(GRID)
    assert (count.answer, count.nodes, count.guesses) == (Answer.ONE, 1, 0)


@pytest.mark.parametrize("budget", [1, 5, 20])
def test_a_spent_budget_is_never_answered_none(budget: int) -> None:
    count = count_solutions(EMPTY, budget=budget)
    assert count.answer is Answer.BUDGET_SPENT
    assert count.nodes == budget
    with pytest.raises(BudgetSpentError, match=f"in {budget} nodes"):
        solve(EMPTY, budget=budget)


def test_one_solution_and_a_spent_budget_do_not_prove_uniqueness() -> None:
    nodes = next(n for n in range(1, 200) if count_solutions(EMPTY, budget=n).solutions)
    count = count_solutions(EMPTY, budget=nodes)
    assert len(count.solutions) == 1
    assert count.answer is Answer.BUDGET_SPENT


def test_the_budget_bounds_a_walk_through_endless_solutions() -> None:
    count = count_solutions(EMPTY, limit=10**9, budget=300)
    assert count.nodes == 300
    assert count.answer is Answer.MANY
    assert not count.complete


def test_the_same_clues_give_the_same_walk() -> None:
    first, second = count_solutions(EMPTY), count_solutions(EMPTY)
    assert [to_line(board) for board in first.solutions] == [to_line(board) for board in second.solutions]
    assert first.nodes == second.nodes


def test_a_search_leaves_its_clues_alone() -> None:
    clues = row_by_row("5")
    count_solutions(clues)
    assert to_line(clues) == "5" + "." * 80


@pytest.mark.parametrize(("limit", "budget"), [(1, 10), (2, 0)])
def test_a_limit_or_budget_that_proves_nothing_is_an_error(limit: int, budget: int) -> None:
    with pytest.raises(ValueError, match="expected at least 2 and 1"):
        count_solutions(EMPTY, limit, budget)


def test_what_is_no_board_is_an_error() -> None:
    with pytest.raises(BoardError, match="expected values from 0 to 9"):
        count_solutions(np.full(81, 10, dtype=np.int8))
