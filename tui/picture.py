"""The board as lines of spans: 31×13 characters for a small terminal, 49×31 with room for nine candidates a cell.

Pure drawing: knows a `Picture` and neither the engine nor Textual. Invariants: every drawing is a full rectangle; each
cell has a mark (! clash, • new, + entered), its digit and what the overlay says, so no meaning hangs on colour.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from tui.spans import Line, Role, Span

LIKELY, POSSIBLE = 0.35, 0.08
"""Beliefs from which a candidate is shown strong, and shown at all."""
SHADES = ((0.60, "░"), (0.75, "▒"), (0.95, "▓"))
SMALL, LARGE = (31, 13), (49, 31)


class Overlay(StrEnum):
    """What a cell shows beside its digit."""

    CONFIDENCE = "confidence"
    CANDIDATES = "candidates"
    CHANGE = "change"
    DIFFERENCE = "difference"


@dataclass(frozen=True, eq=False)
class Picture:
    """What is drawn: boards of 81 digits, nine beliefs a cell where there are any, sets of cells."""

    clues: list[int]
    board: list[int]
    before: list[int]
    beliefs: list[list[float]] | None
    clashing: frozenset[int]
    entered: frozenset[int]
    solution: list[int] | None
    cursor: int
    overlay: Overlay

    def role(self, cell: int) -> Role:
        """The most important thing there is to say of a cell."""
        if cell in self.clashing or self.differs(cell) or self.lost(cell):
            return Role.CLASH
        if cell in self.entered:
            return Role.ENTRY
        if self.clues[cell]:
            return Role.CLUE
        if not self.board[cell]:
            return Role.DIM
        return Role.CHANGED if self.changed(cell) else Role.GENERATED

    def differs(self, cell: int) -> bool:
        """Whether the overlay of differences is on and the cell is not what the exact solution has."""
        shown = self.overlay is Overlay.DIFFERENCE and not self.clues[cell]
        return shown and self.solution is not None and self.board[cell] != self.solution[cell]

    def lost(self, cell: int) -> bool:
        """Whether the level reads another digit than the clue."""
        return bool(self.clues[cell] and self.board[cell] not in (0, self.clues[cell]))

    def changed(self, cell: int) -> bool:
        """Whether the cell is not what it was a level before."""
        return self.board[cell] != self.before[cell]

    def mark(self, cell: int) -> str:
        """One character before the digit; `?` is a clue that the level leaves open."""
        if cell in self.clashing or self.lost(cell):
            return "!"
        if self.clues[cell]:
            return "+" if cell in self.entered else " " if self.board[cell] else "?"
        if cell in self.entered:
            return "+"
        return "•" if self.changed(cell) else " "

    def digit(self, cell: int) -> str:
        """The digit, or a dot for an open cell; a clue is always shown."""
        return "·123456789"[self.clues[cell] or self.board[cell]]

    def shade(self, cell: int) -> str:
        """How much the strongest digit of a generated cell is believed."""
        if self.beliefs is None or self.clues[cell]:
            return " "
        belief = max(self.beliefs[cell])
        return next((glyph for limit, glyph in SHADES if belief < limit), "█")

    def candidates(self, cell: int) -> list[int]:
        """Digits that are believed at all, strongest first."""
        if self.beliefs is None or self.clues[cell]:
            return []
        beliefs = self.beliefs[cell]
        return [d + 1 for d in sorted(range(9), key=lambda d: -beliefs[d]) if beliefs[d] >= POSSIBLE]


def small(picture: Picture) -> list[Line]:
    """13 lines of 31 characters: mark, digit and one character of the overlay for each cell."""
    return _framed(picture, 3, 1, _small_cell)


def large(picture: Picture) -> list[Line]:
    """31 lines of 49 characters: five by three for each cell."""
    return _framed(picture, 5, 3, _large_cell)


def _framed(picture: Picture, wide: int, high: int, draw: Callable[[Picture, int], list[Line]]) -> list[Line]:
    rules = ["─" * (3 * wide)] * 3
    lines: list[Line] = [(Span("┌" + "┬".join(rules) + "┐", Role.DIM),)]
    for row in range(9):
        cells = [draw(picture, 9 * row + column) for column in range(9)]
        lines.extend(_row([cell[y] for cell in cells], row) for y in range(high))
        if row in (2, 5):
            lines.append((Span("├" + "┼".join(rules) + "┤", Role.DIM),))
    return [*lines, (Span("└" + "┴".join(rules) + "┘", Role.DIM),)]


def _row(cells: list[Line], row: int) -> Line:
    bar = Span("│", Role.DIM)
    spans: list[Span] = []
    for column, cell in enumerate(cells):
        if column % 3 == 0:
            spans.append(bar)
        spans.extend(span._replace(click=f"app.move_to({9 * row + column})") for span in cell)
    return (*spans, bar)


def _small_cell(picture: Picture, cell: int) -> list[Line]:
    role, here = picture.role(cell), cell == picture.cursor
    left, digit = Span(picture.mark(cell), role), Span(picture.digit(cell), role, here)
    plain = Role.SHADE if picture.overlay is Overlay.CONFIDENCE else Role.DIM
    return [(left, digit, Span(_beside(picture, cell), Role.CLASH if picture.differs(cell) else plain))]


def _beside(picture: Picture, cell: int) -> str:
    """The character after the digit: shade, runner-up, digit of the level before, digit of the exact solution."""
    match picture.overlay:
        case Overlay.CONFIDENCE:
            return picture.shade(cell)
        case Overlay.CANDIDATES:
            others = [d for d in picture.candidates(cell) if d != picture.board[cell]]
            return "₀₁₂₃₄₅₆₇₈₉"[others[0]] if others else " "
        case Overlay.CHANGE:
            return "₀₁₂₃₄₅₆₇₈₉"[picture.before[cell]] if picture.changed(cell) else " "
        case Overlay.DIFFERENCE:
            return (
                "₀₁₂₃₄₅₆₇₈₉"[picture.solution[cell]] if picture.differs(cell) and picture.solution is not None else " "
            )


def _large_cell(picture: Picture, cell: int) -> list[Line]:
    candidates = picture.candidates(cell)
    if picture.overlay is Overlay.CANDIDATES and len(candidates) > 1:
        return [_candidates(picture, cell, row, candidates) for row in range(3)]
    (left, digit, right), blank = _small_cell(picture, cell)[0], Span(" " * 5)
    return [(blank,), (Span(" "), left, digit, right, Span(" ")), (blank,)]


def _candidates(picture: Picture, cell: int, row: int, candidates: list[int]) -> Line:
    spans = [Span(" ")]
    for digit in range(3 * row + 1, 3 * row + 4):
        belief = 0.0 if picture.beliefs is None else picture.beliefs[cell][digit - 1]
        role = Role.GENERATED if belief >= LIKELY else Role.DIM
        here = cell == picture.cursor and digit == 5
        spans.append(Span(str(digit) if digit in candidates else " ", role, here))
    return (*spans, Span(" "))
