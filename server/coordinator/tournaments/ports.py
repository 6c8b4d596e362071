"""What tournaments and the lobby ask of each other."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from server.coordinator import messages as m
from server.coordinator.table.model import SharedDeal
from server.coordinator.table.ports import Listing
from server.coordinator.timing import Timing
from server.storage.store import Charge


class EventOpener(Protocol):
    """What opens tables for games of an event."""

    async def open(
        self,
        deal: SharedDeal,
        options: m.TableOptions,
        seats: Sequence[m.Player | str],
        title: str = "",
        *,
        call: m.ServerMessage | None = None,
        charge: Charge | None = None,
        key: str = "",
    ) -> m.Reply:
        """Open a table for a game of an event, with these people and bots. With ``call``, a bot has the seat
        of whoever plays at another table, who is told that, and hands it over to who comes. ``key`` is that
        of the table; it is opened only while this node has the ``charge``.
        """


class Tables(Protocol):
    """The lobby, as tournaments see it."""

    @property
    def listings(self) -> Mapping[str, Listing]:
        """What is known of each table, by its code."""

    @property
    def timing(self) -> Timing:
        """How long things take at tables."""

    @property
    def event_tables(self) -> "EventOpener":
        """What opens the tables of a round."""

    async def close_table(self, code: str) -> m.Reply:
        """Close the table with this code, whatever goes on there."""

    async def forget_table(self, key: str) -> None:
        """Drop from the store what could not be opened, and has been kept all the same. Raises
        ``StoreError``.
        """

    def is_connected(self, player: str) -> bool:
        """Whether this player can be reached."""

    def say_to(self, player: str, word: m.ServerMessage) -> bool:
        """Tell a connected player something; whether it is one."""

    def tournaments_changed(self) -> None:
        """Everybody is to be shown the tournaments anew."""


class Directory(Protocol):
    """Tournaments, as the lobby sees them."""

    @property
    def anybody_opens(self) -> bool:
        """Whether not only operators open one."""

    async def recover(self) -> None:
        """Take up what the store has, when the tables are back. Raises ``StoreError``."""

    async def close(self) -> None:
        """The server ends; everything that counts has been written."""

    async def carry_out(
        self, player: m.Player | None, command: m.TournamentCommand, source: str = ""
    ) -> m.Reply:
        """Carry out a command of a player who comes from there (empty: where that does not count), without a
        player one of the operators; or raise ``Refused``.
        """

    async def record(self, which: str) -> dict[str, Any]:
        """The record (``engine.tournament.record``). Raises ``Refused``."""

    def shown_to(self, player: str) -> tuple[m.TournamentInfo, ...]:
        """The tournaments as the player with this id sees them, the newest first."""

    def knows(self, player: str) -> bool:
        """Whether this player is registered in one that is not over: then a guest is not forgotten."""

    def table_changed(self, event: str) -> None:
        """A table of this event is over, or closed."""
