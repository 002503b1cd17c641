"""`sudoku-ncm solve`: puzzles in, verified boards out, one line of account a puzzle on stderr."""

import json
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from pathlib import Path
from typing import TextIO, Unpack

import click

from checker.board import to_line
from checker.drawing import LEGEND, to_grid
from checker.formats import Puzzle
from checker.judge import Finding, Judgement, judge
from sudoku_ncm import terminal
from sudoku_ncm.batch import Batch
from sudoku_ncm.commands.common import GenerationOptions, calibration, generation_options, load_engine, options
from sudoku_ncm.commands.watching import Watch
from sudoku_ncm.errors import ExitCode, UsageError
from sudoku_ncm.inputs import selected
from sudoku_ncm.policy import Options
from sudoku_ncm.session import LevelStep, Solver
from sudoku_ncm.solving import Answered, answer, given, objection, trace_record
from sudoku_ncm.solving import shadow as shadow_run


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
@click.option("--watch", is_flag=True, help="Show the board after every checked level on stderr.")
@click.option("--shadow", is_flag=True, help="Run the skipped levels too and compare with the calibrated estimate.")
@click.option("--index", type=click.IntRange(min=1), help="Only the N-th puzzle of the input.")
@click.option("--limit", type=click.IntRange(min=1), help="Only the first N puzzles.")
@click.option("--require-unique", is_flag=True, help="Refuse (exit 3) a puzzle that has more than one solution.")
@click.option("--strict", is_flag=True, help="Stop at the first puzzle that is bad or stays unsolved.")
def command(
    puzzles: tuple[str, ...],
    fallback: str,
    form: str,
    trace: Path | None,
    watch: bool,
    shadow: bool,
    index: int | None,
    limit: int | None,
    require_unique: bool,
    strict: bool,
    **generation: Unpack[GenerationOptions],
) -> ExitCode:
    """Solve puzzles level by level, stopping at the first board the checker verifies."""
    chosen = options(batch_size=1, **generation)
    batch = Batch(partial(click.echo, err=True), strict)
    with _trace_file(trace) as log:
        run = _Run(batch, generation["model"], chosen, fallback == "search", form, log, require_unique, watch)
        run.full_ms = _full_run_ms(generation) if shadow else None
        for puzzle in batch.puzzles(selected(puzzles, index, limit)):
            run.take(puzzle)
    return batch.close()


class _Run:
    """Solves puzzles one by one; loads the model when the first one needs it."""

    def __init__(
        self,
        batch: Batch,
        model: Path,
        generation: Options,
        fallback: bool,
        form: str,
        log: TextIO | None,
        require_unique: bool,
        watch: bool,
    ) -> None:
        self.batch, self.model, self.generation, self.fallback, self.form = batch, model, generation, fallback, form
        self.log, self.require_unique, self.watch = log, require_unique, watch
        self.solver: Solver | None = None
        self.full_ms: float | None = None
        """Calibrated generator ms of a full run, to compare shadow runs with; None for no shadow runs."""

    def take(self, puzzle: Puzzle) -> None:
        """Judge, solve, print and account for one puzzle."""
        judgement, where = judge(puzzle.clues), f"{puzzle.file}:{puzzle.line}"
        if reason := objection(judgement, self.require_unique):
            return self.batch.reject(f"{where}: {reason}")
        if judgement.finding not in (Finding.UNIQUE, Finding.RIGHT):
            click.echo(f"{where}: {judgement.describe()}", err=True)
        answered = given(puzzle.clues) if judgement.finding is Finding.RIGHT else self._generate(puzzle, judgement)
        self.batch.solved += answered.solved
        self.batch.unsolved += not answered.solved
        if self.form == "json":
            click.echo(json.dumps({"file": puzzle.file, "line": puzzle.line, **answered.record()}))
        else:
            click.echo(_PRINTERS[self.form](answered))
        return click.echo(f"{where}: {account(answered)}{self._shadow(answered)}", err=True)

    def _shadow(self, answered: Answered) -> str:
        """What the exit saved, after a run of the levels it skipped."""
        if self.full_ms is None or self.solver is None or answered.outcome is None:
            return ""
        found = shadow_run(answered.clues, answered.outcome, self.solver, self.generation, self.full_ms)
        apart = found.estimated_ms - found.saved_ms
        return f"; exit saved {found.saved_ms:.1f} ms, estimated ~{found.estimated_ms:.1f}, apart {apart:+.1f}"

    def _generate(self, puzzle: Puzzle, judgement: Judgement) -> Answered:
        self.solver = self.solver or load_engine(self.model)
        watchers: list[Callable[[LevelStep], None]] = []
        if self.log:
            watchers.append(partial(_write_trace, self.log, puzzle))
        if self.watch:
            watchers.append(Watch(puzzle.clues, sys.stderr))
        return answer(puzzle.clues, judgement, self.solver, self.generation, self.fallback, partial(_tell, watchers))


def _full_run_ms(generation: GenerationOptions) -> float:
    """The calibrated generator time of all levels of one puzzle."""
    levels = calibration(generation["model"], 1, generation["levels"]).levels[: generation["levels"]]
    return 1e3 * sum(line.expected(1.0, 1) for line in levels)


def account(answered: Answered) -> str:
    """One line: who solved it and when, positions of a full run, milliseconds."""
    outcome = answered.outcome
    if outcome is None:
        return "already solved: a full board, right"
    if outcome.solved:
        head = f"verified at level {outcome.level}, attempt {outcome.attempt + 1}"
    elif answered.solved:
        head = "not solved by the network; source: search (exact search found this board)"
    else:
        head = "NOT SOLVED; the best unverified board is shown"
    unique = {"yes": "", "no": "; not unique", "unknown": "; uniqueness unknown"}[answered.unique]
    cost = outcome.cost
    total = cost.generator_ms + cost.decode_ms + cost.check_ms + cost.compaction_ms
    return (
        f"{head}; ran {outcome.levels_executed} levels ({outcome.levels_planned} an "
        f"attempt), {cost.positions} positions ({cost.positions_full} a full attempt), {total:.1f} ms{unique}"
    )


def _grid(answered: Answered) -> str:
    title = "" if answered.solved else "not solved:\n"
    ascii_only, in_colour = not terminal.unicode(sys.stdout), terminal.colour(sys.stdout)
    legend = LEGEND.replace("generated", "found by exact search") if answered.source == "search" else LEGEND
    return f"{title}{to_grid(answered.board, answered.clues, ascii_only, in_colour)}\n{legend}"


def _line(answered: Answered) -> str:
    """The board; one that nobody verified says so, in a form that reads back as a comment."""
    return to_line(answered.board) + (" # not solved" if not answered.solved else "")


_PRINTERS: dict[str, Callable[[Answered], str]] = {
    "grid": _grid,
    "line": _line,
}


def _trace_file(path: Path | None) -> AbstractContextManager[TextIO | None]:
    try:
        return path.open("w", encoding="utf-8") if path else nullcontext()
    except OSError as error:
        raise UsageError(f"--trace {path}: {error.strerror}") from None


def _write_trace(log: TextIO, puzzle: Puzzle, step: LevelStep) -> None:
    log.write(json.dumps({"file": puzzle.file, "line": puzzle.line, **dict(trace_record(step))}) + "\n")


def _tell(watchers: list[Callable[[LevelStep], None]], step: LevelStep) -> None:
    for watcher in watchers:
        watcher(step)
