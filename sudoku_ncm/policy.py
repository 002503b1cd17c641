"""When to decode and ask the checker, and how far a generation may go.

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
        raise UsageError(f'exit policy: found "{text}", expected never, every, from:K or at:K,K,… (levels from 0)')

    def checks(self, level: int, last: int) -> bool:
        """Whether the board is decoded and checked after `level` of a generation whose last level is `last`."""
        return level == last or level in self.at or (self.start is not None and level >= self.start)


EVERY = ExitPolicy()


@dataclass(frozen=True)
class Options:
    """How a session generates: levels an attempt (the coarse ones included), exit policy, attempts, seed, cache.

    `retry_levels` are those of every attempt after the first, at most `levels`; None: as many as the first.
    """

    levels: int = 32
    policy: ExitPolicy = EVERY
    attempts: int = 1
    seed: int = 0
    cached: bool = True
    retry_levels: int | None = None

    def levels_of(self, attempt: int) -> int:
        """Levels planned for an attempt (0 is the first)."""
        return min(self.levels, self.retry_levels or self.levels) if attempt else self.levels
