"""Every command of `sudoku-ncm` but solve and train, in its smallest form; and what each of them imports."""

import json
from pathlib import Path

import numpy as np
import pytest
from running import invoke, ncm, python

from checker.board import parse_line, to_line
from checker.generate import puzzles
from checker.verify import verify
from sudoku_ncm import blas
from sudoku_ncm.checkpoint import model_hash
from sudoku_ncm.cli import COMMANDS
from sudoku_ncm.commands.common import BUNDLED
from sudoku_ncm.training.data import PuzzleSet

PUZZLE, ANSWER = map(to_line, next(puzzles(1, seed=8, lo=45, hi=50)))


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_has_help_and_is_listed(name):
    assert f"Usage: cli {name} " in invoke(name, "--help")[1]
    assert f"\n  {name} " in invoke("--help")[1]


def test_every_command_module_is_listed():
    modules = {path.stem for path in (Path(__file__).parents[1] / "sudoku_ncm" / "commands").glob("*.py")}
    assert modules - {"__init__", "common", "comparing", "job", "watching", "reading"} == set(COMMANDS)


IMPORTS = [
    ("import checker", ["mlx", "textual", "click", "sudoku_ncm"]),
    ("from sudoku_ncm.cli import cli; cli(['--help'], standalone_mode=False)", ["mlx", "textual", "numpy"]),
    ("from sudoku_ncm.cli import cli; cli(['check', '--help'], standalone_mode=False)", ["mlx", "textual"]),
    (f"from sudoku_ncm.cli import cli; cli(['check', '{PUZZLE}'], standalone_mode=False)", ["mlx", "textual"]),
    ("from sudoku_ncm.cli import cli; cli(['overlap', '--help'], standalone_mode=False)", ["mlx", "textual"]),
    ("import sys; sys.path.insert(0, 'tests'); import scripted", ["mlx", "textual", "click"]),
]


@pytest.mark.parametrize(("code", "absent"), IMPORTS)
def test_nothing_heavy_is_imported_where_it_is_not_needed(code, absent):
    done = python("-c", f"{code}\nimport sys; print(*(n for n in {absent} if n in sys.modules), file=sys.stderr)")
    assert (done.returncode, done.stderr.strip()) == (0, "")


def test_check_judges_puzzles_and_full_boards():
    assert invoke("check", PUZZLE) == (0, f"argument:1: one solution: {ANSWER}\n", "")
    assert invoke("check", ANSWER)[0] == 0
    assert invoke("check", "." * 81)[0] == 3
    code, out, _ = invoke("check", PUZZLE, ANSWER[:80] + ANSWER[79])
    assert (code, out.count("\n")) == (3, 2)
    assert "argument:1: a full board, wrong: " in out


def test_generate_is_reproducible_and_keeps_to_its_range():
    first = invoke("generate", "-n", 4, "--clues", "30-33", "--seed", 5)
    lines = first[1].split()
    assert invoke("generate", "-n", 4, "--clues", "30-33", "--seed", 5) == first
    assert invoke("generate", "-n", 4, "--clues", "30-33", "--seed", 6)[1] != first[1]
    assert len(set(lines)) == 4
    assert all(30 <= np.count_nonzero(parse_line(line)) <= 33 for line in lines)
    assert all(invoke("check", line)[0] == 0 for line in lines)


def test_a_generated_csv_has_its_columns_and_feeds_the_trainer(tmp_path):
    out = invoke("generate", "-n", 3, "--minimal", "--format", "csv")[1]
    header, *rows = [line.split(",") for line in out.splitlines()]
    assert header == ["puzzle", "solution", "clues", "guesses"]
    assert [int(clues) for _, _, clues, _ in rows] == [81 - puzzle.count(".") for puzzle, *_ in rows]
    assert all(int(guesses) >= 0 for *_, guesses in rows)
    (tmp_path / "set.csv").write_text(out)
    data = PuzzleSet.load(tmp_path / "set.csv")
    assert [to_line(board) for board in data.puzzles] == [row[0] for row in rows]
    assert all(verify(s, p).solved for p, s in zip(data.puzzles, data.solutions, strict=True))


def test_a_generated_grid_can_be_solved(tmp_path):
    (tmp_path / "grids.txt").write_text(invoke("generate", "-n", 2, "--clues", "50", "--format", "grid")[1])
    code, out, _ = invoke("solve", tmp_path / "grids.txt", "--format", "line")
    assert (code, len(out.split())) == (0, 2)


@pytest.mark.parametrize(("clues", "form"), [("x", "line"), ("16", "csv"), ("30-20", "line"), ("20-99", "grid")])
def test_an_impossible_range_is_a_usage_error_and_prints_nothing(clues, form):
    done = ncm("generate", f"--clues={clues}", "--format", form)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith(("sudoku-ncm: --clues", "sudoku-ncm: generate"))
    assert "found" in done.stderr
    assert "expected" in done.stderr


def test_info_names_the_blas_and_the_model():
    report = json.loads(invoke("info")[1])
    assert report["blas"]["name"] == blas.prepare().name
    assert report["model"]["sha256"] == model_hash(BUNDLED)
    assert report["model"]["parameters"] > 0
    assert report["card"]["data"]["puzzles"] > 0
    assert {"mlx", "numpy"} <= report["packages"].keys()


def test_exactness_finds_no_outcome_that_differs():
    code, out, _ = invoke("exactness", "-n", 4, "--levels", 3, "--batch-size", 2)
    rows = [line for line in out.splitlines() if line.endswith(" of 4 |")]
    assert (code, len(rows)) == (0, 3)
    assert all(row.endswith("| 0 of 4 |") for row in rows)


def test_the_version_is_that_of_the_package():
    done = ncm("--version")
    assert (done.returncode, done.stdout.split()[-1]) == (0, "0.1.0")
