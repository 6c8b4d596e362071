"""Calling a player back to the table: the bell, and a notification where the terminal can show one."""

from collections.abc import Callable, Mapping
from typing import Final

from server.session.settings import Preferences
from server.terminal.capabilities import Capabilities

_BELL: Final = "\a"
_OSC: Final = "\x1b]"
_ST: Final = "\x1b\\"

WAYS: Final[Mapping[str, Callable[[str, str], str]]] = {
    # iTerm2's, which kitty, Ghostty and WezTerm have taken over.
    "osc9": lambda title, text: f"{_OSC}9;{title}: {text}{_ST}",
    # urxvt's, which foot and Contour have taken over.
    "osc777": lambda title, text: f"{_OSC}777;notify;{title};{text}{_ST}",
}
"""Sequences that show a notification; their texts have no semicolon and no control character."""


def attention(preferences: Preferences, abilities: Capabilities, why: str) -> str:
    """What to send when the player is wanted at the table, ``why`` being a short sentence; prints nothing
    and does not move the cursor.
    """
    said = _BELL if preferences.bell else ""
    way = WAYS.get(abilities.notifies)
    if preferences.notify and way is not None:
        said += way("Turn the Tide", why)
    return said
