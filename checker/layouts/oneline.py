"""One puzzle on one line: 81 cells, and round them ids, ratings, a solution, a count, names.

It knows nothing of rows. Spaces are open cells only in a line that is 81 digits and spaces and nothing else.

Invariant: the 81 cells are one whole word of the line, the whole line, nine words of nine or 81 words of one; 80 or 82
are refused.
"""

import re
from typing import Final

from checker.board import CELLS, Board, BoardError, parse_line
from checker.items import Item, Puzzle
from checker.layouts.words import WIDEST_ROW, Word, clues_among, miscounted
from checker.source import Source

_WORD: Final = re.compile(r"[^\s,;:|/#\"'=()\[\]{}<>]+")
_DIGITS_AND_SPACES: Final = frozenset(" 123456789")
_COMMENT: Final = re.compile(r"//|#(?!\d{1,6}\b)")  # but "Puzzle #3: ..." goes on
_REMARK: Final = re.compile("#|//")
_FIELDS: Final = re.compile(r"[\s,;|/]+")
_OPEN_CANDIDATES: Final = ["123456789"] * 9  # the row of a grid of candidates
_EMPTIES: Final = ",;\t"  # between these a field may be empty: an open cell


def oneline(source: Source) -> list[Item] | None:
    """Take the next line if a word on it is too many cells for a row, or if it is 81 cells in another way."""
    line = source.legible()
    if line is None or not is_oneline(line.text):
        return None
    source.take()
    try:
        return [Puzzle(clues_of(line.text), source.name, line.number)]
    except BoardError as error:
        return [source.refuse(line.number, error.found, error.expected, error.column or 1)]


def is_oneline(text: str) -> bool:
    """Whether `oneline` takes such a line, be it to refuse it."""
    return len(text) > 8 and (_spaced(text) or bool(_words(text)) or _joined(text) is not None)


def clues_of(text: str) -> Board:
    """The puzzle on a line that `is_oneline`; raises BoardError."""
    if _spaced(text):
        return _spaces(text)
    words = _words(text)
    return clues_among(words) if words else parse_line(_joined(text) or "")


def _words(text: str) -> list[Word]:
    """The words that look like puzzles, comments left out."""
    end = _start_of(_COMMENT, text, 0)
    found = [Word(word[0], word.start() + 1) for word in _WORD.finditer(text, 0, end) if len(word[0]) > 8]
    words = [word for word in found if word.likely or word.damaged]
    after = _start_of(_REMARK, text, words[0].column) if words else end
    return [word for word in words if word.column <= after]


def _start_of(pattern: re.Pattern[str], text: str, first: int) -> int:
    found = pattern.search(text, first)
    return found.start() if found else len(text)


def _spaced(text: str) -> bool:
    """Digits and spaces, and either 81 of them or gaps of different widths: the spaces are open cells.

    Nine words are the row of a grid; a line with another kind of blank is no line of this kind.
    """
    if len(text) <= WIDEST_ROW or not _DIGITS_AND_SPACES.issuperset(text) or " " not in text:
        return False
    gaps = set(re.findall(" +", text.strip()))
    return len(gaps) > 1 or (len(text) == 81 and len(text.split()) != 9)


def _spaces(text: str) -> Board:
    if len(text) != 81:
        found, expected = miscounted(text)
        raise BoardError(f"{found} of digits and spaces", expected)
    return parse_line(text)


def _joined(text: str) -> str | None:
    """The cells of a line of nine words of nine cells, or of 81 fields of one cell or none."""
    words = [word for word in _FIELDS.split(text) if word]
    if [len(word) for word in words] not in ([9] * 9, [1] * 81):
        words = _empties(text)
    together = "".join(words)
    if words == _OPEN_CANDIDATES:
        return None
    return together if len(together) == 81 and CELLS.issuperset(together) else None


def _empties(text: str) -> list[str]:
    for separator in _EMPTIES:
        if text.count(separator) == 80:
            return [field.strip() or "." for field in text.split(separator)]
    return []
