"""The batch view: live figures, a pause within a chunk, and any puzzle one key away."""

import numpy as np
import pytest
from scripted import ScriptedSolver, never, solved_at
from windows import EASY, HARD, LARGE, OPTIONS, SMALL, drive, loading

from checker.board import parse_line
from checker.formats import Refusal
from sudoku_ncm.errors import ModelError
from sudoku_ncm.evaluation.dataset import Sample
from sudoku_ncm.policy import Options
from sudoku_ncm.session import drain
from tui import batch as panes
from tui.app import Window
from tui.batch import Batch
from tui.batchscreen import BatchScreen
from tui.headless import settled
from tui.library import own
from tui.pane import Pane
from tui.spans import text


def samples(count):
    return [
        Sample("even" if n % 2 else "odd", parse_line(HARD if n % 2 else EASY), "set.csv", n + 1) for n in range(count)
    ]


def script(clues, attempt):
    return (solved_at(1) if clues[0] == 0 else never)(clues, attempt)


def outcomes(count):
    clues = np.stack([sample.clues for sample in samples(count)])
    return tuple(drain(ScriptedSolver(script).open(clues, Options(levels=4))))


def shown(window, pane):
    return window.screen.query_one(f"#{pane}", Pane).plain


def test_figures_follow_from_the_outcomes():
    batch = Batch.of("set", [*samples(10), Refusal("set", 11, "x", "y")]).add(outcomes(6))
    assert (len(batch.solved), batch.false_exits, batch.done, batch.refusals) == (3, 0, False, 1)
    rates = "\n".join(text(row) for row in panes.strata(batch, 40, 6))
    assert "3/3" in rates
    assert "0/3" in rates
    exits = [text(row).split() for row in panes.exits(batch, 40, 6)]
    assert [row[0] for row in exits] == ["L1", "none"]
    assert "1 not read" in text(panes.summary(batch, 80, 1)[0])


@pytest.mark.parametrize("width", [34, 60])
def test_every_row_of_a_batch_fits(width):
    batch = Batch.of("set", samples(40)).add(outcomes(30))
    for draw in (panes.puzzles, panes.exits, panes.strata, panes.latency, panes.summary):
        rows = draw(batch, width, 8)
        assert len(rows) <= 8
        assert max(len(text(row)) for row in rows) <= width


def opened(count=20, load=None):
    batch = Batch.of("set.csv", samples(count))
    return Window(load or loading(ScriptedSolver(script)), own(), OPTIONS, batch=batch)


@pytest.mark.parametrize("size", [SMALL, LARGE])
@drive
async def test_a_batch_runs_to_its_end_and_opens_what_is_picked(size):
    window = opened()
    async with window.run_test(size=size) as pilot:
        await settled(window)
        await pilot.pause()
        assert "20 of 20 run, 10 solved  done" in shown(window, "summary")
        await pilot.press("home", "down", "enter")
        await settled(window)
        assert not isinstance(window.screen, BatchScreen)
        assert window.desk.state.title == "set.csv #2/20"
        await pilot.press("r")
        await settled(window)
        assert window.desk.state.trace.attempt_over
        await pilot.press("B")
        await pilot.pause()
        assert "done" in shown(window, "summary")
        await pilot.press("q")
    assert window.return_code == 0


@drive
async def test_a_paused_batch_goes_on_where_it_stood():
    window = opened(200)
    async with window.run_test(size=SMALL) as pilot:
        while not window.batch_screen.progress.outcomes:
            await pilot.pause(0.01)
        await pilot.press("space")
        await pilot.pause()
        stood = len(window.batch_screen.progress.outcomes)
        assert not window.batch_screen.progress.running
        assert stood < 200
        await pilot.press("space")
        await settled(window)
        assert len(window.batch_screen.progress.outcomes) == 200


@drive
async def test_a_batch_without_a_model_says_so():
    def load():
        raise ModelError("nowhere")

    window = opened(load=load)
    async with window.run_test(size=SMALL) as pilot:
        await settled(window)
        await pilot.pause()
        assert "no model: nowhere" in shown(window, "summary")
