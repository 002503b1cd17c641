"""Counts, over many puzzles, how far the ways to run the same generation differ: they must not.

The reference is the cached run in one large batch. Compared with it: the same run uncached, puzzle by puzzle, and in
batches of seven; codes at every level, logits, and the outcomes of runs with verified exit (rows leaving at
different levels, compaction). Knows generator and engine. Invariant: nothing is rounded before it is compared.
"""

from dataclasses import dataclass, replace

import mlx.core as mx
import numpy as np
import numpy.typing as npt

from sudoku_ncm.cache import PrefixCache
from sudoku_ncm.engine import Engine, level_noise
from sudoku_ncm.field import empty_field, quantize
from sudoku_ncm.generator import Generator
from sudoku_ncm.policy import Options
from sudoku_ncm.session import Boards, Outcome, drain

Ending = tuple[bytes, bool, int, int, int]
Level = tuple[npt.NDArray[np.int32], npt.NDArray[np.float32]]


@dataclass(frozen=True)
class Comparison:
    """One way to run against the reference: what was compared, what differed, largest logit difference."""

    name: str
    codes: int
    flips: int
    logits: float
    outcomes: int


def trajectory(model: Generator, clues: Boards, options: Options) -> list[Level]:
    """Codes and logits `[B, l, 9]` of every level of the first attempt on `clues` `[B, 81]`, run to its end."""
    field, cache, found = empty_field(len(clues)), PrefixCache(mx.array(clues.astype(np.int32))), []
    for level, kind in enumerate(model.config.level_plan(options.levels).kinds):
        cache = cache if options.cached else PrefixCache(cache.clues)
        noise = level_noise(options, clues, 0, level, kind.positions)
        logits, field = model.step(field, kind, cache, noise)
        codes = quantize(logits, kind, model.config.q)
        mx.eval(field, cache.arrays)
        found.append((np.array(codes), np.array(logits)))
    return found


def compare(engine: Engine, clues: Boards, options: Options, batch_size: int) -> list[Comparison]:
    """Compare the ways to run on `clues` `[N, 81]`; the reference runs cached in batches of `batch_size`."""
    reference = _Runs(engine, clues, options, batch_size, cached=True)
    ways = {"uncached": (batch_size, False), "batches of 1": (1, True), "batches of 7": (7, True)}
    others = {name: _Runs(engine, clues, options, size, cached) for name, (size, cached) in ways.items()}
    found = {name: _Differences() for name in ways}
    for start in range(0, len(clues), batch_size):
        stop = min(start + batch_size, len(clues))
        levels = reference.levels(start, stop)
        for name, other in others.items():
            found[name].add(levels, other.levels(start, stop))
    endings = reference.endings()
    return [
        Comparison(name, found[name].codes, found[name].flips, found[name].logits, _unequal(endings, other.endings()))
        for name, other in others.items()
    ]


@dataclass
class _Differences:
    """Codes compared and flipped, and the largest logit difference, so far."""

    codes: int = 0
    flips: int = 0
    logits: float = 0.0

    def add(self, levels: list[Level], others: list[Level]) -> None:
        """Compare two runs of the same puzzles level by level."""
        for (codes, logits), (other_codes, other_logits) in zip(levels, others, strict=True):
            self.codes += codes.size
            self.flips += int((codes != other_codes).sum())
            self.logits = max(self.logits, float(np.abs(logits - other_logits).max()))


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
        options, size = replace(self.options, cached=self.cached), self.batch_size
        parts = [
            trajectory(self.engine.model, self.clues[at : min(at + size, stop)], options)
            for at in range(start, stop, size)
        ]
        return [_joined(level) for level in zip(*parts, strict=True)]

    def endings(self) -> list[Ending]:
        """What every puzzle came to with verified exit."""
        options, size = replace(self.options, cached=self.cached), self.batch_size
        starts = range(0, len(self.clues), size)
        return [_ending(o) for at in starts for o in drain(self.engine.open(self.clues[at : at + size], options))]


def _unequal(endings: list[Ending], others: list[Ending]) -> int:
    return sum(a != b for a, b in zip(endings, others, strict=True))


def _joined(parts: tuple[Level, ...]) -> Level:
    return np.concatenate([codes for codes, _ in parts]), np.concatenate([logits for _, logits in parts])


def _ending(outcome: Outcome) -> Ending:
    return outcome.board.tobytes(), outcome.solved, outcome.level, outcome.attempt, outcome.levels_executed
