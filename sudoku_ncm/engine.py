"""The engine: a `Solver` that runs the generator one level a step and leaves at the first verified board.

After a level whose turn it is the field is decoded and checked; verified rows leave the batch and take their cache rows
with them; what is left after the last level starts another attempt on the same prefix. Knows generator, field and
checker, nothing of files or screens. Invariant: a puzzle's outcome depends on its clues, the weights and the options
alone, not on its batch, its row, compaction or caching.
"""

import hashlib
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

import mlx.core as mx
import numpy as np
import numpy.typing as npt

from checker.verify import BatchVerdict, verify_batch
from sudoku_ncm.accounting import Cost, Seconds, Work, level_work
from sudoku_ncm.cache import PrefixCache
from sudoku_ncm.field import decode, empty_field
from sudoku_ncm.generator import Generator
from sudoku_ncm.levels import CELLS, DIGITS, Kind
from sudoku_ncm.policy import Options
from sudoku_ncm.session import Boards, Decoded, LevelStep, Outcome, Rows

REWIND = 128
"""How many steps back a session can be rewound; older ones are only accounted for."""


def gumbel_noise(clues: Boards, seed: int, attempt: int, level: int, positions: int) -> mx.array:
    """Standard Gumbel noise `[B, l, 9]`, each row drawn from (seed, its clues, attempt, level) alone."""
    keys = [int.from_bytes(hashlib.blake2b(row.tobytes(), digest_size=8).digest(), "big") for row in clues]
    rows = [np.random.default_rng((seed, key, attempt, level)).gumbel(size=(positions, DIGITS)) for key in keys]
    return mx.array(np.stack(rows).astype(np.float32))


def level_noise(options: Options, clues: Boards, attempt: int, level: int, positions: int) -> mx.array | None:
    """The noise on the logits `[B, l, 9]` of a level of `positions`, or None where it has none."""
    scale = options.noise_scale(attempt, level)
    return scale * gumbel_noise(clues, options.seed, attempt, level, positions) if scale else None


@dataclass(frozen=True)
class Engine:
    """A `Solver` on the weights of `model`; MLX arrays belong to the thread that calls it."""

    model: Generator
    verify: Callable[[Boards, Boards], BatchVerdict] = verify_batch
    """The checker; another one only ever serves as a control in measurements."""

    def open(self, puzzles: Boards, options: Options) -> "EngineSession":
        """Start a session on puzzles `[B, 81]`; raises ValueError for another shape or an empty batch."""
        if puzzles.ndim != 2 or puzzles.shape[1] != CELLS or not len(puzzles):
            raise ValueError(f"found puzzles of shape {puzzles.shape}, expected [B, 81] with B of at least 1")
        return EngineSession(self.model, puzzles.astype(np.int8), options, self.verify)


@dataclass
class _Row:
    """What is known of one puzzle so far; `badness` orders boards, the best one is kept."""

    board: Boards
    badness: int = CELLS * CELLS
    solved: bool = False
    level: int = 0
    attempt: int = 0
    kinds: list[Kind] = field(default_factory=list)
    work: Work = field(default_factory=Work)
    seconds: Seconds = field(default_factory=Seconds)
    latency: float = 0.0

    def see(self, step: LevelStep, board: Boards, solved: bool, badness: int) -> None:
        """Keep the board of a checked level if it is the best so far."""
        if badness < self.badness:
            self.board, self.badness, self.solved = board, badness, solved
            self.level, self.attempt = step.level, step.attempt


@dataclass(frozen=True)
class _State:
    """Where a session stands before a level: enough to come back to it."""

    attempt: int
    level: int
    rows: Rows
    field: mx.array


