"""What every table is handed, and what it tells the lobby.

And what somebody is told whose command was refused, or could not be written down.
"""

import random
from asyncio import Future, Lock, get_running_loop
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from math import ceil
from typing import Any, Final, NamedTuple, Protocol

from engine.bots import Choose
from engine.bots.review import AnyQuestion
from server import StoreError
from server.coordinator import messages as m
from server.coordinator.messages import Refusal, Refused, Reply
from server.coordinator.table.state import Table
from server.counters import Counters
from server.networks import RateLimiter
from server.settings.settings import TableLimits, Timing
from server.storage.table_store import TableLog, TableStore
from server.timers import Clock

_PLAYER_SECONDS: Final = 10.0
_ADDRESS_SECONDS: Final = 2.0
"""After so long, a player or an address may begin one game more ..."""
_FAST: Final = 10
"""... and so many fast ones."""


class GameQuota:
    """Counts the games that players and addresses have begun lately."""

    def __init__(self, limits: TableLimits) -> None:
        self._limiters: Final = [
            (
                RateLimiter(limits.games_per_player, _PLAYER_SECONDS / speed),
                RateLimiter(limits.games_per_address, _ADDRESS_SECONDS / speed),
            )
            for speed in (1, _FAST)
        ]

    def check(self, player: str, source: str, now: float, fast: bool = False) -> m.Reply:
        """Whether this player may begin another one; ``source`` is empty where it does not count."""
        players, addresses = self._limiters[fast]
        if (wait := players.wait(player, now)) > 0:
            return m.Reply(m.Refusal.TOO_MANY_GAMES, {"seconds": ceil(wait)})
        if source and (wait := addresses.wait(source, now)) > 0:
            return m.Reply(m.Refusal.TOO_MANY_GAMES_THERE, {"seconds": ceil(wait)})
        return m.Reply()

    def count(self, player: str, source: str, now: float, fast: bool = False) -> None:
        """Count one more."""
        players, addresses = self._limiters[fast]
        players.take(player, now)
        if source:
            addresses.take(source, now)


class Host(Protocol):
    """What a table tells the lobby: people and tables by their ids, and plain data."""

    def published(self, table: Table) -> None:
        """The table is like this now.

        Not told where only a bid has come, unless people play there by correspondence.
        """

    def show(self, player: str, table: m.TableSnapshot, events: Sequence[m.Happening]) -> None:
        """Show the table to somebody there, after these events; for whoever is not connected, nothing."""

    def is_connected(self, player: str) -> bool:
        """Whether this player can still be reached."""

    def released(self, table: str, player: str, why: m.Happening | None) -> None:
        """The player is not at this table any more, and in the lobby unless at another one by now.

        ``why`` is to be told.
        """

    def invited(self, table: str, name: str, by: m.Player) -> None:
        """A seat is kept for who is called that.

        To be told, if not too often, and unless that person does not hear ``by``.
        """

    def caught_up(self, table: str) -> None:
        """Spectators have been told of everything up to the round that goes on."""

    def answered(self, player: str) -> None:
        """A command of this player has been carried out or refused."""

    async def closed(self, table: str, log: TableLog, why: m.Happening | None) -> None:
        """The table is no more: whoever is there is to be told ``why``, and the store to forget it.

        Raises ``StoreError``; then that is tried again.
        """

    def lost(self, table: str) -> None:
        """The store has something else of the table than it knows, and what it has goes on."""


class Urgency(IntEnum):
    """What a bot thinks about first."""

    COUNTS = 0
    """A bid of which something depends beyond the table: it is waited for, however much is thought of."""
    BID = 1
    """A bid at a table of people."""
    FAST_BID = 2
    """A bid at a table of programs that want no time to read."""
    HINT = 3
    REVIEW = 4


class Asker(NamedTuple):
    """For whom a bot thinks. People and addresses take turns (``runtime.thinkers``)."""

    urgency: Urgency
    person: str
    address: str


Think = Callable[[AnyQuestion, Asker], Future[Any]]
"""Has a bot think, away from the event loop: the card, or what else it says as JSON has it, or 0 when it
cannot; never an exception. Who does not need the answer any more cancels it.
"""


def cannot_think(_question: AnyQuestion, _asker: Asker) -> Future[Any]:
    """Where no bot can."""
    answer: Future[Any] = get_running_loop().create_future()
    answer.set_result(0)
    return answer


@dataclass
class TableEnvironment:
    """What every table is handed. ``Lobby.adjust`` changes ``timing``, ``limits`` and ``begun``."""

    clock: Clock
    store: TableStore
    begun: GameQuota
    """By whom games were begun lately."""
    new_seed: Callable[[], bytes]
    """32 secret random bytes."""
    new_rng: Callable[[], random.Random]
    """For delays; has nothing to do with any seed."""
    timing: Timing
    limits: TableLimits
    choose: Choose
    """What a strategy bids that answers at once."""
    think: Think
    """What the others bid."""
    host: Host
    tally: Counters = field(default_factory=Counters)
    """Counted at all tables."""
    store_fails: bool = False
    """The last thing that a table wanted to write was refused."""
    closing: float = 0.0
    """When the server goes down; 0 while it stays."""
    one_alone: Lock = field(default_factory=Lock)
    """Lock by which, of the games that nobody plays or watches any more, one goes on at a time."""


def unwritten(error: StoreError) -> Reply:
    """It has not happened."""
    return Reply(Refusal.STORAGE, {"reason": error.code})


async def reply_of(asking: Awaitable[Reply]) -> Reply:
    """What comes of what was asked, whatever that raises."""
    try:
        return await asking
    except Refused as refused:
        return refused.reply
    except StoreError as error:
        return unwritten(error)
