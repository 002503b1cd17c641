"""Whether two evaluations are the same one: ranks of one run, or a run and what goes on with it.

Knows settings as JSON holds them, not what they are about. Invariant: where an evaluation runs is no part of it.
"""

import json
from typing import Any

_LOCAL = {"packages", "machine", "threads", "blas"}
"""Settings in which hosts may differ."""


def differing(ours: dict[str, Any], theirs: dict[str, Any]) -> list[str]:
    """Names of the settings that make two evaluations different ones, in order."""
    ours, theirs = (json.loads(json.dumps(settings)) for settings in (ours, theirs))
    names = (ours.keys() | theirs.keys()) - _LOCAL
    return sorted(name for name in names if ours.get(name) != theirs.get(name))
