"""The command `sudoku-ncm`: finds the command, runs it, and turns errors into one line and an exit code.

Knows no command's work. Invariant: a command's module is imported only when that command is asked for, so `--help` and
`check` load neither MLX nor Textual; no traceback of a user's mistake reaches the user.
"""

import os
import sys
from importlib import import_module
from io import TextIOWrapper

import click

from sudoku_ncm import __version__
from sudoku_ncm.errors import ExitCode, NcmError

COMMANDS = {
    "analyze": "Recompute the analytic counts and identities exactly.",
    "bench": "Time runs, the parts of a level, and other solvers.",
    "calibrate": "Measure this machine and choose the levels to check.",
    "check": "Judge puzzles exactly: clashing, unsolvable, unique or not.",
    "convert": "Write puzzles of any layout in another one.",
    "eval": "Count solved boards per stratum, by the network alone.",
    "exactness": "Count what caching and batching change: nothing.",
    "failures": "Compare unsolved puzzles of an evaluation with solved ones.",
    "generate": "Make unique puzzles.",
    "info": "Say what serves: model, MLX, BLAS.",
    "mine": "Find puzzles that the model leaves unsolved.",
    "overlap": "Prove that two sets have no puzzle in common.",
    "reliability": "Compare the model's confidence in cells with the truth.",
    "solve": "Solve puzzles level by level and prove them right.",
    "train": "Train a model on generated puzzles.",
    "tui": "Step through the levels in a window.",
}


class LazyGroup(click.Group):
    """A group whose commands live in `sudoku_ncm.commands.NAME` and are imported on use."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names in alphabetical order."""
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command object, or None when there is none of that name."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"sudoku_ncm.commands.{cmd_name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(sorted(COMMANDS.items()))


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="sudoku-ncm")
def cli() -> None:
    """Solve Sudoku with a next-concept model whose answers an exact checker proves."""


def main() -> None:
    """Entry point of `sudoku-ncm`."""
    if "stdout" in _fill_closed_streams():
        click.echo("sudoku-ncm: found standard output closed, expected somewhere to write to", err=True)
        sys.exit(int(ExitCode.UNSOLVED))
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a file's name may hold what the terminal cannot show
    try:
        code = cli.main(standalone_mode=False)
        sys.stdout.flush()
    except NcmError as error:
        click.echo(f"sudoku-ncm: {error}", err=True)
        code = error.exit_code
    except click.ClickException as error:
        error.show()
        code = ExitCode.USAGE
    except (click.Abort, KeyboardInterrupt):
        click.echo("sudoku-ncm: interrupted", err=True)
        code = ExitCode.INTERRUPTED
    except BrokenPipeError:  # whoever read the output has had enough
        _forget_stdout()
        code = ExitCode.SOLVED
    except OSError as error:
        _forget_stdout()
        click.echo(f"sudoku-ncm: {error.filename or 'output'}: {error.strerror or error}", err=True)
        code = ExitCode.UNSOLVED
    sys.exit(int(code or 0))


def _fill_closed_streams() -> list[str]:
    """Names of the standard streams that were closed; no file that is opened later takes the place of one."""
    closed = [name for name in ("stdin", "stdout", "stderr") if getattr(sys, name) is None]
    for name in closed:
        mode = "r" if name == "stdin" else "w"
        setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 (open as long as the process)
    return closed


def _forget_stdout() -> None:
    """Keep the interpreter from flushing what can no longer be written."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
