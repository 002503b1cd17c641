"""What fixes a training run, and what one step of it reports. Knows numbers only."""

from dataclasses import dataclass


@dataclass(frozen=True)
class TrainConfig:
    """A training run; a resumed run may differ in `steps` only. The rate falls linearly to zero at the last step."""

    steps: int
    batch_size: int = 32
    seed: int = 0
    learning_rate: float = 4e-3
    cell_levels: int = 8
    """Cell levels of a generation in training; later ones are more of the same."""
    warmup: int = 50
    weight_decay: float = 0.01
    clip: float = 1.0
    save_every: int = 100

    def rate(self, step: int) -> float:
        """Learning rate of step `step` (0 … steps − 1)."""
        warm = min(1.0, (step + 1) / self.warmup)
        return self.learning_rate * warm * (1 - step / self.steps)


@dataclass(frozen=True)
class StepEvent:
    """What one step did: loss (mean over processes), gradient norm before clipping, rate, seconds of training.

    `solved` is the share of the batch that some level solved.
    """

    step: int
    loss: float
    gradient_norm: float
    rate: float
    levels: int
    solved: float
    seconds: float
    saved: bool
