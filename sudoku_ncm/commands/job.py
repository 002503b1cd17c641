"""What `sudoku-ncm eval` evaluates: model, items and options, the same for every rank, and the settings that say so."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sudoku_ncm.commands.common import GenerationOptions, describe, load_engine, options
from sudoku_ncm.evaluation.dataset import samples
from sudoku_ncm.evaluation.run import Done, Item, batches, run_batch
from sudoku_ncm.inputs import digest
from sudoku_ncm.policy import Options

if TYPE_CHECKING:
    from sudoku_ncm.engine import Engine


@dataclass(frozen=True)
class Job:
    """An evaluation; `stream` is read once, `settings` are plain enough for JSON."""

    engine: "Engine"
    stream: Iterator[Item]
    generation: Options
    settings: dict[str, Any]

    def batches(self, finished: int) -> Iterator[list[Item]]:
        """The items after the first `finished`, in batches."""
        return batches(islice(self.stream, finished, None), self.settings["batch_size"])

    def run(self, batch: list[Item]) -> Done:
        """Run one batch."""
        return run_batch(self.engine, batch, self.generation)


def prepare(files: tuple[str, ...], limit: int | None, batch_size: int, given: GenerationOptions) -> Job:
    """Load the model and open the files. Raises UsageError and ModelError."""
    generation = options(batch_size=batch_size, **given)
    engine = load_engine(given["model"])
    data = {"files": {file: digest(Path(file)) for file in files}, "limit": limit}
    settings = describe(given["model"], generation, batch_size) | data
    return Job(engine, islice(samples(files), limit), generation, settings)
