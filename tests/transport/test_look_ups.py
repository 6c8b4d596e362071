"""What is looked up in the database: who may see it comes first, and no network takes the others' time."""

import asyncio
import threading
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from engine.records.replay import fold
from server.jsonapi.queries import (
    GetOwnGame,
    GetRecord,
    GetReview,
    GetSummary,
    Query,
    answer_to,
)
from server.session.account import GameLibrary
from server.session.client import SessionClient, Visitor
from server.storage import history_store
from server.storage.databases.database import Database
from server.storage.databases.sqlite import SqliteMemory
from server.storage.events import Event, EventStore
from server.storage.history_store import HistoryStore
from server.storage.table_store import FinishedGame
from server.terminal.capabilities import Capabilities
from server.terminal.fair_queue import REST, FairQueue
from server.terminal.meter import LOOK_UP, Network, Networks
from tests.support.accounts import ME, FakeAccount, cannot_review
from tests.support.databases import archived, database, keep
from tests.support.fake_clock import FakeClock, FakeTimers
from tests.support.games import record

COST = 0.002
"""Seconds that the thread which reads needs for a game."""
SCHOOL, ATTACKER = "192.0.2.1", "198.51.100.7"


async def code(history: HistoryStore, who: str, request: Query) -> str:
    account = FakeAccount(library=GameLibrary(history, who, cannot_review))
    client = SessionClient(Visitor(ME, FakeClock(), Capabilities(), account))
    reply, _ = await answer_to(request, client)
    return reply.code


async def test_whom_a_game_is_not_shown_to_has_no_record_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    opened = Database(SqliteMemory())
    history = HistoryStore(opened)
    await keep(opened, 1, record(1), "id-ada", "id-bo", "", "")
    await EventStore(opened).add(Event("day-1", "day", 1.0, 2.0, "", ""))
    over = FinishedGame(
        record(2, seats=[{"kind": "human"}] * 4).fields(),
        ("id-ada", "", "", ""),
        3.0,
        event="day-1",
    )
    await archived(opened, "2-1", over)

    def read(_text: str) -> None:
        raise AssertionError("read")

    monkeypatch.setattr(history_store, "parse", read)
    for who, request, refused in (
        ("id-eve", GetOwnGame(1), "no_such_game"),
        ("id-eve", GetReview(1, 9), "no_such_seat"),
        ("id-eve", GetOwnGame(9), "no_such_game"),
        ("id-eve", GetRecord(9), "no_such_game"),
        ("id-eve", GetSummary(2), "no_such_game"),
        ("id-eve", GetReview(2), "no_such_game"),
        ("id-ada", GetRecord(2), "event_open"),
        ("id-ada", GetReview(2, 1), "event_open"),
    ):
        assert await code(history, who, request) == refused, request
    for request in (GetOwnGame(1), GetReview(1), GetSummary(1), GetRecord(1), GetOwnGame(2)):
        with pytest.raises(AssertionError, match="read"):
            await code(history, "id-ada", request)


async def test_a_record_is_read_beside_the_event_loop_and_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads = []

    def watched(*args: Any) -> Any:
        threads.append(threading.current_thread())
        return fold(*args)

    async with database(tmp_path) as opened:
        await keep(opened, 1, record(1), "id-ada", "", "", "")
        monkeypatch.setattr(history_store, "fold", watched)
        network = Networks(1.0, 0.02, FairQueue(FakeTimers()), lambda: 0.0).of(SCHOOL)
        library = GameLibrary(HistoryStore(opened), "id-ada", cannot_review, _network=network)
        assert await library.game(1) is not None
        assert threads
        assert threading.main_thread() not in threads
        assert network.left < 1.0 - LOOK_UP, "more than what the event loop needs"


async def test_who_has_gone_has_used_it_all_the_same() -> None:
    opened = Database(SqliteMemory())
    spent = list[float]()
    history = HistoryStore(opened).metered(spent.append)
    await history.games()
    assert len(spent) == 1


class House:
    """Networks that have games looked up, each of which costs the same, on a clock of its own."""

    def __init__(self) -> None:
        self.timers = FakeTimers()
        self.networks = Networks(1.0, 0.02, FairQueue(self.timers, REST), self.timers.time)
        self.found = Counter[str]()
        self.tasks: list[asyncio.Task[None]] = []

    async def look_up(self, person: str, network: str) -> None:
        source: Network = self.networks.of(network)
        await source.look_up()
        source.looked_up(COST)
        self.found[person] += 1

    def flood(self, people: int, network: str) -> None:
        """So many there ask for one game after the other."""

        async def ask(person: str) -> None:
            while True:
                await self.look_up(person, network)
                await asyncio.sleep(0)

        self.tasks += [asyncio.create_task(ask(f"guest-{n}")) for n in range(people)]

    async def settle(self) -> None:
        for _ in range(20):
            await asyncio.sleep(0)

    async def run(self, seconds: float) -> None:
        until = self.timers.now + seconds
        while self.timers.now < until:
            self.timers.advance(LOOK_UP)
            await self.settle()

    async def end(self) -> None:
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)


async def test_sixty_people_at_a_school_wait_for_nothing_while_one_address_floods() -> None:
    house = House()
    house.flood(60, ATTACKER)
    await house.run(1.0)
    before, asked = house.found.total(), 5
    pupils = [f"pupil-{number}" for number in range(60)]
    for _ in range(asked):
        for pupil in pupils:
            # Nobody moves the clock: whoever had to wait would wait for ever.
            await asyncio.wait_for(house.look_up(pupil, SCHOOL), 60)
    assert {house.found[pupil] for pupil in pupils} == {asked}
    await house.run(1.0)
    flooded = house.found.total() - before - asked * len(pupils)
    assert 0 < flooded * (COST + LOOK_UP) <= 1.01 / REST, "it rests three times as long"
    await house.end()


async def test_at_the_address_that_floods_everybody_has_a_turn() -> None:
    house = House()
    house.flood(60, SCHOOL)
    await house.run(1.0)
    before = house.found.total()
    pupil = asyncio.create_task(house.look_up("pupil", SCHOOL))
    while not pupil.done():
        await house.run(LOOK_UP)
    assert house.found.total() - before <= 62, "one look-up of each of the others"
    await house.end()


async def test_whoever_hangs_up_while_waiting_takes_no_turn() -> None:
    house = House()
    house.flood(2, ATTACKER)
    await house.run(0.1)
    gone = asyncio.create_task(house.look_up("gone", ATTACKER))
    await house.settle()
    gone.cancel()
    await house.run(0.1)
    assert gone.cancelled()
    assert not house.found["gone"]
    assert house.found.total()
    await house.end()
