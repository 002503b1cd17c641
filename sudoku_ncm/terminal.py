"""What the terminal at hand can show: colour, and more than ASCII.

Knows streams and the environment, and draws nothing. Invariant: in doubt, plain ASCII without colour.
"""

import os
from typing import TextIO


def colour(stream: TextIO) -> bool:
    """Whether to colour: only on a terminal that can, and never with NO_COLOR (https://no-color.org)."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def unicode(stream: TextIO) -> bool:
    """Whether box-drawing characters are safe: a UTF encoding that is not just what Python makes of LC_ALL=C."""
    plain = os.environ.get("LC_ALL") in ("C", "POSIX") and "PYTHONIOENCODING" not in os.environ
    return (stream.encoding or "").lower().startswith("utf") and not plain
