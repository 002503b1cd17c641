"""The batch on the screen: start, pause, pick a puzzle, open it.

Knows Textual, the driver and `batch`. Invariants: one chunk runs at a time, so a pause takes effect within a chunk; a
chunk that was under way when a puzzle was opened is dropped and runs again.
"""

from dataclasses import replace
from typing import ClassVar

import numpy as np
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen

from sudoku_ncm.policy import Options
from tui import batch as panes
from tui import events
from tui.batch import CHUNK, Batch
from tui.driver import Driver
from tui.pane import Pane
from tui.spans import Line, Role, Span

PAGE = 10
KEYS = (
    ("space", "space", "Run/Pause", "pause"),
    ("enter", "enter", "Open", "open"),
    ("↑↓", "up,k", "Pick", "move(-1)"),
    ("", "down,j", "", "move(1)"),
    ("", "pageup", "", f"move({-PAGE})"),
    ("", "pagedown", "", f"move({PAGE})"),
    ("home", "home", "First", "pick(0)"),
    ("end", "end", "Last", "last"),
    ("", "r", "", "pause"),
    ("esc", "escape", "Board", "close"),
    ("q", "q", "Quit", "app.leave(0)"),
)


class BatchScreen(ModalScreen[int | None]):
    """See the module; dismissed with the number of the puzzle to open, or None."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding(keys, action, show=False) for _, keys, _, action in KEYS]

    def __init__(self, batch: Batch, driver: Driver, options: Options) -> None:
        super().__init__()
        self.progress, self._driver, self._options = batch, driver, options
        self._waiting = False

    def compose(self) -> ComposeResult:
        """The list of puzzles beside the figures."""
        yield Pane(panes.summary, "summary")
        with Horizontal(id="results"):
            yield Pane(panes.puzzles, "puzzles", "Puzzles (click one to pick it)")
            with Vertical(id="figures"):
                yield Pane(panes.exits, "exits", "Level of verified exit")
                yield Pane(panes.strata, "strata", "Solved per stratum (95 % interval)")
                yield Pane(panes.latency, "latency", "Latency")
        yield Pane(_keys, "batchkeys")

    def on_mount(self) -> None:
        """Start at once, unless it was shown before."""
        self.show(self.progress)
        if not self.progress.outcomes:
            self.action_pause()

    def on_screen_resume(self) -> None:
        """Shown again."""
        self.show(self.progress)

    def show(self, batch: Batch) -> None:
        """Replace the batch and draw it."""
        self.progress = batch
        for pane in self.query(Pane):
            pane.show(batch)

    def hear(self, event: events.Event) -> None:
        """Take a chunk, or the news that there will be none."""
        match event:
            case events.Ready() if self._waiting:
                self._ask()
            case events.Batched() if event.run == self._driver.run and self.progress.running:
                self.show(self.progress.add(event.outcomes))
                self.call_after_refresh(self._ask)
            case events.Missing():
                self.show(replace(self.progress, running=False, problem=f"no model: {event.reason}"))
            case events.Failed() if event.run == self._driver.run and self.progress.running:
                self.show(replace(self.progress, running=False, problem=f"{event.reason} (traceback in {event.file})"))

    def _ask(self) -> None:
        """Ask for the next chunk, if one is wanted and the model is there."""
        self._waiting = self.progress.running and not self._driver.loaded
        if self._waiting or not self.progress.running:
            return
        start = len(self.progress.outcomes)
        chunk = self.progress.samples[start : start + CHUNK]
        if chunk:
            self._driver.batch(np.stack([sample.clues for sample in chunk]), self._options)
        else:
            self.show(replace(self.progress, running=False))

    def _pause(self) -> None:
        """Drop the chunk under way."""
        if self.progress.running:
            self._driver.run += 1
        self.show(replace(self.progress, running=False))

    def action_pause(self) -> None:
        """Run or pause."""
        if self.progress.running:
            self._pause()
        elif not self.progress.done:
            self.show(replace(self.progress, running=True, problem=""))
            self._ask()

    def action_move(self, by: int) -> None:
        """Pick another puzzle."""
        self.show(self.progress.pick(self.progress.picked + by))

    def action_pick(self, index: int) -> None:
        """Pick that puzzle."""
        self.show(self.progress.pick(index))

    def action_last(self) -> None:
        """Pick the last one."""
        self.show(self.progress.pick(len(self.progress.samples) - 1))

    def action_open(self) -> None:
        """Step through the puzzle that is picked."""
        self._pause()
        self.dismiss(self.progress.picked)

    def action_close(self) -> None:
        """Back to the board."""
        self._pause()
        self.dismiss(None)


def _keys(batch: Batch, width: int, height: int) -> list[Line]:
    spans: list[Span] = []
    for shown, _, label, action in KEYS:
        if shown:
            click = action if "." in action else f"screen.{action}"
            spans += [Span(f" {shown}", Role.STRONG, click=click), Span(f" {label}", Role.DIM, click=click)]
    return [tuple(spans)]
