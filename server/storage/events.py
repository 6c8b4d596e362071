"""Events, in which several tables play the same deals for a result: what a store of them promises.

An event has one deal: a day of today's tide, or one board of a tournament's round. Until it is closed, no
list, record, replay or review shows anything of its games (``history_sql``): the commitment to the deal is
public first, the seed when it is closed. A game belongs to the event that its table names
(``coordinator.table.model.SharedDeal``).
"""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

from engine.outcome import HandResult, SeatResult


class Event(NamedTuple):
    """One event."""

    id: str
    """Unique for all time: letters, digits, ``-`` and ``/``; it begins with the kind. It is shown."""
    kind: str
    """Whose business it is: ``day``, or ``tournament``."""
    opens: float
    """From when it can be played, in seconds since 1970, as all times here."""
    closes: float
    """When it is to be closed; 0 where somebody decides that."""
    seed: str
    """Of the deal, in hex: secret until it is closed."""
    commitment: str
    """To that seed and the rules (``engine.deal.commitment``)."""
    closed: float = 0.0
    """When it was closed; 0 while it is not."""
    state: Mapping[str, Any] = MappingProxyType({})
    """What its kind keeps, as JSON."""

    def __repr__(self) -> str:
        """Without the seed, wherever it lands."""
        return f"Event({self.id!r}, closed={self.closed})"


class EventGame(NamedTuple):
    """A game of an event that is over."""

    id: int
    """Of the record."""
    at: float
    complete: bool
    """Played to the end, and not broken off."""
    seats: tuple[SeatResult, ...]
    players: tuple[str, ...]
    """A seat each: the id of whose result it is; empty for a bot."""
    hands: tuple[HandResult, ...]
    """What each seat made of each hand, in stages that are complete."""
    again: bool = False
    """The deal was known: by an account that has become part of another one."""
    since: tuple[float, ...] = ()
    """A seat each: since when the account exists; 0 for a bot."""


class EventStore(Protocol):
    """Every method is one transaction; one that writes returns when that would survive power loss. All raise
    ``StoreError``.
    """

    async def add(self, event: Event) -> Event:
        """Keep a new one; if there is one with this id, that is the answer, and nothing is kept."""

    async def find(self, event: str) -> Event | None:
        """The one with this id."""

    async def newest(self, kind: str, limit: int = 20) -> Sequence[Event]:
        """Those of a kind, the last to open first."""

    async def still_open(self, kind: str) -> Sequence[Event]:
        """Those of a kind that are not closed, the first to open first."""

    async def keep_state(self, event: str, state: Mapping[str, Any]) -> None:
        """Keep what its kind knows of it, in place of what was there."""

    async def close(self, event: str, at: float) -> None:
        """From now on its games and its seed are public; one that is closed stays as it is."""

    async def tables(self, event: str) -> Sequence[str]:
        """Keys of its tables that have not been dropped: those that begin with its id and ``/``."""

    async def entered(self, event: str) -> Mapping[str, float]:
        """Who plays or has played in it, by id, and since when."""

    async def in_a_row(self, player: str, events: Iterable[str]) -> int:
        """How many of these events this player has entered, from the first one to the first left out; no more
        of them are asked for than that, away from the event loop.
        """

    async def games(self, event: str) -> Sequence[EventGame]:
        """Its games that are over, the first to end first: also of an event that is open, so what
        follows from this is for the event's own tables only.
        """
