"""The training loop: schedule, optimizer, data parallel by gradient all-reduce, checkpoints and exact resume.

Every second step continues generations that earlier steps left unsolved. The checkpoint for users holds a moving
average of the weights. Yields events and prints nothing. Knows batches by step number only. Invariants: a run stopped
after a checkpoint and resumed is bit for bit the run that was never stopped; every process takes its rows of the same
batch.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import mlx.core as mx
import mlx.optimizers as optim
import numpy as np
import numpy.typing as npt
from mlx.nn.utils import average_gradients, value_and_grad
from mlx.utils import tree_map, tree_unflatten

from sudoku_ncm import checkpoint
from sudoku_ncm.errors import ModelError, NcmError
from sudoku_ncm.field import planes
from sudoku_ncm.generator import Generator, GeneratorConfig
from sudoku_ncm.levels import Kind
from sudoku_ncm.training.config import CELL_LEVELS, LIFETIME, WAITING, StepEvent, TrainConfig
from sudoku_ncm.training.data import PuzzleSet, batch
from sudoku_ncm.training.state import load_state, save_state
from sudoku_ncm.training.step import generation_loss
from sudoku_ncm.training.unfinished import Rows


@contextmanager
def _ring() -> Iterator[None]:
    """Say in one line that a rank of MLX's ring cannot be reached, or not any more."""
    try:
        yield
    except (RuntimeError, ValueError) as error:
        if "[ring]" not in str(error):
            raise
        raise NcmError(f"a rank does not answer: {error}") from None


