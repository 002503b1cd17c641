"""`sudoku-ncm solve`: puzzles in, verified boards out, one line of account a puzzle on stderr."""

import json
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from pathlib import Path
from typing import TextIO

import click

from checker.board import to_line
from checker.drawing import LEGEND, to_grid
from checker.formats import Puzzle, Refusal
from checker.judge import judge
from sudoku_ncm.commands.common import generation_options, load_engine, options
from sudoku_ncm.errors import ExitCode, UsageError
from sudoku_ncm.inputs import selected
from sudoku_ncm.policy import Options
from sudoku_ncm.session import LevelStep, Solver
from sudoku_ncm.solving import Answered, answer, objection, trace_record


@click.command("solve")
@click.argument("puzzles", nargs=-1, required=True, metavar="[FILE|-|81-CHARS]...")
@generation_options
@click.option(
    "--fallback",
    type=click.Choice(["search", "none"]),
    default="search",
    show_default=True,
    help="What to do when the network does not finish: exact search, or say so.",
)
@click.option("--format", "form", type=click.Choice(["grid", "line", "json"]), default="grid", show_default=True)
@click.option("--trace", type=click.Path(dir_okay=False, path_type=Path), help="Write one JSON line a level here.")
@click.option("--index", type=click.IntRange(min=1), help="Only the N-th puzzle of the input.")
@click.option("--limit", type=click.IntRange(min=1), help="Only the first N puzzles.")
@click.option("--require-unique", is_flag=True, help="Refuse (exit 3) a puzzle that has more than one solution.")
def command(
    puzzles: tuple[str, ...],
    model: Path,
    levels: int,
    policy: str,
    attempts: int,
    seed: int,
    no_cache: bool,
    fallback: str,
    form: str,
    trace: Path | None,
    index: int | None,
    limit: int | None,
    require_unique: bool,
) -> ExitCode:
    """Solve puzzles level by level, stopping at the first board the checker verifies."""
    generation = options(model, 1, levels, policy, attempts, seed, no_cache)
    with _trace_file(trace) as log:
        run = _Run(model, generation, fallback == "search", form, log, require_unique)
        for item in selected(puzzles, index, limit):
            run.take(item)
    return run.code


class _Run:
    """Solves items one by one; loads the model when the first puzzle needs it, keeps the worst exit code."""

    def __init__(
        self, model: Path, generation: Options, fallback: bool, form: str, log: TextIO | None, require_unique: bool
    ) -> None:
        self.model, self.generation, self.fallback, self.form = model, generation, fallback, form
        self.log, self.require_unique = log, require_unique
        self.code = ExitCode.SOLVED
        self.solver: Solver | None = None

    def take(self, item: Puzzle | Refusal) -> None:
        """Solve, print and account for one item."""
        if isinstance(item, Refusal):
            return self.refuse(str(item))
        judgement = judge(item.clues)
        where = f"{item.file}:{item.line}"
        if reason := objection(judgement, self.require_unique):
            return self.refuse(f"{where}: {reason}")
        self.solver = self.solver or load_engine(self.model)
        watch = partial(_write_trace, self.log, item) if self.log else _ignore
        answered = answer(item.clues, judgement, self.solver, self.generation, self.fallback, watch)
        self.code = max(self.code, ExitCode.SOLVED if answered.solved else ExitCode.UNSOLVED)
        click.echo(_PRINTERS[self.form](answered))
        click.echo(f"{where}: {account(answered)}", err=True)
        return None

    def refuse(self, message: str) -> None:
        """Say on stderr why an item is not solved."""
        click.echo(message, err=True)
        self.code = ExitCode.BAD_PUZZLE


def account(answered: Answered) -> str:
    """One line: who solved it and when, positions of a full run, milliseconds."""
    outcome, cost = answered.outcome, answered.outcome.cost
    if outcome.solved:
        head = f"verified at level {outcome.level}"
    elif answered.solved:
        head = "not solved by the network; source: search (exact search found this board)"
    else:
        head = "NOT SOLVED; the best unverified board is shown"
    unique = {"yes": "", "no": "; not unique", "unknown": "; uniqueness unknown"}[answered.unique]
    total = cost.generator_ms + cost.decode_ms + cost.check_ms + cost.compaction_ms
    return (
        f"{head}, attempt {outcome.attempt + 1}, {outcome.levels_executed} levels of {outcome.levels_planned}, "
        f"{cost.positions} of {cost.positions_full} positions, {total:.1f} ms{unique}"
    )


def _grid(answered: Answered) -> str:
    utf8 = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    title = "" if answered.solved else "not solved:\n"
    return f"{title}{to_grid(answered.board, answered.clues, ascii=not utf8)}\n{LEGEND}"


_PRINTERS: dict[str, Callable[[Answered], str]] = {
    "grid": _grid,
    "line": lambda answered: to_line(answered.board),
    "json": lambda answered: json.dumps(answered.record()),
}


def _trace_file(path: Path | None) -> AbstractContextManager[TextIO | None]:
    try:
        return path.open("w", encoding="utf-8") if path else nullcontext()
    except OSError as error:
        raise UsageError(f"--trace {path}: {error.strerror}") from None


def _write_trace(log: TextIO, puzzle: Puzzle, step: LevelStep) -> None:
    log.write(json.dumps({"file": puzzle.file, "line": puzzle.line, **dict(trace_record(step))}) + "\n")


def _ignore(step: LevelStep) -> None:
    """Nobody watches."""
