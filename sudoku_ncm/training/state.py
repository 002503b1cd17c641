"""What a stopped run needs to go on: weights, optimizer moments and progress, in one file that appears whole.

Knows files and arrays, not training. Invariant: weights, moments and step of a state belong together, because they are
one file; a state of another shape, run or data is refused.
"""

import json
from pathlib import Path
from typing import Any

import mlx.core as mx

from sudoku_ncm.checkpoint import load_arrays, require_shapes, save_arrays
from sudoku_ncm.errors import ModelError

STATE = "training.safetensors"
_PROGRESS = "progress"


def save_state(directory: Path, arrays: dict[str, mx.array], progress: dict[str, Any]) -> None:
    """Write named arrays and progress (plain JSON values) to the run's directory."""
    save_arrays(directory / STATE, arrays, {_PROGRESS: json.dumps(progress)})


def load_state(
    directory: Path, expected: dict[str, mx.array], keys: set[str]
) -> tuple[dict[str, mx.array], dict[str, Any]]:
    """The arrays, shaped as `expected`, and the progress with exactly `keys`. Raises ModelError for anything else."""
    path = directory / STATE
    if not path.is_file():
        raise ModelError(f"{directory}: found no training run to resume, expected one with {STATE}")
    arrays, metadata = load_arrays(path)
    progress = json.loads(metadata.get(_PROGRESS, "{}"))
    if not isinstance(progress, dict) or progress.keys() != keys:
        raise ModelError(f"{path}: found no training progress, expected {sorted(keys)}")
    require_shapes(path, arrays, expected)
    return arrays, progress
