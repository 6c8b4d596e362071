"""What a session has of the coordinator: all that a frontend (full screen, lines, JSON) may use."""

from typing import Protocol

from server.coordinator.feed import Feed
from server.coordinator.messages import Command, Player, Reply


class Visit(Protocol):
    """One connection of one player."""

    __slots__ = ()

    @property
    def player(self) -> Player:
        """Who this is."""

    @property
    def feed(self) -> Feed:
        """What this player sees."""

    async def submit(self, command: Command) -> Reply:
        """Carry out a command, or say why not. Never raises for anything that a player can cause."""

    def close(self) -> None:
        """The connection has ended; the seat stays."""