class EngineSession:
    """One generation over a batch; see `sudoku_ncm.session.Session`."""

    def __init__(
        self, model: Generator, puzzles: Boards, options: Options, verify: Callable[[Boards, Boards], BatchVerdict]
    ) -> None:
        self._model, self._puzzles, self._options, self._verify = model, puzzles, options, verify
        self._plan = model.config.level_plan(options.levels)  # a shorter plan is the beginning of a longer one
        rows = np.arange(len(puzzles))
        self._state = _State(0, 0, rows, empty_field(len(rows)))
        self._cache = self._new_cache(rows)
        self._settled = [_Row(board) for board in puzzles]
        self._history: list[tuple[_State, LevelStep]] = []

    def __iter__(self) -> Iterator[LevelStep]:
        return self

    def __next__(self) -> LevelStep:
        """Run one level for all rows still running."""
        state, options = self._state, self._options
        if not len(state.rows) or state.attempt == options.attempts:
            raise StopIteration
        started = time.perf_counter()
        with_prefix = not (options.cached and self._cache.filled)
        field = self._generate(state)
        generated = time.perf_counter()
        decoded, decode_s, check_s = None, 0.0, 0.0
        if options.policy.checks(state.level, options.levels_of(state.attempt) - 1):
            decoded, decode_s, check_s = self._decode_and_check(field, state.rows)
        checked = time.perf_counter()
        solved = np.zeros(len(state.rows), np.bool_) if decoded is None else decoded.verdicts.solved
        self._advance(state, field, solved)
        kind = self._plan.kinds[state.level]
        seconds = Seconds(generated - started, decode_s, check_s, time.perf_counter() - checked)
        work = level_work(kind, with_prefix)
        held = self._cache.nbytes if options.cached else 0
        noise = options.noise_scale(state.attempt, state.level)
        step = LevelStep(state.attempt, state.level, kind, noise, state.rows, decoded, work, held, seconds)
        self._remember(state, step)
        return step

    def rewind(self, attempt: int, level: int) -> None:
        """Go back to before that level; the next step computes it again. Raises ValueError if it was not reached."""
        reached = [(state.attempt, state.level) for state, _ in self._history]
        if (attempt, level) not in reached:
            raise ValueError(f"attempt {attempt}, level {level} was not reached, so there is nothing to rewind to")
        self._state = self._history[reached.index((attempt, level))][0]
        del self._history[reached.index((attempt, level)) :]
        if not (attempt or level) or len(self._state.rows) != self._cache.clues.shape[0]:
            self._cache = self._new_cache(self._state.rows)

    def peek(self) -> Decoded | None:
        """What the rows still running would decode to now, or None where there is nothing to decode."""
        state = self._state
        return self._decode_and_check(state.field, state.rows)[0] if state.level and len(state.rows) else None

    def outcomes(self) -> list[Outcome]:
        """How each puzzle stands, in the order they were given."""
        rows = [replace(row, kinds=[*row.kinds]) for row in self._settled]
        for _, step in self._history:
            _credit(step, rows)
        row_bytes = self._cache.nbytes // self._cache.clues.shape[0] if self._options.cached else 0
        return [self._outcome(row, row_bytes) for row in rows]

    def _remember(self, state: _State, step: LevelStep) -> None:
        self._history.append((state, step))
        if len(self._history) > REWIND:
            _credit(self._history.pop(0)[1], self._settled)

    def _new_cache(self, rows: Rows) -> PrefixCache:
        return PrefixCache(mx.array(self._puzzles[rows].astype(np.int32)))

    def _generate(self, state: _State) -> mx.array:
        """The field after the level, evaluated, and a cache that is filled."""
        kind, options, clues = self._plan.kinds[state.level], self._options, self._puzzles[state.rows]
        if not options.cached:
            self._cache = self._new_cache(state.rows)
        noise = level_noise(options, clues, state.attempt, state.level, kind.positions)
        _, field = self._model.step(state.field, kind, self._cache, noise)
        mx.eval(field, self._cache.arrays)
        return field

    def _decode_and_check(self, field: mx.array, rows: Rows) -> tuple[Decoded, float, float]:
        started = time.perf_counter()
        fields = np.array(field)
        boards = decode(fields)
        decoded = time.perf_counter()
        verdicts = self._verify(boards, self._puzzles[rows])
        return Decoded(fields, boards, verdicts), decoded - started, time.perf_counter() - decoded

    def _advance(self, state: _State, field: mx.array, solved: npt.NDArray[np.bool_]) -> None:
        """Set the state before the next level, without the solved rows; the last level is followed by an attempt."""
        keep, rows = np.flatnonzero(~solved), state.rows[~solved]
        if 0 < len(keep) < len(solved):
            indices = mx.array(keep)
            field, self._cache = field[indices], self._cache.rows(indices)
            mx.eval(field, self._cache.arrays)
        if state.level + 1 < self._options.levels_of(state.attempt):
            self._state = _State(state.attempt, state.level + 1, rows, field)
        else:
            self._state = _State(state.attempt + 1, 0, rows, empty_field(len(rows)))

    def _outcome(self, row: _Row, cache_bytes: int) -> Outcome:
        cost = Cost.of(self._plan, row.kinds, row.work, row.seconds, self._options.cached, cache_bytes)
        levels, latency = (len(row.kinds), len(self._plan)), 1e3 * row.latency
        return Outcome(row.board, row.solved, row.level, row.attempt, *levels, latency, cost)


def _credit(step: LevelStep, rows: list[_Row]) -> None:
    """Add a step to the account of every row that ran it."""
    share = step.seconds.share(len(step.rows))
    for index, number in enumerate(step.rows):
        row = rows[number]
        row.kinds.append(step.kind)
        row.work, row.seconds = row.work + step.work, row.seconds + share
        row.latency += step.seconds.total
        if step.decoded is not None:
            verdicts = step.decoded.verdicts
            row.see(step, step.decoded.boards[index], bool(verdicts.solved[index]), _badness(verdicts, index))


def _badness(verdicts: BatchVerdict, index: int) -> int:
    """Zero for a solved board; otherwise all that is wrong with it, counted."""
    return int(verdicts.open_cells[index] + verdicts.broken_units[index] + verdicts.changed_clues[index])
