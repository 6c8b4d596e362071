"""Tournaments as they are kept: what a store of them promises. Each of their rounds is an event
(``server.storage.events``), of the kind ``KIND``, which has its deal and its games.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple, Protocol

from server.storage.store import Charge

KIND: Final = "tournament"


class StoredTournament(NamedTuple):
    """One tournament."""

    id: str
    """Unique for all time; short and speakable."""
    opened: float
    """In seconds since 1970."""
    over: float
    """When it ended; 0 while it has not."""
    state: Mapping[str, Any]
    """Everything else, as JSON. It has ids of people, and no seed."""


class TournamentStore(Protocol):
    """Every method is one transaction; all raise ``StoreError``."""

    async def keep(self, tournament: StoredTournament, charge: Charge | None = None) -> None:
        """Keep it, new or in place of what was there; returns when it would survive power loss. Raises
        ``Conflict``, and keeps nothing, when another node has that ``charge`` by now.
        """

    async def find(self, tournament: str) -> StoredTournament | None:
        """The one with this id."""

    async def newest(self, limit: int = 20) -> Sequence[StoredTournament]:
        """The last opened first."""

    async def still_open(self) -> Sequence[StoredTournament]:
        """Those that are not over, the first to be opened first."""
