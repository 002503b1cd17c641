"""Where the window keeps things between runs: the saved session and tracebacks, in the user's state directory.

Knows paths and times of day only. Invariant: nothing is written anywhere else unless the user names the file.
"""

import os
import tempfile
import time
import traceback
from pathlib import Path


def state_directory() -> Path:
    """`$XDG_STATE_HOME/sudoku-ncm`, or the same under `~/.local/state`; made when missing."""
    base = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    directory = Path(base) / "sudoku-ncm"
    directory.mkdir(parents=True, exist_ok=True)
    return directory


def record(error: BaseException) -> Path:
    """Write the traceback of an error to a file of its own and say which; in the temporary directory if need be."""
    try:
        directory = state_directory()
    except OSError:
        directory = Path(tempfile.gettempdir())
    stamp = time.strftime("%Y%m%d-%H%M%S")
    path = directory / f"traceback-{stamp}-{time.monotonic_ns() % 10**6:06}.txt"
    path.write_text("".join(traceback.format_exception(error)), encoding="utf-8")
    return path


def short(path: Path) -> str:
    """A path as the user would write it."""
    for base, name in ((Path.cwd(), ""), (Path.home(), "~/")):
        if path.is_relative_to(base):
            return f"{name}{path.relative_to(base)}"
    return str(path)
