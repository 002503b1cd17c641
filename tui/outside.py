"""What the window hands to the world outside: clipboard tools and files.

Knows programs and paths, not the screen. Invariant: every function says what it did in words the user can check, and
an existing file is never overwritten.
"""

import shutil
import subprocess
import time
from pathlib import Path

COPIERS = (("pbcopy",), ("wl-copy",), ("xclip", "-selection", "clipboard"))
PASTERS = (("pbpaste",), ("wl-paste", "--no-newline"), ("xclip", "-selection", "clipboard", "-o"))
PATIENCE_S = 2.0


def copy(text: str) -> str:
    """Hand text to the first clipboard tool that takes it; its name, or nothing when there is none."""
    for command in COPIERS:
        if shutil.which(command[0]) and _run(command, text) is not None:
            return command[0]
    return ""


def paste() -> tuple[str, str]:
    """(text, tool) from the first clipboard tool that answers; two empty strings when there is none."""
    for command in PASTERS:
        if shutil.which(command[0]) and (text := _run(command, None)) is not None:
            return text, command[0]
    return "", ""


def _run(command: tuple[str, ...], text: str | None) -> str | None:
    """What a tool wrote; None when it failed. A copier keeps running behind, so its output is not waited for."""
    try:
        output = subprocess.DEVNULL if text is not None else subprocess.PIPE
        done = subprocess.run(
            command, input=text, stdout=output, stderr=subprocess.DEVNULL, text=True, timeout=PATIENCE_S, check=True
        )
    except (OSError, subprocess.SubprocessError, UnicodeDecodeError):
        return None
    return done.stdout or ""


def write_new(path: str, text: str) -> str:
    """Write a new file; a sentence that says so, or why not."""
    target = Path(path).expanduser()
    try:
        with target.open("x", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        return f"not written: {path}: {error.strerror}"
    return f"written: {path}"


def picture_name() -> str:
    """A name for a picture that no file has yet."""
    return f"sudoku-ncm-{time.strftime('%Y%m%d-%H%M%S')}-{time.monotonic_ns() % 1000:03}.svg"
