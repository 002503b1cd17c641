"""One line as the row of a drawn grid: its cells, or a rule between rows, or neither.

It knows bars, frames, boxes of fixed width, fields between commas, semicolons or tabs, and candidates; it does not
know how many rows make a puzzle (`drawn`).

Invariant: a cell is given as it is written, an empty field as a space; nothing but frame is dropped.
"""

import re
from typing import Final

from checker.board import CELLS

Cells = tuple[str, ...]  # the cells of a row as written; none for a rule

_BAR: Final = re.compile("[|\u00a6\u2502\u2503\u2506\u2507\u250a\u250b\u2551]+")
_STROKES: Final = re.compile("[-=_\u2500\u2501\u2504\u2505\u2508\u2509\u2550]")  # what runs across in a rule
_FRAME: Final = re.compile(r"[-=_+|\u00a6\s\u2500-\u257f]+")
_CORNERED: Final = re.compile(r"\s*[*+.,:'`|]?(?:[-=_]{2,}\s?[*+.,:'`|]\s?)*[-=_]{2,}\s?[*+.,:'`|]?\s*")
_MARKDOWN: Final = re.compile(r"\s*\|?(?:\s*:?-+:?\s*\|)+\s*(?::?-+:?)?\s*")
_SEPARATORS: Final = ",;\t"  # between these a field may be empty
_LOOSE: Final = re.compile(r" ?\| ?")  # a bar with the space that sets it off
_IN_BOX: Final = ((0, 1, 3), (1, 2, 7), (0, 2, 5), (0, 2, 6), (1, 2, 6), (1, 3, 9))  # first cell, step, width
_DIGITS_AND_SPACES: Final = frozenset(" 123456789")
_BRACES: Final = str.maketrans("", "", "{}[]()")
_QUOTED: Final = re.compile(r"(?<!\w)([\"'])(\S?)\1(?!\w)")


def row_cells(text: str) -> Cells | None:
    """The cells of a row, however many; none for a rule; None for a line that is neither."""
    together = "".join(_BAR.sub(" ", text).split())
    if len(together) == 9 and set(together) <= set("-_"):
        return tuple(together)
    if _is_rule(text):
        return ()
    return _in_columns(text) or _separated(text) or _boxed(text) or _drawn(text)


def doubtful(cells: Cells) -> bool:
    """Nine dashes or nothing at all: a row of open cells, or a rule."""
    return len(cells) == 9 and (set(cells) <= set("-_") or set(cells) == {" "})


def _is_rule(text: str) -> bool:
    strokes = len(_STROKES.findall(text)) > 2
    return strokes and any(rule.fullmatch(text) for rule in (_FRAME, _CORNERED, _MARKDOWN))


def _in_columns(text: str) -> Cells | None:
    """Nine characters, or nine with a space between each two, of which some cells are spaces."""
    if not _DIGITS_AND_SPACES.issuperset(text):
        return None
    if len(text) == 9 and not (text[1::2].isspace() and text[::2].isdecimal()):
        return tuple(text)
    return tuple(text[::2]) if len(text) == 17 and text[1::2].isspace() and " " in text[::2] else None


def _separated(text: str) -> Cells | None:
    """Fields of one character, or two in big grids, between separators; a tenth, empty one is a separator too many."""
    for separator in _SEPARATORS:
        fields = [field.strip(" \"'") for field in text.strip(" ").split(separator)]
        if len(fields) == 10 and not fields[-1]:
            fields.pop()
        if len(fields) > 3 and all(map(_one_cell, fields)):
            return tuple(field or " " for field in fields)
    return None


def _one_cell(field: str) -> bool:
    return len(field) < 2 or (len(field) == 2 and field.isalnum())


def _fields(text: str) -> list[str]:
    """What stands between bars, without the outer ones."""
    fields = _BAR.split(text)
    fields = fields[not fields[0].strip() :]
    return fields[: -1 if fields and not fields[-1].strip() else None]


def _boxed(text: str) -> Cells | None:
    """Three boxes of one width, or nine, in which open cells may be spaces."""
    fields = _fields(text)
    if len(fields) == 9 and all(len(field.strip()) < 2 for field in fields):
        return tuple(field.strip() or " " for field in fields)
    boxes = fields if len(_BAR.findall(text)) == 4 else _BAR.split(text)
    if len(boxes) != 3 or [len(box.split()) for box in boxes] == [3, 3, 3]:
        return None
    loose = [_LOOSE.sub("", part) for part in (boxes[0] + "|", f"|{boxes[1]}|", "|" + boxes[2])]
    ways = ((_evened(way), places) for way in (boxes, loose) for places in _IN_BOX)
    return next(filter(None, (_placed(way, *places) for way, places in ways)), None)


def _evened(boxes: list[str]) -> list[str]:
    """The boxes with the blanks that the end of the line has lost."""
    return [*boxes[:2], boxes[2].ljust(len(boxes[1]))]


def _placed(fields: list[str], first: int, step: int, width: int) -> Cells | None:
    cells = [field[first::step][:3] for field in fields]
    kept = sum(len(box) - box.count(" ") for box in cells)
    given = sum(len(field) - field.count(" ") for field in fields)
    fits = all(len(field) == width for field in fields) and kept == given
    return tuple("".join(cells)) if fits else None


def _drawn(text: str) -> Cells | None:
    fields = _fields(text)
    words = [
        word for field in fields for word in re.split(r"[\s,;]+", _QUOTED.sub(r"\2", field.translate(_BRACES))) if word
    ]
    return _split(fields, words) if words and _like_cells(words) else None


def _like_cells(words: list[str]) -> bool:
    """Letters, digits and blanks, at least half of them cells; or one character a word, as in big grids."""
    together = "".join(words)
    return all(c in CELLS or (c.isascii() and c.isalnum()) for c in together) and (
        2 * sum(c in CELLS for c in together) >= len(together) or len(words) == len(together)
    )


def _split(fields: list[str], words: list[str]) -> Cells | None:
    if len(words) == 1 or [len(word) for word in words] == [3, 3, 3]:
        words = list("".join(words))
    in_fields = [len(field.split()) for field in fields]
    if len(fields) == 3 and set(in_fields) == {1}:
        in_fields = [len(field.strip()) for field in fields]
    uneven = len(fields) != 1 and in_fields != [3, 3, 3]
    return None if len(words) == 9 and uneven else tuple(words)
