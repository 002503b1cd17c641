"""The figures of the work pane, without any window: exact counts, signed net, estimates from medians only."""

from itertools import islice

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scripted import ScriptedSolver, never, solved_at

from checker.board import parse_line
from sudoku_ncm.accounting import run_work
from sudoku_ncm.policy import ExitPolicy, Options
from tui import tables, words
from tui.account import Calibration, account
from tui.spans import fit, line, text, wrap
from tui.trace import KEPT, Seen, Trace

EASY = parse_line("..3..51...92.........9.82..1..4.3.7..5978.34173.51.689..6..7.1.8..169..392183...5")
EVERY, NEVER = ExitPolicy(), ExitPolicy.parse("never")


def run(script, levels=6, policy=EVERY, attempts=1, steps=None, cached=True, retry=None):
    """Trace, account and calibration of a scripted run of at most `steps` levels."""
    solver = ScriptedSolver(script)
    full = solver.open(EASY[None], Options(levels=levels, policy=NEVER, cached=cached))
    calibration = Calibration.of(full)
    options = Options(levels, policy, attempts, cached=cached, retry_levels=retry)
    trace = Trace(EASY, calibration.kinds, cached, options.levels_of(1))
    session = solver.open(EASY[None], options)
    for step in islice(session, steps):
        peeked = None if step.decoded else session.peek()
        trace = trace.add(Seen.of(step, peeked, EASY, trace.before(step.attempt, step.level)))
    return trace, account(trace, calibration, policy), calibration


def test_before_anything_ran_the_estimate_is_the_medians_and_one_check():
    _, figures, _ = run(never, steps=0)
    assert figures.full == pytest.approx(6 * 4 + 3)
    assert figures.net == 0
    assert figures.net_if_next == pytest.approx(5 * 4)
    assert figures.net_if_none == pytest.approx(-5 * 3)


def test_an_exit_saves_the_skipped_levels_less_the_checks_a_full_run_had_not_made():
    _, figures, _ = run(solved_at(2))
    assert figures.net == pytest.approx(3 * 4 - 2 * 3)
    assert figures.skipped_levels == 3


def test_nothing_is_saved_while_the_run_goes_on():
    _, figures, _ = run(never, steps=3)
    assert figures.net == pytest.approx(-3 * 3)


def test_a_run_that_never_passes_has_paid_its_checks():
    _, figures, _ = run(never)
    assert figures.net == pytest.approx(-5 * 3)


def test_a_later_attempt_counts_the_one_before_in_full():
    trace, figures, _ = run(solved_at(0, attempt=1), attempts=2)
    assert trace.solved
    assert figures.levels == 7
    assert figures.net == pytest.approx(5 * 4 - 5 * 3)


def test_shorter_later_attempts_are_planned_and_paid_as_what_they_are():
    trace, figures, _ = run(solved_at(1, attempt=2), attempts=3, retry=4)
    assert [(seen.attempt, seen.level) for seen in trace.seens][-3:] == [(1, 3), (2, 0), (2, 1)]
    assert (figures.levels, figures.levels_full, figures.skipped_levels) == (6 + 4 + 2, 6 + 4 + 4, 2)
    assert figures.net == pytest.approx(2 * 4 - (6 + 4 + 2 - 3) * 3)
    assert run(never, attempts=2, retry=4)[0].attempt_over


@given(st.integers(0, 5), st.booleans())
def test_positions_and_pairs_are_those_of_the_plan(level, cached):
    trace, figures, _ = run(solved_at(level), cached=cached)
    kinds = trace.kinds[: level + 1]
    assert figures.work == run_work(kinds, cached)
    assert figures.work_uncached == run_work(kinds, cached=False)
    assert figures.work_full == run_work(trace.kinds, cached)


def test_sums_stay_exact_and_memory_bounded_over_many_levels():
    levels = 3 * KEPT
    trace, figures, _ = run(never, levels=levels)
    assert len(trace.seens) == KEPT
    assert figures.levels == levels
    assert figures.work == run_work(trace.kinds, cached=True)


def test_the_next_check_follows_the_policy():
    assert run(never, policy=ExitPolicy.parse("at:3"), steps=1)[1].next_check == 3
    assert run(never, policy=NEVER, steps=1)[1].next_check == 5
    assert run(never)[1].next_check is None


@pytest.mark.parametrize("width", [42, 65])
def test_every_row_fits_its_pane(width):
    for script, steps in ((never, 0), (never, 2), (never, None), (solved_at(2), None)):
        trace, figures, calibration = run(script, levels=32, steps=steps)
        rows = tables.levels(trace, calibration, None, 7, width >= len(tables.WIDE))
        rows += tables.work(figures, True, width, width >= 65) + words.decision(trace, figures, again=True)
        assert max(len(text(row)) for row in rows) <= width


def test_losses_carry_a_true_minus_and_gains_a_plus():
    assert words.signed(-1.25) == "−1.2 ms"
    assert words.signed(22.4) == "+22.4 ms"


def test_a_sparkline_shows_a_loss_as_a_dash():
    assert text(tables.sparkline((10.0, -1.0, 5.0), 40)).startswith("█-▅")


def test_lines_are_cut_with_an_ellipsis_and_wrapped_at_words():
    assert text(fit(line("abcdef"), 4)) == "abc…"
    assert [text(row) for row in wrap("one two three", 7)] == ["one two", "three"]


def test_an_unchecked_level_decides_nothing_even_if_it_is_right():
    trace, _, _ = run(solved_at(0), policy=ExitPolicy.parse("at:2"))
    assert [seen.exited for seen in trace.seens] == [False, False, True]
    assert trace.seens[0].verdict.solved
    assert np.array_equal(trace.seens[0].board, trace.seens[2].board)
