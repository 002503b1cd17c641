"""The exit schedule is the exact minimum of the expected cost, and the expectation is the one it says."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sudoku_ncm.evaluation.calibrate import Measured, from_json, to_json
from sudoku_ncm.evaluation.schedule import Calibration, Line, best_schedule, fit

LEVELS = 6
seconds = st.floats(0, 1e-2)
lines = st.builds(Line, seconds, seconds)


@st.composite
def calibrations(draw):
    falls = sorted(draw(st.lists(st.floats(0, 1), min_size=LEVELS, max_size=LEVELS)), reverse=True)
    levels = tuple(draw(lines) for _ in range(LEVELS))
    return Calibration(draw(st.sampled_from([1, 8, 64])), tuple(falls), levels, draw(lines), draw(lines))


@given(calibrations())
def test_no_set_of_checks_is_cheaper_than_the_schedule(calibration):
    sets = [[*chosen, LEVELS - 1] for r in range(LEVELS) for chosen in combinations(range(LEVELS - 1), r)]
    least = min(calibration.expected(checks) for checks in sets)
    assert calibration.expected(best_schedule(calibration, LEVELS)) == pytest.approx(least, abs=1e-12)


def flat(survival, check, size=1):
    return Calibration(size, survival, (Line(0.0, 1.0),) * len(survival), Line(0.0, check), Line(0.0, 0.0))


def test_free_checks_are_made_wherever_puzzles_leave():
    assert best_schedule(flat((0.5, 0.25, 0.1, 0.0), 0.0), 4) == [0, 1, 2, 3]


def test_checks_that_cost_more_than_a_run_are_made_once():
    assert best_schedule(flat((0.5, 0.25, 0.1, 0.0), 100.0), 4) == [3]


def test_nothing_is_checked_before_puzzles_can_leave():
    assert best_schedule(flat((1.0, 1.0, 0.0, 0.0), 0.01), 4) == [2, 3]


def test_expected_cost_counts_levels_of_rows_alive_and_every_check_of_them():
    calibration = flat((1.0, 0.5, 0.5), 0.1)
    assert calibration.expected([1, 2]) == pytest.approx(2 + 0.1 + 0.5 * (1 + 0.1))
    assert calibration.expected([2]) == pytest.approx(3 + 0.1)


def test_the_fixed_part_is_paid_while_any_row_of_the_batch_runs():
    line = Line(2.0, 1.0)
    assert line.expected(1.0, 4) == pytest.approx(6)
    assert line.expected(0.5, 4) == pytest.approx(2 * (1 - 0.5**4) + 2)
    assert line.expected(0.0, 4) == 0


def test_hazard_is_the_chance_to_leave_among_those_that_stayed():
    calibration = flat((0.5, 0.25, 0.25, 0.0), 0.1)
    assert [calibration.hazard(level) for level in range(4)] == [0.5, 0.5, 0.0, 1.0]


def test_a_fit_recovers_a_line_and_is_never_negative():
    assert fit([(1, 3.0), (2, 5.0), (4, 9.0)]) == Line(pytest.approx(1.0), pytest.approx(2.0))
    falling = fit([(1, 5.0), (4, 1.0)])
    assert falling.per_row == 0
    assert falling.fixed > 0
    assert fit([(2, 3.0), (2, 5.0)]) == Line(0.0, 2.0)


@given(calibrations())
def test_a_calibration_survives_its_json(calibration):
    assert from_json(to_json(Measured(calibration, 1.0))) == calibration


def test_survival_zero_makes_later_levels_free():
    calibration = flat((0.0, 0.0, 0.0), 0.5)
    assert np.isclose(calibration.expected([0, 1, 2]), 1.5)
