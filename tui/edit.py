"""Filling in a board by hand: digits on open cells, undo and redo; the given clues stand.

Pure values: every change is a new `Edit`. Knows neither keys nor Textual. Invariant: no path (typing, delete, fill,
undo, redo) changes a given clue.
"""

from dataclasses import dataclass

import numpy as np

from checker.board import Board, cell_name


@dataclass(frozen=True, eq=False)
class Edit:
    """The board `[81]` as it stands over the clues `given` `[81]`, with what to go back and forth to."""

    given: Board
    board: Board
    undone: tuple[Board, ...] = ()
    redone: tuple[Board, ...] = ()

    def put(self, cell: int, digit: int) -> "Edit":
        """With a digit in a cell (0 empties it); the same edit where a clue stands or nothing would change."""
        board = self.board.copy()
        board[cell] = digit
        return self._to(board)

    def fill(self, board: Board) -> "Edit":
        """With all entries of a board that keeps the clues; raises ValueError for one that would change a clue."""
        wrong = np.flatnonzero((self.given != 0) & (board != 0) & (board != self.given))
        if wrong.size:
            cell = int(wrong[0])
            raise ValueError(f"it would change clue {cell_name(cell)} from {self.given[cell]} to {board[cell]}")
        return self._to(board)

    def undo(self) -> "Edit":
        """One step back; the same edit at the beginning."""
        if not self.undone:
            return self
        return Edit(self.given, self.undone[-1], self.undone[:-1], (*self.redone, self.board))

    def redo(self) -> "Edit":
        """One step forth; the same edit where nothing was undone."""
        if not self.redone:
            return self
        return Edit(self.given, self.redone[-1], (*self.undone, self.board), self.redone[:-1])

    def _to(self, board: Board) -> "Edit":
        kept = np.where(self.given != 0, self.given, board).astype(np.int8)
        if (kept == self.board).all():
            return self
        return Edit(self.given, kept, (*self.undone, self.board))
