"""Nodes that fail, the people at them, and what is remembered of what was done."""

import asyncio
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, cast

from engine.editions import Rules
from server.coordinator import messages as m
from server.coordinator.events.today import TodaysTide
from server.coordinator.nodes.tournaments import TournamentsOfNodes
from server.coordinator.table.actor import TableActor
from server.coordinator.tournaments.known import KnownTournaments
from server.coordinator.unwritten import reply_of
from server.storage.databases.database import Database
from server.storage.events import EventStore
from server.storage.tournaments import TournamentStore
from tests.support.fake_clock import FakeClock
from tests.support.faulty_nodes import FaultyNode, kill, start
from tests.support.memory_stores import MemoryStore
from tests.support.nodes import House
from tests.support.tables import Guest

NAMES: Final = ("ada", "bo", "cem", "dora", "eve", "fay", "gus", "hana")
PLAN: Final = m.TournamentPlan(
    "Cup", m.TableOptions(Rules(players=3, stages=1), m.Pace.TIMED, 30), rounds=2, call=20, pause=20
)
LONGEST_SECONDS: Final = 120.0
"""Nothing that is waited for takes so long, whatever is broken."""


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
    at: FaultyNode | None = None
    guest: Visitor | None = None
    """The last visit."""
    visits: list[Visitor] = field(default_factory=list)
    bids: dict[Place, Sealed] = field(default_factory=dict)
    leaves: set[str] = field(default_factory=set)
    """Keys of tables that this person wanted to leave."""
    asking: asyncio.Future[Any] | None = None
    typed: list[asyncio.Task[Any]] = field(default_factory=list)
    """What is read of what was typed at a node that was stopped."""

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


@dataclass
class Directory:
    """What one node has besides its tables."""

    cups: TournamentsOfNodes
    today: asyncio.Task[None]


class World:
    """Several nodes with one database, and people."""

    def __init__(self, seed: int, *, verbose: bool = False) -> None:
        self.rng: Final = random.Random(seed)
        self.house: Final = House(FakeClock(), MemoryStore())
        self.people: Final = [Person(name) for name in NAMES]
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
        self._directories: Final[dict[str, Directory]] = {}
        self._verbose: Final = verbose
        self._count = 0
        self._trip: Final = self.rng.choice((0.0, 0.02))
        """Seconds to the database at most."""

    @property
    def clock(self) -> FakeClock:
        return self.house.clock

    @property
    def nodes(self) -> list[FaultyNode]:
        return [cast(FaultyNode, it) for it in self.house.nodes.values()]

    @property
    def awake(self) -> list[FaultyNode]:
        return [it for it in self.nodes if not it.stopped]

    @property
    def actors(self) -> Iterator[tuple[str, TableActor]]:
        for node in self.nodes:
            yield from node.lobby.tables.actors.items()

    def say(self, what: str) -> None:
        line = f"{self.clock.time() - 1_000_000:8.2f} {what}"
        self.log.append(line)
        if self._verbose:
            print(line)

    # ------------------------------------------------------------ nodes

    async def start(self, ahead: float = 0.0) -> None:
        self._count += 1
        name = f"n{self._count}"
        self.say(f"{name} starts" + (f", {ahead:+} s" if ahead else ""))
        await start(self.house, name, self.rng, ahead=ahead, prepare=self._prepare)
        await self.let(self._directories[name].cups.recover())

    def _prepare(self, node: FaultyNode) -> None:
        database = cast(Database, node.database)
        lobby, events = node.lobby, EventStore(database)
        known = KnownTournaments(lobby, TournamentStore(database), events)
        cups = TournamentsOfNodes(
            known,
            node.node,
            guests=False,
        )
        today = TodaysTide(lobby, events)
        # Whatever takes no time at all is never in the way of anything else.
        node.database.usual = node.database.slow = self._trip
        self._directories[node.node.name] = Directory(cups, asyncio.create_task(today.keep()))

    async def kill(self, node: FaultyNode) -> None:
        self.say(f"{node.node.name} is killed")
        await self._cut_off(node)
        await kill(self.house, node)

    async def _cut_off(self, node: FaultyNode) -> None:
        for person in self.people:
            if person.at is node:
                person.at = person.guest = None
        directory = self._directories.pop(node.node.name)
        directory.today.cancel()
        await directory.cups.close()

    async def drain(self, node: FaultyNode) -> None:
        self.say(f"{node.node.name} is drained")
        ending = asyncio.create_task(node.node.handover.hand_over_all())
        for _ in range(200):
            await self.clock.advance(0.05)
            if ending.done():
                break
        ending.cancel()
        await asyncio.gather(ending, return_exceptions=True)
        await self._cut_off(node)
        del self.house.nodes[node.node.name]
        await self.let(node.lobby.close())
        await self.let(node.node.close())
        await self.house.settle()
        node.bus.up = False
        self.house.hub.ends.remove(node.bus)

    async def let(self, work: Any) -> Any:
        """Have time go on until that is done."""
        doing, until = asyncio.ensure_future(work), self.clock.time() + LONGEST_SECONDS
        await self.clock.settle()
        while not doing.done():
            assert self.clock.time() < until, "\n".join([*self.log, f"{work} does not end"])
            await self.clock.advance(0.05)
        return await doing

    async def go_on(self, node: FaultyNode) -> None:
        lost = self.rng.random() < 0.3
        self.say(f"{node.node.name} goes on" + (", messages lost" if lost else ""))
        await node.go_on(self.rng, lost=lost)

    async def mend(self) -> None:
        self.say("all is mended")
        for node in self.nodes:
            node.mend()
            if node.stopped:
                await self.go_on(node)

    async def close(self) -> None:
        for person in self.people:
            if person.asking is not None:
                person.asking.cancel()
        for node in self.nodes:
            await self._cut_off(node)
            await self.let(node.lobby.close())
            await self.let(node.node.close())
        await self.house.store.database.close()

    # ------------------------------------------------------------ operators

    async def direct(self, what: m.Directing | None = None) -> None:
        """Have the tournament opened, or directed, through any node."""
        command: Any = m.OpenTournament(PLAN)
        if what is not None:
            command = m.DirectTournament(self.cup, what)
        if not self.awake:
            return
        node = self.rng.choice(self.awake)
        try:
            asked = self._directories[node.node.name].cups.carry_out(None, command)
            reply = await self.let(reply_of(asked))
        except m.Refused as refused:
            reply = refused.reply
        self.say(f"operator at {node.node.name}: {command!r:.60} {reply.code}")
        self.cup = self.cup or str(reply.details.get("tournament", ""))

    async def record(self, node: FaultyNode) -> dict[str, Any]:
        """Of the tournament, as this node exports it."""
        found: dict[str, Any] = await self.let(
            self._directories[node.node.name].cups.record(self.cup)
        )
        return found
