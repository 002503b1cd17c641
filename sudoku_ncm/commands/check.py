"""`sudoku-ncm check`: exact judgement of puzzles, without any model."""

import click

from checker.formats import Refusal
from checker.judge import Finding, judge
from sudoku_ncm.errors import ExitCode
from sudoku_ncm.inputs import items


@click.command("check")
@click.argument("puzzles", nargs=-1, required=True, metavar="[FILE|-|81-CHARS]...")
def command(puzzles: tuple[str, ...]) -> ExitCode:
    """Judge puzzles: clues that clash, no solution, one, many; full boards right or wrong."""
    code = ExitCode.SOLVED
    for item in items(puzzles):
        if isinstance(item, Refusal):
            click.echo(str(item), err=True)
            code = ExitCode.BAD_PUZZLE
            continue
        judgement = judge(item.clues)
        click.echo(f"{item.file}:{item.line}: {judgement.describe()}")
        if not judgement.good:
            code = max(code, ExitCode.UNSOLVED if judgement.finding is Finding.UNKNOWN else ExitCode.BAD_PUZZLE)
    return code
