"""Tournaments, as far as anything but themselves has to know of them."""

from typing import Any

from server.coordinator import messages as m


class Directory:
    """Where none are held, this is all there is; else ``tournaments.actor`` takes its place."""

    anybody_opens: bool = False
    """Whether not only operators open one."""

    async def recover(self) -> None:
        """Take up what the store has, when the tables are back. Raises ``StoreError``."""

    async def close(self) -> None:
        """The server ends; everything that counts has been written."""

    async def carry_out(
        self, player: m.Player | None, command: m.TournamentCommand, source: str = ""
    ) -> m.Reply:
        """Carry out a command of a player, or without one of the operators.

        ``source`` is the player's address, empty where that does not count. Raises ``Refused`` and
        ``StoreError``.
        """
        raise m.Refused(m.Refusal.NO_SUCH_TOURNAMENT)

    async def record(self, which: str) -> dict[str, Any]:
        """The record (``engine.tournament.standings``). Raises ``Refused`` and ``StoreError``."""
        raise m.Refused(m.Refusal.NO_SUCH_TOURNAMENT)

    def shown_to(self, player: str) -> tuple[m.TournamentInfo, ...]:
        """The tournaments as the player with this id sees them, the newest first."""
        return ()

    def knows(self, player: str) -> bool:
        """Whether this player is registered in one that is not over: then a guest is not forgotten."""
        return False

    def table_changed(self, event: str) -> None:
        """A table of this event is new, over or closed."""
