"""Rank 0 of an evaluation: it runs its own batches and takes those of the other ranks in turn.

Knows batches, not solvers, files or MLX. Invariants: batches come out in order; SIGINT or SIGTERM, or a rank that is
lost, ends the gathering once, and nothing interrupts what follows, so that the rows so far can be written.
"""

import json
import signal
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from sudoku_ncm.errors import LostRank, UsageError
from sudoku_ncm.evaluation.arrivals import Peers
from sudoku_ncm.evaluation.ranks import PATIENCE, Run
from sudoku_ncm.evaluation.run import Done, Item
from sudoku_ncm.launch import Group

_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_LOCAL = {"packages", "machine", "blas"}
"""Settings in which hosts may differ."""
_NOTICE = 1.0
"""Seconds in which the loss that made a launcher send SIGTERM shows."""


@contextmanager
def gathering(group: Group) -> Iterator["Gather"]:
    """Wait for all ranks of `group` and gather from them; the main thread only, which owns the signals.

    Raises LostRank when one does not come, and NcmError when the address cannot be listened at.
    """
    peers = Peers(group.size)
    gather = Gather(peers)
    before = [signal.signal(number, gather.interrupt) for number in _SIGNALS]
    try:
        if group.size > 1:
            with gather.losing():
                peers.admit(group.root, PATIENCE)
        yield gather
    finally:
        peers.close()
        for number, handler in zip(_SIGNALS, before, strict=True):
            signal.signal(number, signal.SIG_IGN if gather.ended else handler)


class Gather:
    """Batches of all ranks, in order; alone, rank 0 has no `peers` to wait for."""

    def __init__(self, peers: Peers) -> None:
        self.ended = False
        self._peers = peers

    def start(self, settings: dict[str, Any], finished: int) -> None:
        """Hold what the others evaluate against `settings`, and tell them how many items are finished.

        Raises UsageError when a rank is about something else, LostRank, and the error of a rank that cannot start.
        """
        ours = json.loads(json.dumps(settings))
        for rank in range(1, self._peers.size):
            theirs = self._take(rank)["settings"]
            other = sorted(name for name in ours.keys() - _LOCAL if theirs.get(name) != ours[name])
            if other:
                raise UsageError(f"rank {rank}: found other {', '.join(other)}, expected those of rank 0")
            self._peers.tell(rank, {"finished": finished})

    def gather(self, batches: Iterable[list[Item]], run: Run) -> Iterator[Done]:
        """What came of every batch; raises LostRank or KeyboardInterrupt, after which nothing interrupts any more."""
        for index, batch in enumerate(batches):
            rank = index % self._peers.size
            yield self._taken(rank) if rank else run(batch)

    def _taken(self, rank: int) -> Done:
        done = Done(**self._take(rank))
        self._peers.tell(rank, {})
        return done

    def _take(self, rank: int) -> dict[str, Any]:
        with self.losing():
            return self._peers.take(rank)

    @contextmanager
    def losing(self) -> Iterator[None]:
        """End when a rank is lost: the launcher sends SIGTERM then, which must not interrupt the last words."""
        try:
            yield
        except LostRank:
            self._end()
            raise

    def interrupt(self, number: int, _frame: FrameType | None) -> None:
        """Handle a signal. Launchers send SIGTERM when a rank was lost, and then that is the reason."""
        loss = self._peers.loss(_NOTICE) if number == signal.SIGTERM else None
        self._end()
        raise loss or KeyboardInterrupt

    def _end(self) -> None:
        self.ended = True
        for number in _SIGNALS:
            signal.signal(number, lambda *_: None)
