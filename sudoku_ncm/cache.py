"""The generation-local prefix cache: keys and values of the puzzle's 81 cells, per block.

Filled inside the forward of level 0, read by every later level, discarded with its generation. Valid because prefix
positions attend to prefix positions only and no level input enters them. Keys are kept after normalization and
projection, before scores; there is no rotary stage. Invariant: the cache belongs to its `clues`;
rows leave both together.
"""

from dataclasses import dataclass, field

import mlx.core as mx

KeyValue = tuple[mx.array, mx.array]
"""Keys and values, each `[B, 3 axes, 9 units, heads, 9 cells, head size]`."""


@dataclass
class PrefixCache:
    """Prefix keys and values of one generation; `clues` is `[B, 81]` int32, `blocks` is empty until level 0 ran."""

    clues: mx.array
    blocks: list[KeyValue] = field(default_factory=list)

    @property
    def filled(self) -> bool:
        """Whether level 0 has left its prefix keys and values here."""
        return bool(self.blocks)

    @property
    def arrays(self) -> list[mx.array]:
        """All keys and values held, to evaluate or to measure."""
        return [array for pair in self.blocks for array in pair]

    @property
    def nbytes(self) -> int:
        """K/V payload in bytes: 2 · blocks · B · 81 · 9·C · 4 (three axes of C/3 channels each)."""
        return sum(array.nbytes for array in self.arrays)

    def __getitem__(self, group: slice) -> "PrefixCache":
        """The cache of a few neighbouring rows; filling it does not fill this one."""
        return PrefixCache(self.clues[group], [(k[group], v[group]) for k, v in self.blocks])

    def fill(self, groups: list["PrefixCache"]) -> None:
        """Take the keys and values of all groups of rows, in order."""
        for pairs in zip(*(group.blocks for group in groups), strict=True):
            self.blocks.append((mx.concatenate([k for k, _ in pairs]), mx.concatenate([v for _, v in pairs])))

    def rows(self, keep: mx.array) -> "PrefixCache":
        """The cache of the batch rows `keep` (int indices, may repeat), for compaction."""
        blocks = [(k[keep], v[keep]) for k, v in self.blocks]
        return PrefixCache(self.clues[keep], blocks)
