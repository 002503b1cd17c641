"""A deeper network that begins where a trained one ended: more blocks, the same function.

Blocks that are added change nothing at first, because the matrices that write into the residual stream are zero; they
are spread evenly between the trained ones. Knows networks, not how they are trained. Invariant: the grown network
gives the logits of the trained one, bit for bit.
"""

from dataclasses import replace

import mlx.core as mx

from sudoku_ncm.errors import ModelError
from sudoku_ncm.generator import Generator, GeneratorConfig


def grow(model: Generator, config: GeneratorConfig) -> Generator:
    """The network of `config` that computes what `model` does; new weights come from MLX's global random state.

    Raises ModelError when `config` differs in anything but a larger number of blocks.
    """
    old = model.config
    if config != replace(old, blocks=config.blocks) or config.blocks < old.blocks:
        raise ModelError(f"found {config}, expected the shape to begin with, {old}, with as many or more blocks")
    grown = Generator(config)
    grown.update({name: value for name, value in model.parameters().items() if name != "blocks"})
    trained = {(index + 1) * config.blocks // old.blocks - 1: block for index, block in enumerate(model.blocks)}
    for place, block in enumerate(grown.blocks):
        if place in trained:
            block.update(trained[place].parameters())
        else:
            block.attention.out = mx.zeros_like(block.attention.out)
            block.feed_forward.down = mx.zeros_like(block.feed_forward.down)
    return grown
