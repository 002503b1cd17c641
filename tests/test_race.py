"""Other solvers beside ours: what counts, what is cut off, what is missing."""

import sys

import numpy as np
import pytest
from scripted import LEVEL_SECONDS, ScriptedSolver, gullible, never, solved_at

from checker.search import solve
from sudoku_ncm.evaluation.peers import installed
from sudoku_ncm.evaluation.race import race
from sudoku_ncm.policy import Options

SOLVER = ScriptedSolver(solved_at(1))


def outcome(clues, peer=None, solver=SOLVER, limit=5.0):
    """The rows of a race over `clues` by solver."""
    peers = {"peer": peer} if peer else {}
    return {row.solver: row for row in race(solver, (2,), [Options(levels=2)], peers, clues, limit, repeat=1)}


def counts(row):
    return row.puzzles, row.solved, row.cut_off, row.unsolved


def endless(clues, limit):
    """A peer that takes for ever, and catches every Exception on the way."""
    while True:
        try:
            sum(range(100))
        except Exception:
            continue


def test_ours_and_exact_search_solve_the_same_puzzles(clues):
    rows = outcome(clues[:3], installed()[0]["exact search"])
    ours, peer = rows["sudoku-ncm, 2 levels, exit every"], rows["peer"]
    assert counts(ours) == counts(peer) == (3, 3, 0, 0)
    assert (ours.batch_size, peer.batch_size) == (2, 1)
    assert peer.solved_per_second == pytest.approx(1e3 / peer.ms_per_puzzle)


def test_what_the_network_leaves_open_is_unsolved_and_not_in_the_rate(clues):
    (row,) = outcome(clues[:3], solver=ScriptedSolver(never)).values()
    assert counts(row) == (3, 0, 0, 3)
    assert row.solved_per_second == 0


def test_only_the_checker_says_solved(clues):
    wrong = np.roll(solve(clues[0]), 1)
    rows = outcome(clues[:1], lambda *_: wrong, ScriptedSolver(lambda *_: [wrong], gullible, LEVEL_SECONDS))
    assert [counts(row) for row in rows.values()] == [(1, 0, 0, 1), (1, 0, 0, 1)]
    assert counts(outcome(clues[:1], lambda *_: None)["peer"]) == (1, 0, 0, 1)


def test_a_peer_is_cut_off_at_its_limit_and_charged_for_it(clues):
    row = outcome(clues[:2], endless, limit=0.02)["peer"]
    assert counts(row) == (2, 0, 2, 0)
    assert row.ms_per_puzzle >= 20


def test_a_package_that_is_missing_is_named_and_the_rest_goes_on(monkeypatch):
    for name in ("dlxsudoku", "sudoku", "ortools.sat.python.cp_model"):
        monkeypatch.setitem(sys.modules, name, None)
    peers, missing = installed()
    assert list(peers) == ["exact search"]
    assert [line.split(":")[0] for line in missing] == ["dlxsudoku", "py-sudoku", "ortools"]
    assert all("pip install -e '.[peers]'" in line for line in missing)
