"""What is known of somebody who is connected, or has a seat."""

from asyncio import Lock
from collections.abc import Set
from dataclasses import dataclass, field
from typing import NamedTuple

from server.coordinator import messages as m
from server.coordinator.feed import NOBODY, Feed
from server.coordinator.table_index import TableIndex


class Spoken(NamedTuple):
    """A line, and what only the server knows of it."""

    line: m.ChatLine
    sender: str
    """The id of who said it: names can change."""
    apart: bool = False
    """Said by a spectator while a rated game ran: not for who plays it."""
    until_after: tuple[int, int, int] | None = None
    """Said by a player at a table whose spectators are a round behind: the round after which they hear it."""
    among: Set[str] | None = None
    """Said while the table was private: the ids of those who were there then, and of nobody else."""


@dataclass(slots=True, eq=False)
class Presence:
    """Somebody who is connected, or has a seat at a table, or both."""

    player: m.Player
    places: TableIndex
    feed: Feed = NOBODY
    """Of the current visit; ``NOBODY`` while there is none."""
    goal: str = ""
    """The code of the table to which this visit has gone last; empty for the lobby."""
    submitted: int = 0
    """Commands whose sender waits for an answer."""
    asked: int = 0
    """Commands that lie in a table's inbox or are being carried out, whether or not somebody waits."""
    rating: int | None = None
    """How strong the player is, as people are told it; ``None`` for guests, and before it is known."""
    level: int = 0
    """Of the bots that are as strong (``engine.bots.LADDER``); 0 for guests, and while it is not known."""
    source: str = ""
    """Where the current visit comes from; empty when that does not count."""
    lock: Lock = field(default_factory=Lock)
    """A player's commands are carried out one after the other, in the order submitted."""
    muted: dict[str, str] = field(default_factory=dict)
    """Ids of people who are not heard during this stay, and their names."""
    blocked: dict[str, str] = field(default_factory=dict)
    """The same, for good."""
    direct: list[Spoken] = field(default_factory=list)
    """What was said to and by this person alone."""
    opened: dict[str, str] = field(default_factory=dict)
    """At which tables requests with a key have ended, by their keys; the latest ones."""
    opening: tuple[str, str] = "", ""
    """The key of a request that is being carried out, or was when the connection was cut; and its table."""
    room: str = ""
    """The room whose history the present connection has been given."""

    @property
    def table(self) -> str:
        """The code of the table that the player looks at, sitting or watching; empty in the lobby."""
        return self.places.at(self.player.id, self.goal)

    @property
    def shown(self) -> str:
        """The code of the table that is on the screen; empty for the lobby, or for who is not here."""
        shown = self.feed.now.table
        return shown.info.id if shown is not None else ""

    @property
    def connected(self) -> bool:
        """Whether the player is connected."""
        return self.feed is not NOBODY

    def shuts_out(self, person: str) -> bool:
        """Whether nothing that this person says is heard."""
        return person in self.muted or person in self.blocked
