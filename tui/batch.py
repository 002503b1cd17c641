"""A set of puzzles run one after another: what came out so far, as a frozen value, and its panes as lines.

Knows outcomes and strata, neither Textual nor threads. Invariants: only boards the checker passed count as solved; a
board called solved that is none (a false exit) is counted by a check that shares no code with the checker.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property, partial
from statistics import median

from checker.board import to_line
from checker.formats import Puzzle, Refusal
from sudoku_ncm.evaluation.dataset import Sample
from sudoku_ncm.evaluation.run import is_solution
from sudoku_ncm.evaluation.statistics import wilson
from sudoku_ncm.session import Outcome
from tui.library import Library
from tui.spans import Line, Role, Span, fit, line
from tui.tables import BLOCKS, TICKS

CHUNK = 8
"""Puzzles a session: small enough to see the count move, and to stop soon."""


@dataclass(frozen=True, eq=False)
class Batch:
    """The puzzles of a file, the outcomes of the first of them, and which one is picked."""

    name: str
    samples: tuple[Sample, ...]
    refusals: int = 0
    outcomes: tuple[Outcome, ...] = ()
    running: bool = False
    picked: int = 0
    problem: str = ""

    @classmethod
    def of(cls, name: str, items: list[Sample | Refusal]) -> "Batch":
        """Nothing has run yet."""
        samples = tuple(item for item in items if isinstance(item, Sample))
        return cls(name, samples, len(items) - len(samples))

    @property
    def done(self) -> bool:
        """Whether every puzzle has run."""
        return len(self.outcomes) == len(self.samples)

    @property
    def solved(self) -> list[Outcome]:
        """The outcomes the checker passed."""
        return [outcome for outcome in self.outcomes if outcome.solved]

    @cached_property
    def false_exits(self) -> int:
        """Boards called solved that are none."""
        pairs = zip(self.samples, self.outcomes, strict=False)
        return sum(outcome.solved and not is_solution(outcome.board, sample.clues) for sample, outcome in pairs)

    def add(self, outcomes: tuple[Outcome, ...]) -> "Batch":
        """With more outcomes, in the order of the puzzles; the latest is picked while nobody has picked another."""
        follow = self.picked >= len(self.outcomes) - 1
        all_of_them = self.outcomes + outcomes
        return replace(self, outcomes=all_of_them, picked=len(all_of_them) - 1 if follow else self.picked)

    def pick(self, index: int) -> "Batch":
        """With another puzzle picked."""
        return replace(self, picked=max(0, min(index, len(self.samples) - 1)))

    def library(self) -> Library:
        """The same puzzles, to step through."""
        lines = "\n".join(to_line(sample.clues) for sample in self.samples)
        again = partial(_puzzles_of, self.samples)
        return Library(self.name, again, ("text", self.name, lines))


def _puzzles_of(samples: tuple[Sample, ...]) -> Iterator[Puzzle | Refusal]:
    return (Puzzle(sample.clues, sample.file, sample.line) for sample in samples)


def summary(batch: Batch, width: int, height: int) -> list[Line]:
    """How far it is, in one line."""
    state = batch.problem or ("running" if batch.running else "done" if batch.done else "paused")
    said = f"  {len(batch.outcomes)} of {len(batch.samples)} run, {len(batch.solved)} solved  {state}"
    refused = f"  {batch.refusals} not read" if batch.refusals else ""
    return [fit(line(" ", Span(batch.name, Role.STRONG), said, Span(refused, Role.FAIL)), width)]


def puzzles(batch: Batch, width: int, height: int) -> list[Line]:
    """The list around the picked puzzle."""
    room = height - 1
    start = max(0, min(batch.picked - room // 2, len(batch.samples) - room))
    rows = [_puzzle(batch, index) for index in range(start, min(start + room, len(batch.samples)))]
    head = f"{'#':>5} {'clues':>5} {'level':>5} {'ms':>8}   stratum"
    return [fit(row, width) for row in [line(Span(head, Role.DIM)), *rows]]


def _puzzle(batch: Batch, index: int) -> Line:
    sample, here, click = batch.samples[index], index == batch.picked, f"screen.pick({index})"
    clues = int((sample.clues != 0).sum())
    if index >= len(batch.outcomes):
        text = f"{index + 1:>5} {clues:>5} {'·':>5} {'·':>8} · {sample.stratum}"
        return (Span(text, Role.DIM, here, click),)
    outcome = batch.outcomes[index]
    level = str(outcome.level) if outcome.solved else "–"
    text = f"{index + 1:>5} {clues:>5} {level:>5} {outcome.latency_ms:>8.1f} "
    mark = Span("✓ ", Role.PASS, here, click) if outcome.solved else Span("✗ ", Role.FAIL, here, click)
    return (Span(text, Role.PLAIN, here, click), mark, Span(sample.stratum, Role.PLAIN, here, click))


def exits(batch: Batch, width: int, height: int) -> list[Line]:
    """How many left at which level; the last row gathers what does not fit."""
    counts = Counter(outcome.level for outcome in batch.solved)
    unsolved = len(batch.outcomes) - len(batch.solved)
    levels = sorted(counts)
    rows = [(f"L{level}", counts[level], Role.PASS) for level in levels[: height - 2]]
    if more := levels[height - 2 :]:
        rows.append((f"L{more[0]}+", sum(counts[level] for level in more), Role.PASS))
    rows.append(("none", unsolved, Role.FAIL))
    most = max((count for _, count, _ in rows), default=0)
    return [_bar(name, count, most, width, role) for name, count, role in rows][:height]


def _bar(name: str, count: int, most: int, width: int, role: Role) -> Line:
    room = max(0, width - 12)
    eighths = round(8 * room * count / most) if most else 0
    bar = "█" * (eighths // 8) + (BLOCKS[eighths % 8] if eighths % 8 else "")
    return line(f"{name:<5}", Span(bar.ljust(room), role), f"{count:>7,}")


def strata(batch: Batch, width: int, height: int) -> list[Line]:
    """Solve rate per stratum with its 95 % interval, and for all."""
    tried: Counter[str] = Counter()
    right: Counter[str] = Counter()
    for sample, outcome in zip(batch.samples, batch.outcomes, strict=False):
        tried[sample.stratum] += 1
        right[sample.stratum] += outcome.solved
    names = list(tried) if len(tried) > 1 else []
    rows = [_rate(name, right[name], tried[name], width) for name in names[: height - 2]]
    whole = _rate("all", len(batch.solved), len(batch.outcomes), width)
    wrong = line("false exits ", Span(str(batch.false_exits), Role.FAIL if batch.false_exits else Role.PASS))
    return [*rows, whole, wrong][:height]


def _rate(name: str, right: int, tried: int, width: int) -> Line:
    if not tried:
        return line(Span(f"{name}: nothing has run yet", Role.DIM))
    low, high = wilson(right, tried)
    numbers = f"{right:>5}/{tried:<5}{100 * right / tried:>4.0f}% ({100 * low:.0f}–{100 * high:.0f})".ljust(26)
    room = width - len(numbers)
    return line(f"{name[: room - 1]:<{room}}", numbers)


def latency(batch: Batch, width: int, height: int) -> list[Line]:
    """Latency of the latest puzzles, and the median of all."""
    times = [outcome.latency_ms for outcome in batch.outcomes]
    if not times:
        return [line(Span("latency of each puzzle appears here", Role.DIM))]
    said = f"  median {median(times):.1f} ms"
    shown = times[-(width - len(said)) :]
    top = max(*shown, 1e-9)
    return [line(Span("".join(TICKS[min(7, int(8 * value / top))] for value in shown), Role.GENERATED), said)]
