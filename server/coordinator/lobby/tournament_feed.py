"""The tournaments as everybody who is connected sees them: told together, in turns, and not too often."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from server.coordinator import messages as m
from server.coordinator.chat_room import Presence
from server.coordinator.feed import Broadcaster
from server.coordinator.table.ports import TableEnvironment
from server.coordinator.tournaments.ports import Directory


class TournamentFeed:
    """``people`` are those of the lobby: who is connected or has a seat, by id."""

    def __init__(self, shared: TableEnvironment, people: Mapping[str, Presence]) -> None:
        self._shared: Final = shared
        self._people: Final = people
        self.directory: Directory | None = None
        """Where tournaments are held; ``None`` in a game at home."""
        self._broadcaster: Final = Broadcaster(shared.clock, "tournaments", self._delay, self._tell)

    async def carry_out(self, presence: Presence, command: m.TournamentCommand) -> m.Reply:
        """Raises ``Refused``."""
        m.refuse_if(self.directory is None, m.Refusal.NO_SUCH_TOURNAMENT)
        assert self.directory is not None
        return await self.directory.carry_out(presence.player, command, presence.source)

    def show(self, presence: Presence) -> None:
        """Show them to somebody who has just come."""
        if self.directory is not None and presence.feed is not None:
            presence.feed.offer_tournaments(self.directory.shown_to(presence.player.id))

    def shown_to_all(self) -> Sequence[m.TournamentInfo]:
        """As somebody sees them who has registered for none; the newest first."""
        return self.directory.shown_to("") if self.directory is not None else ()

    @property
    def anybody_opens(self) -> bool:
        """Whether not only operators open tournaments here."""
        return self.directory is not None and self.directory.anybody_opens

    def knows(self, player: str) -> bool:
        """Whether this player is registered somewhere."""
        return self.directory is not None and self.directory.knows(player)

    def table_changed(self, event: str) -> None:
        """A table of this event is over, or closed."""
        if event and self.directory is not None:
            self.directory.table_changed(event)

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
