"""Identities of speculative drafting, checked on finite examples with exact fractions.

Standard speculative sampling (Leviathan et al. 2022; Chen et al. 2023) and greedy longest-prefix verification (Stern et
al. 2018), as the review this project implements states them. Knows nothing of Sudoku or of this project's model.
Invariant: every comparison is between fractions or token lists, never between floats.
"""

from collections.abc import Callable
from fractions import Fraction

Distribution = tuple[Fraction, ...]


def fractions(*values: int) -> Distribution:
    """A distribution proportional to whole numbers."""
    return tuple(Fraction(value, sum(values)) for value in values)


def accepted_mass(p: Distribution, q: Distribution) -> Distribution:
    """Chance that token x is drawn from q and accepted with min(1, p/q): min(p, q)."""
    return tuple(qx * min(Fraction(1), px / qx) if qx else Fraction(0) for px, qx in zip(p, q, strict=True))


def residual(p: Distribution, q: Distribution) -> Distribution:
    """The distribution sampled after a rejection: max(p − q, 0), normalized; p itself if nothing is ever rejected."""
    positive = tuple(max(px - qx, Fraction(0)) for px, qx in zip(p, q, strict=True))
    total = sum(positive)
    return tuple(value / total for value in positive) if total else p


def output(p: Distribution, q: Distribution) -> Distribution:
    """The distribution of one token of speculative sampling: it must be p."""
    accepted, after = accepted_mass(p, q), residual(p, q)
    rejected = 1 - sum(accepted)
    return tuple(a + rejected * r for a, r in zip(accepted, after, strict=True))


def total_variation(p: Distribution, q: Distribution) -> Fraction:
    """Half the L1 distance."""
    return sum((abs(px - qx) for px, qx in zip(p, q, strict=True)), Fraction(0)) / 2


def mixture_output(p: Distribution, proposals: list[tuple[Fraction, Distribution]]) -> Distribution:
    """Draw a latent with its weight, keep it fixed, verify with its own proposal: again p for every latent."""
    parts = [(weight, output(p, q)) for weight, q in proposals]
    return tuple(sum((w * o[x] for w, o in parts), Fraction(0)) for x in range(len(p)))


def expected_commits(alpha: Fraction, drafts: int) -> Fraction:
    """E[C] = 1 + α + … + α^m for independent acceptance chance α and m drafts."""
    return sum((alpha**j for j in range(drafts + 1)), Fraction(0))


Target = Callable[[list[int]], int]
Proposal = Callable[[list[int]], list[int]]


def greedy(target: Target, proposal: Proposal, length: int) -> tuple[list[int], int]:
    """`length` tokens by longest-prefix verification, and how many rounds of the target it took.

    Drafts that match the target's own choices are kept; the first mismatch is replaced by the target's token and the
    rest dropped; a full match earns one more token.
    """
    text: list[int] = []
    rounds = 0
    while len(text) < length:
        rounds += 1
        for draft in [*proposal(text)[: length - len(text) - 1], None]:
            token = target(text)
            text.append(token)
            if token != draft:
                break
    return text, rounds
