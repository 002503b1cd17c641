"""What can go wrong in words a user understands, and the exit codes of every command.

Knows nothing of models or terminals. Invariant: an error that a user can cause is an `NcmError` whose text is one
line, and it carries the exit code of the command that meets it.
"""

from enum import IntEnum


class ExitCode(IntEnum):
    """Exit codes of all commands; documented in the README."""

    SOLVED = 0
    """Everything asked for was done: solved and verified."""
    UNSOLVED = 1
    """It ran, but something stayed unsolved or undecided."""
    USAGE = 2
    """The command line was wrong."""
    BAD_PUZZLE = 3
    """A bad or clashing puzzle, no solution, or not unique where uniqueness was demanded."""
    MODEL = 4
    """The model is missing or incompatible."""
    LOST = 5
    """A rank of several was lost: killed, crashed, or its host is gone."""
    INTERRUPTED = 130
    """Stopped by Ctrl-C."""


class NcmError(Exception):
    """A failure whose message is for the user; `exit_code` is what the process returns."""

    exit_code = ExitCode.UNSOLVED


class UsageError(NcmError):
    """A value on the command line that cannot be served."""

    exit_code = ExitCode.USAGE


class PuzzleError(NcmError):
    """A puzzle or puzzle file that cannot be solved as given."""

    exit_code = ExitCode.BAD_PUZZLE


class ModelError(NcmError):
    """A checkpoint that is missing, damaged or of another shape."""

    exit_code = ExitCode.MODEL


class LostRank(NcmError):
    """A process or machine of a group that went before the work was done."""

    exit_code = ExitCode.LOST
