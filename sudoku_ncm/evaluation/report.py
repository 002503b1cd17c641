"""A report as Markdown or CSV. Knows the dictionary that `Tally.report` makes and nothing else.

Invariant: every number is one of the report's own; rendering counts nothing.
"""

import csv
import io
from collections.abc import Callable, Sequence
from typing import Any

SCHEMA = 2
_COLUMNS = ("stratum", "solved", "of", "rate", "95 % interval", "exit level", "positions", "of full", "false exits")


def table(header: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    """A Markdown table."""
    lines = [header, ("---",) * len(header), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def markdown(report: dict[str, Any]) -> str:
    """The report for a reader: totals, strata, clue counts, exits, latency, cost."""
    totals, latency = report["totals"], report["latency_ms"]
    parts = [
        *([] if report["complete"] else ["**Incomplete**: stopped before the end."]),
        "read {read} = solved {solved} + unsolved {unsolved} + rejected {rejected}; false exits {false_exits}".format(
            **totals
        ),
        table(_COLUMNS, [_group(name, group) for name, group in report["strata"].items()]),
    ]
    if latency is None:
        return "\n\n".join(parts[:-1]) + "\n"
    parts += [
        "By number of clues:",
        table(("clues", *_COLUMNS[1:]), [_group(name, group) for name, group in report["clue_counts"].items()]),
        "Exits and survival by level (first attempt):",
        table(("level", "exits", "still running"), _exits(report)),
        *_allowed(report["strata"], "solved_by", "K = ", "First attempt, by levels allowed:", {}),
        *_allowed(report["strata"], "pass_at", "pass@", "By attempts allowed:", {"levels a solved board": _levels}),
        _costs(report),
        f"latency ms, until a puzzle left its batch of {report['batch_size']}: median {latency['median']:.1f}, "
        f"p95 {latency['p95']:.1f}, max {latency['max']:.1f}; no warm-up: the first batch is slower",
        _settings(report["settings"]),
    ]
    return "\n\n".join(parts) + "\n"


def interval(bounds: Sequence[float]) -> str:
    """The two bounds of a rate in per cent."""
    low, high = bounds
    return f"{low:.1%} – {high:.1%}"


def _group(name: str, group: dict[str, Any]) -> tuple[str, ...]:
    level, mean = group["mean_exit_level"], group["mean"]
    return (
        name,
        str(group["solved"]),
        str(group["puzzles"]),
        f"{group['rate']:.1%}",
        interval(group["interval"]),
        "–" if level is None else f"{level:.1f}",
        f"{mean['positions']:.0f}",
        f"{mean['positions_full']:.0f}",
        str(group["false_exits"]),
    )


def _exits(report: dict[str, Any]) -> list[tuple[str, ...]]:
    pairs = zip(report["exit_levels"], report["survival"], strict=True)
    return [
        (str(level), str(count), f"{alive:.1%}") for level, (count, alive) in enumerate(pairs) if count or not level
    ]


Column = Callable[[dict[str, Any]], str]


def _allowed(strata: dict[str, Any], key: str, unit: str, title: str, more: dict[str, Column]) -> list[str]:
    """Solve rates by how many levels or attempts are allowed, if more than one number is told."""
    allowed = list(strata["all"][key])
    if len(allowed) == 1:
        return []
    header = ("stratum", *(f"{unit}{n}" for n in allowed), *more)
    rows = [
        (name, *(_rate(group[key][n]) for n in allowed), *(column(group) for column in more.values()))
        for name, group in strata.items()
    ]
    return [title, table(header, rows)]


def _rate(passed: dict[str, Any]) -> str:
    return f"{passed['solved']} = {passed['rate']:.1%} ({interval(passed['interval'])})"


def _levels(group: dict[str, Any]) -> str:
    levels = group["levels_per_solved"]
    return "–" if levels is None else f"{levels:.1f}"


def _costs(report: dict[str, Any]) -> str:
    everything = report["strata"]["all"]
    mean, cells = everything["mean"], everything["cells_only"]
    times = ", ".join(f"{name.removesuffix('_ms')} {mean[name]:.2f}" for name in mean if name.endswith("_ms"))
    line = f"ms a puzzle (its share of the batch): {times}"
    return line if cells is None else f"{line}\n\ncells only (not boards): {cells:.2%} of empty cells right"


def _settings(used: dict[str, Any]) -> str:
    """What the figures were made with, in a line; the JSON report has all of it."""
    return (
        f"model {used['model'][:12]}, {used['levels']} levels, attempts {used['attempts']} "
        f"(later ones of {used['retry_levels']} levels), exit {used['policy']}, temperature {used['temperature']:g}, "
        f"seed {used['seed']}, cache {'on' if used['cached'] else 'off'}; {used['machine']}, blas {used['blas']}"
    )


def csv_text(report: dict[str, Any]) -> str:
    """The strata as CSV."""
    stream = io.StringIO()
    fields = ("puzzles", "solved", "rate", "low", "high", "mean_exit_level", "false_exits", "cells_only")
    names = list(next(iter(report["strata"].values()), {"mean": {}})["mean"])
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(("stratum", *fields, *names))
    for name, group in report["strata"].items():
        low, high = group["interval"]
        values = [{**group, "low": low, "high": high}[field] for field in fields]
        writer.writerow([name, *values, *(group["mean"][field] for field in names)])
    return stream.getvalue()


def comparison_markdown(report: dict[str, Any], batch_size: int) -> str:
    """The 2×2 table with controls, per stratum."""
    ratio = report["positions_full"] / report["positions_full_uncached"]
    groups = report["groups"]
    variants = list(next(iter(groups.values()))["ms_per_puzzle"])
    times = [(name, *(f"{g['ms_per_puzzle'][v]:.2f}" for v in variants)) for name, g in groups.items()]
    ratios = list(next(iter(groups.values()))["ratios"])
    return "\n\n".join(
        [
            f"batch size {batch_size}; ms a puzzle, variants alternating by batch, first batch run once for warm-up",
            table(("stratum", *variants), times),
            "ratios with 95 % bootstrap intervals over batches",
            table(
                ("stratum", *ratios), [(name, *(_ratio(g["ratios"][r]) for r in ratios)) for name, g in groups.items()]
            ),
            f"positions of a full run: {report['positions_full']} cached of {report['positions_full_uncached']} "
            f"uncached, ratio {ratio:.3f}",
            "decode and check, of generator time; saving of the exit in ms a puzzle, estimated and by shadow run",
            table(("stratum", "overhead", "~estimated", "measured"), [_saving(name, g) for name, g in groups.items()]),
        ]
    )


def _ratio(value: dict[str, Any]) -> str:
    low, high = value["interval"]
    return f"{value['ratio']:.3f} ({low:.3f}–{high:.3f})"


def _saving(name: str, group: dict[str, Any]) -> tuple[str, ...]:
    saved = group["saved_ms"]
    return name, f"{group['overhead_of_generator']:.1%}", f"~{saved['estimate']:.2f}", f"{saved['measured']:.2f}"
