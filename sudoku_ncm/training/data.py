"""Training batches: minimal puzzles with clues added back, hard ones as they are, under symmetries of the grid.

Knows the file layout `puzzle,solution,…` and nothing of the network. Invariant: batch `step` depends on (seed, step)
alone, so a resumed run sees the same batches, and processes that share a step take disjoint rows of one batch.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from checker.board import BLANKS
from checker.generate import symmetry_indices
from checker.verify import verify_batch
from sudoku_ncm.errors import PuzzleError
from sudoku_ncm.inputs import digest, opened
from sudoku_ncm.levels import CELLS

Boards = npt.NDArray[np.int8]
_HEADER = b"puzzle,solution"
_NO_CELL = -1


@dataclass(frozen=True)
class PuzzleSet:
    """Puzzles and solutions, each `[N, 81]` int8 with 0 for open cells, and the SHA-256 of the file they came from."""

    puzzles: Boards
    solutions: Boards
    sha256: str

    @classmethod
    def load(cls, path: Path) -> "PuzzleSet":
        """Read a CSV (plain or gzip) as `sudoku-ncm generate --format csv` writes it.

        Raises UsageError if it cannot be opened, PuzzleError naming file and line when there is no puzzle or a row does
        not start with a puzzle and its solution.
        """
        with opened(path, "training puzzles") as stream:
            text = stream.read()
        header, _, body = text.partition(b"\n")
        if not header.startswith(_HEADER):
            found = header[:40].decode(errors="replace")
            raise PuzzleError(f"{path}:1: found {found!r}, expected a header that starts with puzzle,solution")
        lines = body.splitlines()
        for number, line in enumerate(lines, start=2):
            if len(line) < 163 or line[81:82] != b"," or line[163:164] not in (b"", b","):
                found = line[:40].decode(errors="replace")
                raise PuzzleError(f"{path}:{number}: found {found!r}, expected 81 cells, a comma and 81 digits")
        if not lines:
            raise PuzzleError(f"{path}:2: found no puzzle, expected at least one")
        puzzles, solutions = (_boards(b"".join(line[at : at + CELLS] for line in lines)) for at in (0, CELLS + 1))
        wrong = _wrong_rows(puzzles, solutions)
        if wrong.size:
            found = lines[wrong[0]][:163].decode(errors="replace")
            raise PuzzleError(f"{path}:{wrong[0] + 2}: found {found!r}, expected a puzzle, a comma and its solution")
        return cls(puzzles, solutions, digest(path))

    def __len__(self) -> int:
        return len(self.puzzles)


def _boards(text: bytes) -> Boards:
    """Boards `[N, 81]` of a text of their cells; what is no cell becomes `_NO_CELL`."""
    values = np.full(256, _NO_CELL, np.int8)
    values[list(BLANKS.encode())] = 0
    values[list(b"123456789")] = range(1, 10)
    return values[np.frombuffer(text, np.uint8)].reshape(-1, CELLS)


def _wrong_rows(puzzles: Boards, solutions: Boards, chunk: int = 4096) -> npt.NDArray[np.intp]:
    """Rows whose solution does not solve the puzzle; what is no cell is a clue that no solution keeps."""
    solved = [
        verify_batch(solutions[at : at + chunk], puzzles[at : at + chunk]).solved
        for at in range(0, len(puzzles), chunk)
    ]
    return np.flatnonzero(~np.concatenate(solved))


@dataclass(frozen=True)
class Mix:
    """How many clues are added back: a `few_share` of the rows gets 0 … few, the others 0 … many."""

    few: int = 4
    many: int = 30
    few_share: float = 0.7


def batch(
    data: PuzzleSet, size: int, seed: int, step: int, mix: Mix | None = None, hard: PuzzleSet | None = None
) -> tuple[Boards, Boards]:
    """Clues and solutions, each `[size, 81]`, of training step `step`; the last half from `hard`, if given."""
    rng = np.random.default_rng((seed, step))
    parts = [_eased(data, size - size // 2 if hard else size, rng, mix or Mix())]
    if hard:
        rows = rng.integers(len(hard), size=size // 2)
        parts.append((hard.puzzles[rows], hard.solutions[rows]))
    clues, solutions = (np.concatenate(boards) for boards in zip(*parts, strict=True))
    cells = np.stack([symmetry_indices(rng) for _ in range(size)])
    return np.take_along_axis(clues, cells, axis=1), np.take_along_axis(solutions, cells, axis=1)


def _eased(data: PuzzleSet, size: int, rng: np.random.Generator, mix: Mix) -> tuple[Boards, Boards]:
    """Random rows of `data` with clues added."""
    rows = rng.integers(len(data), size=size)
    clues, solutions = data.puzzles[rows], data.solutions[rows]
    limits = np.where(rng.random(size) < mix.few_share, mix.few, mix.many)
    added = rng.integers(limits + 1)
    order = np.where(clues == 0, rng.random(clues.shape), 2.0).argsort(axis=1).argsort(axis=1)
    return np.where((order < added[:, None]) | (clues != 0), solutions, 0), solutions
