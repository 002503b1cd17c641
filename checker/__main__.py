"""`python -m checker FILE...`: what every puzzle of the files is, one line each; no model is needed.

Results go to stdout; refused text and files that cannot be read go to stderr.

Invariant: every puzzle and every refusal counts in the exit code (see `EXIT`).
"""

import argparse
import os
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import BinaryIO, Final

from checker.formats import read
from checker.items import Item, Refusal
from checker.judge import Finding, judge

FINE, UNKNOWN, USAGE, BAD, INTERRUPTED = 0, 1, 2, 3, 130
EXIT: Final = f"""exit codes: {FINE} every puzzle has one solution (or is a full board, right);
{UNKNOWN} some puzzle is unknown, or results cannot be written; {USAGE} wrong usage, or a file that cannot be read;
{BAD} some puzzle is refused, clashing, without a solution, not unique or wrong; {INTERRUPTED} interrupted.
Of several, the first of {USAGE}, {BAD}, {UNKNOWN} counts."""
_SEVERITY: Final = (FINE, UNKNOWN, BAD, USAGE)


def main(arguments: Sequence[str] | None = None) -> int:
    """Check the files named in `arguments` (the command line's by default) and give the exit code."""
    parser = argparse.ArgumentParser(prog="python -m checker", description="Judge Sudoku puzzles.", epilog=EXIT)
    parser.add_argument("files", nargs="+", metavar="FILE", help="a file of puzzles, or - for standard input")
    names = parser.parse_args(arguments).files
    return max((_check_file(name) for name in names), key=_SEVERITY.index)


def _check_file(name: str) -> int:
    try:
        with _open(name) as stream:
            return max((_report(item) for item in read(stream, _printable(name))), key=_SEVERITY.index)
    except BrokenPipeError:
        raise
    except OSError as error:
        print(f"{_printable(name)}: {error.strerror}", file=sys.stderr)
        return USAGE


def _open(name: str) -> AbstractContextManager[BinaryIO]:
    if name != "-":
        return open(name, "rb")
    return nullcontext(sys.stdin.buffer) if sys.stdin else open(os.devnull, "rb")


def _printable(name: str) -> str:
    return "<stdin>" if name == "-" else os.fsencode(name).decode(errors="backslashreplace")


def _report(item: Item) -> int:
    if isinstance(item, Refusal):
        print(item, file=sys.stderr)
        return BAD
    judgement = judge(item.clues)
    print(f"{item.file}:{item.line}: {judgement.describe()}")
    if judgement.finding is Finding.UNKNOWN:
        return UNKNOWN
    return FINE if judgement.good else BAD


def _run() -> int:
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 (open as long as the process)
    if sys.stdout is None:
        print("standard output is closed", file=sys.stderr)
        return UNKNOWN
    try:
        code = main()
        sys.stdout.flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # the reader went away: keep the interpreter from flushing into the closed pipe
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return UNKNOWN
    return code


if __name__ == "__main__":
    sys.exit(_run())
