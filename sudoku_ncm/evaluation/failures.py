"""What the unsolved puzzles of an evaluation have in common, from its records: guesses, clues, how close they came.

Exact search says how hard a puzzle is: how often it must guess where singles lead no further. Knows records, not how
they were made. Invariant: every record that is a puzzle is counted once.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from checker.board import BoardError, parse_line
from checker.search import count_solutions
from checker.verify import verify
from sudoku_ncm.errors import PuzzleError, UsageError

GUESSES = (0, 1, 5, 10, 20, 50, 100)
"""Lower ends of the ranges of guesses that are told apart."""


@dataclass(frozen=True)
class Case:
    """A puzzle of an evaluation: how hard it is for exact search, and what its best board (81 characters) lacks."""

    where: str
    stratum: str
    puzzle: str
    board: str
    solved: bool
    clues: int
    guesses: int
    open_cells: int
    wrong_cells: int | None
    """Filled cells that are not the solution's; None where the solution is not unique."""
    clashes: int


def cases(path: Path) -> Iterator[Case]:
    """The puzzles of a samples.jsonl. Raises UsageError if unreadable, PuzzleError for a line that is none."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not UTF-8"
        raise UsageError(f"{path}: found no readable file ({reason}), expected a samples.jsonl") from None
    for number, line in enumerate(lines, start=1):
        try:
            record = json.loads(line)
            if "rejected" not in record:
                yield _case(record)
        except (ValueError, KeyError, TypeError, BoardError):
            found = f"{path}:{number}: found {line[:40]!r}"
            raise PuzzleError(f"{found}, expected a record as `eval -o jsonl` writes it") from None


def _case(record: dict[str, str]) -> Case:
    clues, board = parse_line(record["puzzle"]), parse_line(record["board"])
    count, verdict = count_solutions(clues), verify(board, clues)
    wrong = None if count.only is None else int(((board != count.only) & (board != 0)).sum())
    return Case(
        where=f"{record['file']}:{record['line']}",
        stratum=record["stratum"],
        puzzle=record["puzzle"],
        board=record["board"],
        solved=bool(record["solved"]),
        clues=int((clues != 0).sum()),
        guesses=count.guesses,
        open_cells=int((board == 0).sum()),
        wrong_cells=wrong,
        clashes=len(verdict.clashes),
    )


def by_guesses(found: Iterable[Case]) -> dict[str, tuple[int, int]]:
    """Solved and all puzzles by ranges of guesses, empty ranges left out."""
    counts = {low: [0, 0] for low in GUESSES}
    for case in found:
        low = max(g for g in GUESSES if g <= case.guesses)
        counts[low][0] += case.solved
        counts[low][1] += 1
    return {_range(low): (solved, every) for low, (solved, every) in counts.items() if every}


def _range(low: int) -> str:
    after = [g for g in GUESSES if g > low]
    if not after:
        return f"{low} or more"
    return str(low) if after[0] == low + 1 else f"{low} to {after[0] - 1}"
