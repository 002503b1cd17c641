"""A session between two runs of the window: what was open, where it stood, how it was looked at.

Knows the state and JSON. Levels are not stored, they run again. Invariants: a save appears whole or not at all; one
that is damaged is set aside under another name, never half restored.
"""

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import get_type_hints

from checker.board import parse_line, to_line
from sudoku_ncm.errors import NcmError
from sudoku_ncm.policy import ExitPolicy, Options
from tui.library import Library, from_argument, from_text
from tui.picture import Overlay
from tui.places import state_directory
from tui.state import PUZZLE, State

VERSION = 3
PolicyParser = Callable[[str, int], ExitPolicy]
"""Text and number of levels -> policy; raises NcmError."""


@dataclass(frozen=True)
class Saved:
    """The content of the file; `origin` is ("argument" or "text", name, value)."""

    version: int
    origin: list[str]
    number: int
    given: str
    clues: str
    levels: int
    policy: str
    attempts: int
    seed: int
    cached: bool
    retry_levels: int | None
    temperature: float
    auto_exit: bool
    ran: int
    view: int | None
    cursor: int
    overlay: str
    theme: str

    @classmethod
    def of(cls, state: State, library: Library, theme: str) -> "Saved":
        """What is worth keeping of a window."""
        options = state.options
        return cls(
            version=VERSION,
            origin=list(library.origin),
            number=state.number,
            given=to_line(state.given),
            clues=to_line(state.clues),
            levels=options.levels,
            policy=options.policy.text,
            attempts=options.attempts,
            seed=options.seed,
            cached=options.cached,
            retry_levels=options.retry_levels,
            temperature=float(options.temperature),
            auto_exit=state.auto_exit,
            ran=state.trace.sums.levels,
            view=state.view,
            cursor=state.cursor,
            overlay=state.overlay.value,
            theme=theme,
        )

    def library(self) -> Library:
        """The puzzles; those of a file that is gone come down to the one that was open."""
        kind, name, value = self.origin
        try:
            return from_argument(value) if kind == "argument" else from_text(value, name)
        except NcmError:
            return from_text(self.given, name)

    def state(self, parse: PolicyParser) -> State:
        """The state to begin with; raises ValueError or NcmError for impossible values."""
        policy, counts = parse(self.policy, self.levels), (self.levels, self.attempts, self.retry_levels or 1)
        options = Options(
            self.levels, policy, self.attempts, self.seed, self.cached, self.retry_levels, self.temperature
        )
        if not (0 <= self.cursor < 81 and self.number >= 0 and self.ran >= 0 and min(counts) >= 1):
            raise ValueError("a number is out of its range")
        return replace(
            State(options=options, allowed=options.attempts),
            given=parse_line(self.given),
            clues=parse_line(self.clues),
            number=self.number,
            auto_exit=self.auto_exit,
            cursor=self.cursor,
            overlay=Overlay(self.overlay),
            view=self.view if self.view is None else max(PUZZLE, self.view),
        )


def path() -> Path:
    """Where the session is kept."""
    return state_directory() / "session.json"


def save(saved: Saved) -> None:
    """Write the session, by way of a file beside it."""
    target = path()
    part = target.with_suffix(".part")
    part.write_text(json.dumps(asdict(saved), indent=1) + "\n", encoding="utf-8")
    part.replace(target)


def load(parse: PolicyParser) -> tuple[Saved | None, str]:
    """The session and what to say about it; a damaged one is set aside, and there is none."""
    try:
        target = path()
        text = target.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None, "no saved session yet"
    except OSError as error:
        return None, f"the saved session cannot be read: {error.strerror}"
    try:
        saved = _checked(json.loads(text))
        saved.state(parse)
    except (ValueError, TypeError, NcmError) as error:
        aside = target.with_name(f"session.damaged-{target.stat().st_mtime_ns}.json")
        target.replace(aside)
        return None, f"the saved session was damaged ({error}); set aside as {aside.name}"
    return saved, "session restored; the levels seen run again"


def _checked(values: object) -> Saved:
    """Exactly the fields, each of its type."""
    if not isinstance(values, dict) or values.keys() != {f.name for f in fields(Saved)}:
        raise ValueError("not the fields of a session")
    saved, hints = Saved(**values), get_type_hints(Saved)
    for name, value in values.items():
        if not isinstance(value, list if name == "origin" else hints[name]):
            raise ValueError(f"{name} is {value!r}")
    if saved.version != VERSION or len(saved.origin) != 3 or not all(isinstance(part, str) for part in saved.origin):
        raise ValueError("of another version")
    return saved
