"""When to decode and ask the checker, how far a generation may go, and which of its levels are perturbed.

Knows levels by number (0 is the first) and nothing of what they compute. Invariants: the last level is always checked,
so a run ends with a verdict; the defaults of a generation are the defaults of `Options`, nowhere else.
"""

from dataclasses import dataclass

from sudoku_ncm.errors import UsageError


@dataclass(frozen=True)
class ExitPolicy:
    """Check at the levels of `at`, and at all from `start` on."""

    text: str = "every"
    start: int | None = 0
    at: frozenset[int] = frozenset()

    @classmethod
    def parse(cls, text: str) -> "ExitPolicy":
        """`never`, `every`, `from:K` or `at:K,K,…`; raises UsageError for anything else."""
        name, _, value = text.partition(":")
        levels = value.split(",") if value else []
        if name in ("never", "every") and text == name:
            return cls(text, 0 if name == "every" else None)
        if name in ("from", "at") and levels and all(v.isascii() and v.isdigit() for v in levels):
            numbers = [int(v) for v in levels]
            if name == "at":
                return cls(text, None, frozenset(numbers))
            if len(numbers) == 1:
                return cls(text, numbers[0])
        known = "never, every, from:K, at:K,K,… (levels from 0) or scheduled"
        raise UsageError(f'exit policy: found "{text}", expected {known}')

    def checks(self, level: int, last: int) -> bool:
        """Whether the board is decoded and checked after `level` of a generation whose last level is `last`."""
        return level == last or level in self.at or (self.start is not None and level >= self.start)


EVERY = ExitPolicy()
PERIOD, PERTURBED = 8, 2
"""Of every eight levels the first two get noise and the others work it out; the first eight of all get none."""
HOTTER = 1.5
"""Factor by which the noise of later attempts is stronger, so that many of them differ."""
HOTTEST = 100
"""Largest temperature that is accepted."""


@dataclass(frozen=True)
class Options:
    """How a session generates: levels an attempt (the coarse ones included), exit policy, attempts, seed, cache.

    `retry_levels` are those of every attempt after the first, at most `levels`; None: as many as the first.
    `temperature` scales the Gumbel noise on the logits of perturbed levels, times `HOTTER` after the first attempt; 0
    is for one attempt without any.
    """

    levels: int = 32
    policy: ExitPolicy = EVERY
    attempts: int = 1
    seed: int = 0
    cached: bool = True
    retry_levels: int | None = None
    temperature: float = 1.0

    def __post_init__(self) -> None:
        """Raise UsageError for a temperature that is none, and for attempts that could only repeat the first."""
        if not 0 <= self.temperature <= HOTTEST:
            raise UsageError(f"temperature: found {self.temperature}, expected a number from 0 to {HOTTEST}")
        if self.attempts > 1 and not self.attempts_differ:
            raise UsageError(f"temperature 0: found {self.attempts} attempts, expected 1: they would all be the same")

    @property
    def attempts_differ(self) -> bool:
        """Whether a further attempt could end otherwise than the first."""
        return self.temperature > 0

    def levels_of(self, attempt: int) -> int:
        """Levels planned for an attempt (0 is the first)."""
        return min(self.levels, self.retry_levels or self.levels) if attempt else self.levels

    def noise_scale(self, attempt: int, level: int) -> float:
        """Scale of the noise on a level's logits; the exit policy has no part in it."""
        perturbed = (attempt or level >= PERIOD) and level % PERIOD < PERTURBED
        return self.temperature * (HOTTER if attempt else 1.0) if perturbed else 0.0
