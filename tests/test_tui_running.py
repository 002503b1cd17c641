"""The keys of the window that run levels, on a scripted solver."""

import pytest
from scripted import ScriptedSolver, never, solved_at
from windows import EASY, LARGE, SMALL, drive, opened, press, shown

from checker.search import solve
from tui.headless import settled


@pytest.mark.parametrize("size", [SMALL, LARGE])
@drive
async def test_stepping_to_the_exit_says_what_was_saved(size):
    async with opened(size=size) as (window, pilot):
        assert "nothing has run yet" in shown(window, "decision")
        await press(window, pilot, "space")
        assert "L0 FAIL ✗" in shown(window, "decision")
        assert "if L1 passes: net about +" in shown(window, "decision")
        await press(window, pilot, "space", "space")
        assert "L2 PASS ✓" in shown(window, "decision")
        assert "3 of 6 levels not run (243 positions)" in shown(window, "decision")
        assert "✗✗✓···" in shown(window, "strip")
        assert "cache saved   162 of 378 positions" in shown(window, "work")
        assert "✓out" in shown(window, "levels")
        assert not any(row.startswith("space Step") for row in shown(window, "keys"))


@drive
async def test_running_ends_at_the_exit_or_with_an_offer():
    async with opened() as (window, pilot):
        await press(window, pilot, "r")
        assert window.desk.state.trace.solved
    async with opened(ScriptedSolver(never)) as (window, pilot):
        await press(window, pilot, "r")
        assert "UNSOLVED" in shown(window, "decision")
        assert "a another attempt   v exact solution" in shown(window, "decision")


@drive
async def test_without_noise_there_is_one_attempt_and_no_offer_of_another():
    async with opened(ScriptedSolver(never), temperature=0) as (window, pilot):
        await press(window, pilot, "r", "a")
        assert "UNSOLVED" in shown(window, "decision")
        assert "another attempt" not in shown(window, "decision")
        assert [seen.attempt for seen in window.desk.state.trace.seens] == [0] * 6


@drive
async def test_the_log_and_the_levels_say_which_level_had_noise():
    async with opened(ScriptedSolver(never), size=LARGE, levels=10) as (window, pilot):
        await press(window, pilot, "r")
        assert "L8*  81" in shown(window, "levels")
        assert "L7   81" in shown(window, "levels")
        assert "L9 cell, with noise: 81 positions" in shown(window, "log")


@drive
async def test_a_board_without_clash_that_lost_clues_says_so():
    def relabelled(clues, attempt):
        return [solve(clues) % 9 + 1]

    async with opened(ScriptedSolver(relabelled)) as (window, pilot):
        await press(window, pilot, "space")
        assert f"no clash, 0 open, {sum(cell != '.' for cell in EASY)} clues lost" in shown(window, "notes")


@drive
async def test_another_attempt_is_shown_as_a_group_and_may_solve():
    async with opened(ScriptedSolver(solved_at(1, attempt=1)), size=LARGE) as (window, pilot):
        await press(window, pilot, "r", "a")
        assert "attempt 2" in shown(window, "levels")
        assert "L0*  27" in shown(window, "levels")
        assert "attempt 2 L1 PASS ✓" in shown(window, "decision")


@drive
async def test_attempts_asked_for_run_without_asking_again():
    async with opened(ScriptedSolver(solved_at(1, attempt=2)), attempts=3) as (window, pilot):
        await press(window, pilot, "r")
        assert window.desk.state.trace.solved
        assert window.desk.state.trace.last.attempt == 2


@drive
async def test_a_shorter_later_attempt_ends_where_it_is_planned_to():
    async with opened(ScriptedSolver(never), attempts=2, retry_levels=3) as (window, pilot):
        await press(window, pilot, "r")
        seens = window.desk.state.trace.seens
        first = window.desk.state.options.levels
        assert [seen.level for seen in seens] == [*range(first), *range(3)]
        assert "UNSOLVED" in shown(window, "decision")


@drive
async def test_keys_pressed_while_a_level_runs_are_not_lost():
    async with opened(ScriptedSolver(never)) as (window, pilot):
        await pilot.press("space", "space", "space")
        await settled(window)
        assert len(window.desk.state.trace.seens) == 3
        await pilot.press("space", "r")
        await settled(window)
        assert len(window.desk.state.trace.seens) == 6


@drive
async def test_back_rewinds_and_the_next_step_computes_again():
    async with opened() as (window, pilot):
        await press(window, pilot, "space", "space", "b")
        assert [seen.level for seen in window.desk.state.trace.seens] == [0]
        await press(window, pilot, "space", "space")
        assert [seen.level for seen in window.desk.state.trace.seens] == [0, 1, 2]
        assert window.desk.state.trace.solved
        await press(window, pilot, "b", "b", "b", "b")
        assert window.desk.state.trace.seens == ()


@drive
async def test_viewing_an_earlier_level_computes_nothing():
    async with opened() as (window, pilot):
        await press(window, pilot, "r", "left_square_bracket", "left_square_bracket")
        assert "view L0 box-row" in shown(window, "strip")
        await press(window, pilot, "left_square_bracket")
        assert "the puzzle: 40 clues" in shown(window, "strip")
        await press(window, pilot, "right_square_bracket", "right_square_bracket", "right_square_bracket")
        assert shown(window, "strip").endswith(" L2 cell")
        assert len(window.desk.state.trace.seens) == 3


@drive
async def test_without_early_exit_all_levels_run_and_unchecked_ones_are_only_peeked_at():
    async with opened() as (window, pilot):
        await press(window, pilot, "x", "r")
        assert len(window.desk.state.trace.seens) == 6
        assert [seen.checked for seen in window.desk.state.trace.seens] == [False] * 5 + [True]
        await press(window, pilot, "left_square_bracket")
        assert "peeked at" in shown(window, "strip")
        assert "early exit OFF" in str(window.query_one("#decision").border_subtitle)


@drive
async def test_switching_early_exit_runs_the_levels_seen_again_under_the_new_policy():
    async with opened() as (window, pilot):
        await press(window, pilot, "x", "space", "space", "space", "space", "x")
        assert [seen.level for seen in window.desk.state.trace.seens] == [0, 1, 2]
        assert window.desk.state.trace.solved


@drive
async def test_the_shadow_run_measures_the_skipped_levels():
    async with opened() as (window, pilot):
        await press(window, pilot, "r", "V")
        assert window.desk.state.shadow.levels == 3
        assert "shadow: 12.0 ms measured, ~12.0 estimated" in shown(window, "work")
        assert "full depth ends right" in window.desk.state.log[-1]
