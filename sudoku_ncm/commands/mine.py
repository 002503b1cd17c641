"""`sudoku-ncm mine`: puzzles that a model leaves unsolved, to train it on."""

from itertools import islice
from pathlib import Path

import click
import numpy as np

from checker.board import to_line
from checker.generate import CSV_HEADER, csv_row
from checker.search import Answer, count_solutions
from sudoku_ncm.commands.common import load_engine, model_option
from sudoku_ncm.errors import PuzzleError, UsageError
from sudoku_ncm.policy import Options


@click.command("mine", context_settings={"show_default": True})
@click.argument("file", type=click.Path(path_type=Path))
@click.option("-n", "count", type=click.IntRange(min=1), default=100, help="How many puzzles.")
@click.option("--levels", type=click.IntRange(min=1), default=16, help="K: levels after which they are unsolved.")
@click.option("--seed", type=click.IntRange(min=0), default=0)
@model_option
def command(file: Path, count: int, levels: int, seed: int, model: Path) -> None:
    """Find puzzles that the model leaves unsolved, without noise, among those of FILE and by exchanging their clues.

    FILE is a CSV of puzzle,solution as `generate --format csv` writes it, plain or gzip; so is what is found.
    """
    from sudoku_ncm.training.data import PuzzleSet
    from sudoku_ncm.training.mining import unsolved_puzzles

    known, engine = PuzzleSet.load(file), load_engine(model)
    roots = list(zip(known.puzzles, known.solutions, strict=True))
    options, rng, found = Options(levels=levels, temperature=0.0), np.random.default_rng(seed), 0
    for found, (puzzle, solution) in enumerate(islice(unsolved_puzzles(engine, options, roots, rng), count), start=1):
        counted = count_solutions(puzzle)
        if counted.answer is Answer.MANY:
            line = 2 + int(np.flatnonzero((known.puzzles == puzzle).all(axis=1))[0])
            raise PuzzleError(f"{file}:{line}: found {to_line(puzzle)}, expected a puzzle with one solution")
        if found == 1:
            click.echo(CSV_HEADER)
        click.echo(csv_row(puzzle, solution, counted.guesses))
    if found < count:
        raise UsageError(f"mine: found {found} puzzles that the model leaves unsolved, expected {count}")
