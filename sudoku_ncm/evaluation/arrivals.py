"""The other ranks as rank 0 sees them: who has come, what each has said and not been asked for yet, who was lost first.

A thread a connection reads lines as they come, so that the rank lost first is known whatever rank 0 is doing. Knows
lines, not what they are about. Invariant: a rank is lost when its connection ends, and nothing but `close` forgives it.
"""

import json
import socket
import time
from contextlib import suppress
from io import BufferedReader
from queue import SimpleQueue
from threading import Event, Thread
from typing import Any

from sudoku_ncm.errors import ExitCode, LostRank, NcmError
from sudoku_ncm.evaluation.ranks import keep_alive, send

_GREETING = 5.0
"""Seconds in which somebody who connects must have said which rank it is."""


class Peers:
    """Ranks 1 to `size` - 1."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._connections: dict[int, socket.socket] = {}
        self._lines: dict[int, SimpleQueue[dict[str, Any] | None]] = {}
        self._lost: list[int] = []
        self._loss = Event()

    def admit(self, address: tuple[str, int], patience: float) -> None:
        """Listen at (host, port) until all have come, in whatever order.

        Raises LostRank when one has not come in `patience` seconds, NcmError when the address cannot be listened at.
        """
        try:
            listener = socket.create_server(address)
        except OSError as error:
            raise NcmError(f"{address[0]}:{address[1]}: cannot listen for the other ranks: {error.strerror}") from None
        with listener:
            deadline = time.monotonic() + patience
            while absent := self._absent():
                try:
                    listener.settimeout(_until(deadline))
                    self._welcome(listener.accept()[0])
                except TimeoutError:
                    raise _lost(absent[0]) from None

    def _absent(self) -> list[int]:
        return [rank for rank in range(1, self.size) if rank not in self._connections]

    def _welcome(self, connection: socket.socket) -> None:
        """Read from a rank until it is lost; whatever else connects is sent away."""
        connection.settimeout(_GREETING)
        stream = connection.makefile("rb")
        try:
            rank = int(json.loads(stream.readline())["rank"])
        except (OSError, ValueError, LookupError, TypeError):
            rank = 0
        if rank not in self._absent():
            stream.close()
            connection.close()
            return
        connection.settimeout(None)
        keep_alive(connection)
        self._connections[rank], self._lines[rank] = connection, SimpleQueue()
        Thread(target=self._read, args=(rank, stream), daemon=True).start()

    def _read(self, rank: int, stream: BufferedReader) -> None:
        with stream, suppress(OSError, ValueError):  # ValueError: a line torn by the end
            for line in stream:
                self._lines[rank].put(json.loads(line))
        self._lost.append(rank)
        self._loss.set()
        self._lines[rank].put(None)

    def take(self, rank: int) -> dict[str, Any]:
        """Wait for the next message of a rank. Raises its error if it has one, and LostRank."""
        message = self._lines[rank].get()
        if message is None:
            raise _lost(self._lost[0])
        if "error" in message:
            error = NcmError(f"rank {rank}: {message['error']}")
            error.exit_code = ExitCode(message["code"])
            raise error
        return message

    def tell(self, rank: int, message: dict[str, Any]) -> None:
        """Send a message; that a rank was lost shows when it is its turn to be heard."""
        with suppress(OSError):
            send(self._connections[rank], message)

    def loss(self, wait: float) -> LostRank | None:
        """The loss of the rank that went first or has not come, if that shows within `wait` seconds."""
        if self._absent() or (self.size > 1 and self._loss.wait(wait)):
            return _lost([*self._lost, *self._absent()][0])
        return None

    def close(self) -> None:
        """Let the other ranks end."""
        for connection in self._connections.values():
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
            connection.close()


def _until(deadline: float) -> float:
    """Seconds left. Raises TimeoutError when there are none."""
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left


def _lost(rank: int) -> LostRank:
    return LostRank(f"rank {rank} was lost")
