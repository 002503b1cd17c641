"""`sudoku-ncm eval`: what the network alone solves, what it costs, and what caching and leaving early save.

One process or several ranks: rank 0 gathers, counts, prints and writes; the others only run their batches.
"""

import json
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

import click
from rich.console import Console
from rich.progress import track

from sudoku_ncm import launch
from sudoku_ncm.commands.common import GenerationOptions, generation_options
from sudoku_ncm.commands.comparing import compare as run_comparison
from sudoku_ncm.commands.job import Job, prepare
from sudoku_ncm.commands.reading import good
from sudoku_ncm.errors import ExitCode, LostRank, UsageError
from sudoku_ncm.evaluation.gather import Gather, gathering
from sudoku_ncm.evaluation.output import Output
from sudoku_ncm.evaluation.ranks import working
from sudoku_ncm.evaluation.report import SCHEMA, comparison_markdown, csv_text, markdown
from sudoku_ncm.evaluation.run import Record
from sudoku_ncm.evaluation.tally import Tally
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
@click.option("--processes", type=click.IntRange(min=1), default=1, show_default=True, help="Ranks on this machine.")
@click.option("--compare", is_flag=True, help="Time cache off/on x exit off/on and the controls instead.")
def command(
    files: tuple[str, ...],
    batch_size: int,
    limit: int | None,
    form: str,
    output_dir: Path | None,
    resume: bool,
    processes: int,
    compare: bool,
    **options_given: Unpack[GenerationOptions],
) -> ExitCode:
    """Count whole boards solved and verified, per stratum of FILE, without exact search."""
    group = launch.group()
    if resume and not output_dir:
        raise UsageError("--resume: found no --output-dir, expected the directory of the evaluation to go on with")
    if compare and max(processes, group.size) > 1:
        raise UsageError("--compare: found several processes, expected one, so that none disturbs its times")
    if compare and (output_dir or form in ("csv", "jsonl")):
        raise UsageError("--compare: found --output-dir, -o csv or -o jsonl, where they have no part")
    if processes > 1 and not launch.is_worker():
        sys.exit(launch.run_processes(processes, sys.argv[1:]))

    prepared = partial(prepare, files, limit, batch_size, options_given)
    if compare:
        job = prepared()
        puzzles, code = good(job.stream)
        report = run_comparison(job.engine, puzzles, job.generation, batch_size)
        click.echo(_json(report) if form == "json" else comparison_markdown(report, batch_size))
        return code
    if group.rank:
        with working(group) as worker:
            job = prepared()
            worker.work(job.batches(worker.start(job.settings)), job.run)
        return ExitCode.SOLVED
    with gathering(group) as gather:
        job = prepared()
        gather.compare(job.settings)
        output = Output(output_dir, job.settings, resume) if output_dir else None
        return _evaluate(job, gather, output, form)


def _evaluate(job: Job, gather: Gather, output: Output | None, form: str) -> ExitCode:
    tally, complete, code, lost = Tally(), False, ExitCode.SOLVED, None
    for record in output.finished() if output else ():
        tally.add(record)
    try:
        gather.start(tally.read)
        for done in track(gather.gather(job.batches(tally.read), job.run), "eval", console=Console(stderr=True)):
            for step in done.steps:
                tally.level_times.add(**step)
            for record in done.records:
                _take(record, tally, output, form)
        complete = True
    except KeyboardInterrupt:
        code = ExitCode.INTERRUPTED
    except LostRank as error:
        code, lost = error.exit_code, error
    finally:  # also when the terminal has gone, and before anything is said
        totals = (report := _report(tally, job.settings, complete, job.generation))["totals"]
        if output:
            output.close(report, _positions(job.engine, job.generation))
    if lost:
        hint = "; --resume goes on" if output else ""
        click.echo(f"sudoku-ncm: {lost}: {tally.read} rows are done, the rows after them are missing{hint}", err=True)
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


def _report(tally: Tally, settings: dict[str, Any], complete: bool, generation: Options) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "complete": complete,
        "settings": settings,
        "batch_size": settings["batch_size"],
        **tally.report(generation),
    }


def _positions(engine: "Engine", generation: Options) -> list[int]:
    from sudoku_ncm.accounting import run_work

    kinds = engine.model.config.level_plan(generation.levels).kinds
    return [run_work(kinds[: k + 1], generation.cached).positions for k in range(len(kinds))]


def _json(report: dict[str, Any]) -> str:
    return json.dumps(report, indent=1)
