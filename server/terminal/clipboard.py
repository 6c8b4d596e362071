"""A text for the player's clipboard, over any line: OSC 52 of xterm's control sequences."""

from base64 import b64encode
from typing import Final

MOST: Final = 4000
"""Characters that are sent: more than any text here has, and less than any terminal's limit."""


def clipboard(text: str) -> str:
    """What to send so that the terminal has ``text`` on its clipboard: prints nothing, moves nothing, asks
    for no answer. Of characters that are not seen, only the ends of lines are copied.
    """
    shown = "".join(char for char in text if char == "\n" or char.isprintable())[:MOST]
    return f"\x1b]52;c;{b64encode(shown.encode()).decode()}\x1b\\"
