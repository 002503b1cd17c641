"""What the threads behind the window report: plain frozen data with the number of the run it belongs to.

Knows the door; nothing of threads or screens. Invariant: nothing lazy is in an event.
"""

from dataclasses import dataclass

from checker.judge import Judgement
from sudoku_ncm.session import Decoded, LevelStep, Outcome
from tui.account import Calibration


@dataclass(frozen=True)
class Ready:
    """The model is loaded and a full run has been timed."""

    run: int
    text: str
    calibration: Calibration


@dataclass(frozen=True)
class Missing:
    """There is no model, and why."""

    run: int
    reason: str


@dataclass(frozen=True)
class Judged:
    """What exact search says of the clues."""

    run: int
    judgement: Judgement


@dataclass(frozen=True)
class Stepped:
    """A level ran; `peeked` is what it would decode to where it was not checked; None: nothing is left to run."""

    run: int
    step: LevelStep | None
    peeked: Decoded | None = None


@dataclass(frozen=True)
class Rewound:
    """The session stands before the level that ran last."""

    run: int


@dataclass(frozen=True)
class Shadow:
    """The levels that early exit skipped, run for real: how many, their generator seconds, the final board right?"""

    run: int
    levels: int
    generator: float
    right: bool


@dataclass(frozen=True)
class Batched:
    """Some puzzles of a batch ran to their ends."""

    run: int
    outcomes: tuple[Outcome, ...]


@dataclass(frozen=True)
class Failed:
    """The solver raised: the reason in a line and the file with the traceback."""

    run: int
    reason: str
    file: str


Event = Ready | Missing | Judged | Stepped | Rewound | Shadow | Batched | Failed
