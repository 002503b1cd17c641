"""The generator network: puzzle prefix and field in, logits of one level out.

Reads top to bottom: configuration, embedding of prefix and level, blocks, head. Knows nothing of exits, checkers or
attempts. Invariants: nothing but the field, the kind of level and the prefix enters a level; one forward per executed
level, and the forward of level 0 also carries the prefix and fills the cache.
"""

from dataclasses import dataclass
from typing import Final

import mlx.core as mx
from mlx.nn.layers.base import Module

from sudoku_ncm.blocks import Block
from sudoku_ncm.cache import PrefixCache
from sudoku_ncm.field import pool, quantize, refine
from sudoku_ncm.levels import CELLS, DIGITS, Axis, Kind, LevelPlan
from sudoku_ncm.ops import interpolate, normalize, per_puzzle
from sudoku_ncm.streams import waves

ATTENTION: Final = "block_diagonal"


@dataclass(frozen=True)
class GeneratorConfig:
    """Everything that fixes the shape and meaning of the weights; `plan` repeats its last kind.

    Raises ValueError when the values do not fit together or name an attention policy other than `block_diagonal`.
    """

    channels: int = 36
    blocks: int = 6
    heads: int = 2
    ffn: int = 2
    q: int = 16
    plan: tuple[str, ...] = ("box-row", "box-column", "cell")
    attention: str = ATTENTION

    def __post_init__(self) -> None:
        if self.attention != ATTENTION:
            raise ValueError(
                f'attention policy "{self.attention}" is not supported: the prefix cache needs "{ATTENTION}"'
            )
        sizes = (self.channels, self.blocks, self.heads, self.ffn, self.q)
        if not all(isinstance(size, int) and size > 0 for size in sizes):
            raise ValueError(f"channels, blocks, heads, ffn and q must be positive integers, found {sizes}")
        if self.channels % (len(Axis) * self.heads):
            raise ValueError(f"channels must be a multiple of 3·heads, found {self.channels} and {self.heads} heads")
        object.__setattr__(self, "plan", tuple(self.plan))
        self.level_plan(len(self.plan))

    def level_plan(self, levels: int) -> LevelPlan:
        """The kinds of a generation of `levels` levels."""
        return LevelPlan.parse(list(self.plan), levels)


class Generator(Module):
    """The network of `config`; weights are drawn from MLX's global random state."""

    def __init__(self, config: GeneratorConfig) -> None:
        super().__init__()
        self.config = config
        c = config.channels
        self.prefix_in = mx.random.normal((3, c))
        self.level_in = mx.random.normal((config.q + 1, c))
        self.kind_in = mx.zeros((len(Kind), c))
        self.blocks = [Block(c, config.heads, config.ffn * c, config.blocks) for _ in range(config.blocks)]
        self.head = mx.random.normal((c, 1)) * 0.1 * c**-0.5

    def __call__(self, field: mx.array, kind: Kind, cache: PrefixCache) -> mx.array:
        """Logits `[B, l, 9]` of a level of `kind` from the field `[B, 81, 9]`.

        An unfilled cache is filled on the way; a filled one is only read.
        """
        parts: list[PrefixCache] = []
        logits: list[mx.array] = []
        for wave in waves(field.shape[0]):
            mx.eval(logits)  # of the waves before
            for group, stream in wave:
                with mx.stream(stream):
                    parts.append(cache[group])
                    logits.append(self._group(field[group], kind, parts[-1]))
        if not cache.filled:
            cache.fill(parts)
        return mx.concatenate(logits)

    def _group(self, field: mx.array, kind: Kind, cache: PrefixCache) -> mx.array:
        x = self.embed_level(field, kind)
        prefix = None if cache.filled else self.embed_prefix(cache.clues)
        for index, block in enumerate(self.blocks):
            if prefix is not None:
                prefix = self._advance_prefix(block, prefix, cache)
            x = block.level(x, kind, cache.blocks[index])
        return per_puzzle(normalize(x), self.head).reshape(-1, kind.positions, DIGITS)

    def step(
        self, field: mx.array, kind: Kind, cache: PrefixCache, noise: mx.array | None = None
    ) -> tuple[mx.array, mx.array]:
        """One level: its logits `[B, l, 9]`, with `noise` added if given, and the field refined by their codes."""
        logits = self(field, kind, cache)
        logits = logits if noise is None else logits + noise
        return logits, refine(field, quantize(logits, kind, self.config.q), kind, self.config.q)

    def _advance_prefix(self, block: Block, prefix: mx.array, cache: PrefixCache) -> mx.array:
        """Store the block's prefix keys and values and move the prefix on (lazily: nobody asks the last block to)."""
        states = block.prefix_states(prefix)
        _, k, v = states
        cache.blocks.append((k, v))
        return block.prefix(prefix, states)

    def embed_prefix(self, clues: mx.array) -> mx.array:
        """Clues `[B, 81]` (0 = blank) -> `[B, 9·81, C]`: is this digit the clue, is the cell blank, is it another."""
        clue, digits = clues[..., None], mx.arange(1, DIGITS + 1)
        this, blank = clue == digits, mx.broadcast_to(clue == 0, (*clues.shape, DIGITS))
        features = mx.stack([this, blank, ~(this | blank)], axis=-1).astype(mx.float32)
        return per_puzzle(features.reshape(-1, DIGITS * CELLS, 3), self.prefix_in)

    def embed_level(self, field: mx.array, kind: Kind) -> mx.array:
        """Field -> `[B, 9·l, C]`: its pooled value at q+1 knots of [0, 1], linear between, plus the kind's vector."""
        values = (pool(field, kind) * (kind.span * self.config.q)).reshape(field.shape[0], -1, 1)
        return interpolate(values, self.level_in) + self.kind_in[list(Kind).index(kind)]
