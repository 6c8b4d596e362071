"""The other nodes, as far as the lobby has to know: what it tells them, and what it asks."""

from typing import Protocol

from typing_extensions import override

from server.coordinator import messages as m
from server.coordinator.feed import Feed
from server.coordinator.table.actor import TableActor
from server.coordinator.table.ports import Listing


class Elsewhere(Protocol):
    """What happens on this node is told, and who comes is found."""

    name: str
    """Of this node; empty where there are no others."""

    def heard(self) -> int:
        """How many other nodes this one hears."""

    def owner(self, table: str) -> str:
        """The name of the node that has the table with this code; empty where there are no others."""

    async def visit(self) -> int:
        """The number of the next visit here, higher than of any before on whichever node; 0 where there are
        no others. Raises ``StoreError``.
        """

    def came(self, player: m.Player, visit: int) -> str:
        """Somebody has connected here; the code of the table with the own seat, wherever it is, or empty."""

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

    def missed(self, player: str, why: m.Happening) -> None:
        """Somebody has come to another node who has missed this here."""

    def feed_of(self, player: str) -> Feed | None:
        """The way to somebody who is connected to another node."""

    def knows(self, player: str) -> bool:
        """Whether somebody is connected to another node, or has a seat there."""


class Nowhere(Elsewhere):
    """There are no other nodes."""

    name = ""

    @override
    def heard(self) -> int:
        return 0

    @override
    def owner(self, table: str) -> str:
        return ""

    @override
    async def visit(self) -> int:
        return 0

    @override
    def came(self, player: m.Player, visit: int) -> str:
        return ""

    @override
    def left(self, player: str) -> None:
        return

    @override
    def published(self, listing: Listing) -> None:
        return

    @override
    def closed(self, table: str) -> None:
        return

    @override
    def lost(self, table: TableActor) -> bool:
        return False

    @override
    def missed(self, player: str, why: m.Happening) -> None:
        return

    @override
    def feed_of(self, player: str) -> Feed | None:
        return None

    @override
    def knows(self, player: str) -> bool:
        return False
