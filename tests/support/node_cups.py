"""A tournament on several nodes in one event loop."""

import random
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from msgspec.structs import replace

from server.coordinator import messages as m
from server.coordinator.nodes.tournaments import TournamentsOfNodes
from server.coordinator.tournaments.known import KnownTournaments
from server.coordinator.unwritten import reply_of
from server.storage.events import EventStore
from server.storage.tournaments import TournamentStore
from tests.support.cups import PLAN, QUICK
from tests.support.nodes import House, TestNode, house
from tests.support.tables import Guest

LONG_BREAK = replace(PLAN, pause=600)


@dataclass
class NodeCup:
    """A house that holds tournaments."""

    here: House
    directories: dict[str, TournamentsOfNodes] = field(default_factory=dict)
    guests: dict[str, Guest] = field(default_factory=dict)
    id: str = ""

    async def start(self, name: str) -> TestNode:
        """One more node."""
        node = await self.here.start(name, lambda node: self._prepare(name, node))
        await self.directories[name].recover()
        await self.here.settle()
        return node

    def _prepare(self, name: str, node: TestNode) -> None:
        database, seeds = self.here.store.database, random.Random(name)
        node.lobby.shared.new_seed = lambda: seeds.randbytes(32)
        node.lobby.shared.new_rng = lambda: random.Random(name)
        node.lobby.adjust(QUICK, node.lobby.shared.limits)
        known = KnownTournaments(node.lobby, TournamentStore(database), EventStore(database))
        self.directories[name] = TournamentsOfNodes(
            known,
            node.node,
            guests=False,
        )

    @property
    def runner(self) -> str:
        """The one node that runs the tournaments."""
        (name,) = [
            name for name, it in self.directories.items() if it.run_here and name in self.here.nodes
        ]
        return name

    async def opened(self, node: str, plan: m.TournamentPlan = PLAN) -> str:
        """By operators at that node."""
        asked = self.directories[node].carry_out(None, m.OpenTournament(plan))
        reply = await reply_of(asked)
        self.id = str(reply.details["tournament"])
        return self.id

    def come(self, name: str, node: str) -> Guest:
        """Somebody comes in, perhaps back."""
        self.guests[name] = self.here.nodes[node].guest(name)
        return self.guests[name]

    async def direct(self, node: str, what: m.Directing) -> m.Reply:
        """As an operator at that node."""
        command = m.DirectTournament(self.id, what)
        return await reply_of(self.directories[node].carry_out(None, command))

    async def begun(self, players: int = 9, plan: m.TournamentPlan = PLAN) -> None:
        """The first round goes on, of so many who are spread over the nodes."""
        names = sorted(self.here.nodes)
        await self.opened(names[-1], plan)
        for number in range(players):
            self.come(f"p{number}", names[number % len(names)])
        await self.here.clock.advance(1.0)
        for guest in self.guests.values():
            await guest.ok(m.EnterTournament(self.id))
        await self.direct(names[-1], m.Directing.BEGIN)
        await self.here.clock.advance(0.5)

    async def bid_once(self, guests: Sequence[Guest] | None = None) -> bool:
        """Whoever owes a bid bids the lowest card; whether anybody did."""
        bid = False
        for guest in self.guests.values() if guests is None else guests:
            if guest.last.table is not None and guest.owes():
                (await guest.bid()).raise_if_refused()
                bid = True
        await self.here.settle()
        return bid

    async def play(self) -> None:
        """Until no round goes on."""
        node = next(iter(self.here.nodes))
        while (await self.view(node)).info.phase is m.TournamentPhase.PLAYING:
            if not await self.bid_once():
                assert await self.here.clock.next()
        await self.here.clock.advance(1.0)

    async def view(self, node: str, player: str = "") -> m.TournamentView:
        """As somebody at that node sees it."""
        who = m.Player(f"account:{player}", player, False) if player else None
        reply = await self.directories[node].carry_out(who, m.AskTournament(self.id))
        assert reply.tournament is not None
        return reply.tournament

    async def record(self, node: str) -> dict[str, Any]:
        """As that node exports it."""
        return await self.directories[node].record(self.id)

    async def die(self, name: str) -> None:
        """The node is gone, and its lease is over."""
        await self.here.kill(name)
        self.here.lapse(name)
        await self.here.clock.advance(4.0)

    def games(self, number: int = 1) -> list[tuple[str, ...]]:
        """Who played each game of a round that is over, in the database."""
        rows = self.here.store.sql(
            "SELECT record_id, player FROM record_seats JOIN records ON records.id = record_id "
            "WHERE event = :event ORDER BY record_id, seat",
            event=f"tournament/{self.id}/{number}",
        )
        found: dict[int, list[str]] = {}
        for row in rows:
            found.setdefault(row.record_id, []).append(row.player)
        return [tuple(each) for each in found.values()]


@asynccontextmanager
async def node_cup(*names: str) -> AsyncIterator[NodeCup]:
    async with house() as here:
        made = NodeCup(here)
        try:
            for name in names:
                await made.start(name)
            await here.clock.advance(1.0)
            yield made
        finally:
            for each in made.directories.values():
                await each.close()