class Trainer:
    """A model, its average, its optimizer and the step reached; `directory` holds checkpoint and training state."""

    def __init__(self, config: TrainConfig, model_config: GeneratorConfig, data: PuzzleSet, directory: Path) -> None:
        self.config, self.data, self.directory = config, data, directory
        with _ring():
            self.group = mx.distributed.init()
        mx.random.seed(config.seed)
        self.model, self.averaged = Generator(model_config), Generator(model_config)
        self.optimizer = optim.AdamW(0.0, betas=[0.9, 0.98], weight_decay=config.weight_decay, bias_correction=True)
        self.optimizer.init(self.model.trainable_parameters())
        self.step, self.seconds, self.unfinished = 0, 0.0, Rows.fresh(data.puzzles[:0], data.solutions[:0])
        self.start_from(self.model)
        mx.eval(self.model.parameters(), self.averaged.parameters(), self.optimizer.state)

    def start_from(self, model: Generator) -> None:
        """Take the weights of `model`, which has the shape of this run's."""
        self.model.update(model.parameters())
        self.averaged.update(model.parameters())

    def resume(self) -> None:
        """Continue from the state in `directory`, perhaps to another last step (the schedule is planned anew).

        Raises ModelError when there is no state, or one of another shape, of other settings or of other data.
        """
        progress_keys = {"config", "data", "step", "seconds"}
        arrays, unfinished, progress = load_state(self.directory, self._arrays(), progress_keys)
        same = progress["config"] | {"steps": 0} == asdict(self.config) | {"steps": 0}
        if not same or progress["data"] != self.data.sha256:
            raise ModelError(f"{self.directory}: found a run of other settings or data, expected the same ones")
        tree = tree_unflatten(list(arrays.items()))
        self.model.update(tree["model"])
        self.averaged.update(tree["average"])
        self.optimizer.state.update(tree["optimizer"])
        self.step, self.seconds, self.unfinished = progress["step"], progress["seconds"], Rows.load(unfinished)
        self.optimizer.state["step"] = mx.array(self.step, mx.uint64)
        mx.eval(self.model.parameters(), self.averaged.parameters(), self.optimizer.state)

    def save(self, card: dict[str, Any]) -> None:
        """Write the checkpoint for users, then the state for `resume`."""
        checkpoint.save(self.directory, self.averaged, card)
        progress = {"config": asdict(self.config), "data": self.data.sha256, "step": self.step, "seconds": self.seconds}
        save_state(self.directory, self._arrays(), self.unfinished.arrays, progress)

    def _arrays(self) -> dict[str, mx.array]:
        """Weights, their average and moments by dotted name; step and rate of the optimizer follow from the run."""
        parameters = {"model": self.model.parameters(), "average": self.averaged.parameters()}
        tree = parameters | {"optimizer": self.optimizer.state}
        return {name: value for name, value in checkpoint.named(tree).items() if value.ndim}

    def run(self, card: dict[str, Any]) -> Iterator[StepEvent]:
        """Train to the last step, yielding an event a step; rank 0 saves every `save_every` steps and at the end."""
        gradient_of = value_and_grad(self.model, partial(generation_loss, self.model))
        while self.step < self.config.steps:
            started = time.perf_counter()
            rows, rate = self._next_rows(), self.config.rate(self.step)
            kinds = self._kinds(rows)
            with _ring():
                loss, norm, fields = self._update(gradient_of, rows, kinds)
            rows = self._put_back(rows.after(fields, len(kinds)))
            self.step += 1
            self.seconds += time.perf_counter() - started
            saved = self.step % self.config.save_every == 0 or self.step == self.config.steps
            if saved and self.group.rank() == 0:
                self.save(card | {"steps": self.step, "training_seconds": round(self.seconds)})
            carried, solved = len(kinds) == CELL_LEVELS, float(rows.solved.mean())
            yield StepEvent(self.step, loss, norm, rate, len(kinds), carried, solved, self.seconds, saved)

    def _next_rows(self) -> Rows:
        """The batch of this step: unfinished generations every second time, if there are enough, or fresh puzzles."""
        size = self.config.batch_size
        if self.step % 2 and len(self.unfinished) >= size:
            rows, self.unfinished = self.unfinished[:size], self.unfinished[size:]
            return rows
        return Rows.fresh(*batch(self.data, size, self.config.seed, self.step))

    def _kinds(self, rows: Rows) -> tuple[Kind, ...]:
        """Levels of this step: some cell levels, after the coarse ones where generations begin."""
        coarse = len(self.model.config.plan) - 1
        kinds = self.model.config.level_plan(coarse + CELL_LEVELS).kinds
        return kinds[coarse:] if rows.levels.any() else kinds

    def _put_back(self, rows: Rows) -> Rows:
        going_on = rows[~rows.solved & (rows.levels < LIFETIME)]
        self.unfinished = (self.unfinished + going_on)[-WAITING * self.config.batch_size :]
        return rows

    def _update(
        self, gradient_of: Callable[..., Any], rows: Rows, kinds: tuple[Kind, ...]
    ) -> tuple[float, float, npt.NDArray[np.float32]]:
        """Learn from one batch: loss, gradient norm, and the fields `[B, 81, 9]` of all processes after it."""
        group = self.group
        mine = rows[slice(group.rank(), None, group.size())]
        clues, truth = mx.array(mine.clues.astype(np.int32)), mx.array(planes(mine.solutions))
        (loss, field), gradients = gradient_of(clues, truth, mx.array(mine.fields), kinds)
        norm = self._learn(gradients)
        loss = mx.distributed.all_sum(loss, group=group) / group.size()
        parts = mx.distributed.all_gather(field, group=group).reshape(group.size(), *field.shape)
        fields = parts.swapaxes(0, 1).reshape(rows.fields.shape)
        mx.eval(loss, norm, fields, self.model.parameters(), self.averaged.parameters(), self.optimizer.state)
        return float(np.array(loss)), float(np.array(norm)), np.array(fields)

    def _learn(self, gradients: dict[str, Any]) -> mx.array:
        """Move the weights and their average; the norm of the gradient before clipping comes back."""
        config = self.config
        gradients, norm = optim.clip_grad_norm(average_gradients(gradients, self.group), config.clip)
        self.optimizer.learning_rate = config.rate(self.step)
        self.optimizer.update(self.model, gradients)
        keep, weights = config.keep(self.step), (self.averaged.parameters(), self.model.parameters())
        self.averaged.update(tree_map(lambda average, new: keep * average + (1 - keep) * new, *weights))
        return mx.array(norm)
