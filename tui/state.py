"""Everything the window shows, as one frozen value; the panes are drawn from it and from nothing else.

Knows traces, judgements and options, neither Textual nor threads. Invariant: a state is never changed, only replaced;
what a key may do follows from it alone.
"""

from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property

import numpy as np

from checker.board import Board
from checker.judge import Judgement
from checker.verify import Clash, clue_clashes
from sudoku_ncm.policy import ExitPolicy, Options
from sudoku_ncm.solving import UNIQUE
from tui.account import NEVER, Account, Calibration, account
from tui.edit import Edit
from tui.events import Shadow
from tui.picture import Overlay, Picture
from tui.trace import Seen, Trace

LOGGED = 200
PUZZLE = -1
"""The view of the puzzle as given, before level 0."""


class Model(StrEnum):
    """Where the model stands."""

    LOADING = "loading the model"
    READY = "ready"
    MISSING = "no model"


class Activity(StrEnum):
    """What the solver's thread is asked to do."""

    IDLE = "idle"
    STEP = "a level runs"
    RUN = "running"
    REWIND = "rewinding"
    LEVELS = "running some levels"
    PAUSING = "stopping after the level that runs"
    SHADOW = "running the skipped levels"


def no_clues() -> Board:
    """An empty board."""
    return np.zeros(81, np.int8)


@dataclass(frozen=True, eq=False)
class State:
    """See the module. `given` are the locked clues; `clues` may hold entries of the user on top.

    `allowed` counts the attempts that may run without asking, `target` the levels that are to run by themselves.
    """

    title: str = ""
    number: int = 0
    given: Board = field(default_factory=no_clues)
    clues: Board = field(default_factory=no_clues)
    refusal: str = ""
    judgement: Judgement | None = None
    model: Model = Model.LOADING
    model_text: str = ""
    missing: str = ""
    calibration: Calibration = field(default_factory=Calibration)
    options: Options = field(default_factory=Options)
    auto_exit: bool = True
    trace: Trace = field(default_factory=lambda: Trace(no_clues()))
    activity: Activity = Activity.IDLE
    allowed: int = 1
    target: int = 0
    view: int | None = None
    cursor: int = 40
    overlay: Overlay = Overlay.CONFIDENCE
    edit: Edit | None = None
    shadow: Shadow | None = None
    problem: tuple[str, str] | None = None
    notice: str = ""
    log: tuple[str, ...] = ()
    nets: tuple[tuple[int, float], ...] = ()
    batch: bool = False

    @property
    def policy(self) -> ExitPolicy:
        """The exit policy in force: the chosen one, or never while early exit is off."""
        return self.options.policy if self.auto_exit else NEVER

    @property
    def generation(self) -> Options:
        """The options a session is opened with."""
        return replace(self.options, policy=self.policy)

    @property
    def allows(self) -> bool:
        """Whether the puzzle may be run at all."""
        return self.judgement is not None and self.judgement.finding in UNIQUE and not self.refusal

    @property
    def ready(self) -> bool:
        """Whether a level could be asked for: model there, puzzle allowed, nobody editing, no engine error."""
        return self.model is Model.READY and self.allows and self.edit is None and self.problem is None

    @property
    def idle(self) -> bool:
        """Whether the solver's thread has nothing to do."""
        return self.activity is Activity.IDLE

    @property
    def going(self) -> bool:
        """Whether the next level follows by itself."""
        if self.activity is Activity.LEVELS:
            return not self.trace.solved and self.trace.sums.levels < self.target
        return self.activity is Activity.RUN and not self.over

    @property
    def over(self) -> bool:
        """Whether the run is over: solved, or all levels of the allowed attempts done."""
        trace = self.trace
        spent = trace.attempt_over and trace.last is not None and trace.last.attempt + 1 >= self.allowed
        return trace.solved or spent

    @property
    def seen(self) -> Seen | None:
        """The level in view, None for the puzzle itself."""
        seens = self.trace.seens
        if not seens or self.view == PUZZLE:
            return None
        return seens[-1 if self.view is None else min(self.view, len(seens) - 1)]

    @cached_property
    def account(self) -> Account:
        """The figures of the work pane."""
        return account(self.trace, self.calibration, self.policy)

    @property
    def board(self) -> Board:
        """The board in view."""
        if self.edit is not None:
            return self.edit.board
        return self.clues if self.seen is None else self.seen.board

    @property
    def clashes(self) -> tuple[Clash, ...]:
        """The clashes of the board in view."""
        if self.edit is None and self.seen is not None:
            return self.seen.verdict.clashes
        return clue_clashes(self.board)

    @property
    def solution(self) -> Board | None:
        """The exact solution, where search found one and nobody edits."""
        found = self.judgement.solutions if self.judgement else ()
        return found[0] if found and self.edit is None else None

    @cached_property
    def picture(self) -> Picture:
        """The board as it is to be drawn."""
        seen = self.seen if self.edit is None else None
        before = self.trace.before(seen.attempt, seen.level) if seen else self.board
        filled = np.flatnonzero((self.given == 0) & ((self.board if self.edit else self.clues) != 0))
        solution = self.solution if seen is not None else None
        return Picture(
            clues=(self.given if self.edit else self.clues).tolist(),
            board=self.board.tolist(),
            before=before.tolist(),
            beliefs=None if seen is None else seen.field.tolist(),
            clashing=frozenset(cell for clash in self.clashes for cell in clash.cells),
            entered=frozenset(filled.tolist()),
            solution=None if solution is None else solution.tolist(),
            cursor=self.cursor,
            overlay=self.overlay,
        )

    def tell(self, notice: str) -> "State":
        """With a notice, which is also logged."""
        return replace(self, notice=notice, log=(*self.log, notice)[-LOGGED:])

    def note(self, entry: str) -> "State":
        """With one more line in the log."""
        return replace(self, log=(*self.log, entry)[-LOGGED:])
