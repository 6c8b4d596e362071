"""Screens that follow what goes on without anybody pressing keys."""

import asyncio
from dataclasses import replace
from math import inf

import pytest
from msgspec import structs

from server.coordinator import messages as m
from server.coordinator.lobby.lobby_feed import BigScreenChoice, Following, what_to_show
from server.settings.settings import TableLimits, Timing
from tests.support.faulty_stores import HeldStore
from tests.support.tables import UNTIMED, Guest, World, world

PLAYING, OPEN, OVER = m.Status.PLAYING, m.Status.OPEN, m.Status.OVER
UNSEEN = replace(UNTIMED, spectators=m.Spectating.NONE)
BY_MAIL = m.TableOptions(pace=m.Pace.CORRESPONDENCE, seconds=86_400)


def row(
    code: str, status: m.Status, present: int = 1, options: m.TableOptions = UNTIMED
) -> m.TableRow:
    return m.TableRow(code, code, options, status, ("ada", "", ""), 0, 0, 0, present=present)


def cup(code: str, phase: m.TournamentPhase, ended: float = 0.0) -> m.TournamentInfo:
    plan = m.TournamentPlan(code, UNTIMED)
    return m.TournamentInfo(code, plan, phase, 1, 8, "", guests=True, ended=ended)


NOW = 1000.0
SOON = Timing().lobby_again + 1
"""Seconds until everybody has heard of other tables."""
RUNS = cup("cup", m.TournamentPhase.PLAYING)
PAUSES = cup("cup", m.TournamentPhase.BREAK)
BIG = Following(standings=True)
HERE = Following(standings=True, table="a", rank=3, since=NOW - 1)


@pytest.mark.parametrize(
    ("rows", "cups", "now", "shown"),
    [
        ([], [], BIG, BigScreenChoice()),
        # A running tournament, also between two rounds, before any table.
        ([row("a", PLAYING, 5)], [RUNS], HERE, BigScreenChoice(tournament="cup")),
        ([row("a", PLAYING, 5)], [PAUSES], HERE, BigScreenChoice(tournament="cup")),
        ([row("a", PLAYING)], [cup("cup", m.TournamentPhase.OPEN)], BIG, BigScreenChoice("a")),
        ([row("a", PLAYING)], [RUNS], Following(), BigScreenChoice("a")),
        # One that is over: for two minutes.
        (
            [row("a", PLAYING)],
            [
                cup("old", m.TournamentPhase.OVER, 500.0),
                cup("cup", m.TournamentPhase.OVER, NOW - 119),
            ],
            BIG,
            BigScreenChoice(tournament="cup", until=NOW + 1),
        ),
        (
            [row("a", PLAYING)],
            [cup("cup", m.TournamentPhase.OVER, NOW - 120)],
            BIG,
            BigScreenChoice("a"),
        ),
        ([], [cup("cup", m.TournamentPhase.OVER, NOW - 120)], BIG, BigScreenChoice()),
        # A game before people who wait, both before a game by correspondence.
        ([row("a", OPEN, 4), row("b", PLAYING)], [], BIG, BigScreenChoice("b")),
        ([row("a", PLAYING, 5, BY_MAIL), row("b", PLAYING)], [], BIG, BigScreenChoice("b")),
        ([row("a", PLAYING, 5, BY_MAIL), row("b", OPEN)], [], BIG, BigScreenChoice("b")),
        ([row("a", PLAYING, 5, BY_MAIL)], [], BIG, BigScreenChoice("a")),
        ([row("a", PLAYING), row("b", PLAYING, 2)], [], BIG, BigScreenChoice("b")),
        # Nothing to look at.
        ([row("a", PLAYING, 0), row("b", OVER, 3), row("c", OPEN, 0)], [], BIG, BigScreenChoice()),
        ([row("a", PLAYING, 5, UNSEEN)], [], BIG, BigScreenChoice()),
        # What is shown stays for a while, a result longer where there is nothing else.
        ([row("a", PLAYING), row("b", PLAYING, 2)], [], HERE, BigScreenChoice("a", until=NOW + 14)),
        ([row("a", PLAYING, 2), row("b", PLAYING, 2)], [], HERE, BigScreenChoice("a")),
        (
            [row("a", PLAYING, 2, BY_MAIL), row("b", PLAYING)],
            [],
            Following(table="a", rank=1, since=NOW - 15),
            BigScreenChoice("b"),
        ),
        (
            [row("a", OVER, 2)],
            [],
            Following(table="a", since=NOW - 20),
            BigScreenChoice("a", until=NOW + 100),
        ),
        ([row("a", OVER, 2)], [], Following(table="a", since=NOW - 120), BigScreenChoice()),
        # A table that is gone, or has become private.
        ([row("b", OPEN)], [], HERE, BigScreenChoice("b")),
        ([], [], HERE, BigScreenChoice()),
    ],
)
def test_what_a_screen_for_everybody_shows(
    rows: list[m.TableRow], cups: list[m.TournamentInfo], now: Following, shown: BigScreenChoice
) -> None:
    assert what_to_show(rows, cups, now, NOW, most=3, stay=15.0) == shown


