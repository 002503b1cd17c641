"""What several commands share: the options of a generation, and loading the model behind the door."""

import json
import os
import platform
from collections.abc import Callable
from importlib.metadata import version
from math import log
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar

import click

from sudoku_ncm import __version__, blas
from sudoku_ncm.errors import UsageError
from sudoku_ncm.evaluation.calibrate import from_json
from sudoku_ncm.evaluation.schedule import Calibration, best_schedule
from sudoku_ncm.policy import HOTTEST, ExitPolicy, Options
from sudoku_ncm.threads import threads

if TYPE_CHECKING:
    from sudoku_ncm.engine import Engine

SCHEDULED, SCHEDULE = "scheduled", "schedule.json"
F = TypeVar("F", bound=Callable[..., Any])
BUNDLED = Path(__file__).parents[1] / "checkpoints" / "default"

model_option = click.option(
    "--model",
    type=click.Path(path_type=Path),
    default=BUNDLED,
    show_default="the bundled one",
    help="Checkpoint directory.",
)
levels_option = click.option(
    "--levels",
    type=click.IntRange(min=1),
    default=Options.levels,
    show_default=True,
    help="K: levels of one attempt, the coarse ones included.",
)


class GenerationOptions(TypedDict):
    """What `generation_options` adds to a command."""

    model: Path
    levels: int
    policy: str
    attempts: int
    seed: int
    no_cache: bool
    retry_levels: int | None
    temperature: float


def generation_options(command: F) -> F:
    """Add --model --levels --exit --attempts --retry-levels --temperature --seed --no-cache to a command."""
    for option in (
        click.option("--no-cache", is_flag=True, help="Compute the prefix again with every level."),
        click.option(
            "--seed",
            type=click.IntRange(min=0),
            default=Options.seed,
            show_default=True,
            help="Seed of the noise.",
        ),
        click.option(
            "--temperature",
            type=click.FloatRange(0, HOTTEST),
            default=Options.temperature,
            show_default=True,
            help="Scale of the noise on two in eight levels; the first attempt has it from level 8 on, later ones "
            "half as much again. 0: none.",
        ),
        click.option(
            "--retry-levels",
            type=click.IntRange(min=1),
            show_default="as --levels",
            help="Levels of the attempts after the first, at most --levels.",
        ),
        click.option(
            "--attempts",
            type=click.IntRange(min=1),
            default=Options.attempts,
            show_default=True,
            help="Attempts a puzzle, each with noise of its own.",
        ),
        click.option(
            "--exit",
            "policy",
            default=Options.policy.text,
            show_default=True,
            metavar="never|every|from:K|at:K,K|scheduled",
            help="After which levels (from 0) to decode and check; the last level is always checked.",
        ),
        levels_option,
        model_option,
    ):
        command = option(command)
    return command


def options(
    model: Path,
    batch_size: int,
    levels: int,
    policy: str,
    attempts: int,
    seed: int,
    no_cache: bool,
    retry_levels: int | None,
    temperature: float,
) -> Options:
    """The options of a generation from the command line; raises UsageError."""
    chosen = exit_policy(policy, model, batch_size, levels)
    return Options(levels, chosen, attempts, seed, not no_cache, retry_levels, temperature)


def exit_policy(text: str, model: Path, batch_size: int, levels: int) -> ExitPolicy:
    """The exit policy as typed; raises UsageError.

    `scheduled` reads the calibration beside the model, at the calibrated batch size nearest to `batch_size`.
    """
    if text != SCHEDULED:
        return ExitPolicy.parse(text)
    checks = best_schedule(calibration(model, batch_size, levels), levels)
    return ExitPolicy(SCHEDULED, None, frozenset(checks))


def calibration(model: Path, batch_size: int, levels: int) -> Calibration:
    """The calibration beside a model, for at least `levels` levels; raises UsageError when there is none."""
    path = model / SCHEDULE
    try:
        measured = json.loads(path.read_text(encoding="utf-8"))["batch_sizes"]
        calibrations = [from_json(value) for value in measured.values()]
        nearest = min(calibrations, key=lambda c: abs(log(c.batch_size / batch_size)))
    except (OSError, LookupError, TypeError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise UsageError(f"{path}: found no calibration ({reason}), expected one by sudoku-ncm calibrate") from None
    if levels > len(nearest.levels):
        raise UsageError(f"{path}: found a calibration of {len(nearest.levels)} levels, expected at least {levels}")
    return nearest


def describe(model: Path, generation: Options, batch_size: int) -> dict[str, Any]:
    """What a report must name: versions, machine, BLAS, model, options."""
    from sudoku_ncm.checkpoint import model_hash

    return {
        "sudoku_ncm": __version__,
        "packages": {name: version(name) for name in ("mlx", "numpy")},
        "machine": machine(),
        "threads": threads(),
        "blas": blas.prepare().name,
        "model": model_hash(model),
        "levels": generation.levels,
        "policy": generation.policy.text,
        "checks": sorted(generation.policy.at),
        "attempts": generation.attempts,
        "retry_levels": generation.levels_of(1),
        "seed": generation.seed,
        "temperature": generation.temperature,
        "cached": generation.cached,
        "batch_size": batch_size,
    }


def machine() -> str:
    """Operating system, processor and number of cores."""
    return f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores"


def load_engine(model: Path) -> "Engine":
    """The engine on a checkpoint, with the best BLAS there is. Raises ModelError."""
    blas.prepare()
    from sudoku_ncm.checkpoint import load
    from sudoku_ncm.engine import Engine

    return Engine(load(model))
