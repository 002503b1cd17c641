"""A larger network that begins where a trained one ended: deeper, wider, with finer codes, or with merged heads.

Blocks that are added change nothing at first, because the matrices that write into the residual stream are zero; they
are spread evenly between the trained ones. Knots that are added lie on the line between the trained ones. Channels and
hidden units that are added are read with random weights and written with zeros, so that all of them learn. Only heads
may become fewer: neighbours are merged into one that looks where they looked on average, which is another function.
Knows networks, not how they are trained. Invariant: with as many heads the grown network gives the logits of the
trained one of the same field, bit for bit where only blocks are added and to rounding otherwise.
"""

from dataclasses import asdict, replace

import mlx.core as mx

from sudoku_ncm.blocks import Block
from sudoku_ncm.errors import ModelError
from sudoku_ncm.generator import Generator, GeneratorConfig
from sudoku_ncm.levels import Axis
from sudoku_ncm.ops import interpolate


def grow(model: Generator, config: GeneratorConfig) -> Generator:
    """The network of `config` that computes what `model` does, unless heads are merged.

    New weights come from MLX's global random state.

    Raises ModelError when `config` differs in anything but more blocks or channels, a larger feed-forward, a multiple
    of q, or heads of which each stands for as many old ones.
    """
    old = model.config
    _require_growth(old, config)
    grown = Generator(config)
    scale = (config.channels / old.channels) ** 0.5
    places = mx.arange(config.q + 1) * (old.q / config.q)
    level_in = interpolate(places[None, :, None], model.level_in)[0] if config.q > old.q else model.level_in
    grown.prefix_in, grown.kind_in, grown.level_in = (
        _written(mx.zeros((len(rows), config.channels)), scale * rows)
        for rows in (model.prefix_in, model.kind_in, level_in)
    )
    grown.head = _written(grown.head, model.head / scale)
    trained = {(index + 1) * config.blocks // old.blocks - 1: block for index, block in enumerate(model.blocks)}
    for place, block in enumerate(grown.blocks):
        _silence(block)
        if place in trained:
            _widen(block, trained[place], scale)
    return grown


def _silence(block: Block) -> None:
    """Let `block` write nothing into the residual stream."""
    block.attention.out = mx.zeros_like(block.attention.out)
    block.feed_forward.down = mx.zeros_like(block.feed_forward.down)


def _widen(block: Block, trained: Block, scale: float) -> None:
    """Put the weights of `trained` into the silent `block`, whose residual stream is `scale` times as large.

    So the root mean square over its channels, of which the new ones are zero, is what it was; and what is read of the
    normalized stream is divided by `scale`. Keys of added channels are zero, their queries are not.
    """
    new, old = block.attention, trained.attention
    merged = old.heads // new.heads
    by_head, before = (qkv.reshape(len(qkv), len(Axis), 3, new.heads, -1) for qkv in (new.qkv, old.qkv))
    by_head[:, :, 1, :, before.shape[-1] :] = 0
    sharpness = mx.array([(new.per_digit / old.per_digit) ** 0.5 / merged, 1, 1]).reshape(3, 1, 1)
    new.qkv = _written(by_head, before * sharpness / scale).reshape(new.qkv.shape)
    shape = (len(Axis), new.heads, -1, len(new.out))
    rows = old.out.reshape(len(Axis), new.heads, -1, len(old.out))
    new.out = _written(new.out.reshape(shape), scale * rows).reshape(new.out.shape)
    new.bias = old.bias.reshape(len(Axis), new.heads, merged, -1).mean(axis=2)
    forward, source = block.feed_forward, trained.feed_forward
    forward.up, forward.mean = _written(forward.up, source.up / scale), _written(forward.mean, source.mean / scale)
    forward.down = _written(forward.down, scale * source.down)


def _written(large: mx.array, small: mx.array) -> mx.array:
    """`large` with `small` in its corner."""
    return mx.slice_update(large, small, mx.zeros(small.ndim, mx.int32), tuple(range(small.ndim)))


def _require_growth(old: GeneratorConfig, new: GeneratorConfig) -> None:
    """Raise ModelError naming what differs, unless `new` is `old` but for more of what can grow."""
    more = ("channels", "blocks", "ffn", "q")
    same = new == replace(old, heads=new.heads, **{name: getattr(new, name) for name in more})
    larger = all(getattr(new, name) >= getattr(old, name) for name in more)
    if same and larger and not (new.q % old.q or old.heads % new.heads):
        return
    before, after = asdict(old), asdict(new)
    odd = [name for name in before if before[name] != after[name]]
    found, expected = (", ".join(f"{name} {shape[name]}" for name in odd) for shape in (after, before))
    raise ModelError(
        f"found {found}, expected the shape to begin with, {expected}, "
        "or more channels or blocks, a larger feed-forward, a multiple of q or merged heads"
    )
