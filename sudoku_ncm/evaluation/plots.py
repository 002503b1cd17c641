"""Plots of a report as SVG, drawn from its numbers without a plotting library.

Knows the dictionary that `Tally.report` makes. Invariant: what is drawn is in the report; colours are Okabe–Ito.
"""

from collections.abc import Iterable
from html import escape
from itertools import pairwise
from typing import Any

BLUE, ORANGE, GREEN, RED, GREY = "#56B4E9", "#E69F00", "#009E73", "#D55E00", "#999999"
WIDTH, HEIGHT, LEFT, TOP = 640, 360, 60, 40
_RIGHT, _BOTTOM = WIDTH - 20, HEIGHT - 50


def _frame(title: str, x_label: str, y_label: str, top: float, body: Iterable[str]) -> str:
    ticks = "".join(
        f'<text x="{LEFT - 6}" y="{_y(top * i / 4, top) + 4:.1f}" text-anchor="end">{top * i / 4:.3g}</text>'
        f'<path d="M{LEFT} {_y(top * i / 4, top):.1f}H{_RIGHT}" stroke="#ddd"/>'
        for i in range(5)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" font-family="sans-serif" '
        f'font-size="12"><rect width="100%" height="100%" fill="white"/>'
        f'<text x="{LEFT}" y="22" font-size="15">{escape(title)}</text>{ticks}{"".join(body)}'
        f'<text x="{(LEFT + _RIGHT) / 2}" y="{HEIGHT - 10}" text-anchor="middle">{escape(x_label)}</text>'
        f'<text transform="translate(14 {(TOP + _BOTTOM) / 2}) rotate(-90)" text-anchor="middle">'
        f"{escape(y_label)}</text>"
        "</svg>\n"
    )


def _x(position: float, count: float) -> float:
    return LEFT + (_RIGHT - LEFT) * position / max(count, 1e-9)


def _y(value: float, top: float) -> float:
    return _BOTTOM - (_BOTTOM - TOP) * value / max(top, 1e-9)


def _bars(values: list[float], top: float, colour: str, base: list[float] | None = None) -> Iterable[str]:
    width = (_RIGHT - LEFT) / max(len(values), 1)
    for index, value in enumerate(values):
        low = base[index] if base else 0.0
        y, height = _y(low + value, top), _y(low, top) - _y(low + value, top)
        x = LEFT + index * width + 1
        yield f'<rect x="{x:.1f}" y="{y:.1f}" width="{width - 2:.1f}" height="{height:.1f}" fill="{colour}"/>'


def _labels(names: list[str]) -> Iterable[str]:
    step = max(1, len(names) // 16)
    for index, name in list(enumerate(names))[::step]:
        x = _x(index + 0.5, len(names))
        yield f'<text x="{x:.1f}" y="{_BOTTOM + 16}" text-anchor="middle">{escape(name)}</text>'


def _polyline(points: list[tuple[float, float]], colour: str) -> str:
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>'


def exit_histogram(report: dict[str, Any]) -> str:
    """Puzzles by the level they left at, first attempt."""
    counts = [float(count) for count in report["exit_levels"]]
    top = max([1.0, *counts])
    names = [str(level) for level in range(len(counts))]
    return _frame("Verified exits", "level", "puzzles", top, [*_bars(counts, top, BLUE), *_labels(names)])


def survival(report: dict[str, Any]) -> str:
    """Share of puzzles still running after each level."""
    values = [1.0, *report["survival"]]
    points = [(_x(index, len(values) - 1), _y(value, 1)) for index, value in enumerate(values)]
    names = ["start", *(str(level) for level in range(len(values) - 1))]
    return _frame("Survival", "after level", "not yet verified", 1, [_polyline(points, RED), *_labels(names)])


def cost_curve(report: dict[str, Any], positions: list[int]) -> str:
    """Solve rate against mean positions a puzzle: runs of a fixed K, and leaving at the first right level (oracle).

    `positions[k]` is the cached cost of a run of k + 1 levels.
    """
    survival_ = report["survival"]
    rates = [1 - alive for alive in survival_]
    ends = [1.0, *survival_]
    steps = [positions[0], *(b - a for a, b in pairwise(positions))]
    oracle = [sum(ends[i] * steps[i] for i in range(k + 1)) for k in range(len(rates))]
    top = float(positions[-1])
    lines = [
        _polyline([(_x(x, top), _y(y, 1)) for x, y in zip(xs, rates, strict=True)], colour)
        for xs, colour in ((positions, GREY), (oracle, GREEN))
    ]
    legend = (
        f'<text x="{_RIGHT - 220}" y="{TOP + 200}" fill="{GREEN}">leave at the first verified level</text>'
        f'<text x="{_RIGHT - 220}" y="{TOP + 216}" fill="{GREY}">fixed number of levels</text>'
    )
    title = f"Cost against solve rate (0 to {top:.0f} positions)"
    return _frame(title, "mean positions a puzzle", "solved", 1, [*lines, legend])


def time_per_level(report: dict[str, Any]) -> str:
    """Stacked seconds of each level over all puzzles: generator, decode, check, compaction."""
    levels = report["level_seconds"]
    parts = (("generator", BLUE), ("decode", ORANGE), ("check", RED), ("compaction", GREY))
    base = [0.0] * len(levels)
    top = max([1e-6, *(sum(level[name] for name, _ in parts) for level in levels)])
    body: list[str] = []
    for row, (name, colour) in enumerate(parts):
        values = [level[name] for level in levels]
        body += _bars(values, top, colour, base)
        body.append(f'<text x="{LEFT + 8 + 130 * row}" y="{TOP - 4}" fill="{colour}">{name}</text>')
        base = [low + value for low, value in zip(base, values, strict=True)]
    names = [str(level) for level in range(len(levels))]
    return _frame("Time by level, all puzzles", "level", "seconds", top, [*body, *_labels(names)])
