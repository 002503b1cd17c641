"""`sudoku-ncm bench`: how long full runs take, cached against uncached, and the first solve of a new process."""

from pathlib import Path

import click
import numpy as np

from checker.board import to_line
from checker.generate import puzzles
from sudoku_ncm import blas
from sudoku_ncm.commands.common import levels_option, load_engine, model_option
from sudoku_ncm.evaluation.bench import WARM_UP, first_solve, full_runs


@click.command("bench")
@model_option
@levels_option
@click.option("--batch-size", type=click.IntRange(min=1), multiple=True, default=[1, 32], show_default=True)
@click.option(
    "--repeat", type=click.IntRange(min=1), default=7, show_default=True, help="Counted runs of each variant."
)
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the puzzles that are run.")
def command(model: Path, levels: int, batch_size: tuple[int, ...], repeat: int, seed: int) -> None:
    """Time full runs of --levels levels (one decode and check at the end) on generated minimal puzzles."""
    engine = load_engine(model)
    plan = engine.model.config.level_plan(levels)
    clues = np.stack([puzzle for puzzle, _ in puzzles(max(batch_size), seed, 17, 81, minimal=True)])
    click.echo(f"blas {blas.prepare().name}; medians of {repeat} alternating runs after {WARM_UP} for warm-up")
    click.echo("| batch | levels | cached ms/puzzle | uncached ms/puzzle | time ratio | positions ratio |")
    click.echo("|---|---|---|---|---|---|")
    for size in batch_size:
        row = full_runs(engine, clues[:size], plan, repeat)
        click.echo(
            f"| {size} | {levels} | {row.cached_ms:.1f} | {row.uncached_ms:.1f} | "
            f"{row.cached_ms / row.uncached_ms:.3f} | {row.positions_ratio:.3f} |"
        )
    click.echo(
        f"first solve of a new process, imports included: {first_solve(to_line(clues[0]), 3):.2f} s (median of 3)"
    )
