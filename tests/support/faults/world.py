"""A server that fails, the people at it, and what is remembered of what was done."""

import asyncio
import random
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from typing import Any, Final, NamedTuple, cast

from engine.editions import Rules
from server import StoreError
from server.coordinator import messages as m
from server.coordinator.events.today import TodaysTide
from server.coordinator.lobby.lobby import Lobby
from server.coordinator.table.actor import TableActor
from server.coordinator.table.ports import reply_of
from server.coordinator.tournaments.actor import Tournaments
from server.settings.settings import TableLimits
from server.storage.databases.database import Database
from server.storage.events import EventStore, TournamentStore
from server.storage.table_store import TableStore
from tests.support.fake_clock import FakeClock
from tests.support.memory_stores import MemoryStore
from tests.support.tables import Guest

NAMES: Final = ("ada", "bo", "cem", "dora", "eve", "fay", "gus", "hana")
PLAN: Final = m.TournamentPlan(
    "Cup", m.TableOptions(Rules(players=3, stages=1), m.Pace.TIMED, 30), rounds=2, call=20, pause=20
)
LONGEST_SECONDS: Final = 120.0
"""Nothing that is waited for takes so long, whatever is broken."""


class FaultyDatabase:
    """The way of one process to the ``Database``."""

    def __init__(self, database: Database, clock: FakeClock, rng: random.Random) -> None:
        self._database: Final = database
        self._clock: Final = clock
        self._rng: Final = rng
        self.cut = False
        """It cannot be reached."""
        self.dead = False
        """The process was killed: nothing that it has asked for is done any more."""
        self.slow = 0.0
        """Seconds that what is asked takes at most, and the answer."""

    def mend(self) -> None:
        self.cut, self.slow = False, 0.0

    async def read(self, work: Any, meter: Any = None) -> Any:
        if self.cut:
            raise StoreError("unreachable")
        return await self._travelled(partial(self._database.read, work, meter))

    async def change(self, work: Any) -> Any:
        change = partial(self._database.change, work)
        if self.cut or self.dead:
            raise StoreError("unreachable")
        return await self._travelled(change)

    async def _travelled(self, ask: Callable[[], Awaitable[Any]]) -> Any:
        if not self.slow:
            return await ask()
        # It is done though who has asked is gone by then.
        asked = asyncio.ensure_future(self._late(ask))
        asked.add_done_callback(lambda it: it.cancelled() or it.exception())
        return await asyncio.shield(asked)

    async def _late(self, ask: Callable[[], Awaitable[Any]]) -> Any:
        there, back = (self._rng.uniform(0.0, self.slow) for _ in range(2))
        await self._clock.sleep_until(self._clock.time() + there)
        if self.dead:
            raise StoreError("unreachable")
        answer = await ask()
        await self._clock.sleep_until(self._clock.time() + back)
        return answer


class Place(NamedTuple):
    """A bid is for one."""

    table: str
    """The key of the table."""
    game: int
    stage: int
    round: int
    seat: int


@dataclass
class Sealed:
    """What somebody knows of the own bid for a place."""

    visit: int = 0
    """The number of the visit through which a bid was acknowledged last ..."""
    card: int = 0
    """... and which; 0 for none."""
    unknown: list[tuple[int, int]] = field(default_factory=list)
    """Bids that nobody has answered, or not clearly: visits and cards."""

    def asked(self, visit: int, card: int) -> None:
        self.unknown.append((visit, card))

    def refused(self, visit: int, card: int) -> None:
        if (visit, card) in self.unknown:
            self.unknown.remove((visit, card))

    def acknowledged(self, visit: int, card: int) -> None:
        """What was asked before through this visit, or an earlier one, does not count any more."""
        if visit >= self.visit:
            self.visit, self.card = visit, card
            self.unknown = [each for each in self.unknown if each[0] > visit]

    @property
    def possible(self) -> set[int]:
        """What may count; nothing where anything may."""
        later = {card for visit, card in self.unknown if visit >= self.visit}
        return {self.card} | later if self.card else set()


class Visitor(Guest):
    """Somebody's visit, with its ``number``; so many updates have been ``checked``."""

    number = 0
    checked = 0


