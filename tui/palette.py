"""How a role looks: the Okabe–Ito colours on dark and darker relatives of them on light, and the terminal's own 16.

Knows Rich styles and Textual themes, nothing of the engine. Invariant: every role that has a colour also differs by
weight, underline or a character, so NO_COLOR and 16 colours lose nothing.
"""

from typing import Final

from rich.style import Style
from textual.theme import Theme

from tui.spans import Role, Span

DARK: Final = {
    Role.GENERATED: Style(color="#56b4e9"),
    Role.CHANGED: Style(color="#e69f00"),
    Role.CLASH: Style(color="#ff7f2a", underline=True),
    Role.PASS: Style(color="#00c08b", bold=True),
    Role.FAIL: Style(color="#ff7f2a"),
    Role.ENTRY: Style(color="#f0e442", italic=True),
    Role.DIM: Style(color="#8b95a1"),
    Role.SHADE: Style(color="#5b6875"),
}
LIGHT: Final = {
    Role.GENERATED: Style(color="#0062a0"),
    Role.CHANGED: Style(color="#8a5a00"),
    Role.CLASH: Style(color="#b34700", underline=True),
    Role.PASS: Style(color="#00694b", bold=True),
    Role.FAIL: Style(color="#b34700"),
    Role.ENTRY: Style(color="#7a3b69", italic=True),
    Role.DIM: Style(color="#5c6670"),
    Role.SHADE: Style(color="#9aa3ab"),
}
_ANSI: Final = {
    Role.CLASH: Style(color="red", underline=True),
    Role.PASS: Style(color="green", bold=True),
    Role.FAIL: Style(color="red"),
    Role.ENTRY: Style(color="magenta", italic=True),
    Role.DIM: Style(dim=True),
    Role.SHADE: Style(dim=True),
}
ANSI_DARK: Final = _ANSI | {Role.GENERATED: Style(color="cyan"), Role.CHANGED: Style(color="yellow")}
ANSI_LIGHT: Final = _ANSI | {Role.GENERATED: Style(color="blue"), Role.CHANGED: Style(color="magenta")}
_STRONG: Final = {Role.CLUE: Style(bold=True), Role.STRONG: Style(bold=True)}

THEMES: Final = (
    Theme(
        name="okabe-dark",
        primary="#56b4e9",
        secondary="#009e73",
        accent="#e69f00",
        warning="#e69f00",
        error="#ff7f2a",
        success="#00c08b",
        foreground="#e6e9ed",
        background="#10151b",
        surface="#171e26",
        panel="#1f2833",
        dark=True,
    ),
    Theme(
        name="okabe-light",
        primary="#0062a0",
        secondary="#00694b",
        accent="#8a5a00",
        warning="#8a5a00",
        error="#b34700",
        success="#00694b",
        foreground="#15191e",
        background="#fbfbf8",
        surface="#f1f2ee",
        panel="#e4e7e4",
        dark=False,
    ),
)
"""The themes of the house."""
NAMES: Final = (*(theme.name for theme in THEMES), "ansi-dark", "ansi-light")
"""All themes to choose from; the last two, Textual's own, use the terminal's 16 colours."""

LOOKS: Final = {(True, False): DARK, (False, False): LIGHT, (True, True): ANSI_DARK, (False, True): ANSI_LIGHT}


def style(span: Span, dark: bool, ansi: bool) -> Style:
    """The look of a span; a click on it runs its action."""
    colours = LOOKS[dark, ansi]
    look = colours.get(span.role) or _STRONG.get(span.role) or Style()
    if span.marked:
        look += Style(reverse=True)
    return look + Style(meta={"@click": span.click}) if span.click else look
