"""Intervals and percentiles, nothing of puzzles. Invariant: same numbers in, same numbers out (seeded resampling)."""

from math import sqrt

import numpy as np
import numpy.typing as npt

BOOTSTRAP_SAMPLES = 2000


def wilson(successes: int, trials: int, z: float = 1.96) -> tuple[float, float]:
    """Wilson score interval of a rate (E. B. Wilson 1927), 95 % for the default z."""
    if not trials:
        return 0.0, 1.0
    rate, spread = successes / trials, z * z / trials
    centre = rate + spread / 2
    half = z * sqrt(rate * (1 - rate) / trials + spread / (4 * trials))
    return max(0.0, (centre - half) / (1 + spread)), min(1.0, (centre + half) / (1 + spread))


def ratio_interval(numerator: npt.NDArray[np.float64], denominator: npt.NDArray[np.float64]) -> tuple[float, float]:
    """95 % bootstrap interval of sum(numerator) / sum(denominator) over paired measurements (B. Efron 1979)."""
    rows = np.random.default_rng(0).integers(len(numerator), size=(BOOTSTRAP_SAMPLES, len(numerator)))
    low, high = np.percentile(numerator[rows].sum(axis=1) / denominator[rows].sum(axis=1), [2.5, 97.5])
    return float(low), float(high)
