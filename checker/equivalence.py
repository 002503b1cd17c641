"""Whether two boards are the same but for the symmetries of the grid and the names of the digits: an exact answer.

Symmetries transpose, and shuffle bands, stacks, rows in a band and columns in a stack: 2 * 6**8 of them. The search
pairs a cell of one board with every cell of its colour (`signature.colours`) in the other, marks the pair and colours
again, until every colour names one cell; what the pairs then say is checked.

Invariant: "yes" rests on a symmetry found and checked, "no" on colours that every symmetry would keep.
"""

from typing import Final

import numpy as np

from checker.board import UNITS, Board, Indices
from checker.signature import Colours, colours

_UNITS: Final = frozenset(map(frozenset, UNITS.tolist()))


def equivalent(board: Board, other: Board) -> bool:
    """Whether a symmetry and a relabelling make `board` `[81]` `other` `[81]`; open cells (0) stay open.

    No digit may stand twice in a unit of either.
    """
    nothing = np.zeros((1, 0), np.intp)
    return _carried(board, other, nothing, nothing)


def _carried(board: Board, other: Board, marked: Indices, onto: Indices) -> bool:
    """The same for symmetries that carry the cells `marked` `[1, m]`, in their order, to one row of `onto` `[k, m]`."""
    (mine,), theirs = _coloured(board, marked), _coloured(other, onto)
    names, counts = np.unique(mine, return_counts=True)
    several = np.where(counts > 1, counts, 82)
    name = names[several.argmin()]
    for ends, found in zip(onto, theirs, strict=True):
        if not np.array_equal(np.sort(found), np.sort(mine)):
            continue
        if len(names) == 81:
            carried = _carries(board, other, found.argsort()[mine.argsort().argsort()])
        else:
            cells = np.flatnonzero(found == name)[:, None]
            tries = np.hstack([np.tile(ends, (len(cells), 1)), cells])
            carried = _carried(board, other, np.append(marked, [[np.argmax(mine == name)]], axis=1), tries)
        if carried:
            return True
    return False


def _coloured(board: Board, marked: Indices) -> Colours:
    """Colours `[k, 81]` of the board with the cells of each row of `marked` `[k, m]` marked 1 to m."""
    marks = np.zeros((len(marked), 81), np.uint64)
    np.put_along_axis(marks, marked, np.arange(1, marked.shape[1] + 1, dtype=np.uint64)[None], axis=1)
    return colours(np.tile(board, (len(marked), 1)), marks)


def _carries(board: Board, other: Board, to: Indices) -> bool:
    """Whether moving every cell to the cell `to` `[81]` keeps units, and then only digits are named anew."""
    pairs = set(zip(board.tolist(), other[to].tolist(), strict=True))
    named_anew = len(pairs) == len(dict(pairs)) == len({new for _, new in pairs})
    opens = all((old == 0) == (new == 0) for old, new in pairs)
    return named_anew and opens and frozenset(map(frozenset, to[UNITS].tolist())) == _UNITS
