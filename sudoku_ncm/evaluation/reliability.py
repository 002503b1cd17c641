"""Is a cell as often right as the model believes? Counts right cells by confidence, level by level.

The confidence of an open cell is the largest value of its field; it is right when the decoded digit is the solution's.
Clues are not counted. Knows the door only. Invariant: the solver's checker never passes, so all puzzles are counted at
every level, the solved ones too.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from sudoku_ncm.evaluation.statistics import wilson
from sudoku_ncm.policy import Options
from sudoku_ncm.session import Boards, Decoded, Solver

BINS = 10
Counts = npt.NDArray[np.float64]


def _zeros() -> Counts:
    return np.zeros(BINS)


@dataclass
class Reliability:
    """Cells, right ones and summed confidence by tenths of confidence, `[10]` each, after one level."""

    cells: Counts = field(default_factory=_zeros)
    right: Counts = field(default_factory=_zeros)
    confidence: Counts = field(default_factory=_zeros)

    def add(self, decoded: Decoded, clues: Boards, solutions: Boards) -> None:
        """Count the open cells of a batch; all boards are `[n, 81]`."""
        open_cells = clues == 0
        confidence = np.clip(decoded.fields.max(axis=-1), 0, 1)[open_cells]
        right = (decoded.boards == solutions)[open_cells]
        bins = np.minimum((confidence * BINS).astype(int), BINS - 1)
        for counts, weights in ((self.cells, None), (self.right, right), (self.confidence, confidence)):
            counts += np.bincount(bins, weights, BINS)

    def rows(self) -> list[dict[str, Any]]:
        """Per occupied bin: mean confidence, cells, right ones, their rate and its Wilson 95 % interval."""
        return [
            {
                "confidence": self.confidence[b] / self.cells[b],
                "cells": int(self.cells[b]),
                "right": int(self.right[b]),
                "rate": self.right[b] / self.cells[b],
                "interval": [*wilson(int(self.right[b]), int(self.cells[b]))],
            }
            for b in np.flatnonzero(self.cells)
        ]

    @property
    def error(self) -> float:
        """Expected calibration error: mean distance of rate and confidence over bins, weighted by cells."""
        return float(np.abs(self.right - self.confidence).sum() / max(self.cells.sum(), 1))


def reliability(
    solver: Solver, batches: Iterator[tuple[Boards, Boards]], levels: tuple[int, ...]
) -> dict[int, Reliability]:
    """Run `solver`, whose checker never passes, on batches of clues and solutions; counts after each of `levels`.

    Levels have no noise, so confidence is the network's own.
    """
    counts = {level: Reliability() for level in levels}
    for clues, solutions in batches:
        for step in solver.open(clues, Options(levels=max(levels) + 1, temperature=0)):
            if step.level in counts and step.decoded is not None:
                counts[step.level].add(step.decoded, clues, solutions)
    return counts
