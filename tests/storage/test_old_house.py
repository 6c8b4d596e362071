"""What 80d0b3dc left when it was killed in the middle of games goes on: everybody has seat, hand and sealed
bid again, and all is played to its end. Every later version has to open it.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import cycle
from pathlib import Path
from typing import Any, cast

import pytest

from engine.records.record_format import Record, parse
from engine.records.referee import resolve
from engine.records.replay import check_seed
from server.coordinator import messages as m
from server.coordinator.events.seasons import Seasons
from server.coordinator.events.today import TodaysTide
from server.coordinator.lobby.lobby import Lobby
from server.coordinator.lobby.tournaments import Directory
from server.coordinator.people.people import TIDY_SECONDS, Credential, People
from server.coordinator.time_source import repeated
from server.storage.databases.connection import Connection
from server.storage.databases.database import Backend, Database
from server.storage.databases.sqlite import SqliteMemory
from server.storage.events import EventStore
from server.storage.history import PlayerPage
from server.storage.history_store import HistoryStore, keep
from server.storage.leaderboard_store import SeasonStore
from server.storage.moderation_store import ModerationStore
from server.storage.nodes import NodeStore
from server.storage.people import PeopleStore
from server.storage.tables import TableStore
from tests.support import databases
from tests.support.cups import cup, totals
from tests.support.databases import database, restored
from tests.support.fake_clock import FakeClock
from tests.support.memory_stores import MemoryStore
from tests.support.node_cups import NodeCup
from tests.support.nodes import House
from tests.support.postgres import needed
from tests.support.tables import Guest

OLD = Path(__file__).parent / "old"
"""``make_version13`` there has made it."""
SHORTLY = 20.0
LATE = 40 * m.DAY


@dataclass
class OldHouse:
    """It is open again; ``facts`` says what everybody saw last."""

    database: Database
    clock: FakeClock
    lobbies: list[Lobby]
    facts: dict[str, Any]
    guests: dict[str, Guest] = field(default_factory=dict)
    ratings: Sequence[dict[str, Any]] = ()
    """As they were when it was opened ..."""
    last_record: str = ""
    """... after this game."""

    def __post_init__(self) -> None:
        self._doors = cycle(self.lobbies)
        self.people = People(PeopleStore(self.database), self.clock, seated=self.lobbies[0].knows)
        self.days = [TodaysTide(lobby, EventStore(self.database)) for lobby in self.lobbies]
        self.seasons = Seasons(SeasonStore(self.database), self.clock)

    async def come(self, name: str, *, new: bool = False) -> Guest:
        """Back, with key or code."""
        code = self.facts["codes"].get(name, "")
        found = await self.people.admit(Credential("" if code else f"SHA256:{name}", code), name)
        assert (found.player.name, found.new) == (name, new)
        lobby = next(self._doors)
        visit = await lobby.elsewhere.visit()
        self.guests[name] = guest = Guest(lobby.enter(found.player, visit=visit))
        await self.clock.advance(0.5)
        for game in guest.last.correspondence:
            await guest.ok(m.JoinTable(game.table))  # nobody is led there
        return self.guests[name]

    def seen(self, name: str) -> dict[str, Any]:
        """As ``facts`` has it."""
        guest = self.guests[name]
        table = guest.table
        now = {"table": guest.info.id, "status": guest.status().value, "seat": table.seat}
        if (own := table.own) is None:
            return now
        when = {"stage": own.table.stage, "round": own.table.round}
        return {**now, **when, "hand": list(own.hand), "bid": own.bid}

    async def play_on(self) -> None:
        """Everybody bids the lowest card, until no game and no tournament goes on."""
        for _ in range(3000):
            owing = [it for it in self.guests.values() if it.last.table is not None and it.owes()]
            for guest in owing:
                (await guest.bid()).raise_if_refused()
            await self.clock.advance(0.5)
            if not owing and not await self.goes_on():
                return
        pytest.fail("it does not end")

    async def goes_on(self) -> bool:
        playing = any(
            it.last.table is not None and it.status() is m.Status.PLAYING
            for it in self.guests.values()
        )
        view = await self.tournament()
        return playing or view.info.phase is not m.TournamentPhase.OVER

    @property
    def directory(self) -> Directory:
        return self.lobbies[0].directory

    async def tournament(self) -> m.TournamentView:
        reply = await self.directory.carry_out(None, m.AskTournament(self.facts["tournament"]))
        assert reply.tournament is not None
        return reply.tournament

    async def tournament_record(self) -> dict[str, Any]:
        return await self.directory.record(self.facts["tournament"])


@asynccontextmanager
async def single(
    opened: Database, clock: FakeClock, facts: dict[str, Any]
) -> AsyncIterator[OldHouse]:
    async with cup(cast(MemoryStore, TableStore(opened)), clock) as held:
        yield OldHouse(opened, clock, [held.server.lobby], facts)


@asynccontextmanager
async def of_nodes(
    names: str, opened: Database, clock: FakeClock, facts: dict[str, Any]
) -> AsyncIterator[OldHouse]:
    held = NodeCup(House(clock, cast(MemoryStore, TableStore(opened))))
    try:
        for name in names:
            await held.start(name)
        await clock.advance(1.0)
        yield OldHouse(opened, clock, [it.lobby for it in held.here.nodes.values()], facts)
    finally:
        for directory in held.directories.values():
            await directory.close()
        for node in held.here.nodes.values():
            await node.lobby.close()
            await node.node.close()


@pytest.fixture(params=["a server", "a node", "two nodes"])
def kind(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """What opens the house: a server with SQLite, or nodes with PostgreSQL."""
    # Everything is written and read where it is asked for: the clock knows when that is done.
    monkeypatch.setattr(Backend, "blocks", False)
    # Leases in the database end by its own clock, which knows nothing of ours.
    join, renew = NodeStore.join, NodeStore.renew
    monkeypatch.setattr(
        NodeStore, "join", lambda it, id_, name, _, was=(): join(it, id_, name, 3600.0, was)
    )
    monkeypatch.setattr(NodeStore, "renew", lambda it, id_, _, bus: renew(it, id_, 3600.0, bus))
    name: str = request.param
    if name != "a server":
        needed()
    with databases.on("sqlite" if name == "a server" else "postgresql"):
        yield name


@asynccontextmanager
async def reopened(kind: str, folder: Path, later: float) -> AsyncIterator[OldHouse]:
    """The house, so many seconds after it was killed, with what a server does by itself."""
    name = "sqlite" if kind == "a server" else "postgresql"
    facts = json.loads((OLD / f"version13_{name}.json").read_text())
    restored(OLD / f"version13_{name}.sql", folder)
    clock = FakeClock(facts["at"] + later)
    async with AsyncExitStack() as stack:
        opened = await stack.enter_async_context(database(folder))
        if kind == "a server":
            house = await stack.enter_async_context(single(opened, clock, facts))
        else:
            names = "c" if kind == "a node" else "ab"
            house = await stack.enter_async_context(of_nodes(names, opened, clock, facts))
        days = [day.keep() for day in house.days]
        for work in (*days, house.seasons.keep(), repeated(clock, TIDY_SECONDS, house.people.tidy)):
            stack.callback(asyncio.create_task(work).cancel)
        await clock.settle()
        house.ratings = await all_of(opened, "SELECT * FROM ratings")
        (last,) = await all_of(opened, "SELECT origin FROM records ORDER BY id DESC LIMIT 1")
        house.last_record = last["origin"]
        yield house


async def all_of(opened: Database, query: str) -> list[dict[str, Any]]:
    """The rows."""
    return await opened.read(lambda it: [row._asdict() for row in it.execute(query)])


async def records(opened: Database) -> dict[str, Record]:
    """By table and number of the game."""
    rows = await all_of(opened, "SELECT origin, content FROM records")
    return {row["origin"]: parse(row["content"]) for row in rows}


async def keys(opened: Database) -> dict[str, str]:
    """Of tables, by their codes."""
    rows = await all_of(opened, "SELECT key, content FROM tables")
    return {json.loads(row["content"])["id"]: row["key"] for row in rows}


FOLLOWS = (
    "SELECT origin, kept, edition, complete, rated, tutorial, again, event FROM records ORDER BY id",
    """SELECT origin, seat, player, name, kind, score, place, source
    FROM record_seats JOIN records ON id = record_id ORDER BY record_id, seat""",
    """SELECT origin, stage, seat, hand, points
    FROM hand_results JOIN records ON id = record_id ORDER BY record_id, stage, seat""",
    "SELECT person, mu, sigma, games, listed FROM ratings ORDER BY person",
)


async def recounted(house: OldHouse) -> Database:
    """People, events and records alone in an empty house, which has to find out everything else: but how the
    old one rated its own games.
    """
    empty = Database(SqliteMemory())
    people = await all_of(house.database, "SELECT * FROM people")
    events = await all_of(house.database, "SELECT * FROM events")
    games = await all_of(house.database, "SELECT * FROM records ORDER BY id")
    seats = await all_of(house.database, "SELECT * FROM record_seats ORDER BY record_id, seat")

    def fill(connection: Connection) -> None:
        connection.insert("people", *people)
        connection.insert("events", *events)
        for row in games:
            own = [seat for seat in seats if seat["record_id"] == row["id"]]
            players, sources = [seat["player"] for seat in own], [seat["source"] for seat in own]
            content = row["content"]
            keep(connection, row["origin"], row["kept"], content, players, sources, row["event"])
            if row["origin"] == house.last_record:
                connection.upsert("ratings", "person", *house.ratings)

    await empty.change(fill)
    return empty


async def check(house: OldHouse) -> None:
    """Records are in order, and whatever follows from them is there as it follows."""
    for record in (await records(house.database)).values():
        resolve(record)
        assert not check_seed(record)
    alone = await recounted(house)
    for query in FOLLOWS:
        assert await all_of(house.database, query) == await all_of(alone, query)
    months, again = SeasonStore(house.database), SeasonStore(alone)
    for before in range(3):
        now = house.clock.time()
        assert (await months.season(now, before)).rows == (await again.season(now, before)).rows
    for guest in house.guests.values():
        player = guest.visit.player.id
        assert await shown(house.database, player) == await shown(alone, player)
    await alone.close()


async def shown(opened: Database, player: str) -> PlayerPage:
    """Without the numbers of games, some of which may have been left out."""
    page = await HistoryStore(opened).page(player)
    assert page is not None
    return page._replace(games=tuple(game._replace(id=0) for game in page.games))


async def test_everybody_has_seat_hand_and_sealed_bid_again_and_all_is_played_out(
    kind: str, tmp_path: Path
) -> None:
    async with reopened(kind, tmp_path, SHORTLY) as house:
        tables, seats = await keys(house.database), house.facts["seats"]
        for name in house.facts["people"]:
            await house.come(name)
        who = house.guests
        assert {name: house.seen(name) for name in seats} == seats

        assert who["fay"].info.pause is m.Pause.VOTED
        await who["gus"].ok(m.Resume())
        await who["rosa"].ok(m.PlayToday())
        assert await who["quin"].code(m.PlayToday()) == m.Refusal.TODAY_PLAYED
        zed, zoe = [await house.come(name, new=True) for name in ("zed", "zoe")]
        private = who["lea"].info.id
        assert await zed.code(m.JoinTable(private, word="jetsam")) == m.Refusal.WRONG_WORD
        await zed.ok(m.JoinTable(private, word="flotsam"))
        assert zed.table.seat == 3
        await zed.ok(m.LeaveTable())
        await who["nina"].ok(m.JoinTable(private))
        assert who["nina"].table.seat == 2
        await who["lea"].ok(m.AddBot())
        for each in (zed, zoe):
            await each.ok(m.JoinTable(who["mia"].info.id))
        for owner in ("lea", "mia"):
            await who[owner].ok(m.StartGame())
        await who["Guest"].ok(m.Rematch())
        await house.play_on()

        assert {who[name].status() for name in seats} == {m.Status.OVER}
        assert who["oli"].info.game == 2
        found = await records(house.database)
        sealed = {name: seat for name, seat in seats.items() if seat.get("bid")}
        assert sealed.keys() == {"ada", "cem", "fay", "hal", "uma"}
        for seat in sealed.values():
            record = found[f"{tables[seat['table']]}-1"]
            assert record.stages[seat["stage"]].bids[seat["round"]][seat["seat"]] == seat["bid"]
        page = await house.days[0].page(who["pam"].visit.player)
        assert page is not None
        assert page.state == "played"
        assert {each.name for each in page.tries} == {"pam", "quin", "rosa"}
        over = await house.tournament_record()
        assert [len(each["tables"]) for each in over["rounds"]] == [3, 3, 3]
        standings = {row["player"]: Fraction(row["total"]) for row in over["standings"]}
        assert standings == totals(over)
        await check(house)


@pytest.mark.slow
async def test_who_comes_late_finds_all_but_the_tide_of_that_day(kind: str, tmp_path: Path) -> None:
    async with reopened(kind, tmp_path, LATE) as house:
        seats = house.facts["seats"]
        for name in house.facts["people"]:
            await house.come(name)
        who = house.guests
        assert who["pam"].last.table is None
        there = {name: seat for name, seat in seats.items() if name != "pam"}
        assert {name: house.seen(name) for name in there} == there
        day = await house.days[0].page(who["rosa"].visit.player, before=LATE // m.DAY)
        assert day is not None
        assert day.closed
        assert day.seed
        assert [each.name for each in day.tries] == ["quin"]
        await who["rosa"].ok(m.PlayToday())
        await who["gus"].ok(m.Resume())
        await house.play_on()
        assert len((await house.tournament_record())["rounds"]) == 3
        await check(house)


async def test_people_settings_and_orders_of_operators_are_kept(kind: str, tmp_path: Path) -> None:
    async with reopened(kind, tmp_path, SHORTLY) as house:
        people, orders = PeopleStore(house.database), ModerationStore(house.database)
        ada = await people.find("key", "SHA256:ada")
        assert ada is not None
        assert ada.settings["theme"] == "dusk"
        assert list(ada.settings["blocked"].values()) == ["bo"]
        assert await people.word_of("SHA256:cem") == "0123abcd"
        assert [ban.shown for ban in (await orders.bans()).values()] == ["dil"]
        assert [mute.name for mute in (await orders.mutes()).values()] == ["bo"]
        (report,) = await orders.reports(9, closed=False)
        assert report.row.text == "shouts all the time"
        (entry,) = await orders.audit(9)
        assert (entry.action, entry.about, entry.outcome) == ("mute", "bo", "ok")
        kept = await house.seasons.page(1)
        assert (kept.month, kept.closed) == ("2026-10", True)
        assert [row.name for row in kept.rows] == ["ada"]
