"""What two sets of puzzles have in common, exactly: no transposing, shuffling or relabelling hides it.

Adding clues, as training does, leaves a puzzle its solution, so puzzles and solutions are both compared. Knows samples
and the checker; prints nothing. Invariants: one set is held, the other streams; a pair is left out only if it differs
in signature or the exact test says no; a row that was compared has a right solution.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain, islice
from pathlib import Path
from typing import Any

import numpy as np

from checker.board import to_line
from checker.equivalence import equivalent
from checker.formats import Refusal
from checker.judge import judge
from checker.signature import Boards, signatures
from checker.verify import verify
from sudoku_ncm.evaluation.dataset import Sample, samples
from sudoku_ncm.evaluation.report import table
from sudoku_ncm.inputs import digest

CHUNK = 1024
"""Rows compared at a time; what is found does not depend on it."""


class Kind(StrEnum):
    """What two rows have in common, the most telling first."""

    SAME_PUZZLE = "same puzzle"
    EQUIVALENT_PUZZLE = "equivalent puzzle"
    SAME_SOLUTION = "same solution"
    EQUIVALENT_SOLUTION = "equivalent solution"


@dataclass(frozen=True, eq=False)
class Row:
    """A puzzle and its solution, `[2, 81]`, and where they stood."""

    boards: Boards
    file: str
    line: int

    def place(self) -> dict[str, Any]:
        """File, line and puzzle for a report."""
        return {"file": self.file, "line": self.line, "puzzle": to_line(self.boards[0])}


Overlap = tuple[Kind, Row, Row]
Index = dict[int, list[Row]]


class Rows:
    """The rows of a file in chunks, counted as they are read; what is no solved puzzle goes to `refuse`.

    A solution that the file does not give is searched; one that it gives is checked, not proven the only one. Raises
    UsageError if the file cannot be opened, PuzzleError while reading for damaged gzip data.
    """

    def __init__(self, file: str, refuse: Callable[[Refusal], None]) -> None:
        self.sha256 = digest(Path(file))
        self.file, self.compared, self.rejected = file, 0, 0
        self._refuse = refuse

    def __iter__(self) -> Iterator[list[Row]]:
        stream = map(_row, samples((self.file,)))
        while chunk := list(islice(stream, CHUNK)):
            rows = [row for row in chunk if isinstance(row, Row)]
            for refusal in (row for row in chunk if isinstance(row, Refusal)):
                self._refuse(refusal)
            self.compared, self.rejected = self.compared + len(rows), self.rejected + len(chunk) - len(rows)
            yield rows

    def summary(self) -> dict[str, Any]:
        """Name, SHA-256 and counts of what was read so far."""
        return {"file": self.file, "sha256": self.sha256, "compared": self.compared, "rejected": self.rejected}


def _row(item: Sample | Refusal) -> Row | Refusal:
    if isinstance(item, Refusal):
        return item
    solution = item.solution
    if solution is None:
        judgement = judge(item.clues)
        if not judgement.good:
            return Refusal(item.file, item.line, judgement.describe(), "a puzzle with one solution")
        solution = judgement.solutions[0]
    verdict = verify(solution, item.clues)
    if not verdict.solved:
        return Refusal(item.file, item.line, f"a wrong solution ({verdict.describe()})", "the puzzle's own, or none")
    return Row(np.stack([item.clues, solution]), item.file, item.line)


def index(chunks: Iterable[list[Row]]) -> Index:
    """Rows by the signatures of their puzzle and their solution."""
    found: Index = defaultdict(list)
    for row, keys in chain.from_iterable(map(_signed, chunks)):
        for key in keys:
            found[key].append(row)
    return found


def overlaps(rows: list[Row], held: Index) -> Iterator[Overlap]:
    """Every row with each row of the index that has something in common with it, in order."""
    for row, keys in _signed(rows):
        near = dict.fromkeys(chain.from_iterable(held.get(key, ()) for key in keys))
        for other in near:
            if (kind := _kind(row.boards, other.boards)) is not None:
                yield kind, row, other


def _signed(rows: list[Row]) -> Iterator[tuple[Row, set[int]]]:
    boards = np.array([row.boards for row in rows], np.int8).reshape(-1, 81)
    return zip(rows, map(set, signatures(boards).reshape(-1, 2).tolist()), strict=True)


def _kind(boards: Boards, others: Boards) -> Kind | None:
    kinds = ((Kind.SAME_PUZZLE, Kind.EQUIVALENT_PUZZLE), (Kind.SAME_SOLUTION, Kind.EQUIVALENT_SOLUTION))
    for board, other, (same, alike) in zip(boards, others, kinds, strict=True):
        if equivalent(board, other):
            return same if np.array_equal(board, other) else alike
    return None


def report(a: Rows, b: Rows, found: list[Overlap]) -> dict[str, Any]:
    """Both files, how many pairs of each kind, and the pairs."""
    counts = Counter(kind for kind, *_ in found)
    return {
        "a": a.summary(),
        "b": b.summary(),
        "totals": {kind.value: counts[kind] for kind in Kind},
        "overlaps": [{"kind": kind.value, "a": row.place(), "b": other.place()} for kind, row, other in found],
    }


def markdown(found: dict[str, Any]) -> str:
    """A report for a reader: a line a pair, then the totals."""
    pairs = [(pair["kind"], *("{file}:{line}".format(**pair[side]) for side in "ab")) for pair in found["overlaps"]]
    sides = " with ".join("{compared} puzzles of {file} ({rejected} rejected)".format(**found[side]) for side in "ab")
    totals = ", ".join(f"{kind} {count}" for kind, count in found["totals"].items())
    return f"{table(('overlap', 'A', 'B'), pairs)}\n\n" * bool(pairs) + f"compared {sides}\n\n{totals}\n"
