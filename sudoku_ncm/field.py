"""The field and its codes: what a level says, how it is added, and how a board is read off.

The field `[B, 81, 9]` is the cumulative reconstruction: the belief of each digit in each cell. A code is an integer
0 … q per (position, digit), a finite scalar quantizer of the expected value there; the residual it stands for is
code/q − field, pooled over the cells of a coarse position. Knows nothing of the network. Invariant: `refine` is the
only way a field changes, in training, engine and trace alike.
"""

import mlx.core as mx
import numpy as np
import numpy.typing as npt

from sudoku_ncm.levels import CELL_COORDINATES, CELLS, DIGITS, Kind


def empty_field(batch: int) -> mx.array:
    """The field before the first level: zero belief everywhere, `[B, 81, 9]`."""
    return mx.zeros((batch, CELLS, DIGITS))


def pool(field: mx.array, kind: Kind) -> mx.array:
    """Mean of the field over the cells of each position: `[B, 81, 9]` -> `[B, l, 9]`."""
    if kind is Kind.CELL:
        return field
    axes = [1 + CELL_COORDINATES.index(c) for c in CELL_COORDINATES if c not in kind.coordinates]
    return field.reshape(-1, 3, 3, 3, 3, DIGITS).mean(axis=axes).reshape(-1, kind.positions, DIGITS)


def spread(values: mx.array, kind: Kind) -> mx.array:
    """Give every cell the value of its position: `[B, l, 9]` -> `[B, 81, 9]`."""
    if kind is Kind.CELL:
        return values
    shape = [3 if c in kind.coordinates else 1 for c in CELL_COORDINATES]
    batch = values.shape[0]
    full = mx.broadcast_to(values.reshape(batch, *shape, DIGITS), (batch, 3, 3, 3, 3, DIGITS))
    return full.reshape(batch, CELLS, DIGITS)


def probabilities(logits: mx.array, kind: Kind) -> mx.array:
    """Chance that the digit stands in the position: softmax over digits for a cell, nine sigmoids otherwise."""
    return mx.softmax(logits, axis=-1) if kind is Kind.CELL else mx.sigmoid(logits)


def quantize(logits: mx.array, kind: Kind, q: int) -> mx.array:
    """Codes `[B, l, 9]` (int32, 0 … q) of the expected value under the logits `[B, l, 9]`."""
    return mx.round(q * probabilities(logits, kind)).astype(mx.int32)


def refine(field: mx.array, codes: mx.array, kind: Kind, q: int) -> mx.array:
    """Add the residual the codes stand for: code/(span·q) − pooled field, to every cell of each position."""
    residual = codes.astype(mx.float32) / (kind.span * q) - pool(field, kind)
    return field + spread(residual, kind)


def decode(field: npt.NDArray[np.float32]) -> npt.NDArray[np.int8]:
    """Boards `[B, 81]` of a field on the host: the strictly largest digit of each cell, 0 (open) on a tie."""
    unique = (field == field.max(axis=-1, keepdims=True)).sum(axis=-1) == 1
    return np.where(unique, field.argmax(axis=-1) + 1, 0).astype(np.int8)


def planes(boards: npt.NDArray[np.int8]) -> npt.NDArray[np.float32]:
    """One-hot digit planes `[B, 81, 9]` of full boards: the encoder of the digit-plane codec, inverse of `decode`."""
    one_hot = boards[..., None] == np.arange(1, DIGITS + 1)
    result: npt.NDArray[np.float32] = one_hot.astype(np.float32)
    return result
