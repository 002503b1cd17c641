"""`sudoku-ncm failures`: what the puzzles that an evaluation left unsolved have in common, and the gallery of them."""

import json
from dataclasses import asdict
from pathlib import Path
from statistics import median

import click

from sudoku_ncm.errors import PuzzleError
from sudoku_ncm.evaluation.failures import Case, Rates, by_guesses, by_rounds, cases
from sudoku_ncm.evaluation.report import interval, table
from sudoku_ncm.evaluation.statistics import wilson


@click.command("failures")
@click.argument("samples", type=click.Path(path_type=Path))
@click.option("--show", type=click.IntRange(min=0), default=20, show_default=True, help="Unsolved puzzles to list.")
@click.option("-o", "form", type=click.Choice(["md", "json"]), default="md", show_default=True)
def command(samples: Path, show: int, form: str) -> None:
    """Read SAMPLES, the records of `eval` (samples.jsonl), and compare what was solved with what was not."""
    found = list(cases(samples))
    if not found:
        raise PuzzleError(f"{samples}: found no puzzle, expected at least one record")
    unsolved = sorted((case for case in found if not case.solved), key=lambda case: case.guesses)
    if form == "json":
        rates = {"by_rounds": by_rounds(found), "by_guesses": by_guesses(found)}
        click.echo(json.dumps({**rates, "unsolved": [asdict(case) for case in unsolved[:show]]}))
        return
    tables = [_rates("rounds of refutation", by_rounds(found)), _rates("guesses of exact search", by_guesses(found))]
    parts = [*tables, _medians([case for case in found if case.solved], unsolved)]
    click.echo("\n\n".join([*parts, *([_gallery(unsolved[:show])] if unsolved[:show] else [])]))


def _rates(name: str, rates: Rates) -> str:
    rows: list[tuple[str, ...]] = [
        (label, f"{solved}/{every}", f"{solved / every:.1%}", interval(wilson(solved, every)))
        for label, (solved, every) in rates.items()
    ]
    return table((name, "solved", "rate", "95 % interval"), rows)


def _medians(solved: list[Case], unsolved: list[Case]) -> str:
    rows = [
        (name, str(len(group)), *(_median([getattr(case, field) for case in group]) for field in _FIELDS))
        for name, group in (("solved", solved), ("unsolved", unsolved))
    ]
    return table(("median of", "puzzles", *(field.replace("_", " ") for field in _FIELDS)), rows)


_FIELDS = ("clues", "guesses", "open_cells", "wrong_cells", "clashes")


def _median(values: list[int | None]) -> str:
    known = [value for value in values if value is not None]
    return f"{median(known):g}" if known else "–"


def _gallery(unsolved: list[Case]) -> str:
    """Unsolved puzzles, those easiest for exact search first, each with its best board."""
    lines = ["Unsolved, fewest guesses first; each puzzle with the best board found below it:", ""]
    for case in unsolved:
        lacks = f"{case.open_cells} open, {_median([case.wrong_cells])} wrong, {case.clashes} clashes"
        lines.append(f"    {case.puzzle}  {case.where} ({case.stratum}): {_hardness(case)}")
        lines.append(f"    {case.board}  {lacks}")
    return "\n".join(lines)


def _hardness(case: Case) -> str:
    depth = "beyond refutation" if case.rounds is None else f"{case.rounds} round{'' if case.rounds == 1 else 's'}"
    return f"{case.clues} clues, {depth}, {case.guesses} guesses"
