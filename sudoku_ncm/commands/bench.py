"""`sudoku-ncm bench`: how long runs take by levels, batch size, cache and exit policy; and the first solve."""

import csv
import io
import json
from collections.abc import Callable
from dataclasses import asdict, astuple, fields
from pathlib import Path

import click
import numpy as np

from checker.board import to_line
from checker.generate import puzzles
from sudoku_ncm import blas
from sudoku_ncm.commands.common import load_engine, machine, model_option
from sudoku_ncm.evaluation.bench import WARM_UP, Timing, bench, first_solve
from sudoku_ncm.evaluation.report import table


@click.command("bench")
@model_option
@click.option("--levels", type=click.IntRange(min=1), multiple=True, default=[12], show_default=True)
@click.option("--batch-size", type=click.IntRange(min=1), multiple=True, default=[1, 32], show_default=True)
@click.option("--exit", "policies", multiple=True, default=["never"], show_default=True, help="Exit policies.")
@click.option("--repeat", type=click.IntRange(min=1), default=7, show_default=True, help="Counted runs of a variant.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seed of the puzzles.")
@click.option("-o", "form", type=click.Choice(["md", "csv", "json"]), default="md", show_default=True)
def command(
    model: Path,
    levels: tuple[int, ...],
    batch_size: tuple[int, ...],
    policies: tuple[str, ...],
    repeat: int,
    seed: int,
    form: str,
) -> None:
    """Time runs on generated minimal puzzles, with and without cache in turn."""
    engine = load_engine(model)
    clues = np.stack([puzzle for puzzle, _ in puzzles(max(batch_size), seed, 17, 81, minimal=True)])
    rows = [
        timing
        for count in levels
        for size in batch_size
        for timing in bench(engine, clues[:size], count, policies, repeat)
    ]
    click.echo(_WRITERS[form](rows), nl=False)
    seconds = first_solve(to_line(clues[0]), model, 3)
    click.echo(
        f"{machine()}; blas {blas.prepare().name}; medians of {repeat} alternating runs after {WARM_UP} for warm-up\n"
        f"first solve of a new process, imports included: {seconds:.2f} s (median of 3)",
        err=form != "md",
    )


def _markdown(rows: list[Timing]) -> str:
    header = tuple(field.name.replace("_", " ") for field in fields(Timing))
    return table(header, [tuple(f"{v:.2f}" if type(v) is float else str(v) for v in astuple(r)) for r in rows]) + "\n\n"


def _csv(rows: list[Timing]) -> str:
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow([field.name for field in fields(Timing)])
    writer.writerows(astuple(row) for row in rows)
    return stream.getvalue()


def _json(rows: list[Timing]) -> str:
    return json.dumps([asdict(row) for row in rows], indent=1) + "\n"


_WRITERS: dict[str, Callable[[list[Timing]], str]] = {"md": _markdown, "csv": _csv, "json": _json}
