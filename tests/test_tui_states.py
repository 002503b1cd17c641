"""The states of the window on a scripted solver: loading, refused, without a model, broken, cancelled, too small."""

import threading

from scripted import ScriptedSolver, never, solved_at
from windows import CLASHING, EASY, HARD, LARGE, SMALL, TINY, TWO_SOLUTIONS, drive, loading, opened, press, shown

from sudoku_ncm.errors import ModelError
from tui.headless import settled
from tui.state import Activity, Model


@drive
async def test_clashing_clues_do_not_run_and_are_named():
    async with opened(text=CLASHING) as (window, pilot):
        await press(window, pilot, "space", "r")
        assert window.desk.state.trace.seens == ()
        assert "no run: the clues clash: row 1: three 5s at r1c1, r1c2, r1c6" in shown(window, "decision").replace(
            "\n", " "
        )
        assert "!5 !5" in shown(window, "board")
        assert "Step" not in shown(window, "keys")


@drive
async def test_a_puzzle_with_many_solutions_warns_and_runs():
    async with opened(text=TWO_SOLUTIONS) as (window, pilot):
        assert "more than one solution" in shown(window, "notes").replace("\n", " ")
        await press(window, pilot, "r")
        assert window.desk.state.trace.solved


@drive
async def test_without_a_model_board_checker_and_search_still_work():
    def load():
        raise ModelError("nowhere: no model directory here")

    async with opened(load=load) as (window, pilot):
        assert "NO MODEL: nowhere" in shown(window, "decision")
        await press(window, pilot, "space", "r", "n")
        assert window.desk.state.trace.seens == ()
        await press(window, pilot, "v")
        assert "NOT by the network" in window.screen.body


@drive
async def test_while_the_model_loads_the_board_is_there_and_steps_are_not():
    gate = threading.Event()

    def load():
        gate.wait(10)
        return loading(ScriptedSolver(solved_at(2)))()

    from windows import OPTIONS

    from tui.app import Window
    from tui.library import from_text

    window = Window(load, from_text(EASY, "test"), OPTIONS)
    async with window.run_test(size=SMALL) as pilot:
        await pilot.press("space", "l")
        await pilot.pause()
        assert "loading the model" in shown(window, "decision")
        assert window.desk.state.cursor == 41
        assert "Step" not in shown(window, "keys")
        gate.set()
        await settled(window)
        await press(window, pilot, "space")
        assert len(window.desk.state.trace.seens) == 1


class Broken(ScriptedSolver):
    def open(self, puzzles, options):
        if options.policy.text != "never":
            raise RuntimeError("the engine\nfell over")
        return super().open(puzzles, options)


@drive
async def test_an_engine_error_names_its_traceback_and_the_window_lives(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    async with opened(Broken(never), size=LARGE) as (window, pilot):
        text = shown(window, "decision").replace("\n", " ")
        assert "ENGINE ERROR RuntimeError: the engine" in text
        assert "Traceback in" in text
        assert "fell over" in next((tmp_path / "sudoku-ncm").glob("traceback-*")).read_text()
        await press(window, pilot, "space", "o", "escape", "x", "space")
        assert len(window.desk.state.trace.seens) == 1


@drive
async def test_a_run_is_cancelled_within_one_level():
    gate = threading.Semaphore(0)

    class Slow(ScriptedSolver):
        def open(self, puzzles, options):
            session = super().open(puzzles, options)
            if options.policy.text != "never":
                decode = session._decode
                session._decode = lambda *a: (gate.acquire(timeout=10), decode(*a))[1]
            return session

    async with opened(Slow(never)) as (window, pilot):
        await pilot.press("r")
        gate.release()
        while len(window.desk.state.trace.seens) < 1:
            await pilot.pause(0.01)
        await pilot.press("escape")
        assert window.desk.state.activity is Activity.PAUSING
        gate.release()
        await settled(window)
        assert len(window.desk.state.trace.seens) == 2
        assert "cancelled" in window.desk.state.notice


@drive
async def test_a_reply_of_an_earlier_run_is_dropped():
    async with opened(text=f"{EASY}\n{HARD}") as (window, pilot):
        await press(window, pilot, "space")
        from tui.events import Rewound, Stepped

        before = window.desk.state
        window.desk.hear(Stepped(window.desk.driver.run - 1, None))
        window.desk.hear(Rewound(window.desk.driver.run - 1))
        assert window.desk.state is before


@drive
async def test_too_small_says_what_it_needs_and_growing_brings_everything_back():
    async with opened(size=TINY) as (window, pilot):
        assert "needs 80×24" in str(window.query_one("#small").render())
        assert not window.query_one("#board").display or window.query_one("#body").display is False
        await pilot.resize_terminal(*SMALL)
        await press(window, pilot, "space")
        assert "L0 FAIL" in shown(window, "decision")


@drive
async def test_resizing_while_running_keeps_the_run_and_changes_the_layout():
    async with opened(ScriptedSolver(never), levels=12) as (window, pilot):
        await pilot.press("r")
        await pilot.resize_terminal(*LARGE)
        await settled(window)
        await pilot.pause()
        assert len(window.desk.state.trace.seens) == 12
        assert len(shown(window, "board").splitlines()) == 31
        assert "uncached" in shown(window, "levels")
        await pilot.resize_terminal(*SMALL)
        await pilot.pause()
        assert len(shown(window, "board").splitlines()) == 13


@drive
async def test_no_colour_loses_no_meaning(monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    async with opened(text=CLASHING) as (window, _):
        assert window.no_color
        assert window.theme == "ansi-dark"
        assert "!5 !5" in shown(window, "board")
        window.export_screenshot()


def test_the_model_states_are_words():
    assert {model.value for model in Model} == {"loading the model", "ready", "no model"}
