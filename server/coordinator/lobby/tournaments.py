"""Tournaments, as far as anything but themselves has to know of them."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from server.coordinator import messages as m
from server.coordinator.feed import Broadcaster
from server.coordinator.presence import Presence
from server.coordinator.table.ports import TableEnvironment


class Directory:
    """Where none are held, this is all there is; else ``tournaments.directory`` takes its place."""

    anybody_opens: bool = False
    """Whether not only operators open one."""

    async def recover(self) -> None:
        """Take up what the store has, when the tables are back. Raises ``StoreError``."""

    async def close(self) -> None:
        """The server ends; everything that counts has been written."""

    async def carry_out(
        self, player: m.Player | None, command: m.TournamentCommand, source: str = ""
    ) -> m.Reply:
        """Carry out a command of a player who comes from there (empty: where that does not count), without a
        player one of the operators; or say why not.
        """
        return m.Reply(m.Refusal.NO_SUCH_TOURNAMENT)

    async def record(self, which: str) -> dict[str, Any]:
        """The record (``engine.tournament.record``). Raises ``Refused`` and ``StoreError``."""
        raise m.Refused(m.Refusal.NO_SUCH_TOURNAMENT)

    def shown_to(self, player: str) -> tuple[m.TournamentInfo, ...]:
        """The tournaments as the player with this id sees them, the newest first."""
        return ()

    def knows(self, player: str) -> bool:
        """Whether this player is registered in one that is not over: then a guest is not forgotten."""
        return False

    def table_changed(self, event: str) -> None:
        """A table of this event is new, over or closed."""


class TournamentFeed:
    """Tells everybody who is connected of tournaments: together, in turns, and not too often. ``people`` are
    those of the lobby: who is connected or has a seat, by id.
    """

    def __init__(self, shared: TableEnvironment, people: Mapping[str, Presence]) -> None:
        self._shared: Final = shared
        self._people: Final = people
        self.directory = Directory()
        self._broadcaster: Final = Broadcaster(shared.clock, "tournaments", self._delay, self._tell)

    def show(self, presence: Presence) -> None:
        """Show them to somebody who has just come."""
        if presence.feed is not None:
            presence.feed.offer_tournaments(self.directory.shown_to(presence.player.id))

    def changed(self) -> None:
        """Tell everybody soon, once for all that changes until then."""
        self._broadcaster.changed()

    def close(self) -> None:
        """Nobody is told anything any more."""
        self._broadcaster.close()

    def _delay(self) -> float:
        timing = self._shared.timing
        return timing.lobby + timing.lobby_each * len(self._people)

    def _tell(self) -> Iterator[None]:
        for presence in list(self._people.values()):
            self.show(presence)
            yield
