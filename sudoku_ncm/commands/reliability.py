"""`sudoku-ncm reliability`: how often cells are right, by how sure the model is of them."""

import json
from itertools import islice
from pathlib import Path

import click
import numpy as np

from checker.board import to_line
from checker.formats import Refusal
from checker.verify import verify
from sudoku_ncm.commands.common import load_engine, model_option
from sudoku_ncm.commands.reading import good
from sudoku_ncm.errors import ExitCode
from sudoku_ncm.evaluation.compare import never_passes
from sudoku_ncm.evaluation.dataset import Sample, samples
from sudoku_ncm.evaluation.reliability import Reliability, reliability
from sudoku_ncm.evaluation.report import interval, table


@click.command("reliability")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@model_option
@click.option("--at", type=click.IntRange(min=0), multiple=True, default=[2, 4, 8, 16, 31], show_default=True)
@click.option("--limit", type=click.IntRange(min=1), help="Only the first N rows.")
@click.option("--batch-size", type=click.IntRange(min=1), default=64, show_default=True)
@click.option("-o", "form", type=click.Choice(["md", "json"]), default="md", show_default=True)
def command(
    files: tuple[str, ...], model: Path, at: tuple[int, ...], limit: int | None, batch_size: int, form: str
) -> ExitCode:
    """Compare confidence and truth, cell by cell, after the levels of --at; FILE is a CSV with a solution column."""
    from sudoku_ncm.engine import Engine

    rows, code = good(map(_with_solution, islice(samples(files), limit)))
    clues, solutions = np.stack([r.clues for r in rows]), np.stack([r.solution for r in rows if r.solution is not None])
    parts = [slice(start, start + batch_size) for start in range(0, len(rows), batch_size)]
    engine = Engine(load_engine(model).model, never_passes)
    counts = reliability(engine, ((clues[part], solutions[part]) for part in parts), at)
    click.echo({"md": _markdown, "json": _json}[form](counts))
    return code


def _with_solution(item: Sample | Refusal) -> Sample | Refusal:
    """A row that can be compared: one whose solution is there and solves it."""
    if isinstance(item, Refusal):
        return item
    if item.solution is None:
        return Refusal(item.file, item.line, "a puzzle alone", "a CSV with the columns puzzle and solution")
    if not verify(item.solution, item.clues).solved:
        return Refusal(item.file, item.line, f"{to_line(item.solution)} as solution", "one that solves the puzzle")
    return item


def _markdown(counts: dict[int, Reliability]) -> str:
    lines: list[tuple[str, ...]] = [
        (str(level), f"{row['confidence']:.2f}", str(row["cells"]), f"{row['rate']:.1%}", interval(row["interval"]))
        for level, count in counts.items()
        for row in count.rows()
    ]
    errors: list[tuple[str, ...]] = [(str(level), f"{count.error:.2%}") for level, count in counts.items()]
    return "\n\n".join(
        [
            table(("after level", "mean confidence", "open cells", "right", "95 % interval"), lines),
            table(("after level", "expected calibration error"), errors),
        ]
    )


def _json(counts: dict[int, Reliability]) -> str:
    return json.dumps({str(k): {"bins": c.rows(), "expected_calibration_error": c.error} for k, c in counts.items()})
