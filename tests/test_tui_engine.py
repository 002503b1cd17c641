"""The window on the real engine: the same levels as without it, from a thread that owns MLX."""

import threading
import time
from dataclasses import replace

import pytest
from windows import EASY, HARD, LARGE, drive, opened, press, shown

from checker.board import parse_line
from sudoku_ncm.policy import ExitPolicy, Options
from sudoku_ncm.session import drain
from tui.driver import Loaded

OPTIONS = Options(levels=8)


@drive
async def _levels_match(engine, keys, options):
    async with opened(engine, HARD, options=options) as (window, pilot):
        await press(window, pilot, *keys)
        trace = window.desk.state.trace
        session = engine.open(parse_line(HARD)[None], replace(options, attempts=2))
        for seen, step in zip(trace.seens, session, strict=False):
            assert (seen.attempt, seen.level, seen.work) == (step.attempt, step.level, step.work)
            if step.decoded is not None:
                assert (seen.field == step.decoded.fields[0]).all()
                assert (seen.board == step.decoded.boards[0]).all()


@pytest.mark.parametrize("keys", [["space"] * 3, ["r"], ["space", "space", "b", "b", "r"], ["r", "a"], ["x", "r", "x"]])
def test_the_window_shows_the_levels_of_the_engine(bundled, keys):
    _levels_match(bundled, keys, OPTIONS)


@drive
async def _exit_is_verified(engine):
    async with opened(engine, EASY, size=LARGE, options=OPTIONS) as (window, pilot):
        await press(window, pilot, "r")
        outcome = drain(engine.open(parse_line(EASY)[None], OPTIONS))[0]
        last, figures = window.desk.state.trace.last, window.desk.state.account
        assert outcome.solved
        assert (last.level, last.attempt) == (outcome.level, outcome.attempt)
        assert figures.work.positions == outcome.cost.positions
        assert figures.work_full.positions == outcome.cost.positions_full
        assert figures.work_uncached.positions == outcome.cost.positions_uncached
        assert "PASS ✓" in shown(window, "decision")
        await press(window, pilot, "V")
        assert window.desk.state.shadow.levels == OPTIONS.levels - outcome.levels_executed


def test_an_exit_has_the_account_of_the_outcome(bundled):
    _exit_is_verified(bundled)


@drive
async def _one_thread(engine):
    threads = set()

    class Watched:
        def open(self, puzzles, options):
            threads.add(threading.current_thread().name)
            return engine.open(puzzles, options)

    def load():
        threads.add(threading.current_thread().name)
        return Loaded(Watched(), "watched")

    async with opened(load=load, text=EASY, options=OPTIONS) as (window, pilot):
        await press(window, pilot, "space", "x", "r", "b")
    assert len(threads) == 1
    assert threads != {threading.main_thread().name}


def test_load_and_every_session_belong_to_one_thread_that_is_not_the_window(bundled):
    _one_thread(bundled)


@drive
async def _never_is_free(engine):
    async with opened(engine, HARD, options=replace(OPTIONS, policy=ExitPolicy.parse("never"))) as (window, pilot):
        await press(window, pilot, "r")
        figures = window.desk.state.account
        assert abs(figures.net) < 0.5 * figures.full
        assert window.desk.state.trace.sums.checks == 1


def test_a_full_run_checks_once_and_saves_nothing(bundled):
    _never_is_free(bundled)


@drive
async def _repaints(engine):
    async with opened(engine, HARD, size=LARGE, options=Options(levels=32)) as (window, pilot):
        await press(window, pilot, "space")
        state, spent = window.desk.state, []
        for view in (0, None) * 5:
            started = time.perf_counter()
            window.desk.set(replace(state, view=-1 if view is None else view))
            spent.append(time.perf_counter() - started)
        assert sorted(spent)[5] < 0.05


def test_a_new_state_is_drawn_within_50_ms(bundled):
    _repaints(bundled)
