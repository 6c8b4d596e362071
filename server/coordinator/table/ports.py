"""What every table is handed, what it tells the lobby, and when it is a table's turn in the background."""

import random
from asyncio import Future, get_running_loop
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from math import ceil
from typing import Any, Final, NamedTuple, Protocol

from typing_extensions import override

from engine.bots.question import Choose
from engine.bots.review import AnyQuestion
from server.coordinator import messages as m
from server.coordinator.clock import Clock, OneTimer
from server.coordinator.table.model import RoundEpoch
from server.coordinator.timing import TableLimits, Timing
from server.measures import Counters
from server.rate_limiter import RateLimiter
from server.storage.store import Store, TableLog

_REST: Final = 3.0
"""After a round all of them rest for so many times as long as it has taken: the more others want the
processor, the longer that is, and they have a quarter of it at most."""
_LEAST: Final = 0.05
"""Seconds of rest after the quickest round."""
_MOST: Final = 5.0


class Background:
    """Rounds of games that nobody plays or watches any more. One table has the turn, the others wait; a game
    is played to its end before the next one. Somebody who begins game after game and leaves each to its bots
    could otherwise have hundreds of them played at once. A table is known by what is called when it has the
    turn, to have a round bid; ``done`` has to follow.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock: Final = clock
        self._timer: Final = OneTimer(clock)
        self._waiting: Final[OrderedDict[Callable[[], None], None]] = OrderedDict()
        """Who has the turn may be among them, and is the first then."""
        self._turn: Callable[[], None] | None = None
        self._began = 0.0

    def join(self, table: Callable[[], None]) -> None:
        """The table has a round to bid. Who has the turn gets the next one as well."""
        self._waiting[table] = None
        if table == self._turn:
            self._waiting.move_to_end(table, last=False)
        elif self._turn is None:
            self._plan(0.0)

    def leave(self, table: Callable[[], None]) -> None:
        """The table waits no more, if it did."""
        self._waiting.pop(table, None)
        self.done(table)

    def done(self, table: Callable[[], None], least: float = 0.0) -> None:
        """The turn of this table is over, if it has it; the next one comes after ``least`` seconds."""
        if table != self._turn:
            return
        self._turn = None
        took = self._clock.time() - self._began
        self._plan(max(least, _LEAST, min(_REST * took, _MOST)))

    def _plan(self, rest: float) -> None:
        if self._waiting and not self._timer.running:
            self._timer.after(rest, self._next)

    def _next(self) -> None:
        if self._turn is not None or not self._waiting:
            return
        self._turn, _ = self._waiting.popitem(last=False)
        self._began = self._clock.time()
        self._turn()


_PLAYER_SECONDS: Final = 10.0
_ADDRESS_SECONDS: Final = 2.0
"""After so long, a player or an address may begin one game more ..."""
_FAST: Final = 10
"""... and so many fast ones."""


class GameQuota:
    """How many games players and addresses have begun lately."""

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


class Listing(NamedTuple):
    """What the lobby and its chat know of a table, besides what everybody may."""

    key: str
    """Unique for all time; the speakable code is not."""
    row: m.TableRow
    private: bool
    seated: tuple[str, ...]
    """Ids of who has a seat, connected or not."""
    watching: tuple[str, ...]
    """Ids of who only watches."""
    stepped_out: tuple[str, ...]
    """Ids of who is not there, and can come back to a game that waits."""
    stays: bool
    """It is not closed to make room for others: people are expected there."""
    unseen_round: tuple[int, int, int] | None
    """The round that spectators see only when it is over; ``None`` when they see everything at once."""
    epoch: RoundEpoch | None
    """Which round it is; ``None`` before the first game."""
    opened_by: str
    opened_from: str
    guests_only: bool
    deserted_since: float
    """Since when nobody is connected there, nor watches; 0 while somebody does."""
    created: float = 0.0
    """When it was opened, in seconds since 1970."""

    @property
    def id(self) -> str:
        """The speakable code."""
        return self.row.id

    @property
    def members(self) -> tuple[str, ...]:
        """Ids of who sits or watches there."""
        return (*self.seated, *self.watching)

    @property
    def playing(self) -> bool:
        """Whether a game goes on there."""
        return self.row.status is m.Status.PLAYING


class Host(Protocol):
    """What a table tells the lobby: people and tables by their ids, and plain data."""

    def published(self, listing: Listing, *, row_changed: bool) -> None:
        """This is what the lobby knows of the table from now on."""

    def show(self, player: str, table: m.TableSnapshot, events: Sequence[m.Happening]) -> None:
        """Show the table to somebody there, after these events; for whoever is not connected, nothing."""

    def is_connected(self, player: str) -> bool:
        """Whether this player can still be reached."""

    def released(self, table: str, player: str, why: m.Happening | None) -> None:
        """The player is back in the lobby, unless at another table by now; ``why`` is to be told."""

    def caught_up(self, table: str) -> None:
        """Spectators have been told of everything up to the round that goes on."""

    def answered(self, player: str) -> None:
        """A command of this player has been carried out or refused."""

    def closed(self, table: str) -> None:
        """The table is no more."""

    async def forget(self, log: TableLog) -> None:
        """Have the store forget a table that is no more. Raises ``StoreError``; then it is tried again."""

    def lost(self, table: str) -> bool:
        """Somebody else has changed the table in the store; whether another node has it now."""


class Lease(Protocol):
    """Whether this process may still speak for its tables: another one may have them by now."""

    @property
    def valid(self) -> bool:
        """It may, at this moment."""

    async def hold(self) -> None:
        """Return when it may again."""


class Unlimited(Lease):
    """Nobody else has tables."""

    valid = True

    @override
    async def hold(self) -> None:
        return


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
    """For whom a bot thinks. People and addresses take turns (``runtime.turns``)."""

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
    store: Store
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
    lease: Lease = field(default_factory=Unlimited)
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
