"""Other solvers as functions from clues to a board: three packages (the extra `peers`) and our own exact search.

Each package is used in the plain way of its documentation, one thread, from 81 digits to 81 digits, set-up included.
Knows nothing of times or of our network. Invariant: a package is imported only when the peers are asked for; an answer
is whatever the package says, right or wrong.
"""

from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from importlib.metadata import version

import numpy as np

from checker.board import UNITS, Board, to_line
from checker.search import BudgetSpentError, solve

Peer = Callable[[Board, float], Board | None]
"""From clues `[81]` to a board `[81]`, or None; the seconds it has are for a peer that no signal can interrupt."""


def installed() -> tuple[dict[str, Peer], list[str]]:
    """The peers there are, by name and version, and what to say of those that cannot be imported."""
    peers: dict[str, Peer] = {}
    missing = []
    for name, load in _PACKAGES.items():
        try:
            peers[f"{name} {version(name)}"] = load()
        except ImportError as error:
            missing.append(f"{name}: left out, found {error}, expected it by pip install -e '.[peers]'")
    return {**peers, "exact search": _search}, missing


def _search(clues: Board, _: float) -> Board | None:
    with suppress(BudgetSpentError):
        return solve(clues)
    return None


def _dlxsudoku() -> Peer:
    package, errors = import_module("dlxsudoku"), import_module("dlxsudoku.exceptions")

    def answer(clues: Board, _: float) -> Board | None:
        with suppress(errors.SudokuException):
            puzzle = package.Sudoku(to_line(clues))
            puzzle.solve()
            return np.array([*puzzle.row_iter()], np.int8).ravel()
        return None

    return answer


def _py_sudoku() -> Peer:
    package = import_module("sudoku")

    def answer(clues: Board, _: float) -> Board:
        board = package.Sudoku(3, 3, board=clues.reshape(9, 9).tolist()).solve().board
        return np.array([[digit or 0 for digit in row] for row in board], np.int8).ravel()

    return answer


def _ortools() -> Peer:
    package = import_module("ortools.sat.python.cp_model")

    def answer(clues: Board, limit: float) -> Board | None:
        model, solver = package.CpModel(), package.CpSolver()
        cells = [model.new_int_var(digit or 1, digit or 9, "") for digit in clues.tolist()]
        for unit in UNITS.tolist():
            model.add_all_different([cells[cell] for cell in unit])
        solver.parameters.num_workers, solver.parameters.max_time_in_seconds = 1, limit
        if solver.solve(model) not in (package.OPTIMAL, package.FEASIBLE):
            return None
        return np.array([solver.value(cell) for cell in cells], np.int8)

    return answer


_PACKAGES: dict[str, Callable[[], Peer]] = {"dlxsudoku": _dlxsudoku, "py-sudoku": _py_sudoku, "ortools": _ortools}
