"""`sudoku-ncm tui`: the window in which one level is one key."""

import os
import shlex
import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

import click

from sudoku_ncm.commands.common import GenerationOptions, exit_policy, generation_options, load_engine, options
from sudoku_ncm.errors import UsageError
from sudoku_ncm.policy import ExitPolicy, Options

if TYPE_CHECKING:
    from tui.app import Window
    from tui.batch import Batch
    from tui.driver import Loaded

NO_TERMINAL = "tui: found no terminal, expected one; use `sudoku-ncm solve -` to read puzzles from a pipe"


class Size(click.ParamType[tuple[int, int]]):
    """A size in characters: WIDTHxHEIGHT."""

    name = "WxH"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, int]:
        """`80x24` -> (80, 24)."""
        if isinstance(value, tuple):
            return value[0], value[1]
        width, _, height = str(value).partition("x")
        if not (width.isdigit() and height.isdigit()):
            self.fail(f'found "{value}", expected for example 80x24', param, ctx)
        return int(width), int(height)


@dataclass(frozen=True)
class _Wanted:
    """What the command line asks of the window."""

    model: Path
    generation: Options
    puzzles: str | None
    number: int
    resume: bool
    batch: str | None


@click.command("tui")
@click.argument("puzzles", required=False, metavar="[FILE|81-CHARS]")
@generation_options
@click.option("--index", type=click.IntRange(min=1), default=1, help="Start at the N-th puzzle of the input.")
@click.option("--resume", is_flag=True, help="Take up the session that was saved on leaving.")
@click.option("--batch", help="Run all puzzles of this file, with live figures; enter opens one.", metavar="FILE")
@click.option("--web", is_flag=True, help="Serve the window to a browser on this machine (needs the extra `web`).")
@click.option("--port", type=click.IntRange(1, 65535), default=8000, show_default=True, help="Port of --web.")
@click.option("--theme", help="okabe-dark, okabe-light, ansi-dark or ansi-light.")
@click.option("--screenshot", type=click.Path(dir_okay=False, path_type=Path), help="Write an SVG picture instead.")
@click.option("--press", default="", help='Keys to press before the picture, as "space space o".')
@click.option("--size", type=Size(), default="80x24", show_default=True, help="Size of the picture in characters.")
def command(
    puzzles: str | None,
    index: int,
    resume: bool,
    batch: str | None,
    web: bool,
    port: int,
    theme: str | None,
    screenshot: Path | None,
    press: str,
    size: tuple[int, int],
    **generation: Unpack[GenerationOptions],
) -> int:
    """Step through the levels of a puzzle and see what each did, saved and cost."""
    chosen = options(batch_size=1, **generation)
    if web:
        return serve(port)
    if screenshot is None:
        need_terminal()
    window = _window(_Wanted(generation["model"], chosen, puzzles, index - 1, resume, batch))
    if theme is not None:
        _set_theme(window, theme)
    if screenshot is not None:
        from tui.headless import save

        save(window, press.split(), size, screenshot)
        return 0
    window.run()
    return window.return_code or 0


def need_terminal() -> None:
    """Raise UsageError where there is no terminal to draw on, nor a browser (`--web` names a driver of its own)."""
    if os.environ.get("TEXTUAL_DRIVER"):
        return
    if not all(stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr)) or os.environ.get("TERM") == "dumb":
        raise UsageError(NO_TERMINAL)


def serve(port: int) -> int:
    """Serve the same command line, without --web, on localhost; every visitor has a process of their own."""
    try:
        server = import_module("textual_serve.server")
    except ImportError:
        raise UsageError("--web: textual-serve is not installed; pip install 'sudoku-ncm[web]'") from None
    arguments = [argument for argument in sys.argv[1:] if argument != "--web"]
    command = shlex.join([sys.executable, "-m", "sudoku_ncm", *arguments])
    server.Server(command, host="localhost", port=port, title="sudoku-ncm").serve()
    return 0


def _window(wanted: _Wanted) -> "Window":
    from tui.app import Window
    from tui.library import from_argument, own
    from tui.saved import load

    def parse(text: str, levels: int) -> ExitPolicy:
        return exit_policy(text, wanted.model, 1, levels)

    saved, greeting = load(parse) if wanted.resume else (None, "")
    library = saved.library() if saved else from_argument(wanted.puzzles) if wanted.puzzles else own()
    batch = _batch(wanted.batch) if wanted.batch else None
    return Window(loader(wanted.model), library, wanted.generation, wanted.number, saved, greeting, parse, batch)


def _batch(file: str) -> "Batch":
    from sudoku_ncm.evaluation.dataset import samples
    from tui.batch import Batch

    batch = Batch.of(file, list(samples((file,))))
    if not batch.samples:
        raise UsageError(f"--batch {file}: found no puzzle in it")
    return batch


def _set_theme(window: "Window", theme: str) -> None:
    from tui.palette import NAMES

    if theme not in NAMES:
        raise UsageError(f'--theme: found "{theme}", expected {", ".join(NAMES)}')
    window.theme = theme


def loader(model: Path) -> "Callable[[], Loaded]":
    """The function that loads the model and says what serves; to be called on the thread that will own MLX."""

    def load() -> "Loaded":
        from sudoku_ncm import blas
        from tui.driver import Loaded

        engine = load_engine(model)
        import mlx.core as mx

        from sudoku_ncm.checkpoint import named

        weights = named(engine.model.parameters())  # type: ignore[no-untyped-call]
        size = sum([value.size for value in weights.values()])
        device = str(mx.default_device().type).rpartition(".")[2]
        return Loaded(engine, f"{model.name} {size / 1e3:.0f}k f32 mlx:{device} {blas.prepare().name}")

    return load
