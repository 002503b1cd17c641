"""`sudoku-ncm calibrate`: measure survival and costs on this machine and choose the levels to check."""

import json
from pathlib import Path
from typing import Any

import click
import numpy as np

from sudoku_ncm import blas
from sudoku_ncm.commands.common import SCHEDULE, levels_option, load_engine, machine, model_option
from sudoku_ncm.commands.reading import good
from sudoku_ncm.errors import ExitCode, UsageError
from sudoku_ncm.evaluation.calibrate import Measured, measure, realised, to_json
from sudoku_ncm.evaluation.dataset import samples
from sudoku_ncm.evaluation.report import table
from sudoku_ncm.evaluation.schedule import best_schedule
from sudoku_ncm.policy import Options
from sudoku_ncm.session import Boards


@click.command("calibrate")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@model_option
@levels_option
@click.option("--batch-size", type=click.IntRange(min=1), multiple=True, default=[1, 8, 64], show_default=True)
@click.option("--limit", type=click.IntRange(min=2), help="Only N puzzles, evenly spread over the input.")
@click.option("--repeat", type=click.IntRange(min=1), default=1, show_default=True, help="Runs over the held-out half.")
@click.option("--out", type=click.Path(path_type=Path), help="Where to write; default: schedule.json beside the model.")
def command(
    files: tuple[str, ...],
    model: Path,
    levels: int,
    batch_size: tuple[int, ...],
    limit: int | None,
    repeat: int,
    out: Path | None,
) -> ExitCode:
    """Calibrate on one half of the puzzles of FILE, chosen at random, and compare on the other half."""
    puzzles, code = good(samples(files))
    calibrated, held_out = _halves(np.stack([puzzle.clues for puzzle in puzzles]), limit)
    if len(held_out) < max(batch_size):
        raise UsageError(f"found {len(held_out)} puzzles a half, expected at least the batch size {max(batch_size)}")
    engine, options = load_engine(model), Options(levels=levels)
    rows, found = [], {}
    for size in batch_size:
        measured = measure(engine, calibrated, options, size)
        found[str(size)] = to_json(measured)
        compared = realised(engine, held_out, options, measured.calibration, repeat)
        rows += _rows(size, measured, levels, compared)
    click.echo(table(("batch", "policy", "checks at", "expected ms/puzzle", "realised ms/puzzle", "persistence"), rows))
    _write(out or model / SCHEDULE, {"machine": machine(), "blas": blas.prepare().name, "batch_sizes": found})
    return code


def _halves(clues: Boards, limit: int | None) -> tuple[Boards, Boards]:
    """Two halves `[N/2, 81]` of the puzzles in a fixed random order, so that both see all strata."""
    order = np.random.default_rng(0).permutation(len(clues))[:limit]
    return clues[order[0::2]], clues[order[1::2]]


def _rows(size: int, measured: Measured, levels: int, compared: dict[str, dict[str, float]]) -> list[tuple[str, ...]]:
    schedule = ",".join(map(str, best_schedule(measured.calibration, levels)))
    checks = {"scheduled": schedule, "every": "all", "never": str(levels - 1)}
    return [
        (
            str(size),
            name,
            checks[name],
            f"{cost['expected_ms']:.2f}",
            f"{cost['realised_ms']:.2f}",
            f"{measured.persistence:.1%}",
        )
        for name, cost in compared.items()
    ]


def _write(path: Path, value: dict[str, Any]) -> None:
    try:
        path.write_text(json.dumps(value, indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise UsageError(
            f"{path}: cannot write the schedule ({error.strerror}); choose another place with --out"
        ) from None
    click.echo(f"wrote {path}", err=True)
