"""Data parallel on one machine: the same command once per process, joined by MLX's ring backend on loopback.

Knows nothing of training. `mlx.launch` sets the same variables, so a command started by either is a worker.
"""

import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path


def is_worker() -> bool:
    """Whether this process is one rank of a group that somebody has already started."""
    return "MLX_RANK" in os.environ


def rank() -> int:
    """Rank of this process, 0 when it is alone."""
    return int(os.environ.get("MLX_RANK", "0"))


def run_processes(count: int, arguments: list[str]) -> int:
    """Run `python -m sudoku_ncm arguments` as `count` ranks and wait; the first failure ends the others.

    Returns the exit code of the first rank that failed, or 0.
    """
    with tempfile.TemporaryDirectory() as folder:
        hosts = Path(folder) / "hosts.json"
        hosts.write_text(json.dumps([[f"127.0.0.1:{port}"] for port in _free_ports(count)]), encoding="utf-8")
        command = [sys.executable, "-m", "sudoku_ncm", *arguments]
        environments = [os.environ | {"MLX_RANK": str(r), "MLX_HOSTFILE": str(hosts)} for r in range(count)]
        workers = [subprocess.Popen(command, env=environment) for environment in environments]
        try:
            return _wait(workers)
        finally:
            for worker in workers:
                worker.terminate()
            for worker in workers:
                worker.wait()


def _wait(workers: list[subprocess.Popen[bytes]]) -> int:
    while any(worker.poll() is None for worker in workers) and not any(worker.poll() for worker in workers):
        time.sleep(0.2)
    return next((code for code in (worker.poll() for worker in workers) if code), 0)


def _free_ports(count: int) -> list[int]:
    with ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for listener in sockets:
            listener.bind(("127.0.0.1", 0))
        return [listener.getsockname()[1] for listener in sockets]
