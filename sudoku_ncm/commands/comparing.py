"""`sudoku-ncm eval --compare`: every variant of cache and exit timed side by side, with a bar on stderr."""

from itertools import groupby
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.progress import track

from sudoku_ncm.evaluation.dataset import Sample
from sudoku_ncm.policy import Options

if TYPE_CHECKING:
    from sudoku_ncm.engine import Engine


def compare(engine: "Engine", puzzles: list[Sample], generation: Options, size: int) -> dict[str, Any]:
    """The report of a comparison over `puzzles`, in batches of `size` within a stratum."""
    from sudoku_ncm.engine import Engine
    from sudoku_ncm.evaluation.compare import Comparison, never_passes

    plan = engine.model.config.level_plan(generation.levels)
    comparison = Comparison(engine, Engine(engine.model, never_passes), generation, plan)
    groups = [list(group) for _, group in groupby(puzzles, key=lambda sample: sample.stratum)]
    batches = [group[at : at + size] for group in groups for at in range(0, len(group), size)]
    for batch in track(batches, "compare", console=Console(stderr=True)):
        comparison.run(batch)
    return comparison.report()
