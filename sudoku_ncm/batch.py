"""A run over many puzzles: what is refused, the totals, the exit code, where to stop.

Knows items, not what is done with them; it says things through the function given. Invariant: the totals add up,
read = solved + unsolved + rejected.
"""

from collections.abc import Callable, Iterator

from checker.formats import Puzzle, Refusal
from sudoku_ncm.errors import ExitCode


class Batch:
    """Counts the items of a run; whoever works on a puzzle adds it to `solved` or `unsolved`, or rejects it."""

    def __init__(self, say: Callable[[str], None], strict: bool) -> None:
        self._say, self._strict = say, strict
        self.solved = self.unsolved = self.rejected = 0

    def puzzles(self, items: Iterator[Puzzle | Refusal]) -> Iterator[Puzzle]:
        """The puzzles of `items` one by one; refusals are said and counted. Strict ends after the first bad item."""
        for item in items:
            if isinstance(item, Refusal):
                self.reject(str(item))
            else:
                yield item
            if self.stopped:
                return

    def reject(self, message: str) -> None:
        """Say why an item is bad, and count it."""
        self._say(message)
        self.rejected += 1

    @property
    def stopped(self) -> bool:
        """Whether a bad item ends the run."""
        return self._strict and self.unsolved + self.rejected > 0

    def close(self, solved: str = "solved") -> ExitCode:
        """Say the totals, if there is more than one item, with the word for good ones; give the exit code."""
        read = self.solved + self.unsolved + self.rejected
        if read > 1:
            totals = f"{self.solved} {solved} + {self.unsolved} unsolved + {self.rejected} rejected"
            self._say(f"read {read} = {totals}{' (stopped at the first bad one)' * self.stopped}")
        if self.rejected:
            return ExitCode.BAD_PUZZLE
        return ExitCode.UNSOLVED if self.unsolved else ExitCode.SOLVED
