"""Games of events: tables that play the same deal for a result, opened by the server; what they keep back."""

from dataclasses import replace as replaced

import msgspec
from msgspec.structs import replace

from engine.bots.manners import NAMES
from engine.deal import commitment, deal_game
from engine.editions import Rules
from server.coordinator import messages as m
from server.coordinator.lobby.event_tables import EventTable, open_event_table
from server.coordinator.table.actor import TableActor
from server.coordinator.table.state import SharedDeal
from server.session.account import GameLibrary
from server.settings.settings import TableLimits
from server.storage.events import Event, EventStore
from server.storage.history_store import HistoryStore
from tests.support.accounts import cannot_review
from tests.support.fake_clock import FakeClock
from tests.support.memory_stores import MemoryStore, copy_of
from tests.support.tables import Guest, World, world

RULES = Rules(players=3, stages=1)
TIMED = m.TableOptions(RULES, m.Pace.TIMED, 60)
SEED = bytes(range(32))
DEAL = SharedDeal(SEED, "day-1")
ADA, BO = m.Player("id-ada", "ada", False), m.Player("id-bo", "bo", False)
EVENT = Event("day-1", "day", 0.0, 9e9, SEED.hex(), commitment(SEED, RULES))


async def opened(server: World, *seats: m.Player | str, deal: SharedDeal = DEAL) -> str:
    reply = await open_event_table(server.lobby, EventTable(deal, TIMED, seats, "Board 1"))
    assert reply.ok, reply
    await server.clock.settle()
    return str(reply.details["table"])


def actor(server: World, table: str) -> TableActor:
    return server.lobby.tables.actors[table]


async def test_people_in_the_lobby_are_taken_there_and_the_game_begins() -> None:
    async with world() as server:
        ada, bo = server.enter("ada"), server.enter("bo")
        table = await opened(server, ADA, BO, "cautious")
        for guest in (ada, bo):
            assert (guest.info.id, guest.info.event) == (table, "day-1")
            assert guest.info.title == "Board 1"
            assert guest.status() is m.Status.PLAYING
        assert ada.info.commitment == commitment(SEED, RULES)
        assert ada.own.hand == deal_game(SEED, RULES).hands[0]
        assert ada.info.seats[2].name in NAMES
        assert ada.info.owner == -1
        assert not ada.info.options.hints
        assert not ada.info.options.spectators.allowed


async def test_the_game_waits_for_who_is_absent_until_its_time() -> None:
    async with world() as server:
        ada = server.enter("ada")
        starts = server.clock.time() + 300
        table = await opened(server, ADA, BO, "greedy", deal=replace(DEAL, starts=starts))
        assert ada.status() is m.Status.OPEN
        await server.clock.advance(299)
        assert ada.status() is m.Status.OPEN
        assert [seat.connected for seat in ada.info.seats] == [True, False, True]
        await server.clock.advance(2)
        assert ada.status() is m.Status.PLAYING
        bo = server.enter("bo")
        await server.clock.settle()
        assert bo.info.id == table
        assert bo.owes()


async def test_bots_bid_for_who_never_comes_and_the_game_ends() -> None:
    store = MemoryStore()
    async with world(store=store) as server:
        starts = server.clock.time() + 60
        await opened(server, ADA, BO, "greedy", deal=replace(DEAL, starts=starts))
        for _ in range(60):
            await server.clock.advance(60)
    (over,) = store.finished.values()
    assert over.record["event"] == "day-1"
    assert list(over.players) == ["id-ada", "id-bo", ""]


async def test_who_leaves_before_the_start_leaves_the_seat_to_a_bot() -> None:
    async with world() as server:
        ada = server.enter("ada")
        bo = server.enter("bo")
        bo.visit.close()
        table = await opened(server, ADA, BO, "greedy", deal=replace(DEAL, starts=9e9))
        await ada.ok(m.LeaveTable())
        assert ada.last.table is None
        assert actor(server, table).table.seats[0].left
        server.enter("bo")
        await server.clock.settle()
        assert actor(server, table).table.status is m.Status.PLAYING


