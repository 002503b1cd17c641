"""The scripted solver of the other tests behaves as a session must."""

from dataclasses import replace

import numpy as np
import pytest
from scripted import ScriptedSolver, never, solved_at

from sudoku_ncm.accounting import run_work
from sudoku_ncm.levels import LevelPlan
from sudoku_ncm.policy import ExitPolicy, Options
from sudoku_ncm.session import Session, Solver, drain

OPTIONS = Options(levels=6)


def by_parity(clues, attempt):
    """Even numbers of clues are solved at level 2, odd ones at level 4."""
    return solved_at(2 if np.count_nonzero(clues) % 2 == 0 else 4)(clues, attempt)


def test_rows_leave_when_they_are_solved(clues):
    solver: Solver = ScriptedSolver(by_parity)
    session: Session = solver.open(clues, OPTIONS)
    running = [len(step.rows) for step in session]
    odd = int(sum(np.count_nonzero(row) % 2 for row in clues))
    assert 0 < odd < len(clues)
    assert running == [len(clues)] * 3 + [odd] * 2
    assert [outcome.level for outcome in session.outcomes()] == [2 + 2 * (np.count_nonzero(c) % 2) for c in clues]


def test_an_unsolved_puzzle_goes_through_every_attempt(clues):
    outcome = drain(ScriptedSolver(never).open(clues[:1], replace(OPTIONS, attempts=3)))[0]
    assert (outcome.solved, outcome.levels_executed, outcome.levels_planned) == (False, 18, 6)
    assert (outcome.board == clues[0]).all()
    assert drain(ScriptedSolver(solved_at(1, attempt=2)).open(clues[:1], replace(OPTIONS, attempts=3)))[0].attempt == 2


@pytest.mark.parametrize("cached", [True, False])
def test_its_costs_follow_from_the_plan(clues, cached):
    cost = drain(ScriptedSolver(solved_at(3)).open(clues[:2], replace(OPTIONS, cached=cached)))[1].cost
    ran = LevelPlan.parse(["box-row", "box-column", "cell"], 4).kinds
    assert (cost.positions, cost.pairs) == (run_work(ran, cached).positions, run_work(ran, cached).pairs)


def test_a_level_that_the_policy_skips_is_not_decoded(clues):
    options = replace(OPTIONS, policy=ExitPolicy.parse("at:4"))
    steps = list(ScriptedSolver(solved_at(2)).open(clues[:1], options))
    assert [step.decoded is not None for step in steps] == [False, False, False, False, True]


def test_a_rewound_session_runs_the_same_steps_again(clues):
    session = ScriptedSolver(by_parity).open(clues, OPTIONS)
    first = [(step.level, step.rows.tolist()) for step in session]
    session.rewind(0, 1)
    assert session.peek() is not None
    assert [(step.level, step.rows.tolist()) for step in session] == first[1:]
    with pytest.raises(ValueError, match="was not reached"):
        session.rewind(1, 0)
