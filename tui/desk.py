"""The desk: holds the state, goes from puzzle to puzzle, and takes what the threads report.

Knows the driver's interface and the library, not Textual; the commands are in `running`, `viewing` and `editing`.
Invariants: an event of another run is dropped; a level is asked for only when nothing else runs.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from checker.board import Board
from checker.formats import Refusal
from checker.judge import Finding, Judgement
from checker.verify import clue_clashes
from sudoku_ncm.policy import Options
from tui import events, words
from tui.driver import Driver
from tui.events import Event
from tui.library import Library
from tui.state import Activity, Model, State, no_clues
from tui.trace import Seen, Trace

FINISHED = 500
"""Puzzles whose net is remembered."""


class Desk:
    """Calls `changed` with every new state and `later` with what is to follow the next paint."""

    def __init__(
        self,
        driver: Driver,
        library: Library,
        options: Options,
        changed: Callable[[State], None],
        later: Callable[[Callable[[], None]], object],
    ) -> None:
        self.driver, self.library, self.later, self._changed = driver, library, later, changed
        self.state = State(options=options, allowed=options.attempts)

    def set(self, state: State) -> None:
        """Replace the state and tell the screen."""
        self.state = state
        self._changed(state)

    def take(self, number: int, replay: int = 0) -> None:
        """Go to the item of that number in the library, if there is one."""
        item = self.library.get(number) if number >= 0 else None
        if item is None:
            self.set(self.state.tell(f"{self.library.name}: no more puzzles"))
            return
        clues, refusal = (no_clues(), str(item)) if isinstance(item, Refusal) else (item.clues, "")
        state = replace(self.state, title=self.library.title(number), number=number, refusal=refusal, notice="")
        self.begin(state, clues, clues, replay)

    def use(self, library: Library) -> None:
        """Walk through other puzzles, from the first."""
        self.library = library
        self.state = replace(self.state, nets=())
        self.take(0)

    def begin(self, state: State, given: Board, clues: Board, replay: int = 0) -> None:
        """Start over with these clues: judged first, run when asked; `replay` levels run again by themselves."""
        clashes = clue_clashes(clues)
        finding = Finding.WRONG if clues.all() else Finding.CLASH
        self._start(replace(state, given=given, clues=clues, judgement=None, target=replay))
        if clashes:
            self.set(self._judged(self.state, Judgement(finding, clashes)))
        elif not state.refusal:
            self.driver.judge(clues)

    def restart(self, said: str, replay: int) -> None:
        """The same puzzle in a new session, whose first `replay` levels run again by themselves."""
        state = replace(self.state.tell(said), target=replay)
        if state.judgement is None and not state.refusal:
            self.begin(state, state.given, state.clues, replay)
        else:
            self._start(state)

    def _start(self, state: State) -> None:
        self.driver.run += 1
        fresh = replace(state, edit=None, problem=None, shadow=None, view=None, activity=Activity.IDLE)
        fresh = replace(fresh, trace=self._trace(fresh), allowed=fresh.options.attempts)
        self.set(fresh)
        self._open()

    def _trace(self, state: State) -> Trace:
        return Trace(state.clues, state.calibration.kinds, state.options.cached, state.options.levels_of(1))

    def _open(self) -> None:
        if self.state.model is not Model.READY or self.state.refusal:
            return
        self.driver.open(self.state.clues, self.state.generation)
        if self.state.target:
            self.set(replace(self.state, activity=Activity.LEVELS))
            self.driver.step()

    def hear(self, event: Event) -> None:
        """Take what a thread reports, unless it belongs to a run that is no longer wanted."""
        match event:
            case events.Ready():
                state = replace(self.state, model=Model.READY, model_text=event.text, calibration=event.calibration)
                self.set(replace(state, trace=self._trace(state)))
                self._open()
            case events.Missing():
                state = replace(self.state, model=Model.MISSING, missing=event.reason, activity=Activity.IDLE)
                self.set(state.note(f"no model: {event.reason}"))
            case _ if event.run != self.driver.run:
                return
            case events.Batched():
                return
            case events.Judged():
                self.set(self._judged(self.state, event.judgement))
            case events.Stepped():
                self._stepped(event)
            case events.Rewound():
                self.set(replace(self.state, activity=Activity.IDLE))
            case events.Shadow():
                self.set(replace(self.state, activity=Activity.IDLE, shadow=event).note(words.shadow(event)))
            case events.Failed():
                state = replace(self.state, activity=Activity.IDLE, problem=(event.reason, event.file))
                self.set(state.tell(f"engine error: {event.reason}"))

    def _judged(self, state: State, judgement: Judgement) -> State:
        said = words.finding(judgement)
        quiet = judgement.finding in (Finding.UNIQUE, Finding.RIGHT)
        return replace(state.note(said) if quiet else state.tell(said), judgement=judgement)

    def _stepped(self, event: events.Stepped) -> None:
        state, step = self.state, event.step
        if step is None:
            self.set(replace(state, activity=Activity.IDLE))
            return
        seen = Seen.of(step, event.peeked, state.clues, state.trace.before(step.attempt, step.level))
        state = replace(state, trace=state.trace.add(seen), calibration=state.calibration.measured(step))
        state = replace(state.note(words.log_entry(seen)), view=None, shadow=None)
        state = replace(state, allowed=max(state.allowed, seen.attempt + 1))
        if state.trace.solved or state.trace.attempt_over:
            state = replace(state, nets=self._nets(state))
        self.set(state if state.going else replace(state, activity=Activity.IDLE))
        if state.going:
            self.later(partial(self._go_on, self.driver.run))

    def _nets(self, state: State) -> tuple[tuple[int, float], ...]:
        others = tuple(pair for pair in state.nets if pair[0] != state.number)
        return (*others, (state.number, state.account.net))[-FINISHED:]

    def _go_on(self, run: int) -> None:
        if run != self.driver.run:
            return
        if self.state.going:
            self.driver.step()
        else:
            self.set(replace(self.state, activity=Activity.IDLE))
