"""One on-policy training step: run the levels from the model's own codes and learn the truth at every level.

Knows the generator and the field, nothing of files or progress. Invariant: the field is detached between levels, so the
residual target of a level is always truth minus the field the model itself produced.
"""

import mlx.core as mx

from sudoku_ncm.cache import PrefixCache
from sudoku_ncm.field import empty_field, pool
from sudoku_ncm.generator import Generator
from sudoku_ncm.levels import Kind, LevelPlan


def level_loss(logits: mx.array, truth: mx.array, kind: Kind) -> mx.array:
    """Cross-entropy of the digit over 81 cells, or 3 · binary cross-entropy of the nine digits of a coarse position.

    `logits` is `[B, l, 9]`, `truth` the solution's planes `[B, 81, 9]`; a scalar comes back.
    """
    target = pool(truth, kind) * kind.span
    if kind is Kind.CELL:
        return mx.mean(mx.logsumexp(logits, axis=-1) - (logits * target).sum(axis=-1))
    return 3 * mx.mean(mx.logaddexp(logits, 0) - logits * target)


def generation_loss(model: Generator, clues: mx.array, truth: mx.array, plan: LevelPlan, free: int) -> mx.array:
    """Mean loss over the levels of `plan`, of which `free` cell levels run first without being learned from.

    Free levels bring the field into the late states that long generations meet; they come after the coarse levels.
    """
    cache, field = PrefixCache(clues), empty_field(clues.shape[0])
    coarse = sum(kind is not Kind.CELL for kind in plan.kinds)
    kinds = [*plan.kinds[:coarse], *[Kind.CELL] * free, *plan.kinds[coarse:]]
    losses = []
    for index, kind in enumerate(kinds):
        logits, field = model.step(mx.stop_gradient(field), kind, cache)
        if not coarse <= index < coarse + free:
            losses.append(level_loss(logits, truth, kind))
    return sum(losses[1:], losses[0]) / len(losses)