def test_a_table_with_no_room_for_another_spectator_is_only_shown_where_it_is() -> None:
    full = structs.replace(row("a", PLAYING, 5), spectators=3)
    assert what_to_show([full], (), BIG, NOW, most=3, stay=15.0) == BigScreenChoice()
    assert what_to_show([full], (), HERE, NOW, most=3, stay=15.0) == BigScreenChoice("a", until=inf)


async def game(server: World, *names: str) -> tuple[Guest, ...]:
    """People with one bot fewer each, and their game begun."""
    first, *others = [server.enter(name) for name in names]
    await first.ok(m.CreateTable(UNTIMED))
    for other in others:
        await other.ok(m.JoinTable(first.info.id))
    for _ in range(3 - len(names)):
        await first.ok(m.AddBot())
    await first.ok(m.StartGame())
    return (first, *others)


async def screen(server: World) -> Guest:
    guest = server.enter("screen")
    await guest.ok(m.FollowBusiest())
    return guest


async def test_it_moves_on_to_a_busier_table_but_not_at_once() -> None:
    async with world() as server:
        ada, *_ = await game(server, "ada")
        watcher = await screen(server)
        assert watcher.info.id == ada.info.id
        bo, *_ = await game(server, "bo", "cem")
        await server.clock.advance(10)
        assert watcher.info.id == ada.info.id
        await server.clock.advance(10)
        assert watcher.info.id == bo.info.id
        await server.clock.advance(100)
        assert watcher.info.id == bo.info.id, "and stays there"


async def test_a_game_that_waits_for_lost_lines_is_nothing_to_look_at() -> None:
    async with world() as server:
        bo, cem = await game(server, "bo", "cem")
        await server.enter("dora").ok(m.WatchTable(bo.info.id))
        ada, *_ = await game(server, "ada")
        watcher = await screen(server)
        assert watcher.info.id == bo.info.id
        bo.visit.close()
        cem.visit.close()
        await server.clock.advance(20)
        assert watcher.info.id == ada.info.id, "somebody plays there"
        assert (await screen(server)).info.id == ada.info.id


async def test_the_standings_stay_for_a_while_and_then_the_next_game_comes() -> None:
    async with world() as server:
        bo, cem = await game(server, "bo", "cem")
        ada, *_ = await game(server, "ada")
        watcher = await screen(server)
        assert watcher.info.id == bo.info.id
        await server.clock.advance(60)
        await server.play_out(bo, cem)
        await server.clock.advance(10)
        assert (watcher.info.id, watcher.status()) == (bo.info.id, m.Status.OVER)
        await server.clock.advance(10)
        assert watcher.info.id == ada.info.id


async def test_when_a_table_closes_it_finds_another_one() -> None:
    async with world() as server:
        ada, *_ = await game(server, "ada")
        watcher = await screen(server)
        await server.play_out(ada)
        await ada.ok(m.LeaveTable())
        await server.clock.advance(SOON)
        assert watcher.last.table is None
        bo, *_ = await game(server, "bo")
        await server.clock.advance(SOON)
        assert watcher.info.id == bo.info.id


