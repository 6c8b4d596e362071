"""What every table is handed, and what it tells the lobby."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import ceil
from typing import Final, Protocol

from engine.views import SeatView
from server.coordinator.clock import Clock
from server.coordinator.messages import Happening, Refusal, Reply, TableSnapshot
from server.coordinator.table.background import Background
from server.coordinator.table.model import Member
from server.coordinator.table.table_info import Listing
from server.coordinator.timing import TableLimits, Timing
from server.measures import Counters
from server.rate_limiter import RateLimiter
from server.storage.store import Store

_PLAYER_SECONDS: Final = 10.0
_ADDRESS_SECONDS: Final = 2.0
"""After so long, a player or an address may begin one game more."""


class GameQuota:
    """How many games players and addresses have begun lately."""

    def __init__(self, limits: TableLimits) -> None:
        self._players: Final = RateLimiter(limits.games_per_player, _PLAYER_SECONDS)
        self._addresses: Final = RateLimiter(limits.games_per_address, _ADDRESS_SECONDS)

    def check(self, player: str, source: str, now: float) -> Reply:
        """Whether this player may begin another one; ``source`` is empty where it does not count."""
        if (wait := self._players.wait(player, now)) > 0:
            return Reply(Refusal.TOO_MANY_GAMES, {"seconds": ceil(wait)})
        if source and (wait := self._addresses.wait(source, now)) > 0:
            return Reply(Refusal.TOO_MANY_GAMES_THERE, {"seconds": ceil(wait)})
        return Reply()

    def count(self, player: str, source: str, now: float) -> None:
        """Count one more."""
        self._players.take(player, now)
        if source:
            self._addresses.take(source, now)


@dataclass
class TableEnvironment:
    """What every table is handed. ``store_fails`` and ``closing`` change, and with ``Lobby.adjust`` so do
    ``timing``, ``limits`` and ``begun``.
    """

    clock: Clock
    store: Store
    begun: GameQuota
    """By whom games were begun lately."""
    new_seed: Callable[[], bytes]
    """32 secret random bytes."""
    new_rng: Callable[[], random.Random]
    """For delays and bots; has nothing to do with any seed."""
    timing: Timing
    limits: TableLimits
    choose: Callable[[str, SeatView, random.Random], int]
    """What a strategy bids."""
    tally: Counters = field(default_factory=Counters)
    """Counted at all tables."""
    store_fails: bool = False
    """The last thing that a table wanted to write was refused."""
    closing: float = 0.0
    """When the server goes down; 0 while it stays."""
    background: Background = field(init=False)
    """Who bids next where nobody plays or watches."""

    def __post_init__(self) -> None:
        self.background = Background(self.clock)


class Host(Protocol):
    """What a table tells the lobby: people and tables by their ids, and plain data."""

    def published(self, listing: Listing, *, row_changed: bool) -> None:
        """This is what the lobby knows of the table from now on."""

    def show(self, player: str, table: TableSnapshot, events: Sequence[Happening]) -> None:
        """Show the table to somebody there, after these events; for whoever is not connected, nothing."""

    def is_connected(self, player: str) -> bool:
        """Whether this player can still be reached."""

    def joined(self, member: Member, table: str) -> None:
        """This person sits or watches at the table from now on."""

    def released(self, player: str, why: Happening | None) -> None:
        """The player is back in the lobby; ``why`` is to be told."""

    def caught_up(self, table: str) -> None:
        """Spectators have been told of everything up to the round that goes on."""

    def rated(self, table: str) -> None:
        """A rated game has just ended there."""

    def answered(self, player: str) -> None:
        """A command of this player has been carried out or refused."""

    def closed(self, table: str) -> None:
        """The table is no more."""

    def lost(self, table: str) -> None:
        """This table, closed just now, was changed by somebody else in the store."""
