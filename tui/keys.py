"""The one table of keys: what they are called, what they do in words, when they do anything.

The bindings, the key bar, the help panel and the command palette are made from it. Knows the state, neither Textual
nor how a command is carried out. Invariant: what is not available is not shown and does nothing.
"""

from collections.abc import Callable
from dataclasses import dataclass

from tui.spans import Line, Role, Span, text
from tui.state import Activity, State

When = Callable[[State], bool]


def _viewing(state: State) -> bool:
    return state.edit is None


def _editing(state: State) -> bool:
    return state.edit is not None


def _can_step(state: State) -> bool:
    free = state.idle or state.activity in (Activity.STEP, Activity.LEVELS)
    return state.ready and free and not state.trace.solved and not _spent(state)


def _spent(state: State) -> bool:
    return state.trace.attempt_over and state.over


def _can_run(state: State) -> bool:
    return state.activity is Activity.RUN or _can_step(state)


def _can_cancel(state: State) -> bool:
    return state.problem is not None or state.activity not in (Activity.IDLE, Activity.PAUSING, Activity.REWIND)


def _can_try_again(state: State) -> bool:
    return state.ready and state.idle and _spent(state) and state.options.attempts_differ


def _judged(state: State) -> bool:
    return _viewing(state) and state.judgement is not None


def _can_go_back(state: State) -> bool:
    """Only as far as levels are kept in full."""
    kept = len(state.trace.seens) > (1 if state.trace.settled.levels else 0)
    return state.ready and (state.idle or state.activity is Activity.REWIND) and kept


def _exited_early(state: State) -> bool:
    return state.ready and state.idle and state.trace.solved and state.account.skipped_levels > 0


def _can_view_back(state: State) -> bool:
    return _viewing(state) and state.seen is not None


def _resting(state: State) -> bool:
    return _viewing(state) and state.idle


def _always(state: State) -> bool:
    return True


@dataclass(frozen=True)
class Key:
    """A command and its keys; `label` is for the key bar (none: not shown there), `help` one line for people."""

    command: str
    keys: str
    label: str
    help: str
    when: When = _viewing
    argument: int | str = ""

    @property
    def shown(self) -> str:
        """The first key as people write it."""
        first = self.keys.split(",")[0]
        return NAMES.get(first, first)

    @property
    def action(self) -> str:
        """The action of the binding."""
        return f"do({self.command!r}, {self.argument!r})"


NAMES = {
    "left_square_bracket": "[",
    "right_square_bracket": "]",
    "question_mark": "?",
    "comma": ",",
    "full_stop": ".",
    "delete": "del",
    "backspace": "bs",
    "escape": "esc",
    "ctrl+r": "^r",
}
SPARE = ("edit", "next_puzzle", "verify", "toggle_exit")
KEYS = (
    Key("step", "space", "Step", "run one level", _can_step),
    Key("run", "r", "Run", "run to the exit; again: pause", _can_run),
    Key("cancel", "escape", "Cancel", "stop after this level; after an engine error: start over", _can_cancel),
    Key("another", "a", "Again", "another attempt, with other noise", _can_try_again),
    Key("shadow", "V", "Shadow", "run the skipped levels for real, and measure them", _exited_early),
    Key("back", "b", "Back", "back one level; the next step computes it again", _can_go_back),
    Key("toggle_exit", "x", "Exit", "early exit on or off; levels seen run again under it", _resting),
    Key("next_overlay", "o", "Overlay", "confidence, candidates, change, difference from exact"),
    Key("verify", "v", "Verify", "ask exact search about the puzzle and the board", _judged),
    Key("edit", "e", "Edit", "fill in cells by hand; clues stand", _resting),
    Key("next_puzzle", "n", "Next", "next puzzle"),
    Key("previous_puzzle", "N", "", "previous puzzle", lambda s: _viewing(s) and s.number > 0),
    Key("view_back", "left_square_bracket", "", "view the level before, computing nothing", _can_view_back),
    Key("view_on", "right_square_bracket", "", "view the level after", lambda s: _viewing(s) and s.view is not None),
    Key("move", "left,h", "", "move the cursor (arrows, h j k l, mouse)", _always, "left"),
    Key("move", "down,j", "", "", _always, "down"),
    Key("move", "up,k", "", "", _always, "up"),
    Key("move", "right,l", "", "", _always, "right"),
    Key("commit", "enter", "Done", "editing: take the board as it stands", _editing),
    Key("put", "1", "", "editing: put a digit", _editing, 1),
    *(Key("put", str(digit), "", "", _editing, digit) for digit in range(2, 10)),
    Key("clear", "0,full_stop,delete,backspace", "Empty", "editing: empty the cell", _editing),
    Key("undo", "u", "Undo", "editing: undo", lambda s: s.edit is not None and bool(s.edit.undone)),
    Key("redo", "ctrl+r", "Redo", "editing: redo", lambda s: s.edit is not None and bool(s.edit.redone)),
    Key("discard", "escape", "Discard", "editing: leave the board as it was", _editing),
    Key("paste", "p", "", "paste from the clipboard (or the terminal's own paste)", lambda s: s.idle),
    Key("copy", "y", "", "copy the board in view as a line"),
    Key("write", "w", "", "write the verified board to a file", lambda s: _viewing(s) and s.trace.solved),
    Key("svg", "s", "", "save a picture of the screen (SVG)"),
    Key("next_theme", "t", "", "next theme", _always),
    Key("open", "f", "", "open a file of puzzles", _resting),
    Key("settings", "comma", "", "settings: levels, exit policy, attempts, noise, cache", _resting),
    Key("batch", "B", "Batch", "back to the batch", lambda s: _resting(s) and s.batch),
    Key("help", "question_mark", "Help", "this panel", _always),
    Key("quit", "q", "Quit", "save the session and leave"),
)


def available(command: str, argument: object, state: State) -> bool:
    """Whether some key of the command does anything in this state."""
    return any(key.when(state) for key in KEYS if key.command == command and key.argument == argument)


def bar(state: State, width: int) -> Line:
    """The key bar: what can be done now, each a click away; the keys of `SPARE` go first where it is too long."""
    for left_out in range(len(SPARE) + 1):
        shown = [key for key in KEYS if key.label and key.when(state) and key.command not in SPARE[:left_out]]
        spans = [span for key in shown for span in _in_bar(key)]
        if len(text(spans)) <= width:
            break
    return tuple(spans)


def _in_bar(key: Key) -> Line:
    click = f"app.{key.action}"
    return Span(f" {key.shown}", Role.STRONG, click=click), Span(f" {key.label}", Role.DIM, click=click)
