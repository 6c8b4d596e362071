"""Tournaments as the lobby and operators reach them: everybody is shown what was written, one directs."""

from functools import partial
from typing import Any, Final

from typing_extensions import override

from server.coordinator import messages as m
from server.coordinator.lobby.tournaments import Directory
from server.coordinator.tournaments.director import Director
from server.coordinator.tournaments.known import KnownTournaments


class Tournaments(Directory):
    """All tournaments of a server, which directs them itself. ``guests``: anybody may open one, and guests
    register.
    """

    def __init__(self, known: KnownTournaments, *, guests: bool) -> None:
        self.known: Final = known
        self.anybody_opens = guests
        self._new_director: Final = partial(Director, known, guests=guests)
        self.director: Director | None = None
        """``None`` before ``recover``."""
        known.lobby.directory = self

    @override
    async def recover(self) -> None:
        await self.known.read()
        self.director = self._new_director()
        self.director.begin()

    @override
    async def close(self) -> None:
        if self.director is not None:
            await self.director.close()

    @override
    async def carry_out(
        self, player: m.Player | None, command: m.TournamentCommand, source: str = ""
    ) -> m.Reply:
        if isinstance(command, m.AskTournament):
            view = await self.known.view(command.tournament, player.id if player else "")
            return m.Reply(tournament=view)
        return await self._direct(player, command, source)

    async def _direct(
        self, player: m.Player | None, command: m.DirectedCommand, source: str
    ) -> m.Reply:
        """Have the director carry it out. Raises ``Refused`` and ``StoreError``."""
        m.refuse_if(self.director is None, m.Refusal.BUSY)  # the server has just begun
        assert self.director is not None
        return await self.director.carry_out(player, command, source)

    @override
    async def record(self, which: str) -> dict[str, Any]:
        return await self.known.record(which)

    @override
    def shown_to(self, player: str) -> tuple[m.TournamentInfo, ...]:
        return self.known.shown_to(player)

    @override
    def knows(self, player: str) -> bool:
        return self.known.knows(player)

    @override
    def table_changed(self, event: str) -> None:
        self.known.table_changed(event)
        if self.director is not None:
            self.director.table_changed(event)
