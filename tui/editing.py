"""Commands that change the board by hand: digits, undo and redo, what is pasted.

Knows the desk it works at and the reader of files. Invariant: a paste is one event, read as a file would be; while
editing it can only fill open cells, otherwise it is a new set of puzzles.
"""

from dataclasses import replace

from checker.formats import Puzzle, Refusal
from tui.desk import Desk
from tui.edit import Edit
from tui.library import Library, from_text
from tui.words import plural


class Editor(Desk):
    """See the module."""

    def edit(self) -> None:
        """Begin: the clues and what was entered before are on the board."""
        said = "editing: 1-9 puts a digit, 0 empties, enter takes the board, escape leaves it as it was"
        self.set(replace(self.state, edit=Edit(self.state.given, self.state.clues), notice=said))

    def put(self, digit: int) -> None:
        """Put a digit where the cursor is; 0 empties the cell."""
        state = self.state
        if state.edit is not None:
            locked = bool(state.given[state.cursor])
            self._edited(state.edit.put(state.cursor, digit), "a clue of the puzzle: it stands" if locked else "")

    def clear(self) -> None:
        """Empty the cell."""
        self.put(0)

    def undo(self) -> None:
        """One step back."""
        if self.state.edit is not None:
            self._edited(self.state.edit.undo(), "")

    def redo(self) -> None:
        """One step forth."""
        if self.state.edit is not None:
            self._edited(self.state.edit.redo(), "")

    def _edited(self, edit: Edit, notice: str) -> None:
        self.set(replace(self.state, edit=edit, notice=notice))

    def commit(self) -> None:
        """Take the board: entries count as clues of the run, and can be edited again."""
        state = self.state
        if state.edit is None:
            return
        if (state.edit.board == state.clues).all():
            self.discard()
            return
        entered = int(((state.given == 0) & (state.edit.board != 0)).sum())
        fresh = replace(state, refusal="").tell(f"{plural(entered, 'digit')} entered")
        self.begin(fresh, state.given, state.edit.board)

    def discard(self) -> None:
        """Leave the board as it was."""
        self.set(replace(self.state, edit=None, notice="nothing changed"))

    def pasted(self, text: str) -> None:
        """Take a paste of any layout the reader knows."""
        library = from_text(text, "paste")
        item = library.get(0)
        if item is None or isinstance(item, Refusal):
            self.set(self.state.tell(f"{item}" if item else "paste: nothing in it"))
        elif self.state.edit is not None:
            self._fill(item, library)
        elif self.state.idle:
            self.use(library)
            self.set(self.state.note(f"pasted {plural(library.total or 0, 'puzzle')}"))
        else:
            self.set(self.state.tell("paste: wait for the run to end, or cancel it"))

    def _fill(self, item: Puzzle, library: Library) -> None:
        if self.state.edit is None:
            return
        if library.total != 1:
            self.set(self.state.tell(f"paste: {library.total} puzzles; while editing only one fits"))
            return
        try:
            self._edited(self.state.edit.fill(item.clues), "pasted into the open cells; u undoes it")
        except ValueError as error:
            self.set(self.state.tell(f"paste refused: {error}"))
