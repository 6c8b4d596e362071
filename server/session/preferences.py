"""How one player wants the game shown."""

from dataclasses import dataclass
from typing import Final

REVEAL_SECONDS: Final = (2, 4, 6, 10, 0)
"""How long a revealed round may stay; 0: until Space is pressed."""

CHATS: Final = ("all", "own", "none")
"""What of the chat may be shown unasked: all that is said here, what is for this player, nothing."""


@dataclass(frozen=True, slots=True)
class Preferences:
    """What can be switched while playing."""

    sure: bool = False
    """Ask once more when one's own bid would be the last and reveal the round."""
    reveal_seconds: int = 6
    """One of ``REVEAL_SECONDS``."""
    animation: bool = True
    bell: bool = True
    """Ring when the others wait for this player."""
    notify: bool = True
    """Have the terminal show a notification then, too, where it is known to be able to."""
    chat: str = "all"
    """One of ``CHATS``."""
    keys: str = ""
    """The player's own keys at the table, as ``keymap`` keeps them."""
    talk: str = "normal"
    """How much line mode says unasked: a value of ``lines.talk.Talk``."""
