"""One on-policy training step: run the levels from the model's own codes and learn the truth at every level.

Knows the generator and the field, nothing of files or progress. Invariant: the field is detached between levels, so the
residual target of a level is always truth minus the field the model itself produced.
"""

import mlx.core as mx

from sudoku_ncm.cache import PrefixCache
from sudoku_ncm.field import pool
from sudoku_ncm.generator import Generator
from sudoku_ncm.levels import Kind


def level_loss(logits: mx.array, truth: mx.array, kind: Kind) -> mx.array:
    """Cross-entropy of the digit over 81 cells, or 3 · binary cross-entropy of the nine digits of a coarse position.

    `logits` is `[B, l, 9]`, `truth` the solution's planes `[B, 81, 9]`; a scalar comes back.
    """
    target = pool(truth, kind) * kind.span
    if kind is Kind.CELL:
        return mx.mean(mx.logsumexp(logits, axis=-1) - (logits * target).sum(axis=-1))
    return 3 * mx.mean(mx.logaddexp(logits, 0) - logits * target)


def generation_loss(
    model: Generator, clues: mx.array, truth: mx.array, field: mx.array, kinds: tuple[Kind, ...]
) -> tuple[mx.array, mx.array]:
    """Mean loss over levels of `kinds` that go on from `field` `[B, 81, 9]`, and the field after them."""
    cache, losses = PrefixCache(clues), []
    for kind in kinds:
        logits, field = model.step(mx.stop_gradient(field), kind, cache)
        losses.append(level_loss(logits, truth, kind))
    return sum(losses[1:], losses[0]) / len(losses), mx.stop_gradient(field)
