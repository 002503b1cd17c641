"""The failures of an evaluation, read back from its records: hardness, closeness, and nothing counted twice."""

import json
from dataclasses import replace

import numpy as np
import pytest
from running import invoke
from scripted import ScriptedSolver, never, solved_at

from checker.board import to_line
from checker.generate import puzzles
from checker.refutation import refute
from checker.search import count_solutions
from sudoku_ncm.errors import PuzzleError, UsageError
from sudoku_ncm.evaluation.dataset import samples
from sudoku_ncm.evaluation.failures import by_guesses, by_rounds, cases
from sudoku_ncm.evaluation.run import run_batch
from sudoku_ncm.policy import Options

PAIRS = list(puzzles(8, seed=6, lo=17, hi=81, minimal=True))


def two_thirds(clues, attempt):
    """Every third puzzle by its first clue is never solved, the others after two levels."""
    return never(clues, attempt) if int(clues[clues != 0][0]) % 3 == 0 else solved_at(1)(clues, attempt)


@pytest.fixture
def records(tmp_path):
    """The records of an evaluation, some unsolved, and one rejected line."""
    lines = [to_line(puzzle) for puzzle, _ in PAIRS]
    (tmp_path / "set.txt").write_text("\n".join([*lines, "11" + "." * 78]))
    done = run_batch(ScriptedSolver(two_thirds), list(samples((str(tmp_path / "set.txt"),))), Options(4)).records
    path = tmp_path / "samples.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in done))
    return path


def test_every_puzzle_is_one_case_with_what_search_says_and_what_its_board_lacks(records):
    found = list(cases(records))
    assert [case.puzzle for case in found] == [to_line(puzzle) for puzzle, _ in PAIRS]
    assert [case.guesses for case in found] == [count_solutions(puzzle).guesses for puzzle, _ in PAIRS]
    for case, (puzzle, _) in zip(found, PAIRS, strict=True):
        given = int(np.count_nonzero(puzzle))
        missing = 0 if case.solved else 81 - given
        assert (case.clues, case.open_cells, case.wrong_cells, case.clashes) == (given, missing, 0, 0)
    assert {case.solved for case in found} == {True, False}


@pytest.mark.parametrize(("by", "value"), [(by_guesses, "guesses"), (by_rounds, "rounds")])
def test_ranges_hold_every_case_once(records, by, value):
    found = list(cases(records))
    ranges = by(found)
    assert sum(every for _, every in ranges.values()) == len(found)
    assert sum(solved for solved, _ in ranges.values()) == sum(case.solved for case in found)
    easy = [case for case in found if getattr(case, value) == 0]
    assert ranges["0"] == (sum(case.solved for case in easy), len(easy))


def test_rounds_are_those_of_refutation_and_what_it_does_not_solve_comes_last(records):
    found = list(cases(records))
    assert [case.rounds for case in found] == [refute(puzzle).depth for puzzle, _ in PAIRS]
    beyond = replace(found[0], rounds=None, solved=False)
    assert list(by_rounds([beyond, *found]).items())[-1] == ("beyond", (0, 1))


def test_a_puzzle_of_several_solutions_or_none_counts_as_beyond_refutation(records):
    record = json.loads(records.read_text().splitlines()[0])
    for puzzle in ("." * 81, "12345678" + "." * 9 + "." + "." * 8 + "9" + "." * 54):
        records.write_text(json.dumps({**record, "puzzle": puzzle, "board": puzzle}) + "\n")
        assert [case.rounds for case in cases(records)] == [None]
        assert "| beyond |" in invoke("failures", records)[1]


def test_the_gallery_lists_unsolved_boards_only_the_easiest_first(records):
    unsolved = [case for case in cases(records) if not case.solved]
    report = json.loads(invoke("failures", records, "-o", "json")[1])
    guesses = [case["guesses"] for case in report["unsolved"]]
    assert guesses == sorted(case.guesses for case in unsolved)
    text = invoke("failures", records, "--show", 1)[1]
    shown = [line for line in text.splitlines() if line.endswith("guesses")]
    assert [line.split(", ")[-1] for line in shown] == [f"{min(guesses)} guesses"]
    case = min(unsolved, key=lambda case: case.guesses)
    assert f": {case.clues} clues, {case.rounds} round" in shown[0]
    assert "Unsolved" not in invoke("failures", records, "--show", 0)[1]


@pytest.mark.parametrize("line", ["{", "[]", '{"puzzle": "."}', '"text"', "7"])
def test_a_line_that_is_no_record_is_named(records, line):
    records.write_text(records.read_text() + line + "\n")
    with pytest.raises(PuzzleError, match=r"samples.jsonl:10: found .*, expected a record"):
        list(cases(records))


def test_no_record_at_all_is_refused(tmp_path):
    (tmp_path / "empty").touch()
    with pytest.raises(PuzzleError, match="found no puzzle, expected at least one record"):
        invoke("failures", tmp_path / "empty")


def test_a_missing_or_binary_file_is_a_usage_error(tmp_path):
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    for name in ("absent", "binary"):
        with pytest.raises(UsageError, match=r"found no readable file .*, expected a samples.jsonl"):
            list(cases(tmp_path / name))
