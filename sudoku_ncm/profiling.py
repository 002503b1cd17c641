"""Where the time of a level goes: every kind of operation timed by itself, on the inputs it has in a real level.

MLX builds a graph and has no profiler for a CPU, so a level is walked through part by part, each evaluated before the
next begins; the price of an evaluation, that of an empty one, is taken off each. Empty evaluations, whole levels, walks
and whole runs take turns; medians. What the parts do not add up to is that of a graph: Python, scheduling, caches; it
is negative where the graph gains more (buffers used again) than it costs. Rates of the machine are measured beside.
Knows the generator, not the engine: no decoding, no checks. Invariant: a walk computes what `Generator.step` does, bit
for bit.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from statistics import median
from typing import TypeVar

import mlx.core as mx
import numpy as np

from sudoku_ncm.attention import UnitAttention, seen_by_level
from sudoku_ncm.blocks import FeedForward
from sudoku_ncm.cache import KeyValue, PrefixCache
from sudoku_ncm.evaluation.bench import alternate
from sudoku_ncm.field import empty_field, quantize, refine
from sudoku_ncm.flops import Load, Part, Rates, Sizes, level_load, level_products, run_load
from sudoku_ncm.generator import Generator, GeneratorConfig
from sudoku_ncm.levels import DIGITS, Kind
from sudoku_ncm.ops import digit_mean, hidden_units, normalize, per_puzzle, softmax
from sudoku_ncm.session import Boards
from sudoku_ncm.streams import groups_of
from sudoku_ncm.threads import limited
from sudoku_ncm.units import to_positions, to_units

EMPTY, LEVEL, RUN = "nothing, taken off each evaluation", "whole level", "whole run"
REST = "graph, Python, cache effects"
GEMM, MEMORY = "large product", "large copy"
SQUARE, COPY = 1024, 2**28
"""Side of the large product, and bytes of the large copy."""
T = TypeVar("T")


@dataclass(frozen=True)
class Line:
    """One row of a profile, times and counts per puzzle; None where a part has no products, or no floor of its own."""

    batch_size: int
    levels: int
    part: str
    evaluations: int | None
    us_per_puzzle: float
    percent_of_level: float
    mflop: float | None = None
    mbyte: float | None = None
    gflop_per_second: float | None = None
    floor_us: float | None = None
    times_floor: float | None = None


class Stopwatch:
    """Seconds and evaluations of everything that was timed, by name."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self.evaluations: dict[str, int] = {}

    def __call__(self, name: str, function: Callable[..., T], *inputs: object) -> T:
        """`function(*inputs)`, evaluated, its time booked under `name`; the inputs must be evaluated already."""
        started = time.perf_counter()
        result = function(*inputs)
        mx.eval(result)
        self.seconds[name] = self.seconds.get(name, 0) + time.perf_counter() - started
        self.evaluations[name] = self.evaluations.get(name, 0) + 1
        return result


def measure_rates(repeat: int) -> Rates:
    """The fastest of `repeat` products of 1024 × 1024 matrices, and of as many copies that no cache holds."""
    square, source, target = mx.ones((SQUARE, SQUARE)), np.ones(COPY, np.uint8), np.zeros(COPY, np.uint8)
    mx.eval(square)

    def turn() -> Stopwatch:
        watch = Stopwatch()
        watch(GEMM, mx.matmul, square, square)
        watch(MEMORY, np.copyto, target, source)
        return watch

    turns = alternate([turn], repeat)[0]
    product, copy = (min(watch.seconds[name] for watch in turns) for name in (GEMM, MEMORY))
    return Rates(2 * SQUARE**3 / product, 2 * COPY / copy)


@limited(1)
def profile(model: Generator, clues: Boards, levels: int, rates: Rates, repeat: int) -> list[Line]:
    """The last level of a run of `levels` levels on `clues` `[B, 81]`, part by part, prefix cached; then the run.

    All in one thread, for which `rates` hold.
    """
    kinds = model.config.level_plan(levels).kinds
    field, _, cache = generate(model, clues, kinds)
    one, kind = mx.array(1.0), kinds[-1]
    groups = [(field[rows], cache[rows]) for rows in groups_of(len(clues))]
    mx.eval([part.arrays for _, part in groups], [part for part, _ in groups])

    def turn() -> Stopwatch:
        watch = Stopwatch()
        for _ in Part:
            watch(EMPTY, mx.add, one, one)
        watch(LEVEL, lambda: model.step(field, kind, cache)[1])
        for rows, part in groups:
            walk(model, rows, kind, part, watch)
        watch(RUN, lambda: generate(model, clues, kinds)[1])
        return watch

    return list(_lines(model.config, alternate([turn], repeat)[0], len(clues), kinds, rates))


