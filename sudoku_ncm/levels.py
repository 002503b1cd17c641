"""The coarse-to-fine plan as data: kinds of level, the axes they attend on, relation tables and allowed pairs.

Knows the geometry of the grid and nothing of arrays on a device. A cell has four coordinates of size three: band `R`,
row in the band `r`, stack `S`, column in the stack `s`. A kind of level is the list of coordinates its positions have;
an axis is the pair of coordinates that names its unit. Everything else (positions, units, members, pairs) follows.
Invariant: coordinates belong to the kind, so they restart at every level; there is no position that counts levels.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, cached_property
from itertools import product
from typing import Final

import numpy as np
import numpy.typing as npt

CELLS: Final = 81
DIGITS: Final = 9
PREFIX: Final = CELLS
"""P of the accounting: the prefix is the 81 cells of the puzzle."""
CELL_COORDINATES: Final = "RrSs"


class Axis(StrEnum):
    """A family of nine units; the value of `unit` names the two coordinates that tell them apart."""

    ROW = "row"
    COLUMN = "column"
    BOX = "box"

    @cached_property
    def unit(self) -> str:
        """The coordinates shared by all cells of one unit of this axis."""
        return {"row": "Rr", "column": "Ss", "box": "RS"}[self.value]


class Kind(StrEnum):
    """What the positions of a level are; the value is the name used in config files."""

    BOX_ROW = "box-row"
    BOX_COLUMN = "box-column"
    CELL = "cell"

    @cached_property
    def coordinates(self) -> str:
        """Coordinates of one position, in storage order (the last varies fastest)."""
        return {"box-row": "RrS", "box-column": "RSs", "cell": CELL_COORDINATES}[self.value]

    @cached_property
    def positions(self) -> int:
        """l[k]: how many positions a level of this kind has."""
        return int(3 ** len(self.coordinates))

    @cached_property
    def unit_size(self) -> int:
        """How many positions a unit has; on all axes of a kind as many."""
        return int(3 ** len(self.members(self.axes[0])))

    @cached_property
    def span(self) -> int:
        """How many cells one position covers."""
        return CELLS // self.positions

    @cached_property
    def axes(self) -> tuple[Axis, ...]:
        """The axes a position of this kind lies on: those whose unit coordinates it has."""
        return tuple(axis for axis in Axis if set(axis.unit) <= set(self.coordinates))

    def members(self, axis: Axis) -> str:
        """Coordinates that tell the positions of one unit apart."""
        return "".join(c for c in self.coordinates if c not in axis.unit)


class Source(StrEnum):
    """Who looks at whom; each has relation biases of its own."""

    PREFIX = "prefix to prefix"
    LEVEL_PREFIX = "level to prefix"
    LEVEL = "level to its own level"


RELATIONS: Final = ("same cell", "near", "far", "inside", "outside")
"""Near: same box on a line, same row or column in a box. Inside/outside: the key lies in the coarse query or not."""


def members(kind: Kind, axis: Axis) -> Iterator[dict[str, int]]:
    """Yield the positions of one unit, each as its member coordinates."""
    names = kind.members(axis)
    for values in product(range(3), repeat=len(names)):
        yield dict(zip(names, values, strict=True))


def relation(query: dict[str, int], key: dict[str, int], axis: Axis, fine: bool) -> int:
    """Index into RELATIONS of what `key` is to `query`, both in one unit of `axis`; `fine` when both are cells."""
    shared = [query[c] == key[c] for c in query.keys() & key.keys()]
    if not fine:
        return RELATIONS.index("inside" if all(shared) else "outside")
    if all(shared):
        return RELATIONS.index("same cell")
    upper = [c for c in query if axis is Axis.BOX or c.isupper()]
    return RELATIONS.index("near" if any(query[c] == key[c] for c in upper) else "far")


@cache
def relation_table(query: Kind, key: Kind, axis: Axis) -> npt.NDArray[np.int64]:
    """Relations `[n, m]` of the n query and m key positions of a unit (the same in every unit of the axis)."""
    fine = query is Kind.CELL and key is Kind.CELL
    rows = [[relation(q, k, axis, fine) for k in members(key, axis)] for q in members(query, axis)]
    return np.array(rows)


def own_pairs(kind: Kind) -> int:
    """Allowed query/key pairs inside one level, one head of each axis: 9 units of n queries by n keys per axis."""
    return sum(9 * relation_table(kind, kind, axis).size for axis in kind.axes)


def prefix_pairs(kind: Kind) -> int:
    """Allowed pairs of level queries and prefix keys, one head of each axis."""
    return sum(9 * relation_table(kind, Kind.CELL, axis).size for axis in kind.axes)


@dataclass(frozen=True)
class LevelPlan:
    """The kinds of the K levels of a generation, in order."""

    kinds: tuple[Kind, ...]

    @classmethod
    def parse(cls, names: list[str], levels: int) -> "LevelPlan":
        """The plan of a config, `["box-row", "box-column", "cell"]`, whose last kind repeats up to `levels` levels.

        Raises ValueError for an unknown kind, an empty plan or less than one level.
        """
        kinds = [Kind(name) for name in names]
        if not kinds or levels < 1:
            raise ValueError(f"a plan needs at least one kind and one level, found {names} and {levels} levels")
        return cls(tuple((kinds + [kinds[-1]] * levels)[:levels]))

    def __len__(self) -> int:
        return len(self.kinds)
