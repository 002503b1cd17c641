"""`sudoku-ncm info`: which model, which BLAS, which versions; the card of the model."""

import json
import platform
from importlib.metadata import version
from pathlib import Path

import click

from sudoku_ncm import __version__, blas
from sudoku_ncm.commands.common import load_engine, machine, model_option


@click.command("info")
@model_option
def command(model: Path) -> None:
    """Say what serves: versions, machine, BLAS, and the model with its card (JSON)."""
    serving = blas.prepare()
    engine = load_engine(model)
    import mlx.core as mx

    from sudoku_ncm.checkpoint import CARD, model_hash, named, read_json

    report = {
        "sudoku_ncm": __version__,
        "python": platform.python_version(),
        "machine": machine(),
        "packages": {name: version(name) for name in ("mlx", "numpy", "click", "textual")},
        "device": str(mx.default_device()),
        "blas": {"name": serving.name, "file": serving.file},
        "model": {
            "directory": model.name,
            "sha256": model_hash(model),
            "parameters": sum([value.size for value in named(engine.model.parameters()).values()]),
            "config": engine.model.config.__dict__,
        },
        "card": read_json(model / CARD),
    }
    click.echo(json.dumps(report, indent=1))
    if serving.name == "reference":
        click.echo("no fast BLAS found: everything works, slower (Debian: libopenblas0-pthread)", err=True)
