"""Rank 0 of an evaluation: it runs its own batches and takes those of the other ranks in turn.

Knows batches, not solvers, files or MLX. Invariants: batches come out in order; a signal, or a rank that is lost, ends
the gathering once, never while a batch is used, and nothing interrupts what follows, so that the rows so far can be
written.
"""

import signal
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from sudoku_ncm.errors import LostRank, UsageError
from sudoku_ncm.evaluation.arrivals import Peers
from sudoku_ncm.evaluation.ranks import PATIENCE, Run
from sudoku_ncm.evaluation.run import Done, Item
from sudoku_ncm.evaluation.settings import differing
from sudoku_ncm.launch import Group

_SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
"""The last one comes first on another host, where `mlx.launch` ends its ssh."""
_NOTICE = 1.0
"""Seconds in which the loss that made a launcher send a signal shows."""


@contextmanager
def gathering(group: Group) -> Iterator["Gather"]:
    """Wait for all ranks of `group` and gather from them; the main thread only, which owns the signals.

    Raises LostRank when one does not come, and NcmError when the address cannot be listened at.
    """
    peers = Peers(group.size)
    gather = Gather(peers)
    before = [signal.getsignal(number) for number in _SIGNALS]
    for number, handler in zip(_SIGNALS, before, strict=True):
        if number == signal.SIGINT or handler is not signal.SIG_IGN:  # nohup has SIGHUP ignored
            signal.signal(number, gather.interrupt)
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
        self._held = False
        self._caught: int | None = None

    def compare(self, settings: dict[str, Any]) -> None:
        """Hold what the others evaluate against `settings`.

        Raises UsageError when a rank is about something else, LostRank, and the error of a rank that cannot start.
        """
        for rank in range(1, self._peers.size):
            other = differing(settings, self._take(rank)["settings"])
            if other:
                raise UsageError(f"rank {rank}: found other {', '.join(other)}, expected those of rank 0")

    def start(self, finished: int) -> None:
        """Tell the others how many items are finished, after `compare`."""
        for rank in range(1, self._peers.size):
            self._peers.tell(rank, {"finished": finished})

    def gather(self, batches: Iterable[list[Item]], run: Run) -> Iterator[Done]:
        """What came of every batch; a signal waits until the next one is asked for, and for ever after the last.

        Raises LostRank or KeyboardInterrupt, after which nothing interrupts any more.
        """
        for index, batch in enumerate(batches):
            rank = index % self._peers.size
            done = self._taken(rank) if rank else run(batch)
            self._held = True
            yield done
            self._held = False
            if self._caught:
                self.interrupt(self._caught, None)
        self._held = True

    def _taken(self, rank: int) -> Done:
        done = Done(**self._take(rank))
        self._peers.tell(rank, {})
        return done

    def _take(self, rank: int) -> dict[str, Any]:
        with self.losing():
            return self._peers.take(rank)

    @contextmanager
    def losing(self) -> Iterator[None]:
        """End when a rank is lost: the launcher sends a signal then, which must not interrupt the last words."""
        try:
            yield
        except LostRank:
            self._end()
            raise

    def interrupt(self, number: int, _frame: FrameType | None) -> None:
        """Handle a signal. Launchers send another one than SIGINT when a rank was lost, and then that is the reason."""
        if self._held:
            self._caught = number
            return
        loss = self._peers.loss(_NOTICE) if number != signal.SIGINT else None
        self._end()
        raise loss or KeyboardInterrupt

    def _end(self) -> None:
        self.ended = True
        for number in _SIGNALS:
            signal.signal(number, lambda *_: None)
