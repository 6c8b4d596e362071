"""The door between sessions and the coordinator: all that a face (TUI, lines, JSON) may use."""

from collections.abc import Callable, Mapping
from typing import Protocol

from server.coordinator.messages import Command, Player, Reply, ServerMessage, Update


class Feed(Protocol):
    """A bounded stream of updates to one visitor; a slow reader hurts only itself.

    Updates that are not taken are merged: the newest snapshot wins, happenings queue up to a limit and
    are then dropped with ``resynced``.
    """

    __slots__ = ()

    def listen(self, ready: Callable[[], None]) -> None:
        """Call ``ready`` whenever there is something to take (once until it has been taken)."""

    def observe(self, heard: Callable[[Update], None]) -> None:
        """Give every update that is taken to ``heard`` first."""

    def take(self) -> Update | None:
        """What has come since the last ``take``; ``None`` when nothing has."""

    @property
    def can_wait(self) -> bool:
        """What there is to take is no more than another look of the lobby, and what is said there."""

    def rewind(self) -> None:
        """Another face takes over: forget the listener, and have the newest snapshot taken once more."""

    async def next(self) -> Update:
        """Wait for something to take, and take it."""


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


class Coordinator(Protocol):
    """The lobby and its tables."""

    def enter(
        self,
        player: Player,
        blocked: Mapping[str, str] | None = None,
        source: str = "",
        *,
        new: bool = False,
    ) -> Visit:
        """A player comes in: into the lobby, or back to the seat left behind.

        ``blocked`` are the people whom this one has blocked on earlier visits: id and name then. Without it,
        those of the visit that this one takes over.

        ``source`` is a word for where the visit comes from: those who come from there share a limit.

        Who is ``new`` has never been here: there is nothing to find out about this player.

        An earlier visit of the same player ends with ``taken_over``.
        """

    def say_to(self, player: str, word: ServerMessage) -> bool:
        """Tell the player with this id something; false when he or she is not connected."""
