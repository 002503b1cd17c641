"""The layouts of puzzle files, in the order in which they are asked.

To add one: write a module with a function of type `source.Layout` and put it into the table before `unknown`.

Invariant: the last layout takes any line, so a file is always read to its end.
"""

from typing import Final

from checker.layouts.drawn import drawn
from checker.layouts.oneline import oneline
from checker.layouts.unknown import unknown
from checker.source import Layout

LAYOUTS: Final[tuple[Layout, ...]] = (oneline, drawn, unknown)