@dataclass
class Person:
    name: str
    guest: Visitor | None = None
    """The last visit."""
    visits: list[Visitor] = field(default_factory=list)
    bids: dict[Place, Sealed] = field(default_factory=dict)
    leaves: set[str] = field(default_factory=set)
    """Keys of tables that this person wanted to leave."""
    asking: asyncio.Future[Any] | None = None

    @property
    def id(self) -> str:
        return f"account:{self.name}"

    @property
    def busy(self) -> bool:
        return self.asking is not None and not self.asking.done()

    @property
    def here(self) -> Visitor | None:
        """The connection, if it stands and something is shown."""
        guest = self.guest
        if guest is None or guest.visit.feed.closed:
            return None
        guest.read()
        return guest if guest.updates else None


class Said(NamedTuple):
    """A line of the chat, and who may hear it."""

    sender: str
    command: m.Say
    table: str = ""
    unseen: tuple[int, int, int] | None = None
    """Said at a delayed table by somebody who plays: the round after which others may hear it."""


class World:
    """A server with its database, and people."""

    lobby: Lobby
    cups: Tournaments
    database: FaultyDatabase
    _today: asyncio.Task[None]

    def __init__(self, seed: int, *, verbose: bool = False) -> None:
        self.rng: Final = random.Random(seed)
        self.clock: Final = FakeClock()
        self.store: Final = MemoryStore()
        self.people: Final = [Person(name) for name in NAMES]
        self.visits: Final = count(1)
        self.said: Final[dict[str, Said]] = {}
        """By their texts."""
        self.done: Final[Counter[str]] = Counter()
        """How often each kind of thing was done."""
        self.log: Final[list[str]] = []
        self.logged: list[Any] = []
        self.wrong: Final[list[str]] = []
        """What was seen on the way."""
        self.cup = ""
        """The id of the tournament."""
        self._verbose: Final = verbose

    @property
    def actors(self) -> dict[str, TableActor]:
        return self.lobby.tables.actors

    def say(self, line: str) -> None:
        line = f"{self.clock.time() - 1_000_000.0:8.2f} {line}"
        self.log.append(line)
        if self._verbose:
            print(line)

    # ------------------------------------------------------------ the server

    async def start(self) -> None:
        self.say("the server starts")
        self.database = FaultyDatabase(self.store.database, self.clock, self.rng)
        database = cast(Database, self.database)
        tables = TableStore(database)
        seeds = random.Random(self.rng.random())
        self.lobby = lobby = Lobby(
            tables,
            self.clock,
            limits=TableLimits(games_per_player=10_000, games_per_address=10_000),
            new_seed=lambda: seeds.randbytes(32),
            new_rng=lambda: random.Random(seeds.random()),
        )
        events = EventStore(database)
        self.cups = Tournaments(lobby, TournamentStore(database), events, guests=False)
        today = TodaysTide(lobby, events)
        await self.let(lobby.recover())
        await self.let(self.cups.recover())
        self._today = asyncio.create_task(today.keep())

    async def end(self, *, killed: bool = False) -> None:
        self.say("the server is killed" if killed else "the server ends")
        self.database.dead = killed
        self._today.cancel()
        await self.lobby.close()
        await self.cups.close()
        await self.clock.advance(
            0.0 if killed else 2 * self.database.slow
        )  # what was asked for is done
        for person in self.people:
            person.guest = None

    async def let(self, work: Any) -> Any:
        """Have time go on until that is done."""
        doing, until = asyncio.ensure_future(work), self.clock.time() + LONGEST_SECONDS
        await self.clock.settle()
        while not doing.done():
            assert self.clock.time() < until, "\n".join([*self.log, f"{work} does not end"])
            await self.clock.advance(0.05)
        return await doing

    # ------------------------------------------------------------ operators

    async def direct(self, what: m.Directing | None = None) -> None:
        """Have the tournament opened, or directed."""
        command: Any = m.OpenTournament(PLAN)
        if what is not None:
            command = m.DirectTournament(self.cup, what)
        try:
            reply = await self.let(reply_of(self.cups.carry_out(None, command)))
        except m.Refused as refused:
            reply = refused.reply
        self.say(f"operator: {command!r:.60} {reply.code}")
        self.cup = self.cup or str(reply.details.get("tournament", ""))
