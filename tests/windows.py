"""The window under test: opened on a scripted solver, driven by keys, read as text. No MLX unless a test brings it."""

import asyncio
from contextlib import asynccontextmanager
from dataclasses import replace

from scripted import ScriptedSolver, never, solved_at

from sudoku_ncm.policy import Options
from tui.app import Window
from tui.driver import Loaded
from tui.headless import settled
from tui.library import from_text
from tui.pane import Pane

EASY = "..3..51...92.........9.82..1..4.3.7..5978.34173.51.689..6..7.1.8..169..392183...5"
HARD = "6...5..1....87...4.3......8.9....7..3.......5....248......9..2.15...6...7....24.."
CLASHING = "55" + EASY[2:]
TWO_SOLUTIONS = "." * 81
SMALL, LARGE, TINY = (80, 24), (120, 40), (60, 20)
OPTIONS = Options(levels=6)


def loading(solver):
    return lambda: Loaded(solver, "scripted")


@asynccontextmanager
async def opened(solver=None, text=EASY, size=SMALL, options=OPTIONS, load=None, **more):
    solver = solver or ScriptedSolver(solved_at(2))
    window = Window(load or loading(solver), from_text(text, "test"), replace(options, **more))
    async with window.run_test(size=size) as pilot:
        await settled(window)
        await pilot.pause()
        yield window, pilot


async def press(window, pilot, *keys):
    for key in keys:
        await pilot.press(key)
        await settled(window)
    await pilot.pause()


def shown(window, pane):
    return window.screen_stack[0].query_one(f"#{pane}", Pane).plain


def drive(test):
    """Run an async test to its end."""

    def run(*arguments, **named):
        asyncio.run(test(*arguments, **named))

    run.__name__, run.__doc__ = test.__name__, test.__doc__
    if hasattr(test, "pytestmark"):
        run.pytestmark = test.pytestmark
    run.__signature__ = __import__("inspect").signature(test)
    return run


__all__ = ["ScriptedSolver", "never", "solved_at"]