async def test_nobody_else_sits_down_watches_or_changes_anything() -> None:
    async with world() as server:
        ada, eve = server.enter("ada"), server.enter("eve")
        table = await opened(server, ADA, "greedy", "greedy")
        assert await eve.code(m.JoinTable(table)) == "event_game"
        assert await eve.code(m.WatchTable(table)) == "no_spectators"
        for owners in (m.ChangeOptions(TIMED), m.SetWord("otter"), m.HandOver(0)):
            assert await ada.code(owners) == "not_owner"
        for refused in (m.Vote(m.Motion.END), m.Vote(m.Motion.PAUSE), m.Rematch()):
            assert await ada.code(refused) == "event_game"
        assert await ada.code(m.AskHint()) == "no_hints"
        await server.play_out(ada)
        assert await ada.code(m.Rematch()) == "event_game"
        assert await eve.code(m.WatchTable(table)) == "no_spectators"


async def test_who_has_a_seat_elsewhere_cannot_be_taken_away() -> None:
    async with world() as server:
        ada = await server.quick(name="ada")
        there = ada.info.id
        reply = await open_event_table(server.lobby, EventTable(DEAL, TIMED, [ADA, BO, "greedy"]))
        assert (reply.code, reply.details) == ("seated_elsewhere", {"name": "ada"})
        assert ada.info.id == there
        assert len(server.lobby.known) == 1
        # Whoever was to come is not remembered for that.
        assert not server.lobby.knows(BO.id)


async def test_who_watches_elsewhere_is_taken_away() -> None:
    async with world() as server:
        host, ada = await server.quick(name="host"), server.enter("ada")
        await ada.ok(m.WatchTable(host.info.id))
        table = await opened(server, ADA, "greedy", "greedy")
        assert ada.info.id == table
        assert host.info.spectators == 0


async def test_a_restart_keeps_the_deal_and_waits_for_nobody() -> None:
    store, clock = MemoryStore(), FakeClock()
    async with world(store=store, clock=clock) as server:
        server.enter("ada")
        table = await opened(server, ADA, BO, "greedy")
        server.enter("bo")
        await server.clock.settle()
        before = actor(server, table).table
    async with world(store=copy_of(store), clock=clock) as server:
        await server.lobby.recover()
        after = actor(server, table).table
        assert (after.shared, after.seed, after.deal) == (DEAL, SEED, before.deal)
        assert not after.pause
        assert after.deadline > clock.time() + 60
        ada = server.enter("ada")
        await clock.settle()
        assert ada.owes()


async def test_an_event_table_is_not_closed_for_others() -> None:
    async with world(limits=TableLimits(tables=1)) as server:
        await opened(server, ADA, BO, "greedy", deal=replace(DEAL, starts=9e9))
        await server.clock.advance(3600)
        assert await server.enter("eve").code(m.QuickGame(TIMED)) == "too_many_tables"


def everything(guest: Guest) -> str:
    """What this visitor has been told, all of it."""
    return msgspec.json.encode(guest.read().updates).decode()


async def finished(server: World, store: MemoryStore) -> Guest:
    await EventStore(store.database).add(EVENT)
    ada = server.enter("ada")
    await opened(server, ADA, "greedy", "greedy")
    await server.play_out(ada)
    assert ada.status() is m.Status.OVER
    return ada


async def test_neither_seed_nor_deal_is_told_when_the_game_is_over() -> None:
    store = MemoryStore()
    async with world(store=store) as server:
        eve = server.enter("eve")
        ada = await finished(server, store)
        assert ada.info.seed == ""
        assert ada.own.table.deal == ()
        # The same game without an event tells both.
        plain = server.enter("bo")
        await plain.ok(m.QuickGame(replaced(TIMED, pace=m.Pace.UNTIMED)))
        await server.play_out(plain)
        assert plain.info.seed
        assert plain.own.table.deal
        for told in (everything(ada), everything(eve)):
            assert SEED.hex() not in told
            for hand in deal_game(SEED, RULES).hands[1:]:
                assert msgspec.json.encode(hand).decode() not in told


