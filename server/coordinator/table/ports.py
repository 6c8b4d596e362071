"""What every table is handed, and what it tells the lobby."""

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from engine import bots
from engine.views import SeatView
from server.coordinator.clock import Clock
from server.coordinator.lobby.quotas import Begun
from server.coordinator.messages import Happening
from server.coordinator.people.presence import Presence
from server.coordinator.table.background import Background
from server.coordinator.timing import TableLimits, Timing
from server.measures import Counters
from server.storage.store import Store

if TYPE_CHECKING:
    from server.coordinator.table.actor import Table


@dataclass
class TableEnvironment:
    """What every table is handed. ``store_fails`` changes; so do ``timing``, ``limits`` and ``begun``
    (``Lobby.adjust``).
    """

    clock: Clock
    store: Store
    new_seed: Callable[[], bytes]
    """32 secret random bytes."""
    new_rng: Callable[[], random.Random]
    """For delays and bots; has nothing to do with any seed."""
    timing: Timing = field(default_factory=Timing)
    limits: TableLimits = field(default_factory=TableLimits)
    choose: Callable[[str, SeatView, random.Random], int] = bots.choose
    """What a strategy bids."""
    tally: Counters = field(default_factory=Counters)
    """Counted at all tables."""
    store_fails: bool = False
    """The last thing that a table wanted to write was refused."""
    background: Background = field(init=False)
    """Who bids next where nobody plays or watches."""
    begun: Begun = field(init=False)
    """By whom games were begun lately."""
    started: float = field(init=False)
    """Since when the server runs."""

    def __post_init__(self) -> None:
        self.background = Background(self.clock)
        self.begun = Begun(self.limits)
        self.started = self.clock.time()


class Host(Protocol):
    """What a table tells the lobby."""

    def row_changed(self, table: "Table") -> None:
        """The lobby's list shows something else for this table now."""

    def released(self, presence: Presence, why: Happening | None) -> None:
        """The player is back in the lobby; ``why`` is to be told."""

    def caught_up(self, table: "Table") -> None:
        """Spectators have been told of everything up to the round that goes on."""

    def rated(self, table: "Table") -> None:
        """A rated game has just ended there."""

    def answered(self, presence: Presence) -> None:
        """A command of this player has been carried out or refused."""

    def closed(self, table: "Table") -> None:
        """The table is no more."""
