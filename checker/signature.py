"""Signatures of boards: what stays the same however a board is transposed, shuffled and relabelled.

Colour refinement (Weisfeiler and Leman): a cell's colour is hashed again and again with the colours of its row, its
column, its box and its digit's cells, rows and columns alike. On a full grid all cells would keep one colour, so the
first colours count short cycles: going from a cell to the one above it in its band, to the same digit in the cell's
row, and so on. It knows no search; whether two boards of one signature are equivalent is for `equivalence` to prove.

Invariant: equivalent boards have equal signatures, on every platform; so different signatures are a proof.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from checker.board import Indices

Colours = npt.NDArray[np.uint64]
Boards = npt.NDArray[np.int8]

_ROUNDS: Final = 4
_MIX: Final = np.uint64(0xBF58476D1CE4E5B9)
_SHIFT: Final = np.uint64(29)
_LINE, _BOX, _DIGIT, _OPEN, _CYCLE = (np.uint64(0x9E3779B97F4A7C15 * k % 2**64) for k in range(1, 6))
_ABOVE: Final = [1, 2, 0, 4, 5, 3, 7, 8, 6]  # another line of each line's band: every pair of lines once
_BELOW: Final = [2, 0, 1, 5, 3, 4, 8, 6, 7]  # the other one
_LONGEST: Final = 4  # cycles of 2, 3 and 4 tell all lengths of a full line, which add up to nine


def signatures(boards: Boards) -> Colours:
    """One number a board `[N]` of boards `[N, 81]`, 0 for open cells, no digit twice in a unit; some 20 kB a board."""
    found: Colours = colours(boards).sum(axis=1)
    return found


def colours(boards: Boards, marks: Colours | None = None) -> Colours:
    """Colours `[N, 81]`: if a symmetry carries a board and its `marks` to another, it carries the colours too."""
    grids = boards.reshape(-1, 9, 9).astype(np.intp)
    found = _first(grids) if marks is None else _mixed(_first(grids) + marks.reshape(-1, 9, 9))
    for _ in range(_ROUNDS):
        found = _refined(found, grids)
    return found.reshape(-1, 81)


def _first(grids: Indices) -> Colours:
    """Colours `[N, 9, 9]` of cells by what is seen without their neighbours' colours."""
    crosswise = _cycles(grids.swapaxes(1, 2)).swapaxes(1, 2)
    return _mixed((grids == 0) * _OPEN + _cycles(grids) + crosswise)


def _cycles(grids: Indices) -> Colours:
    """For each cell, with each of the two other lines of its band: in which short cycles of digits it is."""
    columns = np.arange(9)
    place = np.full((len(grids), 9, 10), 9)
    np.put_along_axis(place, grids, np.broadcast_to(columns, grids.shape), axis=2)
    place[:, :, 0] = 9  # open cells are nowhere, and nowhere leads nowhere
    step = np.full_like(place, 9)
    at = step[:, :, :9] = np.take_along_axis(place, grids[:, _ABOVE], axis=2)
    closed = np.zeros(grids.shape, np.uint64)
    for length in range(2, _LONGEST + 1):
        at = np.take_along_axis(step, at, axis=2)
        closed += (at == columns) * np.uint64(1 << length)
    hashed = _mixed(closed * _CYCLE)
    return hashed + hashed[:, _BELOW]


def _refined(found: Colours, grids: Indices) -> Colours:
    rows, columns = _mixed(found.sum(axis=2) + _LINE), _mixed(found.sum(axis=1) + _LINE)
    boxes = _mixed(found.reshape(-1, 3, 3, 3, 3).sum(axis=(2, 4)) + _BOX)
    in_box = boxes.repeat(3, axis=1).repeat(3, axis=2)
    digit = grids + 10 * np.arange(len(grids))[:, None, None]
    digits = np.zeros(10 * len(grids), np.uint64)
    np.add.at(digits, digit.ravel(), found.ravel())
    return _mixed(found + rows[:, :, None] + columns[:, None, :] + in_box + _mixed(digits + _DIGIT)[digit])


def _mixed(values: Colours) -> Colours:
    """Values spread over 64 bits, so that sums of them tell multisets apart."""
    values = (values ^ values >> _SHIFT) * _MIX
    return values ^ values >> _SHIFT
