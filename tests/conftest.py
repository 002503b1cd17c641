"""What several tests share: a fast BLAS before MLX, a tiny seeded network, generated puzzles, the bundled engine."""

import numpy as np
import pytest

from checker.generate import puzzles as generate
from sudoku_ncm import blas

blas.prepare()

import mlx.core as mx  # noqa: E402

from sudoku_ncm import checkpoint  # noqa: E402
from sudoku_ncm.commands.common import BUNDLED  # noqa: E402
from sudoku_ncm.engine import Engine  # noqa: E402
from sudoku_ncm.generator import Generator, GeneratorConfig  # noqa: E402

TINY = GeneratorConfig(channels=12, blocks=2, heads=2)


@pytest.fixture
def tiny() -> Generator:
    """A network with random weights, biases and kind vectors included: nothing in it is zero."""
    mx.random.seed(7)
    model = Generator(TINY)
    model.update({"kind_in": mx.random.normal(model.kind_in.shape), "head": mx.random.normal(model.head.shape)})
    for block in model.blocks:
        block.attention.bias = mx.random.normal(block.attention.bias.shape)
    mx.eval(model.parameters())
    return model


@pytest.fixture(scope="session")
def clues() -> np.ndarray:
    """Twelve puzzles `[12, 81]` of 22 to 40 clues."""
    return np.stack([puzzle for puzzle, _ in generate(12, seed=5, lo=26, hi=40)])


@pytest.fixture(scope="session")
def bundled() -> Engine:
    """The engine on the bundled checkpoint."""
    return Engine(checkpoint.load(BUNDLED))
