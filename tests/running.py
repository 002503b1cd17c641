"""Runs `sudoku-ncm`: `ncm` as a user's shell would, in a process of its own; `invoke` in this process, for speed."""

import os
import subprocess
import sys
from pathlib import Path

from click.testing import CliRunner

from sudoku_ncm.cli import cli

ROOT = Path(__file__).parents[1]


def python(*arguments: object, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """Run the interpreter of these tests at the top of the repository."""
    command = [sys.executable, *map(str, arguments)]
    environment = os.environ | {"PYTHONIOENCODING": "utf-8"}
    return subprocess.run(
        command, cwd=ROOT, env=environment, input=stdin, capture_output=True, encoding="utf-8", timeout=60, check=False
    )


def ncm(*arguments: object, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """Run `sudoku-ncm` with `arguments`."""
    return python("-m", "sudoku_ncm", *arguments, stdin=stdin)


def invoke(*arguments: object, stdin: str = "") -> tuple[int, str, str]:
    """Exit code, stdout and stderr of a command; an error that `main` would turn into an exit code is raised."""
    done = CliRunner().invoke(cli, [*map(str, arguments)], input=stdin, standalone_mode=False)
    if done.exception:
        raise done.exception
    return int(done.return_value or 0), done.stdout, done.stderr
