"""Rows of numbers as a Markdown table, CSV or JSON: dataclasses of one type, their fields the columns.

Knows nothing of what the columns mean. Invariant: only Markdown rounds (two decimals); None is –, nothing or null.
"""

import csv
import io
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, astuple, fields
from typing import TYPE_CHECKING, Final

from sudoku_ncm.evaluation.report import table

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


def markdown(rows: "Sequence[DataclassInstance]") -> str:
    """A table and an empty line; there must be at least one row."""
    header = tuple(field.name.replace("_", " ") for field in fields(rows[0]))
    return table(header, [tuple(map(_text, astuple(row))) for row in rows]) + "\n\n"


def csv_text(rows: "Sequence[DataclassInstance]") -> str:
    """A header and one line a row; there must be at least one row."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow([field.name for field in fields(rows[0])])
    writer.writerows(astuple(row) for row in rows)
    return stream.getvalue()


def json_text(rows: "Sequence[DataclassInstance]") -> str:
    """A list of objects."""
    return json.dumps([asdict(row) for row in rows], indent=1) + "\n"


def _text(value: object) -> str:
    if value is None:
        return "–"
    return f"{value:.2f}" if isinstance(value, float) else str(value)


WRITERS: "Final[dict[str, Callable[[Sequence[DataclassInstance]], str]]]" = {
    "md": markdown,
    "csv": csv_text,
    "json": json_text,
}
