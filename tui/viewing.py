"""Commands that only look: earlier levels, overlays, the cursor. Nothing is computed.

Knows the desk it works at. Invariant: looking never changes the trace.
"""

from dataclasses import replace

from tui.desk import Desk
from tui.picture import Overlay
from tui.state import PUZZLE


class Viewer(Desk):
    """See the module."""

    def view(self, index: int) -> None:
        """Look at an earlier level (PUZZLE: the clues)."""
        last = len(self.state.trace.seens) - 1
        index = max(PUZZLE, min(index, last))
        self.set(replace(self.state, view=None if index == last else index, notice=""))

    def view_back(self) -> None:
        """Look one level back."""
        self._view_by(-1)

    def view_on(self) -> None:
        """Look one level on."""
        self._view_by(1)

    def _view_by(self, step: int) -> None:
        at = self.state.view
        self.view((len(self.state.trace.seens) - 1 if at is None else at) + step)

    def next_overlay(self) -> None:
        """Show something else beside the digits; differences only where exact search has a solution."""
        order = [o for o in Overlay if o is not Overlay.DIFFERENCE or self.state.solution is not None]
        at = order.index(self.state.overlay) if self.state.overlay in order else 0
        self.set(replace(self.state, overlay=order[(at + 1) % len(order)], notice=""))

    def move_to(self, cell: int) -> None:
        """Put the cursor on a cell."""
        self.set(replace(self.state, cursor=cell))

    def move(self, direction: str) -> None:
        """Move the cursor by one cell, around the edge."""
        row, column = divmod(self.state.cursor, 9)
        down, right = {"left": (0, -1), "right": (0, 1), "up": (-1, 0), "down": (1, 0)}[direction]
        self.move_to((row + down) % 9 * 9 + (column + right) % 9)

    def next_puzzle(self) -> None:
        """Go to the next puzzle."""
        self.take(self.state.number + 1)

    def previous_puzzle(self) -> None:
        """Go to the puzzle before."""
        self.take(self.state.number - 1)
