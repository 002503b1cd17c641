"""What fixes a training run, and what one step of it reports. Knows numbers only."""

from dataclasses import dataclass

CELL_LEVELS = 4
"""Cell levels learned in one step."""
LIFETIME = 32
"""After so many levels an unsolved generation is given up."""
WAITING = 8
"""How many batches of unsolved generations wait at most; the oldest are dropped."""


@dataclass(frozen=True)
class TrainConfig:
    """A training run; a resumed run may differ in `steps` only. The rate falls linearly to zero at the last step."""

    steps: int
    batch_size: int = 32
    seed: int = 0
    learning_rate: float = 4e-3
    warmup: int = 50
    weight_decay: float = 0.01
    clip: float = 1.0
    average: float = 0.998
    save_every: int = 100

    def rate(self, step: int) -> float:
        """Learning rate of step `step` (0 … steps − 1)."""
        warm = min(1.0, (step + 1) / self.warmup)
        return self.learning_rate * warm * (1 - step / self.steps)

    def keep(self, step: int) -> float:
        """Share of the averaged weights that step `step` keeps: less at first, so that random weights are forgotten."""
        return min(self.average, (1 + step) / (10 + step))


@dataclass(frozen=True)
class StepEvent:
    """What one step did: loss (mean over processes), gradient norm before clipping, rate, seconds of training.

    `carried` steps continue unsolved generations, `solved` is the share of the batch that its last level solved.
    """

    step: int
    loss: float
    gradient_norm: float
    rate: float
    levels: int
    carried: bool
    solved: float
    seconds: float
    saved: bool
