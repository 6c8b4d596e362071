"""Chat, ready to be drawn."""

from typing import NamedTuple


class ChatRow(NamedTuple):
    """Something that was said."""

    who: str
    said: str
    mine: bool
    called: bool
    """It was said to the reader alone, or has the reader's name in it."""
    old: bool
    """Said before the reader came."""
