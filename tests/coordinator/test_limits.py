"""Limits of tables: each bites, says so, is counted and logged, and lets go again."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import structlog

from server.coordinator import messages as m
from server.settings.settings import TableLimits
from tests.support.faulty_stores import HeldStore
from tests.support.memory_stores import MemoryStore
from tests.support.tables import UNTIMED, Guest, World, world
from tests.support.through_frames import enter


@contextmanager
def refusals(server: World, limit: str, times: int = 1) -> Iterator[list[Any]]:
    """What is logged; fails unless this limit, and no other, bites so often, and is logged."""
    before = server.lobby.shared.tally.limits.copy()
    with structlog.testing.capture_logs() as logs:
        yield logs
    assert server.lobby.shared.tally.limits - before == {limit: times}
    said = [log for log in logs if log["event"] == "limit"]
    assert [log["limit"] for log in said] == [limit]
    assert said[0]["log_level"] == "warning"


async def test_tables_of_one_player() -> None:
    """Whoever leaves games behind for bots to play cannot fill the house with them."""
    async with world(limits=TableLimits(tables_per_player=3)) as server:
        eve, ada = server.enter("eve"), server.enter("ada")
        for _ in range(3):
            await eve.ok(m.QuickGame(UNTIMED))
            await eve.ok(m.LeaveTable())
        assert len(server.lobby.feed.snapshot().tables) == 3
        with refusals(server, "tables_per_player", 2):
            assert await eve.code(m.QuickGame(UNTIMED)) == "too_many_opened"
            assert await eve.code(m.CreateTable(UNTIMED)) == "too_many_opened"
        await ada.ok(m.QuickGame(UNTIMED))
        # The bots finish, and the tables close.
        await server.clock.advance(7200)
        assert len(server.lobby.feed.snapshot().tables) == 1
        await eve.ok(m.QuickGame(UNTIMED))


async def test_tables_are_counted_after_a_restart_as_well() -> None:
    store, limits = MemoryStore(), TableLimits(tables_per_player=2, tables_per_address=2)
    async with world(store=store, limits=limits) as server:
        for name in ("ada", "bo"):
            await server.enter(name, source="203.0.113.5").ok(m.QuickGame(UNTIMED))
        eve = server.enter("eve")
        for _ in range(2):
            await eve.ok(m.QuickGame(UNTIMED))
            await eve.ok(m.LeaveTable())
    assert "203.0.113" not in str(store.rows)
    async with world(store=store, limits=limits) as server:
        await server.lobby.recover()
        assert await server.enter("eve").code(m.QuickGame(UNTIMED)) == "too_many_opened"
        there = server.enter("cem", source="203.0.113.5")
        assert await there.code(m.QuickGame(UNTIMED)) == "too_many_from_there"
        await server.enter("dora", source="203.0.113.6").ok(m.QuickGame(UNTIMED))


async def test_tables_from_one_address() -> None:
    """Nor can whoever comes again and again as somebody new."""
    async with world(limits=TableLimits(tables_per_address=3)) as server:

        def guest(name: str, source: str) -> Guest:
            return Guest(enter(server.lobby, m.Player(name, name, True), source=source))

        for number in range(3):
            await guest(f"eve{number}", "203.0.113.5").ok(m.QuickGame(UNTIMED))
        with refusals(server, "tables_per_address"):
            assert (
                await guest("eve", "203.0.113.5").code(m.QuickGame(UNTIMED))
                == "too_many_from_there"
            )
        await guest("ada", "203.0.113.6").ok(m.QuickGame(UNTIMED))
        # Where nobody knows from where somebody comes, it does not count.
        for number in range(5):
            await guest(f"bo{number}", "").ok(m.QuickGame(UNTIMED))


async def test_games_of_one_player() -> None:
    """However they are begun: against bots, by the owner of a table, or again and again at the same one."""
    async with world(limits=TableLimits(games_per_player=3)) as server:
        eve = await server.quick(name="eve")
        for _ in range(2):
            await eve.ok(m.Vote(m.Motion.END))
            await eve.ok(m.Rematch())
        await eve.ok(m.Vote(m.Motion.END))
        with refusals(server, "games_per_player", 2):
            assert await eve.code(m.Rematch()) == "too_many_games"
            assert (await eve.submit(m.Rematch())).details == {"seconds": 10}
        await server.quick(name="ada")
        await server.clock.advance(10)
        await eve.ok(m.Rematch())
        assert not server.store.finished


async def test_another_game_counts_for_any_of_those_who_want_it() -> None:
    """In whichever order they ask for it."""
    async with world(limits=TableLimits(games_per_player=2)) as server:
        ada, bo = await server.table(UNTIMED, humans=2)  # the table and the game count for ada
        for _ in range(2):  # and these for bo
            for each in (ada, bo):
                await each.ok(m.Vote(m.Motion.END))
            for each in (bo, ada):
                await each.ok(m.Rematch())
            await server.clock.settle()
        assert (ada.info.game, ada.status()) == (3, m.Status.PLAYING)
        for each in (ada, bo):
            await each.ok(m.Vote(m.Motion.END))
        await bo.ok(m.Rematch())
        assert await ada.code(m.Rematch()) == "too_many_games"


@pytest.mark.slow
async def test_forty_people_of_one_address_play_again_and_again() -> None:
    async with world() as server:
        people = [server.enter(f"p{n}", guest=True, source="203.0.113.5") for n in range(40)]
        for one in people:
            await one.ok(m.QuickGame(UNTIMED))
        for _ in range(3):
            for one in people:
                await one.ok(m.LeaveTable())
                await one.ok(m.QuickGame(UNTIMED))
            await server.clock.advance(90)


async def test_commands_of_one_player() -> None:
    store = HeldStore()
    async with world(store=store, limits=TableLimits(commands=2)) as server:
        store.gate.set()
        ada = await server.quick()
        store.gate.clear()
        bidding = asyncio.create_task(ada.bid())
        touching = asyncio.create_task(ada.submit(m.Touch()))
        await server.clock.settle()
        with refusals(server, "commands"):
            assert await ada.code(m.Touch()) == "busy"
        store.gate.set()
        assert (await bidding).ok
        assert (await touching).ok


async def test_writing_too_fast() -> None:
    async with world() as server:
        eve = server.enter("eve")
        server.enter("ada")
        with structlog.testing.capture_logs() as logs:
            codes = [await eve.code(m.Say(m.Room.LOBBY, "hello")) for _ in range(200)]
        refused = codes.count("chat_wait")
        assert refused > 100
        assert server.lobby.shared.tally.limits == {"chat": refused}
        # However often it bites: one line a second.
        assert [log["limit"] for log in logs if log["event"] == "limit"] == ["chat"]
        assert "hello" not in str(logs)


async def test_games_from_one_address() -> None:
    async with world(limits=TableLimits(games_per_address=2)) as server:
        for name in ("ada", "bo"):
            await server.enter(name, source="203.0.113.5").ok(m.QuickGame(UNTIMED))
        cem = server.enter("cem", source="203.0.113.5")
        with refusals(server, "games_per_address"):
            assert await cem.code(m.QuickGame(UNTIMED)) == "too_many_games_there"
        await server.enter("dora", source="203.0.113.6").ok(m.QuickGame(UNTIMED))
