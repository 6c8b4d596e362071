"""A player as the lobby and a table know him or her: one record, whichever connection it is now."""

import asyncio
from typing import TYPE_CHECKING

from server.coordinator.chat.filter import ChatFilter
from server.coordinator.feed import BoundedFeed
from server.coordinator.messages import Player

if TYPE_CHECKING:
    from server.coordinator.table.actor import Table


class Presence:
    """Somebody who is connected, or has a seat at a table, or both."""

    __slots__ = ("asked", "ear", "feed", "lock", "player", "rating", "source", "submitted", "table")

    def __init__(self, player: Player) -> None:
        self.player = player
        self.feed: BoundedFeed | None = None
        """Of the current visit; ``None`` while there is none."""
        self.table: Table | None = None
        """Where the player sits or watches; ``None`` in the lobby. Set by the table."""
        self.submitted = 0
        """Commands whose sender waits for an answer."""
        self.asked = 0
        """Commands that lie in a table's inbox or are being carried out, whether or not somebody waits."""
        self.rating: int | None = None
        """How strong the player is, as people are told it; ``None`` for guests, and before it is known."""
        self.source = ""
        """Where the current visit comes from; empty when that does not count."""
        self.lock = asyncio.Lock()
        """A player's commands are carried out one after the other, in the order submitted."""
        self.ear = ChatFilter()
        """What of the chat reaches this player."""
