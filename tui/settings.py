"""The settings of the runs to come, as a screen of inputs.

Knows Textual and options. Invariant: options are taken all together and only when every one is valid.
"""

from dataclasses import replace
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Label

from sudoku_ncm.errors import NcmError
from sudoku_ncm.policy import HOTTEST, Options
from tui.saved import PolicyParser


class Settings(ModalScreen[Options | None]):
    """Levels, exit policy, attempts, noise, seed and cache of the runs to come."""

    BINDINGS: ClassVar[list[BindingType]] = [("escape", "dismiss(None)", "Cancel")]
    FIELDS = (
        ("levels", "levels of an attempt"),
        ("policy", "exit policy: never, every, from:K, at:K,K or scheduled"),
        ("attempts", "attempts without asking"),
        ("temperature", "temperature: noise on two in eight levels, in attempt 1 from level 8; 0: none"),
        ("seed", "seed of the noise"),
        ("cached", "prefix cache: yes or no"),
    )

    def __init__(self, options: Options, parse: PolicyParser) -> None:
        super().__init__()
        self._options, self._parse = options, parse
        self._values = {
            "levels": str(options.levels),
            "policy": options.policy.text,
            "attempts": str(options.attempts),
            "temperature": str(options.temperature),
            "seed": str(options.seed),
            "cached": "yes" if options.cached else "no",
        }

    def compose(self) -> ComposeResult:
        """An input a line."""
        with Vertical(classes="panel ask") as frame:
            frame.border_title, frame.border_subtitle = "Settings", "tab next, enter takes them, esc cancels"
            for name, says in self.FIELDS:
                yield Label(says)
                yield Input(self._values[name], id=f"set-{name}", compact=True)
            yield Label("", classes="wrong")

    def on_input_submitted(self) -> None:
        """Take all of them, or say which is wrong."""
        try:
            values = {name: self.query_one(f"#set-{name}", Input).value.strip() for name, _ in self.FIELDS}
            self.dismiss(options(values, self._options, self._parse))
        except (ValueError, NcmError) as error:
            self.query_one(".wrong", Label).update(Text(str(error)))


def options(values: dict[str, str], before: Options, parse: PolicyParser) -> Options:
    """The options typed, the others as `before`; raises ValueError or UsageError that says what is wrong."""
    numbers: dict[str, int] = {}
    for name, least in (("levels", 1), ("attempts", 1), ("seed", 0)):
        if not (values[name].isascii() and values[name].isdigit() and int(values[name]) >= least):
            raise ValueError(f"{name}: found {values[name] or 'nothing'}, expected a number from {least}")
        numbers[name] = int(values[name])
    if values["cached"] not in ("yes", "no"):
        raise ValueError(f"cache: found {values['cached'] or 'nothing'}, expected yes or no")
    return replace(
        before,
        policy=parse(values["policy"], numbers["levels"]),
        cached=values["cached"] == "yes",
        temperature=_number(values["temperature"]),
        **numbers,
    )


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"temperature: found {text or 'nothing'}, expected a number from 0 to {HOTTEST}") from None
