"""The directory of an evaluation: samples.jsonl grows row by row, report.json and report.md say where it stands.

Knows records and reports, not solvers. Invariants: a row is flushed when its puzzle is done; a resumed run has the
same settings and data, perhaps on another machine, or is refused; a torn last row is dropped, nothing else.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sudoku_ncm.errors import UsageError
from sudoku_ncm.evaluation import plots
from sudoku_ncm.evaluation.report import markdown
from sudoku_ncm.evaluation.run import Record
from sudoku_ncm.evaluation.settings import differing

SAMPLES, REPORT, TEXT = "samples.jsonl", "report.json", "report.md"


class Output:
    """Writes one evaluation to `directory`; `settings` must agree when it is resumed."""

    def __init__(self, directory: Path, settings: dict[str, Any], resume: bool) -> None:
        self.directory, self.settings = directory, settings
        self._begin(resume)
        self._samples = (directory / SAMPLES).open("a", encoding="utf-8")

    def _begin(self, resume: bool) -> None:
        report = self.directory / REPORT
        if report.exists() and not resume:
            raise UsageError(f"{self.directory} holds an evaluation; add --resume or choose another directory")
        try:
            self.directory.mkdir(parents=True, exist_ok=True)
            found = json.loads(report.read_text(encoding="utf-8"))["settings"] if report.exists() else self.settings
            other = differing(self.settings, found)
        except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
            raise UsageError(f"{self.directory}: cannot use it as output directory: {error}") from None
        if other:
            raise UsageError(f"{report}: found other {', '.join(other)}, expected those of this command")
        self._write(REPORT, json.dumps({"settings": self.settings, "complete": False}, indent=1))
        _drop_torn_row(self.directory / SAMPLES)

    def finished(self) -> Iterator[Record]:
        """Records of an earlier run, in order."""
        with (self.directory / SAMPLES).open(encoding="utf-8") as stream:
            yield from map(json.loads, stream)

    def add(self, record: Record) -> None:
        """Append a row."""
        self._samples.write(json.dumps(record) + "\n")
        self._samples.flush()

    def close(self, report: dict[str, Any], positions: list[int]) -> None:
        """Write report and plots; `positions[k]` is the cached cost of k + 1 levels."""
        self._samples.close()
        self._write(REPORT, json.dumps(report, indent=1))
        self._write(TEXT, markdown(report))
        if report["latency_ms"] is None:
            return
        for plot in (plots.exit_histogram, plots.survival, plots.time_per_level):
            self._write(f"{plot.__name__}.svg", plot(report))
        self._write("cost_curve.svg", plots.cost_curve(report, positions))

    def _write(self, name: str, text: str) -> None:
        part = self.directory / f".{name}.part"
        part.write_text(text + "\n" * (not text.endswith("\n")), encoding="utf-8")
        part.replace(self.directory / name)


def _drop_torn_row(path: Path) -> None:
    path.touch()
    with path.open("r+b") as stream:
        data = stream.read()
        stream.truncate(data.rfind(b"\n") + 1)
