"""The two threads behind the window: one owns the solver (MLX), one runs exact search.

Load, open, step, rewind and shadow runs all happen on the solver's thread, one job at a time; what comes back is an
event of plain data with the number of its run. Knows the door, neither Textual nor what is shown. Invariants: nothing
lazy crosses a thread; a job of a run that is no longer wanted does nothing; no exception is lost.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial

from checker.board import Board, parse_line
from checker.judge import judge
from sudoku_ncm.accounting import Seconds
from sudoku_ncm.errors import NcmError
from sudoku_ncm.policy import Options
from sudoku_ncm.session import Boards, LevelStep, Session, Solver, drain
from tui.account import NEVER, Calibration
from tui.events import Batched, Event, Failed, Judged, Missing, Ready, Rewound, Shadow, Stepped
from tui.places import record, short
from tui.worker import engine_worker

PATIENCE_S = 20.0
"""How long leaving waits for a level, or for a model that is being loaded."""
ENDLESS = 1_000_000
"""Attempts a session is opened with; the window decides when another one begins."""
WARM_UP = parse_line("..3..51...92.........9.82..1..4.3.7..5978.34173.51.689..6..7.1.8..169..392183...5")


@dataclass(frozen=True)
class Loaded:
    """A solver, ready to open sessions, and in a few words what serves."""

    solver: Solver
    text: str


class Driver:
    """Sends work to the two threads; events come back through `post`, called on them."""

    def __init__(self, load: Callable[[], Loaded], post: Callable[[Event], None]) -> None:
        self.load, self.post = load, post
        self.run = 0
        self._engine = engine_worker()
        self._law = ThreadPoolExecutor(1, "law")
        self._loaded: Loaded | None = None
        self._session: Session | None = None

    def start(self, options: Options) -> None:
        """Load the model and time a full run; not bound to any run of a puzzle."""
        self._engine.submit(partial(self._loading, self.run, options))

    @property
    def loaded(self) -> bool:
        """Whether there is a solver to ask."""
        return self._loaded is not None

    def judge(self, clues: Board) -> None:
        """Search the puzzle exactly."""
        self._law.submit(self._guarded, self.run, lambda run: self.post(Judged(run, judge(clues))))

    def open(self, clues: Board, options: Options) -> None:
        """Open a session on a puzzle."""
        self._submit(lambda run: self._open(clues, options))

    def step(self) -> None:
        """Run one level."""
        self._submit(self._step)

    def rewind(self, attempt: int, level: int) -> None:
        """Go back to before a level."""
        self._submit(lambda run: self._rewind(run, attempt, level))

    def shadow(self, clues: Board, options: Options, attempt: int, level: int) -> None:
        """Run the levels after (attempt, level) that early exit skipped."""
        self._submit(lambda run: self._shadow(run, clues, options, attempt, level))

    def batch(self, puzzles: Boards, options: Options) -> None:
        """Run puzzles `[B, 81]` to their ends, in a session of their own."""
        self._submit(lambda run: self._batch(run, puzzles, options))

    def close(self) -> None:
        """Forget everything still waiting, and wait for the level that runs."""
        self.run += 1
        self._engine.finish(PATIENCE_S)
        self._law.shutdown(wait=False, cancel_futures=True)

    def _submit(self, job: Callable[[int], None]) -> None:
        self._engine.submit(partial(self._guarded, self.run, job))

    def _guarded(self, run: int, job: Callable[[int], None]) -> None:
        try:
            if run == self.run:
                job(run)
        except Exception as error:  # whatever is raised is told, with its traceback in a file
            self.post(Failed(run, reason(error), short(record(error))))

    def _loading(self, run: int, options: Options) -> None:
        try:
            self._loaded = self._loaded or self.load()
            full = replace(options, policy=NEVER, attempts=1)
            calibration = Calibration.of(self._loaded.solver.open(WARM_UP[None], full))
            self.post(Ready(run, self._loaded.text, calibration))
        except NcmError as error:
            self.post(Missing(run, str(error)))
        except Exception as error:
            self.post(Missing(run, f"{reason(error)} (traceback in {short(record(error))})"))

    def _open(self, clues: Board, options: Options) -> None:
        if self._loaded is not None:
            attempts = ENDLESS if options.attempts_differ else 1
            self._session = self._loaded.solver.open(clues[None], replace(options, attempts=attempts))

    def _step(self, run: int) -> None:
        if self._session is None:
            return
        step = next(self._session, None)
        unchecked = step is not None and step.decoded is None
        self.post(Stepped(run, step, self._session.peek() if unchecked else None))

    def _rewind(self, run: int, attempt: int, level: int) -> None:
        if self._session is not None:
            self._session.rewind(attempt, level)
            self.post(Rewound(run))

    def _shadow(self, run: int, clues: Board, options: Options, attempt: int, level: int) -> None:
        if self._loaded is None:
            return
        session = self._loaded.solver.open(clues[None], replace(options, policy=NEVER, attempts=attempt + 1))
        levels, seconds, right = 0, Seconds(), False
        for step in self._wanted(run, session):
            if (step.attempt, step.level) > (attempt, level):
                levels, seconds = levels + 1, seconds + step.seconds
                right = step.decoded is not None and bool(step.decoded.verdicts.solved[0])
        if run == self.run:
            self.post(Shadow(run, levels, seconds.generator, right))

    def _batch(self, run: int, puzzles: Boards, options: Options) -> None:
        if self._loaded is not None:
            self.post(Batched(run, tuple(drain(self._loaded.solver.open(puzzles, options)))))

    def _wanted(self, run: int, session: Session) -> Iterator[LevelStep]:
        """The steps of a session for as long as its run is the current one."""
        for step in session:
            if run != self.run:
                return
            yield step


def reason(error: Exception) -> str:
    """An exception in one line."""
    return f"{type(error).__name__}: {error}".splitlines()[0]
