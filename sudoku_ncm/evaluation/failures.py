"""What the unsolved puzzles of an evaluation have in common, from its records: how hard they are, how close they came.

How hard is counted in rounds of refutation that solve a puzzle, and in guesses of exact search where singles lead no
further. Knows records, not how they were made. Invariant: every record that is a puzzle is counted once.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import inf, isinf
from pathlib import Path

from checker.board import BoardError, parse_line
from checker.refutation import refute
from checker.search import count_solutions
from checker.verify import verify
from sudoku_ncm.errors import PuzzleError, UsageError

GUESSES = (0, 1, 5, 10, 20, 50, 100)
ROUNDS = (0, 1, 2, 3)
"""Lower ends of the ranges of guesses and of rounds that are told apart."""

Rates = dict[str, tuple[int, int]]
"""Solved and all puzzles by the name of a range, empty ranges left out."""


@dataclass(frozen=True)
class Case:
    """A puzzle of an evaluation: how hard it is for exact search, and what its best board (81 characters) lacks."""

    where: str
    stratum: str
    puzzle: str
    board: str
    solved: bool
    clues: int
    rounds: int | None
    """Rounds of refutation that solve it; None where they do not, or the solution is not unique."""
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
    depth = inf if count.only is None else refute(clues).depth
    wrong = None if count.only is None else int(((board != count.only) & (board != 0)).sum())
    return Case(
        where=f"{record['file']}:{record['line']}",
        stratum=record["stratum"],
        puzzle=record["puzzle"],
        board=record["board"],
        solved=bool(record["solved"]),
        clues=int((clues != 0).sum()),
        rounds=None if isinf(depth) else int(depth),
        guesses=count.guesses,
        open_cells=int((board == 0).sum()),
        wrong_cells=wrong,
        clashes=len(verdict.clashes),
    )


def by_guesses(found: Iterable[Case]) -> Rates:
    """Solved and all puzzles by guesses of exact search."""
    return _rates((_range(case.guesses, GUESSES), case.solved) for case in sorted(found, key=lambda case: case.guesses))


def by_rounds(found: Iterable[Case]) -> Rates:
    """Solved and all puzzles by the rounds of refutation that solve them; "beyond" are those that none do."""
    cases = sorted(found, key=lambda case: inf if case.rounds is None else case.rounds)
    return _rates(("beyond" if case.rounds is None else _range(case.rounds, ROUNDS), case.solved) for case in cases)


def _rates(named: Iterable[tuple[str, bool]]) -> Rates:
    counts: Rates = {}
    for name, solved in named:
        before, every = counts.get(name, (0, 0))
        counts[name] = (before + solved, every + 1)
    return counts


def _range(value: int, lows: tuple[int, ...]) -> str:
    """The range of `value` in words."""
    low, after = max(low for low in lows if low <= value), [low for low in lows if low > value]
    if not after:
        return f"{low} or more"
    return str(low) if after[0] == low + 1 else f"{low} to {after[0] - 1}"
