"""`sudoku-ncm eval`: what the network alone solves, what it costs, and what caching and leaving early save."""

import json
from collections.abc import Iterator
from itertools import groupby, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

import click
from rich.console import Console
from rich.progress import track

from checker.formats import Refusal
from sudoku_ncm.commands.common import GenerationOptions, describe, generation_options, load_engine, options
from sudoku_ncm.errors import ExitCode, UsageError
from sudoku_ncm.evaluation.dataset import Sample, samples
from sudoku_ncm.evaluation.output import Output
from sudoku_ncm.evaluation.report import SCHEMA, comparison_markdown, csv_text, markdown
from sudoku_ncm.evaluation.run import Record, evaluate
from sudoku_ncm.evaluation.tally import Tally
from sudoku_ncm.inputs import digest
from sudoku_ncm.policy import Options

if TYPE_CHECKING:
    from sudoku_ncm.engine import Engine


@click.command("eval")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@generation_options
@click.option("--batch-size", type=click.IntRange(min=1), default=64, show_default=True, help="Puzzles a session.")
@click.option("--limit", type=click.IntRange(min=1), help="Only the first N rows.")
@click.option("-o", "form", type=click.Choice(["md", "csv", "json", "jsonl"]), default="md", show_default=True)
@click.option("--output-dir", type=click.Path(path_type=Path), help="Write samples.jsonl, report and plots here.")
@click.option("--resume", is_flag=True, help="Go on with the evaluation in --output-dir.")
@click.option("--compare", is_flag=True, help="Time cache off/on x exit off/on and the controls instead.")
def command(
    files: tuple[str, ...],
    batch_size: int,
    limit: int | None,
    form: str,
    output_dir: Path | None,
    resume: bool,
    compare: bool,
    **options_given: Unpack[GenerationOptions],
) -> ExitCode:
    """Count whole boards solved and verified, per stratum of FILE, without exact search."""
    if resume and not output_dir:
        raise UsageError("--resume: found no --output-dir, expected the directory of the evaluation to go on with")
    generation, model = options(batch_size=batch_size, **options_given), options_given["model"]
    engine = load_engine(model)
    stream = islice(samples(files), limit)
    if compare:
        click.echo(_compare(engine, list(stream), generation, batch_size, form))
        return ExitCode.SOLVED
    settings = {
        **describe(model, generation, batch_size),
        "files": {file: digest(Path(file)) for file in files},
        "limit": limit,
    }
    return _evaluate(engine, stream, generation, settings, form, output_dir, resume)


def _evaluate(
    engine: "Engine",
    stream: Iterator[Sample | Refusal],
    generation: Options,
    settings: dict[str, Any],
    form: str,
    output_dir: Path | None,
    resume: bool,
) -> ExitCode:
    output = Output(output_dir, settings, resume) if output_dir else None
    tally, code = Tally(), ExitCode.SOLVED
    for done in output.finished() if output else ():
        tally.add(done)
        next(stream)
    records = evaluate(engine, stream, generation, settings["batch_size"], tally.level_times.add)
    try:
        for record in track(records, "eval", console=Console(stderr=True)):
            _take(record, tally, output, form)
    except KeyboardInterrupt:
        code = ExitCode.INTERRUPTED
    totals = (report := _report(tally, settings, code is ExitCode.SOLVED, generation.attempts))["totals"]
    if output:
        output.close(report, _positions(engine, generation))
    if form != "jsonl":
        click.echo({"md": markdown, "csv": csv_text, "json": _json}[form](report), nl=form == "json")
    if code is ExitCode.SOLVED and totals["rejected"]:
        return ExitCode.BAD_PUZZLE
    return ExitCode.UNSOLVED if code is ExitCode.SOLVED and totals["unsolved"] else code


def _take(record: Record, tally: Tally, output: Output | None, form: str) -> None:
    tally.add(record)
    if output:
        output.add(record)
    if form == "jsonl":
        click.echo(json.dumps(record))
    if "rejected" in record:
        click.echo(record["rejected"], err=True)


def _report(tally: Tally, settings: dict[str, Any], complete: bool, attempts: int) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "complete": complete,
        "settings": settings,
        "batch_size": settings["batch_size"],
        **tally.report(attempts),
    }


def _positions(engine: "Engine", generation: Options) -> list[int]:
    from sudoku_ncm.accounting import run_work

    kinds = engine.model.config.level_plan(generation.levels).kinds
    return [run_work(kinds[: k + 1], generation.cached).positions for k in range(len(kinds))]


def _compare(engine: "Engine", items: list[Sample | Refusal], generation: Options, size: int, form: str) -> str:
    from sudoku_ncm.engine import Engine
    from sudoku_ncm.evaluation.compare import Comparison, never_passes

    plan = engine.model.config.level_plan(generation.levels)
    comparison = Comparison(engine, Engine(engine.model, never_passes), generation, plan)
    puzzles = [item for item in items if isinstance(item, Sample)]
    groups = [list(group) for _, group in groupby(puzzles, key=lambda sample: sample.stratum)]
    batches = [group[at : at + size] for group in groups for at in range(0, len(group), size)]
    for batch in track(batches, "compare", console=Console(stderr=True)):
        comparison.run(batch)
    report = comparison.report()
    return _json(report) if form == "json" else comparison_markdown(report, size)


def _json(report: dict[str, Any]) -> str:
    return json.dumps(report, indent=1)
