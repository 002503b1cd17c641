"""The one kind of widget: lines of spans, repainted row by row and only where they changed.

Knows Textual and the palette, nothing of Sudoku. Invariant: no timer and no animation; what did not change is not sent
to the terminal again.
"""

from collections.abc import Callable
from typing import Any

from rich.segment import Segment
from textual.events import Resize
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from tui.palette import style
from tui.spans import Line, text

Draw = Callable[[Any, int, int], list[Line]]
"""What a state looks like at a width and a height."""


class Pane(Widget):
    """Shows what `draw` makes of a state for the size there is; of which type the state is, `draw` knows."""

    ALLOW_SELECT = False

    def __init__(self, draw: Draw, id: str, title: str = "", subtitle: Callable[[Any], str] | None = None) -> None:
        super().__init__(id=id, classes="box" if title else "")
        self.border_title = title or None
        self._subtitle = subtitle
        self._draw = draw
        self._state: object = None
        self.lines: list[Line] = []

    def show(self, state: object) -> None:
        """Draw the state and repaint the rows that differ."""
        self._state = state
        if self._subtitle is not None and self.border_subtitle != (says := self._subtitle(state)):
            self.border_subtitle = says
        width, height = self.content_size
        if not (width and height):
            return
        old, self.lines = self.lines, self._draw(state, width, height)[:height]
        longest = max(len(old), len(self.lines))
        rows = [y for y in range(longest) if old[y : y + 1] != self.lines[y : y + 1]]
        if rows:
            self.refresh(*(Region(0, y, width, 1) for y in rows))

    def on_resize(self, event: Resize) -> None:
        """Draw for the new size."""
        if self._state is not None:
            self.lines = []
            self.show(self._state)

    @property
    def plain(self) -> str:
        """The text shown, for tests and for people who copy it."""
        return "\n".join(text(row) for row in self.lines)

    def render_line(self, y: int) -> Strip:
        """One row of the pane."""
        base, width = self.rich_style, self.content_size.width
        if y >= len(self.lines):
            return Strip.blank(width, base)
        theme = self.app.current_theme
        segments = [Segment(span.text, base + style(span, theme.dark, theme.ansi)) for span in self.lines[y]]
        return Strip(segments).adjust_cell_length(width, base)
