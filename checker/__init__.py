"""The law of the house: what a Sudoku board is, whether one is solved, and how many solutions a puzzle has.

It needs numpy alone and knows nothing of models, so that what it says about their work is independent of
them. The modules carry the names: `board`, `verify`, `search`, `judge`, `formats`, `generate`, `drawing`.
The functions `verify.verify` and `judge.judge` are not repeated here, where they would hide their modules.

Invariant: only `verify` says "solved".
"""

from checker.board import Board, BoardError, parse_line, to_line
from checker.drawing import to_grid
from checker.formats import Puzzle, Refusal, read
from checker.judge import Finding, Judgement
from checker.search import Answer, Count, count_solutions, solve
from checker.verify import BatchVerdict, Clash, Verdict, verify_batch

__all__ = [
    "Answer",
    "BatchVerdict",
    "Board",
    "BoardError",
    "Clash",
    "Count",
    "Finding",
    "Judgement",
    "Puzzle",
    "Refusal",
    "Verdict",
    "count_solutions",
    "parse_line",
    "read",
    "solve",
    "to_grid",
    "to_line",
    "verify_batch",
]
