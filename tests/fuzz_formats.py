"""`python tests/fuzz_formats.py FOLDER --minutes 10`: damaged copies of the files of a folder, read for so long.

Prints what it did; at the first input that breaks the reader it writes it to `fuzz-failure.bin` and exits with 1.
"""

import argparse
import random
import signal
import sys
import time
from pathlib import Path

from mutations import SECONDS, check, mutated


def main() -> int:
    """Run until the time is over or an input fails."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    samples = [path.read_bytes() for path in sorted(arguments.folder.iterdir()) if path.is_file()]
    rng, end, count, puzzles = random.Random(arguments.seed), time.monotonic() + 60 * arguments.minutes, 0, 0
    signal.signal(signal.SIGALRM, _hang)
    while time.monotonic() < end:
        data = mutated(samples, rng)
        try:
            signal.setitimer(signal.ITIMER_REAL, 2 * SECONDS)
            puzzles += check(data)
        except BaseException:
            Path("fuzz-failure.bin").write_bytes(data)
            print(f"failed at input {count} (seed {arguments.seed}); it is in fuzz-failure.bin", file=sys.stderr)
            raise
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
        count += 1
    print(f"{count} inputs, {puzzles} puzzles read, no traceback, no hang, no invented cell")
    return 0


def _hang(signum: int, frame: object) -> None:
    raise TimeoutError("the reader hangs")


if __name__ == "__main__":
    sys.exit(main())
