"""The exit schedule: which levels to check so that the expected cost of a batch is least, and what that cost is.

Measured before: survival S(k), the share of puzzles not yet verified after level k; the seconds of a level and of
decode + check as `fixed + per_row · n` for n running rows; compaction likewise. A row that leaves saves only because
compaction shortens the batch; the fixed part is paid as long as any row runs. Knows no device and no clock. Assumes
that rows fall independently and that a board once verifiable stays so (calibration reports how often it did).
Invariant: the schedule is the exact minimum over all sets of levels that contain the last one.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Line:
    """Seconds of a piece of work on n rows: `fixed + per_row · n`, both at least 0."""

    fixed: float
    per_row: float

    def expected(self, alive: float, batch_size: int) -> float:
        """Mean seconds when each of `batch_size` rows is alive with chance `alive`, 0 when none is."""
        return self.fixed * (1 - (1 - alive) ** batch_size) + self.per_row * alive * batch_size


def fit(points: list[tuple[int, float]]) -> Line:
    """Least squares line through (rows, seconds); with one distinct number of rows everything is per row."""
    count = len(points)
    mean_n, mean_s = sum(n for n, _ in points) / count, sum(s for _, s in points) / count
    spread = sum((n - mean_n) ** 2 for n, _ in points)
    slope = sum((n - mean_n) * (s - mean_s) for n, s in points) / spread if spread else mean_s / mean_n
    slope = min(max(slope, 0.0), mean_s / mean_n)
    return Line(mean_s - slope * mean_n, slope)


@dataclass(frozen=True)
class Calibration:
    """What was measured at one batch size: a line per level, S(k) per level, lines for check and compaction."""

    batch_size: int
    survival: tuple[float, ...]
    levels: tuple[Line, ...]
    check: Line
    compaction: Line

    def hazard(self, level: int) -> float:
        """h(k): chance that a puzzle is verified first at level k, given that it was not before."""
        before = self.alive(level - 1)
        return 1 - self.survival[level] / before if before else 0.0

    def alive(self, level: int) -> float:
        """S(k), with S(−1) = 1."""
        return 1.0 if level < 0 else self.survival[level]

    def segment(self, last: int, check: int) -> float:
        """Expected seconds of running levels last+1 … check and checking at the last of them."""
        alive, size = self.alive(last), self.batch_size
        run = sum(self.levels[level].expected(alive, size) for level in range(last + 1, check + 1))
        leaves = self.compaction.expected(self.alive(check), size) if self.alive(check) < alive and size > 1 else 0.0
        return run + self.check.expected(alive, size) + leaves

    def expected(self, checks: list[int]) -> float:
        """Expected seconds a puzzle of a batch whose checks are at `checks` (ascending)."""
        edges = zip([-1, *checks[:-1]], checks, strict=True)
        return sum(self.segment(last, check) for last, check in edges) / self.batch_size


def best_schedule(calibration: Calibration, levels: int) -> list[int]:
    """Levels to check in a run of `levels` levels, by dynamic programming from the last one: O(levels²).

    value[j] is the least expected cost of all that follows a check at level j; the last level is always checked.
    """
    value, following = {levels - 1: 0.0}, {}
    for last in range(levels - 2, -2, -1):
        options = [(calibration.segment(last, check) + value[check], check) for check in range(last + 1, levels)]
        value[last], following[last] = min(options)
    checks, level = [], -1
    while level < levels - 1:
        level = following[level]
        checks.append(level)
    return checks
