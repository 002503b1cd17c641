"""`sudoku-ncm check`: exact judgement of puzzles, without any model."""

from functools import partial
from pathlib import Path

import click

from checker.judge import Finding, judge
from checker.search import NODES
from sudoku_ncm.batch import Batch
from sudoku_ncm.errors import ExitCode
from sudoku_ncm.expectation import results
from sudoku_ncm.inputs import items


@click.command("check")
@click.argument("puzzles", nargs=-1, required=True, metavar="[FILE|-|81-CHARS]...")
@click.option(
    "--budget", type=click.IntRange(min=1), default=NODES, show_default=True, help="Nodes of search for a puzzle."
)
@click.option(
    "--expect",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Compare the files of a folder, given as the argument, with this JSON list.",
)
@click.option("--strict", is_flag=True, help="Stop at the first puzzle that is bad.")
def command(puzzles: tuple[str, ...], budget: int, expect: Path | None, strict: bool) -> ExitCode:
    """Judge puzzles: clues that clash, no solution, one, many; full boards right or wrong.

    In the totals, solved are puzzles with one solution and full boards that are right; unsolved is unknown.
    """
    if expect:
        return _compare(expect, puzzles)
    batch = Batch(partial(click.echo, err=True), strict)
    for puzzle in batch.puzzles(items(puzzles)):
        judgement = judge(puzzle.clues, budget)
        click.echo(f"{puzzle.file}:{puzzle.line}: {judgement.describe()}")
        batch.solved += judgement.good
        batch.unsolved += judgement.finding is Finding.UNKNOWN
        batch.rejected += not judgement.good and judgement.finding is not Finding.UNKNOWN
    return batch.close()


def _compare(expect: Path, folders: tuple[str, ...]) -> ExitCode:
    failed = count = 0
    for folder in folders:
        for name, failure in results(expect, Path(folder)):
            click.echo(f"FAILED {name}: {failure}" if failure else f"passed {name}")
            failed, count = failed + bool(failure), count + 1
    click.echo(f"{count - failed} passed, {failed} failed")
    return ExitCode.UNSOLVED if failed else ExitCode.SOLVED
