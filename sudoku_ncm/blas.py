"""Finds a fast BLAS on Linux before MLX is imported, and tunes the allocator MLX then uses.

The Linux wheel of MLX links the reference BLAS. A library loaded with RTLD_GLOBAL before `import mlx.core` comes first
in the global symbol scope, so its `cblas_sgemm` serves instead: the same products, 25 to 60 times faster.
glibc hands freed arrays back to the kernel at once, so each array costs page faults; keeping them halves
elementwise time. Knows nothing of MLX itself. Invariant: everything works, slower, when nothing is found.
"""

import ctypes
import os
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

CANDIDATES = (
    ("openblas", "libopenblas.so.0"),
    ("openblas", "libopenblas.so"),
    ("mkl", "libmkl_rt.so.3"),
    ("mkl", "libmkl_rt.so.2"),
)
_M_TRIM_THRESHOLD, _M_TOP_PAD, _M_MMAP_MAX, _M_ARENA_MAX = -1, -2, -4, -8


@dataclass(frozen=True)
class Blas:
    """Which library serves matrix products: a short name for reports and the file it came from."""

    name: str
    file: str


@cache
def prepare() -> Blas:
    """Load the best BLAS there is, once a process, and return it. Must run before the first `import mlx.core`."""
    if sys.platform != "linux":
        return Blas("accelerate" if sys.platform == "darwin" else "reference", "")
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    os.environ.setdefault("MKL_NUM_THREADS", "1")
    keep_freed_memory()
    loaded = (_load(name, file) for name, file in CANDIDATES)
    return next((found for found in loaded if found), Blas("reference", ""))


def _load(name: str, file: str) -> Blas | None:
    for path in (file, str(Path(sys.prefix) / "lib" / file)):
        try:
            ctypes.CDLL(path, mode=ctypes.RTLD_GLOBAL)
        except OSError:
            continue
        return Blas(name, path)
    return None


def keep_freed_memory() -> None:
    """Ask glibc to reuse freed blocks instead of unmapping them; does nothing with another C library."""
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        for option, value in ((_M_ARENA_MAX, 1), (_M_MMAP_MAX, 0), (_M_TRIM_THRESHOLD, 2**30), (_M_TOP_PAD, 2**24)):
            mallopt(option, value)
