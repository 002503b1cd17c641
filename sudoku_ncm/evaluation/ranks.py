"""What ranks say to each other in an evaluation, and a worker: batch i is run by rank i mod N and travels to rank 0.

Lines of JSON over TCP, to the address that the launcher gave rank 0: MLX's ring would listen there and is not started,
for its collectives may wait for ever for a peer that died. Knows batches, not solvers, files or MLX. Invariants: a
worker that ends before rank 0 does is lost; at most AHEAD of its batches wait to be taken.
"""

import json
import signal
import socket
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from io import BufferedReader
from itertools import islice
from typing import Any

from sudoku_ncm.errors import LostRank, NcmError
from sudoku_ncm.evaluation.run import Done, Item
from sudoku_ncm.launch import Group

PATIENCE = 60.0
"""Seconds in which all ranks must have come."""
AHEAD = 8
_KEEPALIVE = {
    "TCP_KEEPIDLE": 15,  # seconds
    "TCP_KEEPALIVE": 15,  # the same on macOS
    "TCP_KEEPINTVL": 5,  # seconds
    "TCP_KEEPCNT": 3,
    "TCP_USER_TIMEOUT": 30_000,  # milliseconds; Linux sends no probes while something sent is not acknowledged
}
"""A host gone without a word shows in half a minute."""

Run = Callable[[list[Item]], Done]


def keep_alive(connection: socket.socket) -> None:
    """Have the system notice that the other host is gone."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in _KEEPALIVE.items():
        if hasattr(socket, name):
            connection.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)


def send(connection: socket.socket, message: dict[str, Any]) -> None:
    """Send one line. Raises OSError when the other side is gone."""
    connection.sendall(json.dumps(message).encode() + b"\n")


@contextmanager
def working(group: Group) -> Iterator["Worker"]:
    """A rank other than 0: an error travels to rank 0, which says it, and the worker ends quietly when rank 0 has.

    Raises LostRank when rank 0 cannot be reached.
    """
    with _connect(*group.root) as connection, connection.makefile("rb") as stream:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        worker = Worker(group, connection, stream)
        try:
            try:
                yield worker
            except NcmError as error:
                send(connection, {"error": str(error), "code": error.exit_code})
            while stream.readline():
                pass
        except (ConnectionError, TimeoutError):
            pass  # rank 0 has ended, and either said why or is missed by the launcher


def _connect(host: str, port: int) -> socket.socket:
    last = time.monotonic() + PATIENCE
    while True:
        try:
            connection = socket.create_connection((host, port), PATIENCE)
        except OSError as error:
            if time.monotonic() > last:
                raise LostRank(f"rank 0 was lost: {host}:{port}: {error.strerror or error}") from None
            time.sleep(0.05)
            continue
        if connection.getsockname() == connection.getpeername():  # nobody listens yet, and TCP met itself there
            connection.close()
            continue
        connection.settimeout(None)
        keep_alive(connection)
        return connection


class Worker:
    """A rank that runs its batches and sends them to rank 0."""

    def __init__(self, group: Group, connection: socket.socket, stream: BufferedReader) -> None:
        self._group, self._connection, self._stream = group, connection, stream
        send(connection, {"rank": group.rank})

    def start(self, settings: dict[str, Any]) -> int:
        """Say what will be evaluated; returns how many items are finished already."""
        send(self._connection, {"settings": settings})
        return int(self._hear()["finished"])

    def work(self, batches: Iterable[list[Item]], run: Run) -> None:
        """Run every batch of this rank."""
        for number, batch in enumerate(islice(batches, self._group.rank, None, self._group.size)):
            done = run(batch)
            if number >= AHEAD:
                self._hear()
            send(self._connection, asdict(done))

    def _hear(self) -> dict[str, Any]:
        line = self._stream.readline()
        if not line:
            raise ConnectionAbortedError("rank 0 has ended")
        heard: dict[str, Any] = json.loads(line)
        return heard
