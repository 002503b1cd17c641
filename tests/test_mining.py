"""What is mined is new, proper, reproducible, and really left unsolved."""

from itertools import islice

import numpy as np
import pytest
from running import ncm
from scripted import ScriptedSolver, never, solved_at

from checker.board import parse_line, to_line
from checker.generate import CSV_HEADER, csv_row, puzzles
from checker.search import count_solutions, solve
from sudoku_ncm.policy import Options
from sudoku_ncm.session import drain
from sudoku_ncm.training import mining
from sudoku_ncm.training.mining import unsolved_puzzles

SHORT = Options(levels=3, temperature=0.0)


@pytest.fixture(scope="module")
def roots():
    return list(puzzles(6, seed=4, lo=17, hi=81, minimal=True))


def row(puzzle, solution):
    """A line of the file that `generate --format csv` would write."""
    return csv_row(puzzle, solution, count_solutions(puzzle).guesses)


def mined(solver, roots, count, options=SHORT, seed=0):
    return list(islice(unsolved_puzzles(solver, options, roots, np.random.default_rng(seed)), count))


def test_roots_left_unsolved_come_first_and_those_solved_not_at_all(roots):
    hard = {to_line(puzzle) for puzzle, _ in roots[::2]}

    def some(clues, attempt):
        return [clues] if to_line(clues) in hard else [solve(clues)]

    found = mined(ScriptedSolver(some), roots + roots, 3)
    assert [to_line(puzzle) for puzzle, _ in found] == [to_line(puzzle) for puzzle, _ in roots[::2]]


def test_neighbours_are_new_and_minimal_and_have_one_solution(roots):
    found = mined(ScriptedSolver(never), roots, 40)
    assert len({to_line(puzzle) for puzzle, _ in found}) == 40
    for puzzle, solution in found:
        assert np.array_equal(count_solutions(puzzle).only, solution)
        for cell in np.flatnonzero(puzzle):
            fewer = puzzle.copy()
            fewer[cell] = 0
            assert len(count_solutions(fewer).solutions) == 2


def test_equal_seeds_find_equal_puzzles_and_others_others(roots):
    lines = [[to_line(p) for p, _ in mined(ScriptedSolver(never), roots, 20, seed=seed)] for seed in (1, 1, 2)]
    assert lines[0] == lines[1]
    assert lines[0][:6] == lines[2][:6]
    assert not set(lines[0][6:]) & set(lines[2][6:])


def test_where_everything_is_solved_the_search_ends(roots, monkeypatch):
    monkeypatch.setattr(mining, "PATIENCE", 200)
    assert mined(ScriptedSolver(solved_at(1)), roots, 1) == []


def test_the_command_prints_what_the_bundled_model_leaves_unsolved(bundled, roots, tmp_path):
    (tmp_path / "roots.csv").write_text("\n".join([CSV_HEADER, *(row(*pair) for pair in roots)]))
    result = ncm("mine", tmp_path / "roots.csv", "-n", "4", "--levels", "3", "--seed", "1")
    assert result.returncode == 0
    header, *rows = result.stdout.splitlines()
    assert header == CSV_HEADER
    assert len(rows) == 4
    found = np.stack([parse_line(line[:81]) for line in rows])
    assert not any(outcome.solved for outcome in drain(bundled.open(found, Options(levels=3, temperature=0.0))))
    assert [row(puzzle, solve(puzzle)) for puzzle in found] == rows


@pytest.mark.parametrize("left", [0, 9])
def test_a_root_with_many_solutions_is_refused_by_its_line(roots, tmp_path, left):
    puzzle, solution = roots[0]
    few = puzzle.copy()
    few[np.flatnonzero(puzzle)[left:]] = 0
    rows = [row(*roots[1]), f"{to_line(few)},{to_line(solution)},{left},0"]
    (tmp_path / "roots.csv").write_text("\n".join([CSV_HEADER, *rows]))
    result = ncm("mine", tmp_path / "roots.csv", "-n", "9", "--levels", "2")
    assert result.returncode == 3
    assert f"roots.csv:3: found {to_line(few)}, expected a puzzle with one solution" in result.stderr
    assert "Traceback" not in result.stderr
