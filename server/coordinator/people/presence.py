"""A player as the lobby and a table know him or her: one record, whichever connection it is now."""

import asyncio

from server.coordinator.feed import BoundedFeed
from server.coordinator.messages import Player


class Presence:
    """Somebody who is connected, or has a seat at a table, or both."""

    __slots__ = ("asked", "feed", "lock", "player", "rating", "source", "submitted", "table")

    def __init__(self, player: Player) -> None:
        self.player = player
        self.feed: BoundedFeed | None = None
        """Of the current visit; ``None`` while there is none."""
        self.table = ""
        """The id of the table where the player sits or watches; empty in the lobby."""
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
