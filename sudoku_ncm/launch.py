"""Ranks: the same command once per process, on one machine or several, and how one process finds its place among them.

`run_processes` gives each process what `mlx.launch --backend ring` gives it (MLX_RANK, and MLX_HOSTFILE with the
addresses of all), so a command started by either is a worker. Knows neither training nor evaluation, and no MLX.
Invariant: when `run_processes` ends, for whatever reason but SIGKILL, no process of it is left.
"""

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path

from sudoku_ncm.errors import LostRank, UsageError

GRACE = 5.0
"""Seconds that an interrupted rank 0 has to end by itself."""
_ENDING = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
_MPI = ("OMPI_COMM_WORLD_SIZE", "PMI_SIZE")
_MPI_HERE = ("OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS", *_MPI)


@dataclass(frozen=True)
class Group:
    """The `rank` of this process among `size`, `here` of them on its host; address (host, port) of rank 0."""

    rank: int = 0
    size: int = 1
    root: tuple[str, int] = ("127.0.0.1", 0)
    here: int = 1


def is_worker() -> bool:
    """Whether this process is one rank of a group that somebody has already started."""
    return "MLX_RANK" in os.environ


def group() -> Group:
    """Where this process stands in a ring. Raises UsageError for a group of another backend, or a damaged hostfile."""
    file = os.environ.get("MLX_HOSTFILE")
    if is_worker() and file:
        return _read(Path(file), os.environ["MLX_RANK"])
    if is_worker() or any(os.environ.get(name, "1") != "1" for name in _MPI):
        raise UsageError("found ranks of another backend, expected those of mlx.launch --backend ring")
    return Group()


def ranks_here() -> int:
    """Ranks of the group that run on this machine, this one included; with MPI as many as it says, or all.

    Raises UsageError for a damaged hostfile, or when MPI's number is none.
    """
    if is_worker() and os.environ.get("MLX_HOSTFILE"):
        return group().here
    return next((size for name in _MPI_HERE if (size := positive(name, "a positive number of ranks"))), 1)


def positive(variable: str, expected: str = "a positive number") -> int:
    """The number in an environment variable, 0 where there is none. Raises UsageError for anything but `expected`."""
    text = os.environ.get(variable, "")
    if text and not (text.isascii() and text.isdigit() and int(text)):
        raise UsageError(f'{variable}: found "{text}", expected {expected}')
    return int(text or 0)


def _read(file: Path, rank: str) -> Group:
    try:
        text = file.read_text(encoding="utf-8").strip()
        addresses = [rank_addresses[0] for rank_addresses in json.loads(text)] if text else [":0"]
        host, _, port = addresses[0].rpartition(":")
        hosts = [address.rpartition(":")[0] for address in addresses]
        here = hosts.count(hosts[int(rank)]) if 0 <= int(rank) < len(hosts) else 1
        found = Group(int(rank), len(addresses), (host, int(port)), here)
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        raise UsageError(f"{file}: found no ring ({error}), expected a list of addresses a rank") from None
    if not 0 <= found.rank < found.size:
        raise UsageError(f"MLX_RANK: found {rank}, expected a rank of the {found.size} in {file}")
    return found


def run_processes(count: int, arguments: list[str]) -> int:
    """Run `python -m sudoku_ncm arguments` as `count` ranks and wait; the first failure ends the others.

    Returns the exit code of the first rank that failed, or 0. Raises LostRank when a rank was killed or crashed.
    """
    with tempfile.TemporaryDirectory() as folder:
        hosts = Path(folder) / "hosts.json"
        hosts.write_text(json.dumps([[f"127.0.0.1:{port}"] for port in _free_ports(count)]), encoding="utf-8")
        command = [sys.executable, "-m", "sudoku_ncm", *arguments]
        environments = [os.environ | {"MLX_RANK": str(r), "MLX_HOSTFILE": str(hosts)} for r in range(count)]
        heeded = [n for n in _ENDING if n == signal.SIGTERM or signal.getsignal(n) is not signal.SIG_IGN]  # nohup
        before = {number: signal.signal(number, signal.default_int_handler) for number in heeded}
        workers: list[subprocess.Popen[bytes]] = []
        try:
            for environment in environments:
                workers.append(subprocess.Popen(command, env=environment))
            codes = _wait(workers)
        except KeyboardInterrupt:
            _interrupt(workers[:1])
            raise
        finally:
            _end(workers)
            for number, handler in before.items():
                signal.signal(number, handler)
    return _verdict(codes)


def _wait(workers: list[subprocess.Popen[bytes]]) -> list[int | None]:
    """Exit codes (None: still running) when all have ended or one has failed."""
    while None in (codes := [worker.poll() for worker in workers]) and not any(codes):
        time.sleep(0.1)
    return codes


def _interrupt(roots: list[subprocess.Popen[bytes]]) -> None:
    """Let rank 0, if it runs already, write what it has."""
    for root in roots:
        root.send_signal(signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            root.wait(GRACE)


def _end(workers: list[subprocess.Popen[bytes]]) -> None:
    for worker in workers:
        worker.terminate()
    for worker in workers:
        worker.wait()


def _verdict(codes: list[int | None]) -> int:
    for rank, code in enumerate(codes):
        if code is not None and (code < 0 or (rank and code == 1)):  # only rank 0 has a reason to end with 1
            raise LostRank(f"rank {rank} was lost ({_cause(code)})")
    return next((code for code in codes if code), 0)


def _cause(code: int) -> str:
    with suppress(ValueError):  # a signal without a name, or none
        return signal.Signals(-code).name
    return f"exit code {code}" if code > 0 else f"signal {-code}"


def _free_ports(count: int) -> list[int]:
    with ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for listener in sockets:
            listener.bind(("127.0.0.1", 0))
        return [listener.getsockname()[1] for listener in sockets]
