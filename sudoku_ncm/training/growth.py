"""A larger network that begins where a trained one ended: more blocks or finer codes, the same function.

Blocks that are added change nothing at first, because the matrices that write into the residual stream are zero; they
are spread evenly between the trained ones. Knots that are added lie on the line between the trained ones. Knows
networks, not how they are trained. Invariant: of the same field the grown network gives the logits of the trained one,
bit for bit where no knots are added and to rounding where they are.
"""

from dataclasses import asdict, replace

import mlx.core as mx

from sudoku_ncm.errors import ModelError
from sudoku_ncm.generator import Generator, GeneratorConfig
from sudoku_ncm.ops import interpolate


def grow(model: Generator, config: GeneratorConfig) -> Generator:
    """The network of `config` that computes what `model` does; new weights come from MLX's global random state.

    Raises ModelError when `config` differs in anything but a larger number of blocks or a multiple of q.
    """
    old = model.config
    _require_growth(old, config)
    grown = Generator(config)
    grown.update({name: value for name, value in model.parameters().items() if name != "blocks"})
    if config.q > old.q:
        places = mx.arange(config.q + 1) * (old.q / config.q)
        grown.level_in = interpolate(places[None, :, None], model.level_in)[0]
    trained = {(index + 1) * config.blocks // old.blocks - 1: block for index, block in enumerate(model.blocks)}
    for place, block in enumerate(grown.blocks):
        if place in trained:
            block.update(trained[place].parameters())
        else:
            block.attention.out = mx.zeros_like(block.attention.out)
            block.feed_forward.down = mx.zeros_like(block.feed_forward.down)
    return grown


def _require_growth(old: GeneratorConfig, new: GeneratorConfig) -> None:
    """Raise ModelError naming what differs, unless `new` has more blocks or a multiple of q and is else as `old`."""
    if new == replace(old, blocks=new.blocks, q=new.q) and new.blocks >= old.blocks and new.q % old.q == 0:
        return
    before, after = asdict(old), asdict(new)
    odd = [name for name in before if before[name] != after[name]]
    found, expected = (", ".join(f"{name} {shape[name]}" for name in odd) for shape in (after, before))
    raise ModelError(f"found {found}, expected the shape to begin with, {expected}, or more blocks or a multiple of q")
