"""`sudoku-ncm generate`: unique puzzles of our own, reproducible from a seed; also the trainer's food."""

import os
import re
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import chain
from math import inf
from multiprocessing import get_context, parent_process
from threading import Thread

import click

from checker.board import Board, to_line
from checker.drawing import to_grid
from checker.generate import (
    CHAIN,
    CSV_HEADER,
    OutOfReachError,
    Pair,
    Wanted,
    csv_row,
    wanted,
    wanted_deep,
    wanted_hard,
)
from checker.search import count_solutions
from sudoku_ncm.errors import UsageError

CHUNK = 16
"""Puzzles a process makes at a time, a chain of hard ones apart; what is printed does not depend on it."""
GUESSES = {"any": None, "singles": False, "guesses": True}
DEPTHS = {"1": 1.0, "2": 2.0, "3": 3.0, "beyond": inf}


@click.command("generate")
@click.option("-n", "count", type=click.IntRange(min=1), default=1, show_default=True, help="How many puzzles.")
@click.option("--clues", metavar="LO-HI", show_default="24-36, or any with --minimal", help="How many clues each has.")
@click.option("--minimal", is_flag=True, help="No clue can be taken away.")
@click.option("--symmetric", is_flag=True, help="The pattern of the clues looks the same after a half turn.")
@click.option(
    "--difficulty",
    type=click.Choice(list(GUESSES)),
    default="any",
    show_default=True,
    help="What exact search needs: singles alone, or guesses.",
)
@click.option(
    "--min-guesses",
    type=click.IntRange(1, 1000),
    help="Minimal puzzles that cost exact search so many guesses; 50 is very hard.",
)
@click.option(
    "--min-rounds",
    type=click.Choice(list(DEPTHS)),
    help="Minimal puzzles that take so many rounds of refuting candidates, or are beyond it (takes long).",
)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True)
@click.option(
    "--jobs", type=click.IntRange(min=1), default=1, show_default=True, help="Processes; same output for any."
)
@click.option("--format", "form", type=click.Choice(["line", "grid", "csv"]), default="line", show_default=True)
def command(
    count: int,
    clues: str | None,
    minimal: bool,
    symmetric: bool,
    difficulty: str,
    min_guesses: int | None,
    min_rounds: str | None,
    seed: int,
    jobs: int,
    form: str,
) -> None:
    """Make puzzles with exactly one solution; csv adds solution, clues and the guesses exact search needs."""
    hard = [name for name, wish in (("--min-guesses", min_guesses), ("--min-rounds", min_rounds)) if wish]
    if len(hard) == 2 or (hard and (clues or symmetric or difficulty != "any")):
        raise UsageError(f"{hard[0]}: found another wish for clues, symmetry, difficulty or rounds, expected none")
    low, high = _range(clues or ("17-81" if minimal else "24-36"))
    try:
        make = partial(wanted, Wanted(low, high, minimal, symmetric, GUESSES[difficulty]))
        if min_guesses:
            make = partial(wanted_hard, min_guesses)
        if min_rounds:
            make = partial(wanted_deep, DEPTHS[min_rounds])
        size = CHAIN if hard else CHUNK
        for number, (puzzle, solution) in enumerate(_puzzles(make, count, seed, jobs, size)):
            if form == "csv" and number == 0:
                click.echo(CSV_HEADER)
            click.echo(_WRITERS[form](puzzle, solution))
    except (ValueError, OutOfReachError) as error:
        raise UsageError(f"generate: {error}") from None


def _puzzles(
    make: Callable[[range, int], Iterator[Pair]], count: int, seed: int, jobs: int, size: int
) -> Iterator[Pair]:
    if jobs == 1:
        yield from make(range(count), seed)
        return
    chunks = [range(count)[first : first + size] for first in range(0, count, size)]
    with ProcessPoolExecutor(min(jobs, len(chunks)), get_context("spawn"), _end_with_parent) as pool:
        yield from chain.from_iterable(pool.map(partial(_chunk, make, seed), chunks))


def _end_with_parent() -> None:
    """End this process when the one that started it has gone, even if that was killed and could not say so."""

    def watch() -> None:
        if parent := parent_process():
            parent.join()
            os._exit(1)

    Thread(target=watch, daemon=True).start()


def _chunk(make: Callable[[range, int], Iterator[Pair]], seed: int, numbers: range) -> list[Pair]:
    return list(make(numbers, seed))


def _range(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"(\d{1,2})(?:-(\d{1,2}))?", text)
    if not found:
        raise UsageError(f'--clues: found "{text}", expected a number or a range such as 24-30')
    return int(found[1]), int(found[2] or found[1])


_WRITERS: dict[str, Callable[[Board, Board], str]] = {
    "line": lambda puzzle, _: to_line(puzzle),
    "grid": lambda puzzle, _: to_grid(puzzle, puzzle, ascii=True) + "\n",
    "csv": lambda puzzle, solution: csv_row(puzzle, solution, count_solutions(puzzle).guesses),
}
