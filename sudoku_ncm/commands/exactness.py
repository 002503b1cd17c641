"""`sudoku-ncm exactness`: proves by counting that caching, batch size and compaction change nothing."""

from pathlib import Path

import click
import numpy as np

from checker.generate import puzzles
from sudoku_ncm.commands.common import levels_option, load_engine, model_option
from sudoku_ncm.errors import ExitCode
from sudoku_ncm.policy import Options


@click.command("exactness")
@model_option
@levels_option
@click.option("-n", "count", type=click.IntRange(min=1), default=1000, show_default=True, help="Puzzles.")
@click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seed of the puzzles, of 24 to 45 clues."
)
@click.option("--batch-size", type=click.IntRange(min=2), default=50, show_default=True, help="Of the reference.")
def command(model: Path, levels: int, count: int, seed: int, batch_size: int) -> ExitCode:
    """Compare uncached runs and other batch sizes with the cached run: codes, logits and outcomes."""
    engine = load_engine(model)
    from sudoku_ncm.exactness import compare

    clues = np.stack([puzzle for puzzle, _ in puzzles(count, seed, 24, 45)])
    click.echo("| against cached | codes | flipped | largest logit difference | outcomes that differ |")
    click.echo("|---|---|---|---|---|")
    differing = 0
    for row in compare(engine, clues, Options(levels=levels), batch_size):
        click.echo(f"| {row.name} | {row.codes} | {row.flips} | {row.logits:.3g} | {row.outcomes} of {count} |")
        differing += row.outcomes
    return ExitCode.UNSOLVED if differing else ExitCode.SOLVED
