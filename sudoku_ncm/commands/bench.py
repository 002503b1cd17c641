"""`sudoku-ncm bench`: how long runs take, and the first solve; where the time of a level goes; how fast others are.

Three measurements on one set of options; each makes rows of one type and the lines that say how they came about.
Invariant: an option that has no part in the measurement asked for is refused.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, Unpack

import click
import numpy as np
from click.core import ParameterSource

from checker.board import to_line
from checker.generate import puzzles
from sudoku_ncm import blas
from sudoku_ncm.commands.common import load_engine, machine, model_option
from sudoku_ncm.commands.reading import good
from sudoku_ncm.errors import ExitCode, UsageError
from sudoku_ncm.evaluation.bench import WARM_UP, bench, first_solve, peak_memory
from sudoku_ncm.evaluation.dataset import samples
from sudoku_ncm.evaluation.rows import WRITERS
from sudoku_ncm.policy import ExitPolicy, Options
from sudoku_ncm.session import Boards

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    Measured = tuple[Sequence[DataclassInstance], str, ExitCode]


class BenchOptions(TypedDict):
    """What a measurement may use."""

    files: tuple[str, ...]
    model: Path
    levels: tuple[int, ...]
    batch_size: tuple[int, ...]
    policies: tuple[str, ...]
    repeat: int
    seed: int
    time_limit: float


@click.command("bench")
@click.argument("files", nargs=-1, metavar="[FILE]...")
@model_option
@click.option("--levels", type=click.IntRange(min=1), multiple=True, default=[12], show_default=True)
@click.option("--batch-size", type=click.IntRange(min=1), multiple=True, default=[1, 32], show_default=True)
@click.option("--exit", "policies", multiple=True, help="Exit policies.  [default: never; with --peers every]")
@click.option("--repeat", type=click.IntRange(min=1), default=7, show_default=True, help="Counted runs of a variant.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seed of the puzzles.")
@click.option("--profile", is_flag=True, help="Where the time of the last level goes, and how far it is from a floor.")
@click.option("--peers", is_flag=True, help="Other solvers beside ours, with verified exit, on the puzzles of FILE.")
@click.option(
    "--time-limit",
    type=click.FloatRange(min=0, min_open=True),
    default=1.0,
    show_default=True,
    help="Seconds after which a peer's puzzle is cut off.",
)
@click.option("-o", "form", type=click.Choice(["md", "csv", "json"]), default="md", show_default=True)
@click.pass_context
def command(context: click.Context, profile: bool, peers: bool, form: str, **options: Unpack[BenchOptions]) -> ExitCode:
    """Time runs on generated minimal puzzles with and without cache; or the parts of a level; or other solvers."""
    if profile and peers:
        raise UsageError("found --profile and --peers, expected one of them")
    if profile:
        _refuse(context, "with --profile", "files", "policies", "time_limit")
    elif peers:
        _refuse(context, "with --peers", "seed")
    else:
        _refuse(context, "without --peers", "files", "time_limit")
    rows, how, code = (_profile if profile else _race if peers else _runs)(options)
    click.echo(WRITERS[form](rows), nl=False)
    turns = f"medians of {options['repeat']} alternating runs after {WARM_UP} for warm-up"
    click.echo(f"{machine()}; blas {blas.prepare().name}; {turns}\n{how}", err=form != "md")
    return code


def _refuse(context: click.Context, where: str, *names: str) -> None:
    """Refuse parameters that were given and have no part in this measurement."""
    for parameter in context.command.params:
        if parameter.name in names and context.get_parameter_source(parameter.name) is ParameterSource.COMMANDLINE:
            raise UsageError(f"found {parameter.opts[0].replace('files', 'FILE')} {where}, where it has no part")


def _runs(options: BenchOptions) -> "Measured":
    engine, clues = load_engine(options["model"]), _minimal(options)
    rows = [
        timing
        for count in options["levels"]
        for size in options["batch_size"]
        for timing in bench(engine, clues[:size], count, options["policies"] or ("never",), options["repeat"])
    ]
    puzzle = to_line(clues[0])
    seconds, memory = first_solve(puzzle, options["model"], 3), peak_memory(puzzle, options["model"])
    times = f"imports included: {seconds:.2f} s (median of 3), at most {memory:.0f} MB in memory"
    return rows, f"first solve of a new process, {times}", ExitCode.SOLVED


def _profile(options: BenchOptions) -> "Measured":
    engine, clues, repeat = load_engine(options["model"]), _minimal(options), options["repeat"]
    from sudoku_ncm.profiling import COPY, SQUARE, measure_rates, profile

    rates = measure_rates(repeat)
    rows = [
        line
        for count in options["levels"]
        for size in options["batch_size"]
        for line in profile(engine.model, clues[:size], count, rates, repeat)
    ]
    product = f"{rates.flops / 1e9:.1f} GFLOP/s (product of {SQUARE} × {SQUARE} matrices, fastest)"
    copy = f"{rates.bytes / 1e9:.1f} GB/s (copy of {COPY / 1e6:.0f} MB, fastest)"
    how = f"floor: all products at {product} or input and output at {copy}, the longer of the two"
    return rows, how, ExitCode.SOLVED


def _race(options: BenchOptions) -> "Measured":
    from sudoku_ncm.evaluation.peers import installed
    from sudoku_ncm.evaluation.race import race

    if not options["files"]:
        raise UsageError("--peers: found no FILE, expected at least one with puzzles")
    puzzles, code = good(samples(options["files"]))
    clues = [puzzle.clues for puzzle in puzzles]
    peers, missing = installed()
    click.echo("".join(f"{line}\n" for line in missing), nl=False, err=True)
    policies = [ExitPolicy.parse(text) for text in options["policies"] or ("every",)]
    variants = [Options(count, policy) for count in options["levels"] for policy in policies]
    limit, engine = options["time_limit"], load_engine(options["model"])
    rows = list(race(engine, options["batch_size"], variants, peers, np.stack(clues), limit, options["repeat"]))
    how = (
        "solved: verified by the checker, in our time and outside that of the others; "
        f"cut off: after {limit:g} s, counted as time; unsolved: no answer, or a wrong one"
    )
    return rows, how, code


def _minimal(options: BenchOptions) -> Boards:
    """As many generated minimal puzzles as the largest batch needs."""
    return np.stack([p for p, _ in puzzles(max(options["batch_size"]), options["seed"], 17, 81, minimal=True)])
