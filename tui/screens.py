"""The screens above the board: a panel of text, one question, the settings, and "too small".

Knows Textual, not the solver. Invariant: every panel closes with escape and says so; nothing is taken before it is
valid, and what is wrong is said beside it.
"""

from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Input, Label, Static

from checker.drawing import to_grid
from checker.judge import judge
from tui import words
from tui.keys import KEYS, NAMES
from tui.state import State


class Panel(ModalScreen[None]):
    """Text to read; closes with escape, enter, q or ?."""

    BINDINGS: ClassVar[list[BindingType]] = [
        (key, "dismiss", "Close") for key in ("escape", "enter", "q", "question_mark", "v")
    ]

    def __init__(self, title: str, body: str) -> None:
        super().__init__()
        self._title, self.body = title, body

    def compose(self) -> ComposeResult:
        """A framed text that scrolls."""
        with VerticalScroll(classes="panel") as frame:
            frame.border_title, frame.border_subtitle = self._title, "esc closes"
            yield Static(Text(self.body))


def help_panel() -> Panel:
    """All keys, from the table they are bound by."""
    rows = [f"{_names(key.keys):<13}{key.help}" for key in KEYS if key.help]
    tail = [
        f"{'^p':<13}command palette: all of this by name",
        "",
        "A level proposes a board. The checker passes it only if it is full, no",
        "digit repeats and every clue stands. ms marked ~ are medians of measured",
        "levels; positions and pairs are exact. NET is the generator time that was",
        "not spent, less decoding, checking and leaving the batch. A level marked *",
        "had seeded noise added to its logits, which later levels work out.",
    ]
    return Panel("Keys", "\n".join(rows + tail))


def _names(keys: str) -> str:
    if keys == "left,h":
        return "arrows hjkl"
    return "1-9" if keys == "1" else " ".join(NAMES.get(key, key) for key in keys.split(","))


def verify_panel(state: State) -> Panel:
    """What exact search says of the puzzle and of the board in view."""
    judgement = state.judgement or judge(state.clues)
    rows = [f"Exact search: {words.finding(judgement)}.", f"{judgement.nodes:,} positions looked at.", ""]
    if state.solution is not None:
        apart = int((state.board != state.solution).sum())
        where = "the board in view" if state.seen else "the puzzle"
        verdict = "is that solution" if not apart else f"differs from it in {words.plural(apart, 'cell')}"
        rows += [f"{where} {verdict}.".capitalize(), "", "Found by exact search, NOT by the network:"]
        rows += [to_grid(state.solution, state.clues, ascii=False), "5 clue, 5' found by exact search"]
    rows += [f"  {clash}" for clash in judgement.clashes]
    return Panel("Exact search", "\n".join(rows))


class Ask(ModalScreen[str | None]):
    """One line of text; `refuse` says what is wrong with it, or nothing."""

    BINDINGS: ClassVar[list[BindingType]] = [("escape", "dismiss(None)", "Cancel")]

    def __init__(self, title: str, value: str, refuse: Callable[[str], str]) -> None:
        super().__init__()
        self._title, self._value, self._refuse = title, value, refuse

    def compose(self) -> ComposeResult:
        """A framed input with room for an objection."""
        with Vertical(classes="panel ask") as frame:
            frame.border_title, frame.border_subtitle = self._title, "enter takes it, esc cancels"
            yield Input(self._value, compact=True)
            yield Label("", classes="wrong")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Take the line, or say what is wrong with it."""
        if wrong := self._refuse(event.value):
            self.query_one(".wrong", Label).update(Text(wrong))
        else:
            self.dismiss(event.value)


def no_file(path: str) -> str:
    """Why a path cannot be opened."""
    return "" if Path(path).expanduser().is_file() else f"{path or 'nothing'}: no such file"


def not_new(path: str) -> str:
    """Why a path cannot be written."""
    target = Path(path).expanduser()
    if not path or target.exists():
        return f"{path or 'nothing'}: there is such a file already" if path else "a file name, please"
    return "" if target.parent.is_dir() else f"{target.parent}: no such directory"
