"""The layouts of puzzle files, in the order in which they are asked.

To add one: write a module with a function of type `source.Layout` and put it into the table before `unknown`.

Invariant: the last layout takes any line, so a file is always read to its end.
"""

from typing import Final

from checker.layouts.drawn import drawn
from checker.layouts.idle import idle
from checker.layouts.markup import markup
from checker.layouts.nested import nested
from checker.layouts.oneline import oneline
from checker.layouts.plain import plain
from checker.layouts.sections import section
from checker.layouts.table import table
from checker.layouts.titles import title
from checker.layouts.unknown import unknown
from checker.layouts.url import url
from checker.source import Layout

LAYOUTS: Final[tuple[Layout, ...]] = (
    plain,
    idle,
    markup,
    section,
    nested,
    url,
    table,
    title,
    oneline,
    drawn,
    unknown,
)
