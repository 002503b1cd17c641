"""Confidence against truth: counted over open cells, by tenths, at the levels asked for."""

import json

import numpy as np
import pytest
from running import invoke
from scripted import ScriptedSolver, solved_at

from checker.board import to_line
from checker.generate import puzzles
from checker.verify import verify_batch
from sudoku_ncm.errors import PuzzleError
from sudoku_ncm.evaluation.compare import never_passes
from sudoku_ncm.evaluation.reliability import Reliability, reliability
from sudoku_ncm.evaluation.statistics import wilson
from sudoku_ncm.session import Decoded

PAIRS = list(puzzles(3, seed=6, lo=30, hi=34))
CLUES, SOLUTIONS = (np.stack(boards) for boards in zip(*PAIRS, strict=True))


def decoded(confidence, boards):
    fields = np.zeros((len(boards), 81, 9), np.float32)
    fields[..., 0] = confidence
    return Decoded(fields, boards, verify_batch(boards, boards))


def test_open_cells_are_counted_by_tenths_of_confidence_and_clues_are_not():
    boards = SOLUTIONS.copy()
    first = int(np.flatnonzero(CLUES[0] == 0)[0])
    boards[0, first] = boards[0, first] % 9 + 1
    confidence = np.full((3, 81), 0.75)
    confidence[0, first] = 0.25
    count = Reliability()
    count.add(decoded(confidence, boards), CLUES, SOLUTIONS)
    empty = int((CLUES == 0).sum())
    low, high = count.rows()
    assert (low["confidence"], low["cells"], low["right"]) == (0.25, 1, 0)
    assert (high["confidence"], high["cells"], high["rate"]) == (0.75, empty - 1, 1.0)
    assert high["interval"] == [*wilson(empty - 1, empty - 1)]
    assert count.error == pytest.approx(0.25)


def test_beliefs_above_one_count_as_certain_and_a_perfect_belief_has_no_error():
    count = Reliability()
    count.add(decoded(np.full((3, 81), 1.2), SOLUTIONS), CLUES, SOLUTIONS)
    assert [row["confidence"] for row in count.rows()] == [1.0]
    assert count.error == 0


def test_solved_puzzles_stay_in_the_sample():
    solver = ScriptedSolver(solved_at(1), judge=never_passes)
    counts = reliability(solver, iter([(CLUES, SOLUTIONS)]), (0, 3))
    empty = int((CLUES == 0).sum())
    assert [sum(row["cells"] for row in count.rows()) for count in counts.values()] == [empty, empty]
    assert [sum(row["right"] for row in count.rows()) for count in counts.values()] == [0, empty]


def test_confidence_is_measured_without_noise():
    seen = []

    class Watched(ScriptedSolver):
        def open(self, puzzles, options):
            seen.append(options.temperature)
            return super().open(puzzles, options)

    reliability(Watched(solved_at(1), judge=never_passes), iter([(CLUES, SOLUTIONS)]), (9,))
    assert seen == [0]


def test_the_command_prints_levels_and_errors_and_wants_solutions(tmp_path):
    rows = [f"{to_line(clues)},{to_line(solution)}" for clues, solution in PAIRS]
    (tmp_path / "set.csv").write_text("\n".join(["puzzle,solution", *rows]))
    _, text, _ = invoke("reliability", tmp_path / "set.csv", "--at", 2, "--at", 4, "-o", "json")
    report = json.loads(text)
    assert list(report) == ["2", "4"]
    assert sum(row["cells"] for row in report["4"]["bins"]) == (CLUES == 0).sum()
    assert "| after level | mean confidence |" in invoke("reliability", tmp_path / "set.csv", "--at", 2)[1]
    (tmp_path / "bare.txt").write_text(to_line(CLUES[0]))
    with pytest.raises(PuzzleError, match="found no good puzzle"):
        invoke("reliability", tmp_path / "bare.txt")


def test_rows_that_cannot_be_compared_are_named_and_the_rest_is(tmp_path):
    puzzle, solution = to_line(CLUES[0]), to_line(SOLUTIONS[0])
    rows = [f"{puzzle},{solution}", "12,34", f"{puzzle},{'.' * 81}", f"{puzzle},"]
    (tmp_path / "set.csv").write_text("\n".join(["puzzle,solution", *rows]))
    code, text, said = invoke("reliability", tmp_path / "set.csv", "--at", 2, "-o", "json")
    assert code == 3
    assert [line.removeprefix(f"{tmp_path}/set.csv:")[0] for line in said.splitlines()] == ["3", "4", "5"]
    assert sum(row["cells"] for row in json.loads(text)["2"]["bins"]) == (CLUES[0] == 0).sum()
