"""What each pane of the screen shows of a state, as lines for a given width and height.

Pure text; knows neither widgets nor colours. Invariant: a pane's lines follow from the state and the size alone.
"""

from sudoku_ncm.levels import CELLS
from tui import picture, tables, words
from tui.picture import Overlay
from tui.spans import Line, Role, Span, fit, line, wrap
from tui.state import PUZZLE, Activity, Model, State

LEGENDS = {
    Overlay.CONFIDENCE: "conf ░<.60 ▒<.75 ▓<.95 █ more",
    Overlay.CANDIDATES: "small digit: the runner-up",
    Overlay.CHANGE: "small digit: a level before",
    Overlay.DIFFERENCE: "small digit: exact solution",
}
LARGE_LEGENDS = LEGENDS | {
    Overlay.CONFIDENCE: "░ <.60 ▒ <.75 ▓ <.95 █ more",
    Overlay.CANDIDATES: "blue likely · grey possible",
}


def head(state: State, width: int, height: int) -> list[Line]:
    """Program, puzzle, model, seed."""
    model = state.model_text or state.model.value
    seed = f"seed {state.options.seed}"
    left = line(" ", Span("sudoku-ncm", Role.STRONG), f"  {state.title}  ", Span(f"{model}  {seed}", Role.DIM))
    return [fit(left, width)]


def strip(state: State, width: int, height: int) -> list[Line]:
    """A glyph a level, and what is in view."""
    return [line(" ", *tables.strip(state.trace, state.view, width - 2)), fit(caption(state), width - 1)]


def caption(state: State) -> Line:
    """What the board shows."""
    if state.edit is not None:
        return line(" ", Span("editing", Role.ENTRY), f" · {int((state.edit.board != 0).sum())} of {CELLS} filled")
    if state.seen is None:
        return line(f" the puzzle: {int((state.clues != 0).sum())} clues" if not state.refusal else " no puzzle")
    last = len(state.trace.seens) - 1
    viewed = "view " if state.view not in (None, last) else ""
    attempt = f" · attempt {state.seen.attempt + 1}" if state.seen.attempt else ""
    peeked = "" if state.seen.checked else " · peeked at"
    busy = "" if state.activity in (Activity.IDLE, Activity.STEP, Activity.REWIND) else f" · {state.activity.value}"
    what = f"{viewed}L{state.seen.level} {state.seen.kind.value}"
    return line(" ", Span(what, Role.STRONG), f"{attempt}{peeked}", Span(busy, Role.CHANGED))


def board(state: State, width: int, height: int) -> list[Line]:
    """The board at the size that fits."""
    roomy = (width, height) >= picture.LARGE and height >= picture.LARGE[1]
    return [(Span(" "), *row) for row in (picture.large if roomy else picture.small)(state.picture)]


def notes(state: State, width: int, height: int) -> list[Line]:
    """The cell under the cursor, the clashes in words, the legend, and the notice."""
    seen = state.seen if state.edit is None else None
    room = width - 2
    rows = [
        words.cell(state.cursor, state.given if state.edit else state.clues, state.board, seen),
        words.history(state.cursor, state.clues, state.trace, seen, room),
        _clashes(state),
        *_legend(state, wide=width >= picture.LARGE[0]),
    ]
    told = wrap(state.notice, room, Role.CHANGED) if state.notice else []
    free = height - len(rows)
    return [(Span(" "), *fit(row, room)) for row in [*rows, *_cut(told, free)]]


def _cut(rows: list[Line], height: int) -> list[Line]:
    if len(rows) <= height:
        return rows
    return [*rows[: height - 1], (*rows[height - 1], Span(" …", Role.DIM))] if height > 0 else []


def _clashes(state: State) -> Line:
    found = state.clashes
    if found:
        return line(Span(f"! {words.clashes(found)}", Role.CLASH))
    open_cells = int((state.board == 0).sum())
    lost = int(((state.clues > 0) & (state.board != state.clues)).sum())
    if lost:
        return line(Span(f"no clash, {open_cells} open, {words.plural(lost, 'clue')} lost", Role.FAIL))
    return line(Span(f"no clash, {words.plural(open_cells, 'open cell')}", Role.DIM))


def _legend(state: State, wide: bool) -> list[Line]:
    marks = [
        Span("bold", Role.CLUE),
        Span(" clue · open ", Role.DIM),
        Span("•", Role.CHANGED),
        Span(" new ", Role.DIM),
        Span("!", Role.CLASH),
        Span(" clash", Role.DIM),
    ]
    if state.edit is not None:
        marks[2:4] = [Span("+", Role.ENTRY), Span(" yours ", Role.DIM)]
    overlay = state.overlay.value if wide else ""
    says = (LARGE_LEGENDS if wide else LEGENDS)[state.overlay]
    return [tuple(marks), line(Span(f"{overlay}: {says}" if wide else says, Role.DIM))]


def levels(state: State, width: int, height: int) -> list[Line]:
    """The table of levels."""
    viewed = PUZZLE if state.view == PUZZLE else state.view
    return tables.levels(state.trace, state.calibration, viewed, height, width >= len(tables.WIDE))


def work(state: State, width: int, height: int) -> list[Line]:
    """Saved against overhead."""
    rows = tables.work(state.account, state.options.cached, width, height >= 9)
    if state.shadow is not None:
        rows[-2] = fit(line(Span(words.measured(state.shadow, state.account), Role.PASS)), width)
    return rows


def net(state: State, width: int, height: int) -> list[Line]:
    """Net saved per finished puzzle."""
    return [tables.sparkline(tuple(value for _, value in state.nets), width)]


def log(state: State, width: int, height: int) -> list[Line]:
    """The latest entries of the log."""
    return [fit(line(Span(entry, Role.DIM)), width) for entry in state.log[-height:]]


def exit_policy(state: State) -> str:
    """Whether a passed check ends the run, and when it is checked."""
    return f"early exit ON: checked {state.policy.text}" if state.auto_exit else "early exit OFF"


def plan(state: State) -> str:
    """How long an attempt is."""
    return f"{words.plural(state.options.levels, 'level')} an attempt"


def decision(state: State, width: int, height: int) -> list[Line]:
    """The exit decision, or what stands in its way."""
    rows = _blocked(state, width)
    if rows is None:
        rows = words.decision(state.trace, state.account, again=state.options.attempts_differ)
    return [fit(row, width) for row in _cut(rows, height)]


def _blocked(state: State, width: int) -> list[Line] | None:
    """Why nothing can run, in the order in which it should be mended."""
    if state.edit is not None:
        return wrap("editing: 1-9 digit, 0 empty, u undo, enter takes the board, esc leaves it as it was", width)
    if state.refusal:
        return wrap(f"cannot read this: {state.refusal}", width, Role.FAIL)
    if state.problem is not None:
        reason, file = state.problem
        return wrap(f"ENGINE ERROR {reason}. Traceback in {file}. esc starts over.", width, Role.FAIL)
    if state.judgement is not None and not state.allows:
        return wrap(words.finding(state.judgement), width, Role.FAIL)
    if state.model is Model.MISSING:
        tail = "Board, checker and exact search (v) still work."
        return wrap(f"NO MODEL: {state.missing}", width, Role.FAIL)[:2] + wrap(tail, width)
    if state.model is Model.LOADING:
        return wrap("loading the model and timing a full run…", width, Role.STRONG)
    if state.judgement is None:
        return wrap("exact search looks at the clues…", width, Role.STRONG)
    return None
