"""An evaluation counts whole boards, in the order of the file, and finds out a solver that lies."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scripted import ScriptedSolver, gullible, never, solved_at

from checker.board import to_line
from checker.generate import puzzles, random_grid
from checker.verify import verify
from sudoku_ncm.evaluation.dataset import samples
from sudoku_ncm.evaluation.run import batches, is_solution, run_batch
from sudoku_ncm.evaluation.statistics import wilson
from sudoku_ncm.evaluation.tally import Tally, budgets, depths
from sudoku_ncm.policy import ExitPolicy, Options

DEV = Path(__file__).parents[2] / "shared" / "data" / "eval_dev.csv"
OPTIONS = Options(levels=6)
PAIRS = [(to_line(puzzle), to_line(solution)) for puzzle, solution in puzzles(7, seed=6, lo=28, hi=40)]

KNOWN = [(0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (5, 10, 0.2366, 0.7634), (90, 100, 0.8256, 0.9448), (0, 0, 0, 1)]


@pytest.mark.parametrize(("solved", "of", "low", "high"), KNOWN)
def test_wilson_intervals_are_those_of_the_tables(solved, of, low, high):
    assert wilson(solved, of) == pytest.approx((low, high), abs=1e-4)


@given(st.integers(0, 2**32), st.lists(st.tuples(st.integers(0, 80), st.integers(0, 9)), max_size=3), st.booleans())
@settings(max_examples=60, deadline=None)
def test_the_second_opinion_on_a_board_is_that_of_the_checker(seed, damage, swap):
    rng = np.random.default_rng(seed)
    board = random_grid(rng)
    clues = np.where(rng.random(81) < 0.4, board, 0).astype(np.int8)
    if swap:  # two digits of a full board exchanged: every unit stays right, clues do not
        board = np.select([board == 1, board == 2], [2, 1], board).astype(np.int8)
    for cell, digit in damage:
        board[cell] = digit
    assert is_solution(board, clues) == verify(board, clues).solved


R, C = np.divmod(np.arange(81), 9)
HALF_RIGHT = {"box": R + C, "column": 3 * (R % 3) + C, "row": 3 * (C % 3) + R}


@pytest.mark.parametrize("broken", HALF_RIGHT)
def test_a_board_that_breaks_the_rules_in_one_sort_of_unit_only_is_no_solution(broken):
    board = (HALF_RIGHT[broken] % 9 + 1).astype(np.int8)
    assert {str(clash).split()[0] for clash in verify(board, 0 * board).clashes} == {broken}
    assert not is_solution(board, 0 * board)


@pytest.fixture
def file(tmp_path):
    """Puzzles in two strata, columns in an odd order."""
    rows = [f"{'odd' if n % 2 else 'even'},{solution},{n},{puzzle}" for n, (puzzle, solution) in enumerate(PAIRS)]
    path = tmp_path / "set.csv"
    path.write_text("\n".join(["stratum,solution,rating,puzzle", *rows, ""]))
    return path


def ran(solver, file, batch_size=3, options=OPTIONS):
    done = [run_batch(solver, batch, options) for batch in batches(samples((str(file),)), batch_size)]
    return [record for batch in done for record in batch.records]


def by_clues(clues, attempt):
    """Puzzles leave at different levels, those with many clues never."""
    given = int(np.count_nonzero(clues))
    return never(clues, attempt) if given > 36 else solved_at(given % 5)(clues, attempt)


def test_records_come_in_the_order_of_the_file_and_no_batch_size_changes_one(file):
    first = ran(ScriptedSolver(by_clues), file, batch_size=1)
    assert [(record["puzzle"], record["line"]) for record in first] == [(p, n + 2) for n, (p, _) in enumerate(PAIRS)]
    assert len({record["level"] for record in first}) > 2
    for size in (2, 3, 7, 50):
        again = ran(ScriptedSolver(by_clues), file, batch_size=size)
        assert [timeless(record) for record in again] == [timeless(record) for record in first]


def timeless(record):
    """A record without what was measured and not counted."""
    cost = {name: value for name, value in record["cost"].items() if not name.endswith("_ms")}
    return {name: value for name, value in record.items() if name not in ("cost", "latency_ms")} | cost


def report(solver, file, options=OPTIONS):
    tally = Tally()
    for record in ran(solver, file, options=options):
        tally.add(record)
    return tally.report(options)


def test_a_report_counts_whole_boards_by_stratum(file):
    strata = report(ScriptedSolver(solved_at(2)), file)["strata"]
    assert list(strata) == ["even", "odd", "all"]
    assert [(group["solved"], group["puzzles"]) for group in strata.values()] == [(4, 4), (3, 3), (7, 7)]
    everything = strata["all"]
    assert (everything["false_exits"], everything["mean_exit_level"]) == (0, 2)
    assert everything["interval"] == pytest.approx(wilson(7, 7))
    assert everything["mean"]["positions"] == 81 + 27 + 27 + 81


def test_a_board_that_is_not_solved_counts_nowhere(file):
    done = report(ScriptedSolver(never), file, Options(levels=3, attempts=2))
    assert done["totals"] == {"read": 7, "solved": 0, "unsolved": 7, "rejected": 0, "false_exits": 0}
    assert done["strata"]["all"]["mean_exit_level"] is None


def at_attempt(clues, attempt):
    """Puzzles of up to 31 clues need the second attempt, up to 34 the fourth, others never leave."""
    return solved_at(2, needed(int(np.count_nonzero(clues))))(clues, attempt)


def needed(given):
    return 1 if given < 32 else 3 if given < 35 else 99


def test_further_attempts_are_counted_by_stratum_with_what_a_solved_board_cost(file):
    attempts = [needed(81 - puzzle.count(".")) for puzzle, _ in PAIRS]
    done = report(ScriptedSolver(at_attempt), file, Options(levels=6, attempts=5))["strata"]["all"]
    passed = {n: sum(attempt < n for attempt in attempts) for n in (1, 4, 5)}
    assert {n: group["solved"] for n, group in done["pass_at"].items()} == passed
    assert done["pass_at"][4]["interval"] == pytest.approx(wilson(passed[4], 7))
    levels = sum(6 * attempt + 3 if attempt < 5 else 30 for attempt in attempts)
    assert done["levels_per_solved"] == pytest.approx(levels / passed[5])
    assert 0 < passed[4] < 7


def test_a_run_also_says_what_fewer_levels_would_have_solved(file):
    def later(clues, attempt):
        return solved_at(int(np.count_nonzero(clues)) % 12)(clues, attempt)

    full = report(ScriptedSolver(later), file, Options(levels=12))["strata"]["all"]
    assert list(full["solved_by"]) == [8, 12]
    short = report(ScriptedSolver(later), file, Options(levels=8))["strata"]["all"]
    assert full["solved_by"][8]["solved"] == short["solved"] < full["solved"] == full["solved_by"][12]["solved"]
    assert full["solved_by"][8]["interval"] == short["interval"]


@pytest.mark.parametrize("policy", ["never", "from:3", "at:2,4"])
def test_where_not_every_level_is_checked_fewer_levels_are_not_reported(file, policy):
    options = Options(levels=12, policy=ExitPolicy.parse(policy))
    assert list(report(ScriptedSolver(solved_at(2)), file, options)["strata"]["all"]["solved_by"]) == [12]


@pytest.mark.parametrize(("levels", "reported"), [(1, [1]), (8, [8]), (16, [8, 16]), (100, [8, 16, 32, 64, 100])])
def test_powers_of_two_and_all_levels_are_reported(levels, reported):
    assert depths(levels) == reported


@pytest.mark.parametrize(("attempts", "reported"), [(1, [1]), (4, [1, 4]), (64, [1, 4, 16, 64]), (7, [1, 4, 7])])
def test_powers_of_four_and_all_attempts_are_reported(attempts, reported):
    assert budgets(attempts) == reported


def test_a_lying_solver_is_found_out(file):
    done = report(ScriptedSolver(never, judge=gullible), file)
    assert done["totals"]["false_exits"] == done["totals"]["solved"] == 7
    assert report(ScriptedSolver(solved_at(0), judge=gullible), file)["totals"]["false_exits"] == 0


@pytest.mark.skipif(not DEV.exists(), reason="the shared evaluation set is not here")
def test_the_bundled_model_makes_no_false_exit_on_any_puzzle_of_any_stratum(bundled):
    chosen = list(samples((str(DEV),)))
    records = [row for batch in batches(chosen, 64) for row in run_batch(bundled, batch, Options(levels=8)).records]
    boards = [np.array(list(record["board"].replace(".", "0")), np.int8) for record in records]
    right = [is_solution(board, sample.clues) for board, sample in zip(boards, chosen, strict=True)]
    assert len({sample.stratum for sample in chosen}) == 13
    assert right == [record["solved"] for record in records]
    assert sum(right) > 780
