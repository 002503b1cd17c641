"""`sudoku-ncm convert`: puzzles of any layout in, one layout out, in the order of the files."""

from collections.abc import Iterator
from functools import partial

import click

from checker.board import Board
from checker.writers import FORMATS, write
from sudoku_ncm.batch import Batch
from sudoku_ncm.errors import ExitCode
from sudoku_ncm.inputs import items


@click.command("convert")
@click.argument("puzzles", nargs=-1, required=True, metavar="[FILE|-|81-CHARS]...")
@click.option("--to", "form", type=click.Choice(list(FORMATS)), required=True, help="The layout to write.")
@click.option("--strict", is_flag=True, help="Stop at the first item that is refused.")
def command(puzzles: tuple[str, ...], form: str, strict: bool) -> ExitCode:
    """Write the clues of all puzzles in another layout, unjudged; what is refused is said on stderr."""
    batch = Batch(partial(click.echo, err=True), strict)
    for text in write(_boards(puzzles, batch), FORMATS[form]):
        click.echo(text, nl=False)
    return batch.close("converted")


def _boards(puzzles: tuple[str, ...], batch: Batch) -> Iterator[Board]:
    for puzzle in batch.puzzles(items(puzzles)):
        batch.solved += 1
        yield puzzle.clues
