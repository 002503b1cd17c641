"""Puzzles for commands that need all of them at once: the good ones; the others are said on stderr, never dropped."""

from collections.abc import Iterable

import click

from checker.formats import Refusal
from sudoku_ncm.errors import ExitCode, PuzzleError
from sudoku_ncm.evaluation.dataset import Sample


def good(items: Iterable[Sample | Refusal]) -> tuple[list[Sample], ExitCode]:
    """The puzzles among `items`, and the exit code that refusals ask for. Raises PuzzleError when none is left."""
    puzzles: list[Sample] = []
    code = ExitCode.SOLVED
    for item in items:
        if isinstance(item, Sample):
            puzzles.append(item)
        else:
            click.echo(item, err=True)
            code = ExitCode.BAD_PUZZLE
    if not puzzles:
        raise PuzzleError("found no good puzzle, expected at least one")
    return puzzles, code
