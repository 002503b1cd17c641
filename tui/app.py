"""The window: panes over one state, keys from one table, threads behind a driver.

Knows Textual and the controller; receives the function that loads a solver and never sees MLX. Invariants: a state is
shown by `show` alone; whatever ends the window (quit, SIGTERM, an exception) restores the terminal first.
"""

import asyncio
import os
import signal
from collections.abc import Callable
from dataclasses import replace
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.events import Paste, Resize
from textual.message import Message
from textual.widgets import Static

from sudoku_ncm.policy import ExitPolicy, Options
from tui import keys, panes
from tui.batch import Batch
from tui.batchscreen import BatchScreen
from tui.commands import Commands
from tui.controller import Controller
from tui.driver import Driver, Loaded
from tui.events import Event
from tui.library import Library
from tui.palette import NAMES, THEMES
from tui.pane import Pane
from tui.places import record, short
from tui.saved import PolicyParser, Saved
from tui.state import State

SMALLEST, LARGE = (80, 24), (120, 40)
TERMINATED = 128 + signal.SIGTERM
INTERRUPTED = 130


class Report(Message):
    """An event of one of the threads."""

    def __init__(self, event: Event) -> None:
        super().__init__()
        self.event = event


class Crash(Exception):
    """An exception in the window itself, told in one line after the terminal is restored."""

    def __rich__(self) -> str:
        return f"sudoku-ncm: the window failed; the traceback is in {self.args[0]}"


class Window(Commands):
    """`sudoku-ncm tui`."""

    CSS_PATH = "app.tcss"
    TITLE = "sudoku-ncm"
    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(key.keys, key.action, key.label, show=False) for key in keys.KEYS),
        Binding("ctrl+c", f"leave({INTERRUPTED})", show=False, priority=True),
        Binding("ctrl+q", "leave(0)", show=False, priority=True),
    ]

    def __init__(
        self,
        load: Callable[[], Loaded],
        library: Library,
        options: Options,
        number: int = 0,
        saved: Saved | None = None,
        greeting: str = "",
        parse: PolicyParser = lambda text, levels: ExitPolicy.parse(text),
        batch: Batch | None = None,
    ) -> None:
        super().__init__(ansi_color=True if os.environ.get("NO_COLOR") else None)
        self.animation_level = "none"
        for theme in THEMES:
            self.register_theme(theme)
        self.theme = "ansi-dark" if self.no_color else THEMES[0].name
        driver = Driver(load, self.report)
        self.batch_screen = BatchScreen(batch, driver, options) if batch else None
        self.desk = Controller(driver, library, options, self.show, self.call_after_refresh)
        self._number, self._saved, self._greeting, self.parse = number, saved, greeting, parse

    def compose(self) -> ComposeResult:
        """Header, board and notes on the left, panes on the right, key bar."""
        yield Pane(panes.head, "head")
        with Horizontal(id="body"):
            with Vertical(id="left"):
                yield Pane(panes.strip, "strip")
                yield Pane(panes.board, "board")
                yield Pane(panes.notes, "notes")
            with Vertical(id="right"):
                yield Pane(panes.levels, "levels", "Levels (click a row to view it)", panes.plan)
                yield Pane(panes.work, "work", "Work: saved against overhead")
                yield Pane(panes.net, "net", "Net saved per puzzle")
                yield Pane(panes.log, "log", "Log")
                yield Pane(panes.decision, "decision", "Exit decision", panes.exit_policy)
        yield Pane(lambda state, width, height: [keys.bar(state, width)], "keys")
        yield Static(id="small")

    def on_mount(self) -> None:
        """Show the first puzzle, then load the model behind it."""
        if not self.is_headless:
            loop = asyncio.get_running_loop()
            for number in (signal.SIGTERM, signal.SIGHUP):
                loop.add_signal_handler(number, self.action_leave, TERMINATED)
            if self.console.color_system == "standard" and self.theme == THEMES[0].name:
                self.theme = "ansi-dark"  # 16 colours: the terminal's own are the readable ones
        self._begin()
        self.call_after_refresh(self.desk.driver.start, self.desk.state.options)

    def _begin(self) -> None:
        if self._saved is None:
            self.desk.take(self._number)
        else:
            state = replace(self._saved.state(self.parse), title=self.desk.library.title(self._saved.number))
            self.theme = self._saved.theme if self._saved.theme in NAMES else self.theme
            self.desk.begin(state, state.given, state.clues, self._saved.ran)
        if self.batch_screen is not None:
            self.desk.set(replace(self.desk.state, batch=True))
            self.command_batch()
        if self._greeting:
            self.tell(self._greeting)

    def show(self, state: State) -> None:
        """Give the state to every pane; each repaints what differs."""
        for pane in self.screen_stack[0].query(Pane) if self.screen_stack else ():
            pane.show(state)

    def on_resize(self, event: Resize) -> None:
        """Choose the layout for the size, or say that it is too small."""
        width, height = event.size
        base = self.screen_stack[0]
        base.set_class(width < SMALLEST[0] or height < SMALLEST[1], "-tiny")
        base.set_class(width >= LARGE[0] and height >= LARGE[1], "-large")
        says = f"The window needs {SMALLEST[0]}×{SMALLEST[1]} characters;\nthis terminal has {width}×{height}."
        base.query_one("#small", Static).update(says)

    def report(self, event: Event) -> None:
        """Take an event from any thread."""
        self.post_message(Report(event))

    def on_report(self, message: Report) -> None:
        """Hand an event to the controller, and to the batch if there is one."""
        self.desk.hear(message.event)
        if self.batch_screen is not None:
            self.batch_screen.hear(message.event)

    def on_paste(self, event: Paste) -> None:
        """A paste of the terminal: one event, never keystrokes."""
        self.desk.pasted(event.text)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """A key does something only where the table says so."""
        if action != "do":
            return True
        return keys.available(str(parameters[0]), parameters[1], self.desk.state)

    def action_view(self, index: int) -> None:
        """A click on a row of the levels."""
        self.desk.view(index)

    def action_move_to(self, cell: int) -> None:
        """A click on a cell."""
        self.desk.move_to(cell)

    def on_unmount(self) -> None:
        """Nothing more is asked of the threads."""
        self.desk.driver.close()

    def _handle_exception(self, error: Exception) -> None:
        """End the window; in a terminal with one line that says where the traceback is."""
        super()._handle_exception(error if self.is_headless else Crash(short(record(error))))
