"""One on-policy training step: run the levels from the model's own codes and learn the truth at every level.

Rows leave when their codes solve them, as at a verified exit: what a solved row would still add to the loss is nothing,
and most rows are solved early. A level also learns a little from what its beliefs do to the next one's loss. Knows the
generator and the field, nothing of files or progress. Invariant: the values between levels are those of the codes, so
the residual target of a level is always truth minus the field the model itself produced.
"""

import mlx.core as mx
import numpy as np

from sudoku_ncm.cache import PrefixCache
from sudoku_ncm.field import decode, empty_field, planes, pool, probabilities, quantize, refine
from sudoku_ncm.generator import Generator
from sudoku_ncm.levels import Kind
from sudoku_ncm.training.data import Boards

DAMPING = 0.2
"""Share of the gradient that passes from a level's input field to the level before; whole, it explodes over levels."""


def level_loss(logits: mx.array, truth: mx.array, kind: Kind) -> mx.array:
    """Cross-entropy of the digit over 81 cells, or 3 · binary cross-entropy of the nine digits of a coarse position.

    `logits` is `[B, l, 9]`, `truth` the solution's planes `[B, 81, 9]`; the mean over rows comes back, a scalar.
    """
    target = pool(truth, kind) * kind.span
    if kind is Kind.CELL:
        return mx.mean(mx.logsumexp(logits, axis=-1) - (logits * target).sum(axis=-1))
    return 3 * mx.mean(mx.logaddexp(logits, 0) - logits * target)


def generation_loss(
    model: Generator, clues: Boards, solutions: Boards, kinds: tuple[Kind, ...]
) -> tuple[mx.array, mx.array]:
    """Mean loss over all rows and levels of `kinds`, solved rows at nothing; and how many rows were solved.

    `clues` and `solutions` are `[B, 81]`.
    """
    size, total = len(clues), mx.array(0.0)
    cache, field, truth = PrefixCache(mx.array(clues.astype(np.int32))), empty_field(size), mx.array(planes(solutions))
    for kind in kinds:
        logits = model(field, kind, cache)
        field = passed_on(mx.stop_gradient(field), logits, kind, model.config.q)
        total = total + level_loss(logits, truth, kind) * (len(solutions) / size)
        running = np.flatnonzero((decode(np.array(field)) != solutions).any(axis=1))
        if len(running) < len(solutions):
            rows, solutions = mx.array(running), solutions[running]
            field, truth, cache = field[rows], truth[rows], cache.rows(rows)
        if not len(running):
            break
    return total / len(kinds), mx.array(size - len(solutions))


def passed_on(field: mx.array, logits: mx.array, kind: Kind, q: int) -> mx.array:
    """The field refined by the codes of `logits`, with `DAMPING` times the gradient of the beliefs they round."""
    beliefs = DAMPING * refine(field, q * probabilities(logits, kind), kind, q)
    refined = refine(field, quantize(logits, kind, q), kind, q)
    return mx.stop_gradient(refined) + (beliefs - mx.stop_gradient(beliefs))
