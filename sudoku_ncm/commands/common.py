"""What several commands share: the options of a generation, and loading the model behind the door."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from sudoku_ncm import blas
from sudoku_ncm.policy import ExitPolicy, Options

if TYPE_CHECKING:
    from sudoku_ncm.engine import Engine

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


def generation_options(command: F) -> F:
    """Add --model --levels --exit --attempts --seed --no-cache to a command."""
    for option in (
        click.option("--no-cache", is_flag=True, help="Compute the prefix again with every level."),
        click.option("--seed", type=int, default=Options.seed, show_default=True, help="Seed of the later attempts."),
        click.option(
            "--attempts",
            type=click.IntRange(min=1),
            default=Options.attempts,
            show_default=True,
            help="Attempts a puzzle; all after the first are perturbed by seeded noise.",
        ),
        click.option(
            "--exit",
            "policy",
            default=Options.policy.text,
            show_default=True,
            metavar="never|every|from:K|at:K,K",
            help="After which levels (from 0) to decode and check; the last level is always checked.",
        ),
        levels_option,
        model_option,
    ):
        command = option(command)
    return command


def options(levels: int, policy: str, attempts: int, seed: int, no_cache: bool) -> Options:
    """The options of a generation from the command line; raises UsageError."""
    return Options(levels, ExitPolicy.parse(policy), attempts, seed, cached=not no_cache)


def load_engine(model: Path) -> "Engine":
    """The engine on a checkpoint, with the best BLAS there is. Raises ModelError."""
    blas.prepare()
    from sudoku_ncm.checkpoint import load
    from sudoku_ncm.engine import Engine

    return Engine(load(model))
