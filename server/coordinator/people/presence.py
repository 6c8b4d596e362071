"""A player as the lobby and a table know him or her: one record, whichever connection it is now."""

from asyncio import Lock
from dataclasses import dataclass, field

from server.coordinator.feed import Feed
from server.coordinator.messages import Player


@dataclass(slots=True, eq=False)
class Presence:
    """Somebody who is connected, or has a seat at a table, or both."""

    player: Player
    feed: Feed | None = None
    """Of the current visit; ``None`` while there is none."""
    table: str = ""
    """The id of the table where the player sits or watches; empty in the lobby."""
    submitted: int = 0
    """Commands whose sender waits for an answer."""
    asked: int = 0
    """Commands that lie in a table's inbox or are being carried out, whether or not somebody waits."""
    rating: int | None = None
    """How strong the player is, as people are told it; ``None`` for guests, and before it is known."""
    source: str = ""
    """Where the current visit comes from; empty when that does not count."""
    lock: Lock = field(default_factory=Lock)
    """A player's commands are carried out one after the other, in the order submitted."""
