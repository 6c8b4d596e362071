"""What a terminal is asked when it is taken over, and what its answers mean.

Nothing waits for the answers: they come in among the keys, or never. How wide characters are, the locale
does not tell: most terminals draw box characters one column wide in East Asia, too.
"""

import re
from typing import Any, Final

from server.terminal.capabilities import Capabilities, Colours
from server.terminal.drawing.theme import contrast

_WIDTH: Final = "\x1b[2;1H\u2500\x1b[6n"
"""Where is the cursor behind a character of boxes (CPR)? In the second row, as reports of the first may be
keys."""
_BACKGROUND: Final = "\x1b]11;?\a"
"""The background's colour? (OSC 11; urxvt only ends its answer well when it is asked so.)"""

_TWO_COLUMNS: Final = "[2;3R"
_COLOUR: Final = re.compile(
    r"11;rgba?:([0-9a-f]{1,4})/([0-9a-f]{1,4})/([0-9a-f]{1,4})\b.*", re.IGNORECASE
)


def questions(abilities: Capabilities) -> tuple[str, str]:
    """What to send before the first picture, and what behind it: on a slow line, that comes first."""
    if abilities.wraps:  # a MUD client, or a program
        return "", ""
    unknown = abilities.light is None and abilities.colours > Colours.NONE
    return _WIDTH if abilities.unicode else "", _BACKGROUND if unknown else ""


def found(answer: str, abilities: Capabilities) -> dict[str, Any]:
    """The abilities that an ``answer``, as ``KeyDecoder`` hands it over, adds to what is known.

    Once each, as every change has the whole screen painted anew.
    """
    if answer == _TWO_COLUMNS and abilities.unicode:
        return {"unicode": False}
    if abilities.light is None and (colour := _COLOUR.fullmatch(answer)):
        channels = (round(255 * int(each, 16) / (16 ** len(each) - 1)) for each in colour.groups())
        ground = "#{:02x}{:02x}{:02x}".format(*channels)
        return {"light": contrast(ground, "#000000") > contrast(ground, "#ffffff")}
    return {}