async def test_a_table_that_becomes_private_is_left_at_once() -> None:
    async with world() as server:
        ada, *_ = await game(server, "ada")
        watcher = await screen(server)
        await ada.ok(m.SetWord("otter"))
        await server.clock.advance(1)
        assert watcher.last.table is None
        bo, *_ = await game(server, "bo")
        await server.clock.advance(1)
        assert watcher.info.id == bo.info.id


async def test_who_does_something_else_does_not_follow_any_more() -> None:
    async with world() as server:
        await game(server, "ada")
        watcher = await screen(server)
        await watcher.ok(m.LeaveTable())
        await server.clock.advance(60)
        assert watcher.last.table is None
        await watcher.ok(m.CreateTable(UNTIMED))
        assert await watcher.code(m.FollowBusiest()) == "seated_elsewhere"
        await game(server, "bo", "cem")
        await server.clock.advance(60)
        assert watcher.table.seat == 0


async def test_nobody_gives_up_a_table_for_one_with_no_room() -> None:
    async with world(limits=TableLimits(spectators=1)) as server:
        ada, *_ = await game(server, "ada")
        watcher = await screen(server)
        assert watcher.info.id == ada.info.id
        bo, *_ = await game(server, "bo", "cem")
        await server.enter("dora").ok(m.WatchTable(bo.info.id))
        assert await server.enter("fay").code(m.WatchTable(bo.info.id)) == "too_many_spectators"
        await server.clock.advance(100)
        assert watcher.info.id == ada.info.id
        other = server.enter("other")
        await other.ok(m.FollowBusiest())
        await server.clock.advance(SOON)
        assert other.last.table is None
        eve, *_ = await game(server, "eve")
        await server.clock.advance(SOON)
        assert other.info.id == eve.info.id


async def test_whoever_is_on_the_way_is_not_sent_again() -> None:
    store = HeldStore()
    store.gate.set()
    async with world(store=store) as server:
        ada, *_ = await game(server, "ada")
        await screen(server)
        await game(server, "bo", "cem")
        store.gate.clear()
        held = asyncio.create_task(ada.bid())
        await server.clock.settle()
        assert store.waiting
        for number in range(20):
            server.enter(f"guest{number}")
            await server.clock.advance(1)
        assert sum(task.get_name() == "follow" for task in asyncio.all_tasks()) == 1
        store.gate.set()
        await held


async def test_who_has_gone_before_it_could_begin_does_not_follow() -> None:
    store = HeldStore()
    async with world(store=store) as server:
        store.gate.set()
        ada = server.enter("ada")
        await ada.ok(m.CreateTable(UNTIMED))
        store.gate.clear()
        leaving = asyncio.create_task(ada.submit(m.LeaveTable()))
        following = asyncio.create_task(ada.submit(m.FollowBusiest()))
        await server.clock.settle()
        ada.visit.close()
        store.gate.set()
        assert (await leaving).ok
        assert (await following).code == "gone"
        assert not server.lobby.feed._following


async def test_who_watches_goes_from_table_to_table() -> None:
    async with world() as server:
        ada, *_ = await game(server, "ada")
        bo, *_ = await game(server, "bo", "cem")
        dora, *_ = await game(server, "dora", "eve", "finn")
        watcher = await screen(server)
        seen = [watcher.info.id]
        for _ in range(3):
            await watcher.ok(m.WatchAnother())
            await server.clock.advance(1)
            seen.append(watcher.info.id)
            assert watcher.table.seat == -1
        busy, quiet = dora.info.id, ada.info.id
        assert seen == [busy, bo.info.id, quiet, busy]
        # Chosen is chosen: nobody is led on from there.
        await watcher.ok(m.WatchAnother())
        await server.clock.advance(100)
        assert watcher.info.id == bo.info.id


async def test_where_there_is_no_other_table_the_one_stays() -> None:
    async with world() as server:
        ada, *_ = await game(server, "ada")
        watcher = await screen(server)
        assert await watcher.code(m.WatchAnother()) == "no_other_table"
        assert watcher.info.id == ada.info.id
        assert await ada.code(m.WatchAnother()) in ("seated_elsewhere", "no_other_table")