async def test_nothing_of_a_game_is_shown_until_its_event_is_closed() -> None:
    store = MemoryStore()
    events, history = EventStore(store.database), HistoryStore(store.database)
    async with world(store=store) as server:
        await finished(server, store)
    (number,) = [row.id for row in store.sql("SELECT id FROM records")]
    assert await history.games() == ()
    assert await history.games(player="id-bo") == ()
    assert await history.record(number) is None
    assert await history.numbers() == []
    (mine,) = await history.games(player="id-ada")
    assert (mine.event, mine.held, mine.mine) == ("day-1", True, 0)
    (game,) = await events.games("day-1")
    assert (game.id, game.players, game.complete) == (number, ("id-ada", "", ""), True)
    assert list(await events.entered("day-1")) == ["id-ada"]
    await events.close("day-1", 5.0)
    await events.close("day-1", 6.0)
    closed = await events.find("day-1")
    assert closed is not None
    assert closed.closed == 5.0
    text = await history.record(number)
    assert text is not None
    assert SEED.hex() in text
    assert [row.held for row in await history.games()] == [False]
    assert await history.numbers() == [number]


async def test_only_who_has_played_may_see_a_game_of_an_open_event() -> None:
    store = MemoryStore()
    events, history = EventStore(store.database), HistoryStore(store.database)
    async with world(store=store) as server:
        await finished(server, store)
    (number,) = [row.id for row in store.sql("SELECT id FROM records")]

    def library(player: str) -> GameLibrary:
        return GameLibrary(history, player, cannot_review)

    for other in ("id-bo", "", "greedy"):
        assert await library(other).game(number) is None
        assert await history.replay(number, other) is None
    game = await library("id-ada").game(number)
    assert game is not None
    assert (game.held, game.viewpoint, game.info.seed) == (True, 0, "")
    assert game.info.commitment == EVENT.commitment
    assert game.final_view.deal == ()
    # Everything that there is of it, not only what is shown.
    assert SEED.hex() not in repr(game)
    assert [bid async for bid in library("id-ada").review(game, 1)] == []
    hands = deal_game(SEED, RULES).hands
    assert game.replay.last.deal == (hands[0], (0,) * 12, (0,) * 12)
    for hand in hands[1:]:
        assert repr(hand) not in repr(game)
        assert msgspec.json.encode(hand).decode() not in game.replay.record.text
    # Whom a bot has replaced has not seen the end of it.
    store.sql("UPDATE record_seats SET kind = 'left' WHERE player = 'id-ada'")
    assert await library("id-ada").game(number) is None
    store.sql("UPDATE record_seats SET kind = 'human' WHERE player = 'id-ada'")
    await events.close("day-1", 5.0)
    for player, viewpoint in (("id-ada", 0), ("id-bo", -1)):
        shown = await library(player).game(number)
        assert shown is not None
        assert (shown.held, shown.viewpoint, shown.info.seed) == (False, viewpoint, SEED.hex())
        assert shown.final_view.deal == hands


async def test_a_game_of_an_event_that_nobody_knows_stays_hidden() -> None:
    store = MemoryStore()
    async with world(store=store) as server:
        ada = server.enter("ada")
        await opened(server, ADA, "greedy", "greedy")
        await server.play_out(ada)
    assert await HistoryStore(store.database).games() == ()


async def test_who_has_begun_is_kept_with_the_first_card() -> None:
    store = MemoryStore()
    async with world(store=store) as server:
        server.enter("ada")
        await opened(server, ADA, BO, "greedy", deal=replace(DEAL, starts=9e9))
        assert await EventStore(store.database).entered("day-1") == {}
        server.enter("bo")
        await server.clock.settle()
        now = server.clock.time()
        assert await EventStore(store.database).entered("day-1") == {"id-ada": now, "id-bo": now}


async def test_events_are_kept() -> None:
    store = MemoryStore()
    events = EventStore(store.database)
    first, later = EVENT, EVENT._replace(id="day-2", opens=1.0)
    assert await events.add(first) == first
    assert await events.add(first._replace(seed="other")) == first
    await events.add(later)
    await events.add(later._replace(id="cup-1", kind="tournament"))
    assert await events.newest("day") == [later, first]
    assert await events.find("day-1") == first
    await events.close("day-1", 7.0)
    assert await events.still_open("day") == [later]
    assert await events.find("nothing") is None
    assert SEED.hex() not in repr(first) + repr(DEAL)
