"""The training loop: schedule, optimizer, data parallel by gradient all-reduce, checkpoints and exact resume.

Yields events and prints nothing. Knows batches by step number only. Invariants: a run stopped after a checkpoint and
resumed is bit for bit the run that was never stopped; every process takes its rows of the same batch.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from functools import partial
from math import isfinite
from pathlib import Path
from typing import Any

import mlx.core as mx
import mlx.optimizers as optim
import numpy as np
from mlx.nn.utils import average_gradients, value_and_grad
from mlx.utils import tree_unflatten

from sudoku_ncm import checkpoint
from sudoku_ncm.errors import LostRank, ModelError, NcmError
from sudoku_ncm.generator import Generator, GeneratorConfig
from sudoku_ncm.levels import Kind
from sudoku_ncm.threads import limited
from sudoku_ncm.training.config import StepEvent, TrainConfig
from sudoku_ncm.training.data import PuzzleSet, batch
from sudoku_ncm.training.soap import Soap
from sudoku_ncm.training.state import load_state, save_state
from sudoku_ncm.training.step import DAMPING, generation_loss


@contextmanager
def _ring() -> Iterator[None]:
    """Raise LostRank when a rank of MLX's ring cannot be reached, or not any more; the ring does not say which."""
    try:
        yield
    except (RuntimeError, ValueError) as error:
        if "[ring]" not in str(error):
            raise
        raise LostRank(f"a rank does not answer: {error}") from None


class Trainer:
    """A model, its optimizer and the step reached; `directory` holds checkpoint and training state."""

    def __init__(
        self,
        config: TrainConfig,
        model_config: GeneratorConfig,
        data: PuzzleSet,
        directory: Path,
        hard: PuzzleSet | None = None,
    ) -> None:
        self.config, self.data, self.hard, self.directory = config, data, hard, directory
        with _ring():
            self.group = mx.distributed.init()
        mx.random.seed(config.seed)
        self.model = Generator(model_config)
        self.optimizer = Soap((0.9, 0.98), config.weight_decay)
        self.optimizer.init(self.model.trainable_parameters())
        self.step, self.seconds = 0, 0.0
        mx.eval(self.model.parameters(), self.optimizer.state)

    def method(self) -> dict[str, Any]:
        """What is the same in every run, for the card: the optimizer, its decays, the gradient between levels."""
        return {"optimizer": type(self.optimizer).__name__, "betas": self.optimizer.betas, "damping": DAMPING}

    def start_from(self, model: Generator) -> None:
        """Take the weights of `model`, which has the shape of this run's."""
        self.model.update(model.parameters())

    def resume(self) -> None:
        """Continue from the state in `directory`, perhaps to another last step (the schedule is planned anew).

        Raises ModelError when there is no state, or one of another shape, of other settings or of other data.
        """
        arrays, progress = load_state(self.directory, self._arrays(), {"config", "data", "step", "seconds"})
        same = progress["config"] | {"steps": 0} == asdict(self.config) | {"steps": 0}
        if not same or progress["data"] != self._hashes():
            raise ModelError(f"{self.directory}: found a run of other settings or data, expected the same ones")
        tree = tree_unflatten(list(arrays.items()))
        self.model.update(tree["model"])
        self.optimizer.state.update(tree["optimizer"])
        self.step, self.seconds = progress["step"], progress["seconds"]
        self.optimizer.state["step"] = mx.array(self.step, mx.uint64)
        mx.eval(self.model.parameters(), self.optimizer.state)

    def save(self, card: dict[str, Any]) -> None:
        """Write the checkpoint for users, then the state for `resume`."""
        checkpoint.save(self.directory, self.model, card)
        progress = {"config": asdict(self.config), "data": self._hashes(), "step": self.step, "seconds": self.seconds}
        save_state(self.directory, self._arrays(), progress)

    def _hashes(self) -> str:
        return "+".join(part.sha256 for part in (self.data, self.hard) if part)

    def _arrays(self) -> dict[str, mx.array]:
        """Weights and moments by dotted name; step and rate of the optimizer follow from the run."""
        tree = {"model": self.model.parameters(), "optimizer": self.optimizer.state}
        return {name: value for name, value in checkpoint.named(tree).items() if value.ndim}

    def run(self, card: dict[str, Any]) -> Iterator[StepEvent]:
        """Train to the last step, yielding an event a step; rank 0 saves every `save_every` steps and at the end."""
        gradient_of = value_and_grad(self.model, partial(generation_loss, self.model))
        shape = self.model.config
        kinds = shape.level_plan(len(shape.plan) - 1 + self.config.cell_levels).kinds
        while self.step < self.config.steps:
            started, rate = time.perf_counter(), self.config.rate(self.step)
            with _ring():
                loss, norm, solved = self._update(gradient_of, kinds)
            if not isfinite(loss + norm):
                found = f"step {self.step + 1}: found loss {loss} and gradient norm {norm}"
                raise NcmError(f"{found}, expected numbers; try a lower rate")
            self.step += 1
            self.seconds += time.perf_counter() - started
            saved = self.step % self.config.save_every == 0 or self.step == self.config.steps
            if saved and self.group.rank() == 0:
                self.save(card | {"steps": self.step, "training_seconds": round(self.seconds)})
            yield StepEvent(self.step, loss, norm, rate, len(kinds), solved, self.seconds, saved)

    @limited(1)  # gradients are sums over groups, which the number of threads would change
    def _update(self, gradient_of: Callable[..., Any], kinds: tuple[Kind, ...]) -> tuple[float, float, float]:
        """Learn from the batch of this step: mean loss, gradient norm before clipping, share of the rows solved."""
        config, group = self.config, self.group
        rows = slice(group.rank(), None, group.size())
        clues, solutions = (
            part[rows] for part in batch(self.data, config.batch_size, config.seed, self.step, hard=self.hard)
        )
        (loss, solved), gradients = gradient_of(clues, solutions, kinds)
        gradients, norm = optim.clip_grad_norm(average_gradients(gradients, group), config.clip)
        self.optimizer.learning_rate = config.rate(self.step)
        self.optimizer.update(self.model, gradients)
        sums = mx.distributed.all_sum(mx.stack([loss / group.size(), solved / config.batch_size]), group=group)
        mx.eval(sums, norm, self.model.parameters(), self.optimizer.state)
        return float(sums[0]), float(np.array(norm)), float(sums[1])
