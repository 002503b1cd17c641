"""Commands that need the screen: panels, questions, clipboard, pictures, themes, the command palette.

Knows Textual and the desk; `app.Window` adds the panes and the life of the window. Invariant: every command of the key
table is either here (`command_NAME`) or at the desk (`NAME`).
"""

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path

from textual.app import App, SystemCommand
from textual.screen import Screen

from checker.board import to_line
from sudoku_ncm.errors import NcmError
from sudoku_ncm.policy import Options
from tui import keys, outside, screens
from tui.batchscreen import BatchScreen
from tui.controller import Controller
from tui.library import empty, from_argument
from tui.palette import NAMES
from tui.saved import PolicyParser, Saved, save
from tui.settings import Settings

POLICIES = ("every", "never", "from:2", "from:4", "scheduled")
"""Exit policies of the command palette; the settings take any."""


class Commands(App[None]):
    """See the module."""

    desk: Controller
    parse: PolicyParser
    batch_screen: BatchScreen | None

    def action_leave(self, code: int) -> None:
        """Save what is to be kept and go."""
        self.exit(return_code=code, message=None if self.is_headless else self._keep())

    def _keep(self) -> str | None:
        """Save the session; what to say when that fails."""
        try:
            save(Saved.of(self.desk.state, self.desk.library, self.theme))
        except OSError as error:
            return f"sudoku-ncm: the session was not saved: {error}"
        return None

    def action_do(self, command: str, argument: int | str) -> None:
        """Run a command of the key table, here or at the desk."""
        own = getattr(self, f"command_{command}", None)
        method = own or getattr(self.desk, command)
        method(argument) if argument != "" else method()

    def command_help(self) -> None:
        """Show the keys."""
        self.push_screen(screens.help_panel())

    def command_verify(self) -> None:
        """Show what exact search says."""
        self.push_screen(screens.verify_panel(self.desk.state))

    def command_settings(self) -> None:
        """Ask for other options."""
        self.push_screen(Settings(self.desk.state.options, self.parse), self._configured)

    def choose_policy(self, text: str) -> None:
        """Take an exit policy by its text."""
        options = self.desk.state.options
        try:
            self.desk.configure(replace(options, policy=self.parse(text, options.levels)))
        except NcmError as error:
            self.tell(str(error))

    def _configured(self, options: Options | None) -> None:
        if options is not None:
            self.desk.configure(options)

    def command_open(self) -> None:
        """Ask for a file of puzzles."""
        self.push_screen(screens.Ask("Open a file of puzzles", "", screens.no_file), self._opened)

    def _opened(self, path: str | None) -> None:
        if not path:
            return
        try:
            self.desk.use(from_argument(str(Path(path).expanduser())))
        except NcmError as error:
            self.tell(str(error))

    def new_board(self) -> None:
        """An empty board, to be filled in."""
        self.desk.use(empty())
        self.desk.edit()

    def command_write(self) -> None:
        """Ask where the verified board goes."""
        self.push_screen(screens.Ask("Write the verified board", "solved.txt", screens.not_new), self._written)

    def _written(self, path: str | None) -> None:
        if path:
            self.tell(outside.write_new(path, to_line(self.desk.state.board) + "\n"))

    def command_copy(self) -> None:
        """Copy the board in view as 81 characters."""
        text = to_line(self.desk.state.board)
        tool = outside.copy(text)
        if not tool:
            self.copy_to_clipboard(text)
        self.tell(f"board copied by {tool}" if tool else "board copied by OSC 52, if the terminal allows it")

    def command_paste(self) -> None:
        """Paste from a clipboard tool."""
        text, tool = outside.paste()
        if tool:
            self.desk.pasted(text)
        else:
            self.tell("no clipboard tool here: use the terminal's own paste")

    def command_svg(self) -> None:
        """Save a picture of the screen."""
        self.tell(outside.write_new(outside.picture_name(), self.export_screenshot(title="sudoku-ncm")))

    def command_next_theme(self) -> None:
        """Go to the next theme of the house."""
        at = NAMES.index(self.theme) if self.theme in NAMES else -1
        self.theme = NAMES[(at + 1) % len(NAMES)]
        self.tell(f"theme {self.theme}")

    def command_batch(self) -> None:
        """Show the batch; what is picked there is opened here."""
        if self.batch_screen is not None:
            progress, driver = self.batch_screen.progress, self.desk.driver
            self.batch_screen = BatchScreen(progress, driver, self.desk.state.generation)
            self.push_screen(self.batch_screen, self._picked)

    def _picked(self, number: int | None) -> None:
        if number is not None and self.batch_screen is not None:
            self.desk.library = self.batch_screen.progress.library()
            self.desk.take(number)

    def command_quit(self) -> None:
        """Leave with exit code 0."""
        self.action_leave(0)

    def tell(self, notice: str) -> None:
        """Say something in the notes and the log."""
        self.desk.set(self.desk.state.tell(notice))

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """The command palette: every key that does something now, and what has no key."""
        for key in keys.KEYS:
            if key.help and key.command not in ("move", "put") and key.when(self.desk.state):
                title = key.command.replace("_", " ").capitalize()
                yield SystemCommand(title, key.help, partial(self.action_do, key.command, ""))
        yield SystemCommand("New board", "an empty board, to be filled in by hand", self.new_board)
        for text in POLICIES if self.desk.state.idle else ():
            yield SystemCommand(f"Exit policy {text}", "when to decode and check", partial(self.choose_policy, text))
        for name in NAMES:
            yield SystemCommand(f"Theme {name}", "colours", partial(setattr, self, "theme", name))
