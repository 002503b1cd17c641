"""`sudoku-ncm overlap`: proves that two sets have no puzzle in common in any disguise, or lists what they have."""

import json
from functools import partial

import click
from rich.console import Console
from rich.progress import track

from sudoku_ncm.errors import ExitCode
from sudoku_ncm.evaluation.overlap import Rows, index, markdown, overlaps, report


@click.command("overlap")
@click.argument("a")
@click.argument("b")
@click.option("-o", "form", type=click.Choice(["md", "json"]), default="md", show_default=True)
def command(a: str, b: str, form: str) -> ExitCode:
    """List puzzles of B that are in A, or whose solutions are, however transposed, shuffled and relabelled.

    The exit code is 0 if there are none, 1 if there are, 3 if a row of either file could not be compared. A is
    streamed, B is held in memory.
    """
    console, refuse = Console(stderr=True), partial(click.echo, err=True)
    ours, theirs = Rows(a, refuse), Rows(b, refuse)
    held = index(track(theirs, b, console=console))
    found = [pair for rows in track(ours, a, console=console) for pair in overlaps(rows, held)]
    result = report(ours, theirs, found)
    click.echo(json.dumps(result, indent=1) if form == "json" else markdown(result), nl=form == "json")
    if ours.rejected or theirs.rejected:
        return ExitCode.BAD_PUZZLE
    return ExitCode.UNSOLVED if found else ExitCode.SOLVED
