"""All commands at one desk, by the names of the key table."""

from tui.editing import Editor
from tui.running import Runner
from tui.viewing import Viewer


class Controller(Runner, Viewer, Editor):
    """What the keys of `keys.KEYS` do, without a screen."""
