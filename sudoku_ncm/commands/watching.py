"""`solve --watch`: the board after every checked level, each drawn over the one before where stderr is a terminal.

Knows the door's steps and the drawing of the checker, neither MLX nor Textual. Invariant: it only looks; nothing is
written to stdout.
"""

from typing import TextIO

import click

from checker.board import Board
from checker.drawing import to_grid
from checker.verify import BatchVerdict
from sudoku_ncm import terminal
from sudoku_ncm.session import LevelStep

LINES = 14
"""A drawn board and the line that says which level it is."""


class Watch:
    """Called with every step of a session of one puzzle."""

    def __init__(self, clues: Board, stream: TextIO) -> None:
        self._clues, self._stream, self._drawn = clues, stream, False

    def __call__(self, step: LevelStep) -> None:
        """Draw the board of a checked level."""
        if step.decoded is None:
            return
        up = f"\x1b[{LINES}A\x1b[J" if self._drawn and self._stream.isatty() else ""
        ascii_only, in_colour = not terminal.unicode(self._stream), terminal.colour(self._stream)
        board = to_grid(step.decoded.boards[0], self._clues, ascii_only, in_colour)
        click.echo(f"{up}{board}\n{_says(step, step.decoded.verdicts)}", file=self._stream)
        self._drawn = True


def _says(step: LevelStep, verdicts: BatchVerdict) -> str:
    """The level and what the checker said of it."""
    found = f"{verdicts.open_cells[0]} open cells, {verdicts.broken_units[0]} units broken, go on"
    noise = ", with noise" if step.noise else ""
    return f"attempt {step.attempt + 1}, level {step.level}{noise}: {'verified' if verdicts.solved[0] else found}"
