"""A checkpoint is a directory: config.json, model.safetensors and card.json. Loading is strict and ends evaluated.

Knows files and shapes, not how weights came about. Invariant: a directory that loads is the model its config says:
unknown, missing or misshapen keys are refused, never skipped.
"""

import hashlib
import json
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any, cast

import mlx.core as mx
from mlx.utils import tree_flatten, tree_unflatten

from sudoku_ncm.errors import ModelError
from sudoku_ncm.generator import Generator, GeneratorConfig

CONFIG, WEIGHTS, CARD = "config.json", "model.safetensors", "card.json"
Loaded = tuple[dict[str, mx.array], dict[str, str]]


def read_json(path: Path) -> dict[str, Any]:
    """The object in a JSON file. Raises ModelError when it is missing, damaged or not an object."""
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ModelError(f"{path}: found no readable file ({error.strerror}), expected a JSON object") from None
    except ValueError as error:
        raise ModelError(f"{path}: found damaged JSON ({error}), expected an object") from None
    if not isinstance(value, dict):
        raise ModelError(f"{path}: found {type(value).__name__}, expected a JSON object")
    return value


def load_config(directory: Path) -> GeneratorConfig:
    """The configuration of a checkpoint. Raises ModelError for unknown or missing keys and impossible values."""
    values = read_json(directory / CONFIG)
    known = {f.name for f in fields(GeneratorConfig)}
    if values.keys() != known:
        odd = sorted(values.keys() ^ known)
        raise ModelError(f"{directory / CONFIG}: found unknown or missing keys {odd}, expected {sorted(known)}")
    try:
        return GeneratorConfig(**values)
    except (TypeError, ValueError) as error:
        raise ModelError(f"{directory / CONFIG}: {error}") from None


def load(directory: Path) -> Generator:
    """The generator of a checkpoint, weights evaluated. Raises ModelError for missing, damaged or misshapen parts."""
    if not directory.is_dir():
        raise ModelError(f"{directory}: found no model directory, expected one with {CONFIG}, {WEIGHTS} and {CARD}")
    model = Generator(load_config(directory))
    weights = load_arrays(directory / WEIGHTS)[0]
    require_shapes(directory / WEIGHTS, weights, named(model.parameters()))
    model.update(tree_unflatten(list(weights.items())))
    mx.eval(model.parameters())
    return model


def require_shapes(path: Path, found: dict[str, mx.array], expected: dict[str, mx.array]) -> None:
    """Raise ModelError at the first array of `path` that is missing, unknown or of another shape than expected."""
    for name in sorted(expected.keys() | found.keys()):
        shapes = [arrays[name].shape if name in arrays else "nothing" for arrays in (found, expected)]
        if shapes[0] != shapes[1]:
            raise ModelError(f"{path}: {name}: found {shapes[0]}, expected {shapes[1]} by {CONFIG}")


def named(tree: dict[str, Any]) -> dict[str, mx.array]:
    """The arrays of a nested tree of parameters or optimizer state by dotted name."""
    return {name: value for name, value in tree_flatten(tree) if isinstance(value, mx.array)}  # type: ignore[str-unpack]


def load_arrays(path: Path) -> Loaded:
    """Named float32 arrays and the metadata of a safetensors file.

    Raises ModelError when it is missing, damaged or of another type.
    """
    if not path.is_file():
        raise ModelError(f"{path}: found no such file, expected float32 arrays")
    try:
        arrays, metadata = cast(Loaded, mx.load(str(path), return_metadata=True))
        mx.eval(arrays)
    except (RuntimeError, ValueError) as error:
        reason = str(error).splitlines()[0]
        raise ModelError(f"{path}: found a damaged safetensors file ({reason}), expected float32 arrays") from None
    for name, value in arrays.items():
        if value.dtype != mx.float32:
            raise ModelError(f"{path}: {name}: found {value.dtype}, expected {mx.float32}")
    return arrays, metadata


def save(directory: Path, model: Generator, card: dict[str, Any]) -> None:
    """Write a checkpoint; each file appears whole or not at all."""
    directory.mkdir(parents=True, exist_ok=True)
    write_json(directory / CONFIG, asdict(model.config))
    save_arrays(directory / WEIGHTS, named(model.parameters()))
    write_json(directory / CARD, card)


def write_json(path: Path, value: dict[str, Any]) -> None:
    """Write JSON by way of a temporary file beside it."""
    part = path.with_name(f".{path.name}.part")
    part.write_text(json.dumps(value, indent=1) + "\n", encoding="utf-8")
    part.replace(path)


def save_arrays(path: Path, arrays: dict[str, mx.array], metadata: dict[str, str] | None = None) -> None:
    """Write a safetensors file by way of a temporary file beside it."""
    part = path.with_name(f".part.{path.name}")
    mx.save_safetensors(str(part), arrays, metadata or {})
    part.replace(path)


def model_hash(directory: Path) -> str:
    """SHA-256 of the weights file, to name the model in a report."""
    return hashlib.sha256((directory / WEIGHTS).read_bytes()).hexdigest()
