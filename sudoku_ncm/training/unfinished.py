"""Generations that are not finished: puzzles, their fields and how many levels they ran, carried from step to step.

Training continues them, so it meets the late states that long generations meet, and only those: solved rows leave as
they do at a verified exit. Knows boards and fields, nothing of the network. Invariant: the rows are a function of the
run so far and equal in every process, so they belong to the state that a resumed run needs.
"""

from dataclasses import astuple, dataclass, fields

import mlx.core as mx
import numpy as np
import numpy.typing as npt

from sudoku_ncm.errors import ModelError
from sudoku_ncm.field import decode
from sudoku_ncm.levels import CELLS, DIGITS
from sudoku_ncm.training.data import Boards


@dataclass(frozen=True)
class Rows:
    """M generations: clues and solutions `[M, 81]`, fields `[M, 81, 9]`, levels executed `[M]`."""

    clues: Boards
    solutions: Boards
    fields: npt.NDArray[np.float32]
    levels: npt.NDArray[np.int32]

    @classmethod
    def fresh(cls, clues: Boards, solutions: Boards) -> "Rows":
        """Generations before their first level."""
        size = len(clues)
        return cls(clues, solutions, np.zeros((size, CELLS, DIGITS), np.float32), np.zeros(size, np.int32))

    @classmethod
    def load(cls, arrays: dict[str, mx.array]) -> "Rows":
        """The rows that `arrays` gave. Raises ModelError when they are not such rows."""
        shapes = {"clues": (CELLS,), "solutions": (CELLS,), "fields": (CELLS, DIGITS), "levels": ()}
        size = arrays["levels"].size if "levels" in arrays else 0
        if {name: array.shape for name, array in arrays.items()} != {n: (size, *rest) for n, rest in shapes.items()}:
            raise ModelError(f"found unfinished rows {sorted(arrays)}, expected {sorted(shapes)} of one length")
        clues, solutions, fields, levels = (np.array(arrays[name]) for name in shapes)
        return cls(clues.astype(np.int8), solutions.astype(np.int8), fields, levels.astype(np.int32))

    def __len__(self) -> int:
        return len(self.levels)

    def __getitem__(self, rows: slice | npt.NDArray[np.bool_]) -> "Rows":
        return Rows(*(getattr(self, field.name)[rows] for field in fields(self)))

    def __add__(self, other: "Rows") -> "Rows":
        return Rows(*(np.concatenate(pair) for pair in zip(astuple(self), astuple(other), strict=True)))

    @property
    def arrays(self) -> dict[str, mx.array]:
        """Everything by name, as float32, to be saved."""
        return {field.name: mx.array(getattr(self, field.name).astype(np.float32)) for field in fields(self)}

    @property
    def solved(self) -> npt.NDArray[np.bool_]:
        """Which fields decode to the solution, `[M]`."""
        solved: npt.NDArray[np.bool_] = (decode(self.fields) == self.solutions).all(axis=1)
        return solved

    def after(self, fields: npt.NDArray[np.float32], levels: int) -> "Rows":
        """The same rows `levels` levels later."""
        return Rows(self.clues, self.solutions, fields, self.levels + np.int32(levels))
