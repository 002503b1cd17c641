"""The one thread of this process that owns the solver.

It is a daemon that waits for jobs and never ends by itself: MLX keeps streams per thread, and a thread that ends while
the process exits tears them down under its feet (about one exit in 75 aborted). Knows nothing of what it runs.
Invariant: one thread for all windows of a process; `finish` returns only when what was asked before it is done.
"""

from collections.abc import Callable
from functools import cache
from queue import SimpleQueue
from threading import Event, Thread

Job = Callable[[], None]


class Worker:
    """A queue of jobs, run one after another; a job must not raise."""

    def __init__(self) -> None:
        self._jobs: SimpleQueue[Job] = SimpleQueue()
        Thread(target=self._work, name="engine", daemon=True).start()

    def submit(self, job: Job) -> None:
        """Run this after everything asked before it."""
        self._jobs.put(job)

    def finish(self, patience_s: float) -> bool:
        """Wait until everything asked so far is done; whether it was, in that time."""
        done = Event()
        self._jobs.put(done.set)
        return done.wait(patience_s)

    def _work(self) -> None:
        while True:
            self._jobs.get()()


@cache
def engine_worker() -> Worker:
    """The worker of this process."""
    return Worker()
