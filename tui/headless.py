"""The window without a terminal: press keys, wait until all is quiet, take a picture.

Knows the window and Textual's pilot. Invariant: a picture is taken only when nothing runs any more.
"""

import asyncio
from pathlib import Path

from sudoku_ncm.errors import NcmError
from tui.app import Window
from tui.state import Model

PATIENCE_S = 300.0


async def settled(window: Window) -> None:
    """Wait until model, exact search and solver have nothing left to do; raises NcmError after some minutes."""
    try:
        async with asyncio.timeout(PATIENCE_S):
            while not quiet(window):
                await asyncio.sleep(0.01)
    except TimeoutError:
        raise NcmError(f"the window was still at work after {PATIENCE_S:.0f} s") from None


def quiet(window: Window) -> bool:
    """Whether nothing runs: the model is there or missing, the puzzle judged, no level under way."""
    state = window.desk.state
    judged = state.judgement is not None or bool(state.refusal) or state.edit is not None
    batch = window.batch_screen is not None and window.batch_screen.progress.running
    return state.model is not Model.LOADING and judged and not batch and (state.idle or state.problem is not None)


async def picture(window: Window, keys: list[str], size: tuple[int, int]) -> str:
    """The screen as SVG after these keys, each pressed when the one before has had its effect."""
    async with window.run_test(size=size) as pilot:
        await settled(window)
        for key in keys:
            await pilot.press(key)
            await settled(window)
        await pilot.pause()
        return window.export_screenshot(title="sudoku-ncm")


def save(window: Window, keys: list[str], size: tuple[int, int], target: Path) -> None:
    """Write that picture to a file."""
    target.write_text(asyncio.run(picture(window, keys, size)), encoding="utf-8")
