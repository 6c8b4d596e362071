"""A tournament on a server whose clock stands still."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from engine.editions import Rules
from engine.records.statistics import Streak
from server.coordinator import messages as m
from server.coordinator.events.today import LobbyNews
from server.coordinator.lobby.lobby import Lobby
from server.coordinator.tournaments.actor import Tournaments
from server.coordinator.tournaments.tournament import Held
from server.settings.settings import Timing
from server.storage.events import EventStore, TournamentStore
from server.storage.history_store import HistoryStore
from tests.support.fake_clock import FakeClock
from tests.support.memory_stores import MemoryStore
from tests.support.tables import Guest, World, world

PLAN = m.TournamentPlan(
    "Friday cup",
    m.TableOptions(Rules(players=3, stages=1), m.Pace.TIMED, 30, bots="cautious"),
    rounds=2,
    call=60,
    pause=120,
)
QUICK = Timing(reveal=0, stage=0, bot_least=0, bot_most=0.1, countdown=0)


def totals(record: dict[str, Any]) -> dict[int, Fraction]:
    """Worked out from the record alone."""
    found = {number + 1: Fraction(0) for number, _ in enumerate(record["players"])}
    for each in record["rounds"]:
        tables = [table for table in each["tables"] if table["points"] is not None]
        for table in tables:
            for seat, player in enumerate(table["seats"]):
                mean = Fraction(sum(it["points"][seat] for it in tables), len(tables))
                score = table["points"][seat] - mean
                if player:
                    found[player] += score if table["stayed"][seat] else min(score, Fraction(0))
    return found


@dataclass
class Cup:
    """A server that holds tournaments."""

    server: World
    directory: Tournaments
    store: MemoryStore
    guests: list[Guest] = field(default_factory=list)
    id: str = ""

    @property
    def held(self) -> Held:
        """As it has been written."""
        return self.directory.all[self.id].held

    @property
    def clock(self) -> FakeClock:
        return self.server.clock

    def come(self, count: int, *, guest: bool = False) -> list[Guest]:
        """So many people come in."""
        came = [self.server.enter(f"p{number}", guest=guest) for number in range(count)]
        self.guests += came
        return came

    async def opened(self, plan: m.TournamentPlan = PLAN) -> str:
        """By the operators."""
        reply = await self.directory.carry_out(None, m.OpenTournament(plan))
        reply.raise_if_refused()
        self.id = str(reply.details["tournament"])
        return self.id

    async def direct(self, what: m.Directing, name: str = "") -> None:
        """By the operators. Raises ``Refused``."""
        command = m.DirectTournament(self.id, what, name)
        (await self.directory.carry_out(None, command)).raise_if_refused()

    async def registered(self, players: int, plan: m.TournamentPlan = PLAN) -> list[Guest]:
        """A tournament is open, and so many have come and registered."""
        await self.opened(plan)
        guests = self.come(players)
        for each in guests:
            await each.ok(m.EnterTournament(self.id))
        return guests

    async def begun(self, players: int = 8, plan: m.TournamentPlan = PLAN) -> list[Guest]:
        """The first round goes on, of so many who are all there."""
        guests = await self.registered(players, plan)
        await self.direct(m.Directing.BEGIN)
        await self.clock.settle()
        return guests

    async def play(self, guests: Sequence[Guest] | None = None) -> None:
        """These bid their lowest card until no round goes on."""
        while (await self.view()).info.phase is m.TournamentPhase.PLAYING:
            bid = False
            for guest in self.guests if guests is None else guests:
                if guest.last.table is not None and guest.owes():
                    assert (await guest.bid()).ok
                    bid = True
            if not bid:
                assert await self.clock.next()

    async def view(self, guest: Guest | None = None) -> m.TournamentView:
        """As somebody sees it."""
        return await self.directory.view(self.id, guest.visit.player if guest else None)


@asynccontextmanager
async def cup(
    store: MemoryStore | None = None,
    clock: FakeClock | None = None,
    *,
    lan: bool = False,
    rng: int = 1,
    timing: Timing = QUICK,
    seed: Callable[[], bytes] | None = None,
) -> AsyncIterator[Cup]:
    store = store or MemoryStore()
    async with world(store=store, clock=clock, timing=timing, rng=rng, seed=seed) as server:
        tournaments, events = TournamentStore(store.database), EventStore(store.database)
        directory = Tournaments(server.lobby, tournaments, events, guests=lan)
        await server.lobby.recover()
        await directory.recover()
        try:
            yield Cup(server, directory, store)
        finally:
            await directory.close()


def news_of(lobby: Lobby, store: MemoryStore) -> LobbyNews:
    """The news of a lobby where nobody plays today's tide."""

    async def streak(_player: str) -> Streak:
        return Streak(0, 0)

    return LobbyNews(lobby, HistoryStore(store.database), EventStore(store.database), streak)
