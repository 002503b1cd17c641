"""The words by which people name puzzles, solutions and what goes with them; shared by several layouts.

Invariant: no name is both of a puzzle and of what is not one.
"""

import re
from collections.abc import Sequence
from typing import Final

PUZZLE: Final = (  # in order of preference where several are given
    *("puzzle", "puzzles", "quiz", "quizzes", "unsolved", "question", "questions", "problem", "givens", "given"),
    *(
        "clues",
        "mission",
        "initial",
        "original",
        "start",
        "sudoku",
        "grid",
        "board",
        "content",
        "data",
        "value",
        "cells",
    ),
)
NOT_PUZZLE: Final = frozenset(
    {
        *("solution", "solutions", "answer", "answers", "solved", "solve", "result", "results", "completed"),
        *("state", "current", "progress", "user", "player", "entries", "candidates", "pencilmarks", "notes", "marks"),
    }
)
_ASIDE: Final = frozenset({"id", "no", "nr", "number", "index", "count", "name", "type", "level", "size", "difficulty"})
_KIND: Final = (
    "grid|puzzle|sudoku|game|board|level|problem|question|quiz|test|case|no|nr|number|name|title|author|source|date"
    "|difficulty|rating|score|id|type|clues|givens|easy|medium|hard|expert|evil|fiendish|diabolical|simple|tough"
)
_NAMED: Final = rf"\W*(?:{_KIND})\b\D{{0,40}}(?:\d{{1,8}}\b\D{{0,40}}){{0,4}}"
_COUNTED: Final = r"\s*(?!x|\w{9}$)[a-z]{2,}\.?\s*#?\s*\d{1,6}[:.)]?\s*"  # one word and a number
_NUMBERED: Final = r"\s*[(\[]?\d{1,4}[:.)\]]\s*"
TITLE: Final = re.compile(f"{_NAMED}|{_COUNTED}|{_NUMBERED}", re.IGNORECASE)


def best_column(names: Sequence[str]) -> int | None:
    """Which of some columns, from 0, is named like the puzzles: just so, or with other words round it."""
    for known in PUZZLE:
        if known in names:
            return names.index(known)
    words = [set(re.split(r"[\W_]+", name)) for name in names]
    like = [not found.isdisjoint(PUZZLE) and found.isdisjoint(NOT_PUZZLE | _ASIDE) for found in words]
    return like.index(True) if True in like else None
