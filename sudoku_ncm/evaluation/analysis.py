"""The analytic artifact: operation counts of prefix caching and identities of drafting, in exact arithmetic.

Recomputes what the review states for its own configurations and applies the same formulas to our model's plan. Knows no
device. The level ladder of the E20 configuration is not published; the one here satisfies both published sums.
Invariant: whole numbers and fractions only, so two machines give the same artifact to the last digit.
"""

from fractions import Fraction
from typing import Any

from sudoku_ncm.accounting import run_work
from sudoku_ncm.evaluation.speculation import (
    accepted_mass,
    expected_commits,
    fractions,
    greedy,
    mixture_output,
    output,
    total_variation,
)
from sudoku_ncm.levels import DIGITS, PREFIX, LevelPlan

E20_PREFIX, E20_LADDER = 81, (2, 4, 6, 6, 12, 12, 20, 20, 30, 49, 72, 81)
TINY_PREFIX, TINY_LADDER = 1, (1, 2, 4, 8, 16, 32)
PAIRS = {
    "overlapping": (fractions(5, 3, 2), fractions(2, 3, 5)),
    "zero support": (fractions(1, 1, 0), fractions(0, 1, 1)),
    "deterministic proposal": (fractions(1, 3, 4), fractions(0, 0, 1)),
    "equal": (fractions(1, 2, 3), fractions(1, 2, 3)),
}


def counts(prefix: int, ladder: tuple[int, ...]) -> dict[str, Any]:
    """Positions and mask-allowed pairs per layer, prefix repeated with every level and computed once."""
    levels, total = len(ladder), sum(ladder)
    own = sum(length * prefix + length * length for length in ladder)
    return {
        "prefix": prefix,
        "levels": levels,
        "level_positions": total,
        "positions_repeated": levels * prefix + total,
        "positions_once": prefix + total,
        "positions_removed": (levels - 1) * prefix,
        "pairs_repeated": levels * prefix**2 + own,
        "pairs_once": prefix**2 + own,
    }


def payload(layers: int, batch: int, prefix: int, width: int) -> int:
    """K/V bytes: 2 · layers · batch · prefix · width · 4."""
    return 2 * layers * batch * prefix * width * 4


def own_plan(plan: tuple[str, ...], channels: int, blocks: int, levels: int) -> dict[str, Any]:
    """The same formulas for a plan of ours; pairs from the unit masks, one head of each axis."""
    kinds = LevelPlan.parse(list(plan), levels).kinds
    once, repeated = run_work(kinds, cached=True), run_work(kinds, cached=False)
    return {
        "levels": levels,
        "positions_repeated": repeated.positions,
        "positions_once": once.positions,
        "pairs_repeated": repeated.pairs,
        "pairs_once": once.pairs,
        "payload_bytes": payload(blocks, 1, PREFIX, DIGITS * channels),
    }


def speculation() -> dict[str, Any]:
    """The drafting identities, each with whether it holds."""
    first, second = PAIRS["overlapping"], PAIRS["zero support"]
    latents = [(Fraction(1, 3), first[1]), (Fraction(2, 3), second[1])]
    return {
        "fixtures": {
            name: {
                "acceptance": str(sum(accepted_mass(p, q))),
                "one_minus_tv": str(1 - total_variation(p, q)),
                "output_is_target": output(p, q) == p,
            }
            for name, (p, q) in PAIRS.items()
        },
        "two_latent_mixture_is_target": mixture_output(first[0], latents) == first[0],
        "expected_commits_half_4": str(expected_commits(Fraction(1, 2), 4)),
        "greedy": _greedy(),
    }


def _target(text: list[int]) -> int:
    """A toy greedy target with a history: squares modulo 5, each from the one before (n² = (n−1)² + 2n − 1)."""
    return (text[-1] + 2 * len(text) - 1) % 5 if text else 0


def _greedy(length: int = 24, drafts: int = 4) -> dict[str, Any]:
    reference, ordinary = greedy(_target, lambda text: [], length)
    proposals = {
        "no draft": lambda text: [],
        "oracle": lambda text: reference[len(text) : len(text) + drafts],
        "wrong": lambda text: [(token + 1) % 5 for token in reference[len(text) : len(text) + drafts]],
        "lookup": lambda text: _lookup(text, drafts),
    }
    runs = {name: greedy(_target, proposal, length) for name, proposal in proposals.items()}
    return {
        name: {"same_text": text == reference, "rounds": rounds, "rounds_without": ordinary}
        for name, (text, rounds) in runs.items()
    }


def _lookup(text: list[int], drafts: int) -> list[int]:
    """Prompt lookup: what followed the last earlier occurrence of the last token."""
    for at in range(len(text) - 2, -1, -1):
        if text[at] == text[-1]:
            return text[at + 1 : at + 1 + drafts]
    return []


def artifact() -> dict[str, Any]:
    """Everything, as the JSON that is stored and compared."""
    plan, channels, blocks = ("box-row", "box-column", "cell"), 36, 4
    return {
        "e20": counts(E20_PREFIX, E20_LADDER) | {"ladder_published": False},
        "e20_payload_bytes": payload(8, 1, 81, 256),
        "e20_payload_bytes_batch_64": payload(8, 64, 81, 256),
        "tinyworld": counts(TINY_PREFIX, TINY_LADDER),
        "own_plan": [own_plan(plan, channels, blocks, levels) for levels in (12, 16, 32)],
        "speculation": speculation(),
    }
