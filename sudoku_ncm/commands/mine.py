"""`sudoku-ncm mine`: puzzles that a model leaves unsolved, to train it on."""

from itertools import islice
from pathlib import Path

import click
import numpy as np

from checker.generate import CSV_HEADER, csv_row
from sudoku_ncm.commands.common import load_engine, model_option
from sudoku_ncm.errors import UsageError
from sudoku_ncm.policy import Options


@click.command("mine", context_settings={"show_default": True})
@click.argument("file", type=click.Path(path_type=Path))
@click.option("-n", "count", type=click.IntRange(min=1), default=100, help="How many puzzles.")
@click.option("--levels", type=click.IntRange(min=1), default=16, help="K: levels after which they are unsolved.")
@click.option("--seed", type=click.IntRange(min=0), default=0)
@model_option
def command(file: Path, count: int, levels: int, seed: int, model: Path) -> None:
    """Find puzzles that the model leaves unsolved, without noise, among those of FILE and by exchanging their clues.

    FILE is a CSV of puzzle,solution; as `generate --format csv` writes it, so is what is found.
    """
    from sudoku_ncm.training.data import PuzzleSet
    from sudoku_ncm.training.mining import unsolved_puzzles

    known = PuzzleSet.load(file)
    roots = list(zip(known.puzzles, known.solutions, strict=True))
    options = Options(levels=levels, temperature=0.0)
    click.echo(CSV_HEADER)
    found = 0
    for pair in islice(unsolved_puzzles(load_engine(model), options, roots, np.random.default_rng(seed)), count):
        click.echo(csv_row(*pair))
        found += 1
    if found < count:
        raise UsageError(f"mine: found {found} puzzles that the model leaves unsolved, expected {count}")
