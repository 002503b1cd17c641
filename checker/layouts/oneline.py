"""One puzzle on one line: 81 characters, then nothing, or a separator and any text (a rating, a name).

It knows nothing of rows. Spaces are open cells only in a line that is 81 digits and spaces and nothing else.

Invariant: the 81 characters are the whole first word of the line, or the whole line; 80 or 82 are refused.
"""

import re
from math import isqrt
from typing import Final

from checker.board import CELLS, BoardError, parse_line
from checker.source import Item, Line, Puzzle, Source

_WIDEST_ROW: Final = 36  # a word up to this long may be the row of a grid (see `drawn`)
_SECOND: Final = (
    40  # a later word of more cells may be a puzzle too: a solution, or what is left of a bad copy
)
_NOT_FRAME: Final = CELLS - set("-_")
_WORD: Final = re.compile(r"[^\s,;#]+")


def oneline(source: Source) -> list[Item] | None:
    """Take the next line if its first word is too many cells for a row, or if its open cells are spaces."""
    line = source.peek()
    if line is None or not is_oneline(line.text):
        return None
    source.take()
    word = _WORD.search(line.text)
    if word is None or _spaced(line.text):
        return [_puzzle(source, line, line.text, 0)]
    return [_second(source, line, word.end()) or _puzzle(source, line, word[0], word.start())]


def is_oneline(text: str) -> bool:
    """Whether `oneline` takes such a line, be it to refuse it."""
    word = _WORD.search(text)
    return _spaced(text) or (word is not None and _long(word[0]))


def _long(word: str) -> bool:
    """Too many cells for a row; dashes alone are a rule, unless there are just 81."""
    dashes = not _NOT_FRAME & set(word) and (len(word) != 81 or not set(word) <= CELLS)
    return len(word) > _WIDEST_ROW and 2 * _cells(word) >= len(word) and not dashes


def _cells(word: str) -> int:
    return sum(character in CELLS for character in word)


def _spaced(text: str) -> bool:
    """Digits with gaps of different widths, too wide for a row: the gaps are open cells.

    An indented line has no such gaps, and a line with another kind of blank is no line of this kind.
    """
    gaps = set(re.findall(" +", text.strip()))
    return len(text) > _WIDEST_ROW and len(gaps) > 1 and set(text) <= set(" 123456789")


def _second(source: Source, line: Line, end: int) -> Item | None:
    for word in _WORD.findall(line.text, end):
        if len(word) > _SECOND and _cells(word) == len(word):
            return source.refuse(line.number, f"a second word of {len(word)} cells", "one puzzle on a line")
    return None


def _puzzle(source: Source, line: Line, cells: str, start: int) -> Item:
    side = isqrt(len(cells))
    if side * side == len(cells) != 81:
        return source.refuse(
            line.number, f"{len(cells)} characters ({side}x{side})", "81: only 9x9 is supported"
        )
    try:
        return Puzzle(parse_line(cells), source.name, line.number)
    except BoardError as error:
        where = "" if error.column is None else f" at column {start + error.column}"
        return source.refuse(line.number, error.found + where, error.expected)
