"""`sudoku-ncm eval`: solve rates per stratum, by the network alone."""

import json
from dataclasses import asdict
from pathlib import Path

import click
from rich.console import Console
from rich.progress import track

from sudoku_ncm.commands.common import generation_options, load_engine, options
from sudoku_ncm.errors import ExitCode
from sudoku_ncm.evaluation import dataset
from sudoku_ncm.evaluation.run import Row, evaluate, summarize


@click.command("eval")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@generation_options
@click.option("--batch-size", type=click.IntRange(min=1), default=64, show_default=True, help="Puzzles a session.")
@click.option("-o", "form", type=click.Choice(["md", "json"]), default="md", show_default=True, help="Report format.")
def command(
    files: tuple[str, ...],
    model: Path,
    levels: int,
    policy: str,
    attempts: int,
    seed: int,
    no_cache: bool,
    batch_size: int,
    form: str,
) -> ExitCode:
    """Count whole boards solved and verified, per stratum of FILE, without exact search."""
    generation = options(levels, policy, attempts, seed, no_cache)
    samples = [sample for file in files for sample in dataset.load(file)]
    engine = load_engine(model)
    results = evaluate(engine, samples, generation, batch_size)
    rows = summarize(track(results, "eval", len(samples), console=Console(stderr=True)))
    click.echo(json.dumps([asdict(row) for row in rows], indent=1) if form == "json" else table(rows))
    return ExitCode.SOLVED if all(row.solved == row.puzzles for row in rows) else ExitCode.UNSOLVED


def table(rows: list[Row]) -> str:
    """The rows as a Markdown table."""
    lines = [
        "| stratum | solved | of | rate | 95 % interval | mean exit level | mean positions | false exits |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        lines.append(
            f"| {row.stratum} | {row.solved} | {row.puzzles} | {row.solved / row.puzzles:.1%} | "
            f"{row.low:.1%} – {row.high:.1%} | {row.exit_level:.1f} | {row.positions:.0f} | {row.false_exits} |"
        )
    return "\n".join(lines)
