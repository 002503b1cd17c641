"""`sudoku-ncm train`: the trainer with a progress bar on stderr and its events as JSONL."""

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click

from sudoku_ncm import blas, launch
from sudoku_ncm.commands.common import machine
from sudoku_ncm.errors import UsageError
from sudoku_ncm.training.config import StepEvent, TrainConfig

if TYPE_CHECKING:
    from sudoku_ncm.training.data import PuzzleSet
    from sudoku_ncm.training.trainer import Trainer


@click.command("train", context_settings={"show_default": True})
@click.argument("data", type=click.Path(path_type=Path))
@click.option(
    "--hard", type=click.Path(path_type=Path), help="CSV of which half of every batch is drawn, no clues added to it."
)
@click.option(
    "--out", "directory", type=click.Path(file_okay=False, path_type=Path), required=True, help="Checkpoint directory."
)
@click.option("--steps", type=click.IntRange(min=1), required=True, help="Length of the run; the rate falls to zero.")
@click.option(
    "--batch-size",
    type=click.IntRange(min=1),
    default=TrainConfig.batch_size,
    help="Puzzles a step, over all processes.",
)
@click.option(
    "--seed", type=click.IntRange(min=0), default=TrainConfig.seed, help="Fixes weights, batches and symmetries."
)
@click.option("--learning-rate", type=click.FloatRange(min=0, min_open=True), default=TrainConfig.learning_rate)
@click.option(
    "--cell-levels",
    type=click.IntRange(min=1),
    default=TrainConfig.cell_levels,
    help="Cell levels of a generation in training.",
)
@click.option("--model-config", type=click.Path(path_type=Path), help="Directory whose config.json gives the shape.")
@click.option(
    "--init",
    type=click.Path(path_type=Path),
    help="Checkpoint to begin with; with --model-config it may grow.",
)
@click.option("--processes", type=click.IntRange(min=1), default=1, help="Data-parallel processes on this machine.")
@click.option("--resume", is_flag=True, help="Go on with the run in --out: its shape, its --init; --steps may change.")
def command(
    data: Path,
    hard: Path | None,
    directory: Path,
    steps: int,
    batch_size: int,
    seed: int,
    learning_rate: float,
    cell_levels: int,
    model_config: Path | None,
    init: Path | None,
    processes: int,
    resume: bool,
) -> None:
    """Train on DATA, a CSV of puzzle,solution as `sudoku-ncm generate --format csv` writes it."""
    _require_equal_shares(batch_size, processes)
    if hard and batch_size < 2:
        raise UsageError("--hard: found --batch-size 1, expected at least 2: half of every batch is drawn from it")
    saved = (directory / "training.safetensors").exists()
    if saved and not resume:
        raise UsageError(f"{directory} holds a training run; add --resume or choose another directory")
    if processes > 1 and not launch.is_worker():
        sys.exit(launch.run_processes(processes, sys.argv[1:]))
    serving = blas.prepare()
    from sudoku_ncm import checkpoint
    from sudoku_ncm.generator import GeneratorConfig
    from sudoku_ncm.training.data import PuzzleSet
    from sudoku_ncm.training.growth import grow
    from sudoku_ncm.training.trainer import Trainer

    config = TrainConfig(steps, batch_size, seed, learning_rate, cell_levels)
    source = directory if saved else model_config or init
    shape = checkpoint.load_config(source) if source else GeneratorConfig()
    trainer = Trainer(config, shape, PuzzleSet.load(data), directory, PuzzleSet.load(hard) if hard else None)
    _require_equal_shares(batch_size, trainer.group.size())
    begun = None
    if resume:
        trainer.resume()
        begun = checkpoint.read_json(directory / checkpoint.CARD).get("init")
        if trainer.step >= steps:
            raise UsageError(f"--steps {steps}: the run in {directory} has done {trainer.step} steps already")
    elif init:
        trainer.start_from(grow(checkpoint.load(init), shape))
        begun = checkpoint.model_hash(init)
    card = _card(data, hard, trainer, serving, begun)
    events = trainer.run(card)
    for _ in _report(events, trainer) if trainer.group.rank() == 0 else events:
        pass


def _require_equal_shares(batch_size: int, processes: int) -> None:
    if batch_size % processes:
        raise UsageError(f"--batch-size {batch_size} does not divide into {processes} processes")


def _card(data: Path, hard: Path | None, trainer: "Trainer", serving: blas.Blas, init: str | None) -> dict[str, Any]:
    return {
        "data": _source(data, trainer.data),
        "hard": _source(hard, trainer.hard) if hard and trainer.hard else None,
        "command": "sudoku-ncm " + " ".join(sys.argv[1:]),
        "init": init,
        "training": asdict(trainer.config) | trainer.method(),
        "seed": trainer.config.seed,
        "commit": _commit(),
        "processes": trainer.group.size(),
        "machine": machine(),
        "blas": serving.name,
    }


def _source(path: Path, data: "PuzzleSet") -> dict[str, Any]:
    return {"file": path.name, "sha256": data.sha256, "puzzles": len(data)}


def _commit() -> str:
    """The commit of the code that trains, or "unknown" outside a checkout or without git."""
    command = ["git", "describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"]
    try:
        found = subprocess.run(command, cwd=Path(__file__).parent, capture_output=True, text=True, check=False)
    except OSError:
        return "unknown"
    return found.stdout.strip() or "unknown"


def _report(events: Iterator["StepEvent"], trainer: "Trainer") -> Iterator["StepEvent"]:
    """Pass events on, drawing a bar on stderr and appending each to events.jsonl in the run's directory."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("loss {task.fields[loss]:.4f}"), TimeRemainingColumn())
    with (
        _log(trainer.directory / "events.jsonl", trainer.step) as log,
        Progress(*columns, console=Console(stderr=True)) as progress,
    ):
        task = progress.add_task("train", total=trainer.config.steps, completed=trainer.step, loss=float("nan"))
        for event in events:
            log.write(json.dumps(asdict(event)) + "\n")
            log.flush()
            progress.update(task, completed=event.step, loss=event.loss)
            yield event


def _log(path: Path, step: int) -> TextIO:
    """The event log, open at its end, without the steps after `step` that a stopped run did and did not save."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True) if path.exists() else []
    path.write_text("".join(lines[:step]), encoding="utf-8")
    return path.open("a", encoding="utf-8")
