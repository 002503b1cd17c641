"""Counts, over many puzzles, how far the ways to run the same generation differ: they must not.

The reference is the cached run in one large batch. Compared with it: the same run uncached, puzzle by puzzle, and in
batches of seven; codes at every level, logits, and the outcomes of runs with verified exit (rows leaving at
different levels, compaction). Knows generator and engine. Invariant: nothing is rounded before it is compared.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import mlx.core as mx
import numpy as np
import numpy.typing as npt

from sudoku_ncm.cache import PrefixCache
from sudoku_ncm.engine import Engine
from sudoku_ncm.field import empty_field, quantize
from sudoku_ncm.generator import Generator
from sudoku_ncm.policy import Options
from sudoku_ncm.session import Boards, Outcome, drain

Level = tuple[npt.NDArray[np.int32], npt.NDArray[np.float32]]


@dataclass(frozen=True)
class Comparison:
    """One way to run against the reference: what was compared, what differed, largest logit difference."""

    name: str
    codes: int
    flips: int
    logits: float
    outcomes: int


def trajectory(model: Generator, clues: Boards, levels: int, cached: bool) -> list[Level]:
    """Codes and logits `[B, l, 9]` of every level of a full run on `clues` `[B, 81]`."""
    field, cache, found = empty_field(len(clues)), PrefixCache(mx.array(clues.astype(np.int32))), []
    for kind in model.config.level_plan(levels).kinds:
        cache = cache if cached else PrefixCache(cache.clues)
        logits, field = model.step(field, kind, cache)
        codes = quantize(logits, kind, model.config.q)
        mx.eval(field, cache.arrays)
        found.append((np.array(codes), np.array(logits)))
    return found


def compare(engine: Engine, clues: Boards, options: Options, batch_size: int) -> Iterator[Comparison]:
    """Compare the ways to run on `clues` `[N, 81]`; the reference runs cached in batches of `batch_size`."""
    reference = _Runs(engine, clues, options, batch_size, cached=True)
    for name, size, cached in (("uncached", batch_size, False), ("batches of 1", 1, True), ("batches of 7", 7, True)):
        yield _compare(name, reference, _Runs(engine, clues, options, size, cached))


@dataclass(frozen=True)
class _Runs:
    """All puzzles run one way, in batches."""

    engine: Engine
    clues: Boards
    options: Options
    batch_size: int
    cached: bool

    def levels(self, start: int, stop: int) -> list[Level]:
        """Codes and logits of puzzles start … stop, as run in this way's own batches."""
        parts = [
            trajectory(
                self.engine.model, self.clues[at : min(at + self.batch_size, stop)], self.options.levels, self.cached
            )
            for at in range(start, stop, self.batch_size)
        ]
        return [_joined(level) for level in zip(*parts, strict=True)]

    def outcomes(self) -> list[Outcome]:
        """Outcomes with verified exit."""
        options, size = replace(self.options, cached=self.cached), self.batch_size
        starts = range(0, len(self.clues), size)
        return [o for at in starts for o in drain(self.engine.open(self.clues[at : at + size], options))]


def _compare(name: str, reference: _Runs, other: _Runs) -> Comparison:
    codes = flips = 0
    logits = 0.0
    for start in range(0, len(reference.clues), reference.batch_size):
        stop = min(start + reference.batch_size, len(reference.clues))
        for (a, x), (b, y) in zip(reference.levels(start, stop), other.levels(start, stop), strict=True):
            codes, flips = codes + a.size, flips + int((a != b).sum())
            logits = max(logits, float(np.abs(x - y).max()))
    pairs = zip(reference.outcomes(), other.outcomes(), strict=True)
    return Comparison(name, codes, flips, logits, sum(_ending(a) != _ending(b) for a, b in pairs))


def _joined(parts: tuple[Level, ...]) -> Level:
    return np.concatenate([codes for codes, _ in parts]), np.concatenate([logits for _, logits in parts])


def _ending(outcome: Outcome) -> tuple[bytes, bool, int, int, int]:
    return outcome.board.tobytes(), outcome.solved, outcome.level, outcome.attempt, outcome.levels_executed
