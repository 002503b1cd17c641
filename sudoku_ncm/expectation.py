"""A folder of puzzle files against a list of what each holds: what `sudoku-ncm check --expect` compares.

Knows the list (JSON, a `file` an entry with `count`, the first `puzzles`, their `solutions` in words, or why it must be
refused in `reject`) and the reader; it prints nothing. Invariant: every entry gives one result.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from checker.board import to_line
from checker.formats import Puzzle
from checker.judge import Finding, judge
from sudoku_ncm.errors import UsageError
from sudoku_ncm.inputs import items

WORDS = {
    Finding.RIGHT: "one",
    Finding.UNIQUE: "one",
    Finding.MANY: "many",
    Finding.NONE: "none",
    Finding.CLASH: "clash",
    Finding.WRONG: "clash",
    Finding.UNKNOWN: "unknown",
}
"""A finding in the words of the list."""
FOR_NOTHING = ("none", "clash")


def results(expect: Path, folder: Path) -> Iterator[tuple[str, str]]:
    """Name of each file in the list and why it fails, empty if it does not. Raises UsageError for a bad list."""
    try:
        entries = [(entry["file"], entry) for entry in json.loads(expect.read_text(encoding="utf-8"))]
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise UsageError(f"{expect}: found {error!r}, expected a JSON list of objects with a file") from None
    for name, entry in entries:
        yield name, _failure(folder / name, entry)


def _failure(path: Path, entry: dict[str, Any]) -> str:
    if not path.is_file():
        return "found no such file"
    found, refused = [], 0
    for item in items((str(path),)):
        if isinstance(item, Puzzle):
            found.append((to_line(item.clues), WORDS[judge(item.clues).finding]))
        else:
            refused += 1
    if entry.get("reject"):
        return "" if refused and not found else f"found {len(found)} puzzles, expected it refused"
    return _difference(found, entry)


def _difference(found: list[tuple[str, str]], entry: dict[str, Any]) -> str:
    """Compare puzzles and findings; one for which there is no solution may be missing in the list, as a bad line."""
    expected = list(zip(entry["puzzles"], entry["solutions"], strict=True))
    processed = [puzzle for puzzle in found if puzzle in expected or puzzle[1] not in FOR_NOTHING]
    if len(processed) != entry.get("count", len(expected)):
        return f"found {len(processed)} puzzles, expected {entry.get('count', len(expected))}"
    for number, (puzzle, wanted) in enumerate(zip(processed, expected, strict=False), start=1):
        if puzzle != wanted:
            return f"puzzle {number}: found {' '.join(puzzle)}, expected {' '.join(wanted)}"
    return ""
