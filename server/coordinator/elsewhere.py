"""What there is besides this server: nothing, unless it is one node of several: then ``nodes`` overrides it.
Tables and people of other nodes are reached as those here are.
"""

from server.coordinator import messages as m
from server.coordinator.feed import NOBODY, Feed
from server.coordinator.presence import Spoken
from server.coordinator.table.actor import TableActor
from server.coordinator.table.facts_for_lobby_and_chat import Listing


class Elsewhere:
    """What the lobby, the chat and events tell and ask."""

    name: str = ""
    """Of this node."""
    calls: bool = False
    """Each node calls its own people to the tables of events that wait for them."""

    # ------------------------------------------------------------ tables and people

    def heard(self) -> int:
        """How many other nodes this one hears."""
        return 0

    def owner(self, table: str) -> str:
        """The name of the node that has the table with this code."""
        return ""

    async def visit(self) -> int:
        """The number of the next visit here, higher than of any before on whichever node; 0 where the lobby
        counts by itself. Raises ``StoreError``.
        """
        return 0

    def came(self, player: m.Player, visit: int) -> None:
        """Somebody has connected here."""

    def left(self, player: str) -> None:
        """Somebody is not connected here any more."""

    def published(self, listing: Listing) -> None:
        """A table of this node is new, or looks different."""

    def closed(self, table: str) -> None:
        """A table of this node is no more."""

    def lost(self, table: TableActor) -> bool:
        """In the store a table of this node is somebody else's; whether another node may have it: then who is
        there waits for it.
        """
        return False

    def feed_of(self, player: str) -> Feed:
        """The way to somebody who is connected to another node."""
        return NOBODY

    def knows(self, player: str) -> bool:
        """Whether somebody is, or may be, connected to another node."""
        return False

    # ------------------------------------------------------------ what is said

    def spoken(self, spoken: Spoken, table: Listing | None) -> None:
        """Somebody here has said this, in the lobby or at a table."""

    async def say_to(self, person: str, line: m.ChatLine, to: m.Player) -> None:
        """Somebody here, with that id, says something to one who is connected to another node. Raises
        ``Refused``.
        """
        raise m.Refused(m.Refusal.NOBODY_CALLED, {"name": to.name})

    def came_to(self, table: Listing) -> None:
        """Somebody is coming to the room of this table, or the table has come to this node."""