def _lines(
    config: GeneratorConfig, turns: list[Stopwatch], size: int, kinds: tuple[Kind, ...], rates: Rates
) -> Iterator[Line]:
    sizes = Sizes(config.channels, config.blocks, config.heads, config.ffn * config.channels, config.q + 1)
    loads = {part: product.load(size) for part, product in level_products(sizes, kinds[-1]).items()}
    count, level, run = turns[0].evaluations, _median(turns, LEVEL), _median(turns, RUN)
    empty = _median(turns, EMPTY) / count[EMPTY]
    seconds = {part: _median(turns, part) - count[part] * empty for part in Part}
    total = sum(seconds.values())
    line = partial(_line, size, len(kinds), level)
    yield line(EMPTY, 1, empty)
    for part, spent in seconds.items():
        yield line(part, count[part], spent, loads.get(part))
    yield line("sum of the parts", sum(count[part] for part in Part), total)
    yield line(REST, None, level - total)
    yield line(f"{LEVEL}, {kinds[-1]}", 1, level, level_load(sizes, kinds[-1], size), rates)
    yield line(RUN, len(kinds), run, run_load(sizes, kinds, size), rates)


def generate(model: Generator, clues: Boards, kinds: tuple[Kind, ...]) -> tuple[mx.array, mx.array, PrefixCache]:
    """Run all levels as the engine does, unchecked: the fields before and after the last one, and the filled cache."""
    field, cache = empty_field(len(clues)), PrefixCache(mx.array(clues.astype(np.int32)))
    for kind in kinds:
        before, (_, field) = field, model.step(field, kind, cache)
        mx.eval(field, cache.arrays)
    return before, field, cache


def walk(model: Generator, field: mx.array, kind: Kind, cache: PrefixCache, watch: Stopwatch) -> mx.array:
    """One level against a filled cache, part by part: the field `Generator.step` makes of `field` `[B, 81, 9]`."""
    x, q = watch(Part.EMBEDDING, model.embed_level, field, kind), model.config.q
    for block, prefix in zip(model.blocks, cache.blocks, strict=True):
        x = watch(Part.RESIDUAL, mx.add, x, _attention(block.attention, x, kind, prefix, watch))
        x = watch(Part.RESIDUAL, mx.add, x, _feed_forward(block.feed_forward, x, watch))
    logits = watch(Part.HEAD, per_puzzle, watch(Part.NORMS, normalize, x), model.head)
    logits = logits.reshape(-1, kind.positions, DIGITS)
    return watch(Part.REFINE, lambda: refine(field, quantize(logits, kind, q), kind, q))


def _attention(attention: UnitAttention, x: mx.array, kind: Kind, prefix: KeyValue, watch: Stopwatch) -> mx.array:
    products = watch(Part.QKV, attention.products, watch(Part.NORMS, normalize, x), kind)
    q, *own = watch(Part.TO_UNITS, to_units, products, kind, attention.heads)
    seen = seen_by_level(own, kind, prefix)
    scores = watch(Part.SCORES, attention.scores, q, seen, kind)
    units = watch(Part.VALUES, attention.weighted, watch(Part.SOFTMAX, softmax, scores), seen)
    positions = watch(Part.TO_POSITIONS, to_positions, units, kind, attention.heads)
    return watch(Part.OUT, attention.outward, positions, kind)


def _feed_forward(layer: FeedForward, x: mx.array, watch: Stopwatch) -> mx.array:
    x = watch(Part.NORMS, normalize, x)
    shared = watch(Part.MEAN, per_puzzle, watch(Part.DIGIT_MEAN, digit_mean, x), layer.mean)
    hidden = watch(Part.RELU, hidden_units, watch(Part.UP, per_puzzle, x, layer.up), shared)
    return watch(Part.DOWN, per_puzzle, hidden, layer.down)


def _median(turns: list[Stopwatch], name: str) -> float:
    return median(watch.seconds[name] for watch in turns)


def _line(
    size: int,
    levels: int,
    level: float,
    part: str,
    evaluations: int | None,
    seconds: float,
    load: Load | None = None,
    rates: Rates | None = None,
) -> Line:
    """A row per puzzle of what took `seconds` for `size` puzzles, with its floor where `rates` are given."""
    counts, bound = {}, {}
    if load:
        counts = {"mflop": load.flops / size / 1e6, "mbyte": load.bytes / size / 1e6}
        bound = {"gflop_per_second": load.flops / seconds / 1e9} if seconds > 0 else {}
    if load and rates:
        floor = rates.floor(load)
        bound |= {"floor_us": 1e6 * floor / size, "times_floor": seconds / floor}
    return Line(size, levels, part, evaluations, 1e6 * seconds / size, 100 * seconds / level, **counts, **bound)
