"""A server with a clock that stands still, and people who come into it."""

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from engine.bots import Choose, choose
from engine.editions import Rules
from engine.state import Phase
from engine.views import SeatView
from server.coordinator.contract import Feed, Visit
from server.coordinator.lobby.lobby import Lobby
from server.coordinator.messages import (
    AddBot,
    CreateTable,
    Happening,
    JoinTable,
    LobbySnapshot,
    Pace,
    PlaceBid,
    Player,
    QuickGame,
    Reply,
    StartGame,
    Status,
    TableOptions,
    TablePublic,
    TableSnapshot,
    Update,
)
from server.coordinator.table.ports import Think, cannot_think
from server.settings.settings import TableLimits, Timing
from server.storage.table_store import TableStore
from tests.support.fake_clock import FakeClock
from tests.support.memory_stores import MemoryStore, copy_of
from tests.support.through_frames import enter

SHORT = Rules(players=3, stages=1)
UNTIMED = TableOptions(SHORT, Pace.UNTIMED)
TIMED = TableOptions(SHORT, Pace.TIMED, 60)


async def next_update(feed: Feed) -> Update:
    """Wait for something to take, and take it; after the end, the last one again."""
    while (update := feed.take()) is None:
        if feed.closed:
            return feed.now
        ready = asyncio.Event()
        feed.listen(ready.set)
        await ready.wait()
    return update


@dataclass
class Guest:
    """One connection, and everything that has come out of its feed so far."""

    visit: Visit
    updates: list[Update] = field(default_factory=list)
    happenings: list[Happening] = field(default_factory=list)

    def read(self) -> "Guest":
        while (update := self.visit.feed.take()) is not None:
            self.updates.append(update)
            self.happenings += update.happenings
        return self

    @property
    def last(self) -> Update:
        self.read()
        return self.updates[-1]

    @property
    def table(self) -> TableSnapshot:
        table = self.last.table
        assert table is not None
        return table

    @property
    def lobby(self) -> LobbySnapshot:
        lobby = self.last.lobby
        assert lobby is not None
        return lobby

    @property
    def info(self) -> TablePublic:
        return self.table.info

    def status(self) -> Status:
        return self.info.status

    @property
    def own(self) -> SeatView:
        own = self.table.own
        assert own is not None
        return own

    def heard(self, kind: type[Any]) -> list[Any]:
        self.read()
        return [happening for happening in self.happenings if isinstance(happening, kind)]

    def forget(self) -> "Guest":
        self.read()
        self.happenings.clear()
        self.updates = self.updates[-1:]
        return self

    async def submit(self, command: Any) -> Reply:
        return await self.visit.submit(command)

    async def ok(self, command: Any) -> None:
        reply = await self.visit.submit(command)
        assert reply.ok, (command, reply)

    async def code(self, command: Any) -> str:
        return (await self.visit.submit(command)).code

    def bid_of(self, card: int) -> PlaceBid:
        view = self.own.table
        return PlaceBid(card, view.stage, view.round)

    def owes(self) -> bool:
        own = self.table.own
        return (
            own is not None
            and own.table.phase is Phase.BIDDING
            and not own.bid
            and bool(own.hand)
            and self.status() is Status.PLAYING
        )

    async def bid(self, card: int = 0) -> Reply:
        """Bid ``card``, or the lowest of the hand."""
        return await self.submit(self.bid_of(card or self.own.hand[0]))


@dataclass
class World:
    """A lobby, its clock and its store."""

    clock: FakeClock
    store: Any
    """A ``MemoryStore``, unless it was given another one."""
    lobby: Lobby
    names: Any = field(default_factory=count)

    def enter(
        self, name: str = "", *, guest: bool = False, source: str = "", id_: str = ""
    ) -> Guest:
        name = name or f"player{next(self.names)}"
        return Guest(enter(self.lobby, Player(id_ or f"id-{name}", name, guest), source=source))

    async def back(self, name: str, table: str = "") -> Guest:
        """Who comes in again, and goes to a game by correspondence: the one with that code, or the first."""
        guest = self.enter(name)
        await guest.ok(JoinTable(table or guest.last.correspondence[0].table))
        return guest

    async def table(
        self, options: TableOptions = UNTIMED, humans: int = 1, start: bool = True
    ) -> list[Guest]:
        """People at a table of their own, the other seats filled with bots, and begun."""
        guests = [self.enter(name) for name in ("ada", "bo", "cem", "dora", "eve", "fay")[:humans]]
        await guests[0].ok(CreateTable(options))
        for guest in guests[1:]:
            await guest.ok(JoinTable(guests[0].info.id))
        if start:
            for _ in range(options.rules.players - humans):
                await guests[0].ok(AddBot())
            await guests[0].ok(StartGame())
        await self.clock.settle()
        return guests

    async def quick(self, options: TableOptions = UNTIMED, name: str = "ada") -> Guest:
        guest = self.enter(name)
        await guest.ok(QuickGame(options))
        return guest

    async def play_out(self, *guests: Guest) -> None:
        """Everybody bids the lowest card until the game is over."""
        while guests[0].status() is Status.PLAYING:
            for guest in guests:
                if guest.owes():
                    await guest.bid()
            if not any(guest.owes() for guest in guests):
                assert guests[0].status() is Status.OVER or await self.clock.next()


@asynccontextmanager
async def world(
    *,
    store: TableStore | None = None,
    clock: FakeClock | None = None,
    timing: Timing | None = None,
    limits: TableLimits | None = None,
    seed: Callable[[], bytes] | None = None,
    choose: Choose = choose,
    think: Think = cannot_think,
    strength: Callable[[str], Awaitable[tuple[int | None, int]]] | None = None,
    gone: Callable[[Player], object] = lambda _: None,
    guests_invite: bool = False,
    rng: int = 1,
) -> AsyncIterator[World]:
    clock = clock or FakeClock()
    store = MemoryStore() if store is None else store
    seeds = random.Random(rng)
    lobby = Lobby(
        store,
        clock,
        timing=timing,
        limits=limits,
        new_seed=seed or (lambda: seeds.randbytes(32)),
        new_rng=lambda: random.Random(rng),
        choose=choose,
        think=think,
        strength=strength,
        guests_invite=guests_invite,
    )
    lobby.gone = gone
    made = World(clock, store, lobby)
    try:
        yield made
    finally:
        await lobby.close()


@asynccontextmanager
async def restarted(server: World, **more: Any) -> AsyncIterator[World]:
    """Another server, a moment later, on what this one has written so far."""
    left: dict[str, Any] = {"store": copy_of(server.store), "clock": FakeClock(server.clock.time())}
    async with world(**(left | more)) as again:
        await again.lobby.recover()
        yield again


RATED = TableOptions(Rules(players=3, stages=1), Pace.UNTIMED, rated=True)


async def rated_game(server: World) -> list[Guest]:
    players = [server.enter(name) for name in ("ada", "bo", "cem")]
    await players[0].ok(CreateTable(RATED))
    for player in players[1:]:
        await player.ok(JoinTable(players[0].info.id))
    await players[0].ok(StartGame())
    return players


FIVE = TableOptions(Rules(players=5), Pace.UNTIMED)
