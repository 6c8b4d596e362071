"""A killed server, started again: every table, every acknowledged bid, every clock."""

import random
from dataclasses import dataclass, field
from typing import Any

import pytest
import structlog
from msgspec import structs

from engine.editions import Rules
from engine.views import SeatView
from server.coordinator import messages as m
from server.settings.settings import Timing
from server.storage.table_store import StoredChange
from tests.support.fake_clock import FakeClock
from tests.support.faulty_stores import FullStore
from tests.support.memory_stores import MemoryStore, content_of, copy_of
from tests.support.tables import TIMED, UNTIMED, Guest, World, restarted, world

TIMING = Timing()
RULES = Rules(players=3, stages=2)
PACES = [
    m.TableOptions(RULES, m.Pace.TIMED, 60),
    m.TableOptions(RULES, m.Pace.UNTIMED),
    m.TableOptions(RULES, m.Pace.CORRESPONDENCE, m.DAY),
]


def lowest(_strategy: str, view: SeatView, *_: object) -> int:
    return view.hand[0]


async def back(server: World, *names: str) -> list[Guest]:
    guests = [server.enter(name) for name in names]
    for guest in guests:
        if guest.read().updates and guest.last.correspondence:
            await guest.ok(m.JoinTable(guest.last.correspondence[0].table))
    await server.clock.settle()
    return guests


@dataclass
class KilledStore(MemoryStore):
    """Remembers what it held before and after each write: what a kill at that instant leaves."""

    remains: list[MemoryStore] = field(default_factory=list)

    async def append(self, change: StoredChange) -> None:
        self.remains.append(copy_of(self))
        await super().append(change)
        self.remains.append(copy_of(self))


def played(store: MemoryStore) -> list[Any]:
    """The one finished game: what was dealt, and everything that was played."""
    (kept,) = store.finished.values()
    return [kept.record[name] for name in ("deal", "stages", "seed", "players")]


async def play_out(server: World, *guests: Guest) -> None:
    await server.clock.settle()
    await server.play_out(*guests)


@pytest.mark.parametrize("options", PACES, ids=lambda options: options.pace.value)
async def test_killed_at_any_write_the_game_ends_as_it_would_have(options: m.TableOptions) -> None:
    store = KilledStore()
    async with world(store=store, choose=lowest) as server:
        await server.play_out(*await server.table(options, humans=2))
        wanted, clock = played(store), server.clock.time()
    started = next(n for n, left in enumerate(store.remains) if left.games)
    left = random.Random(options.pace.value).sample(store.remains[started:], 12)
    for remains in left:
        async with world(store=remains, clock=FakeClock(clock + 9), choose=lowest) as again:
            await again.lobby.recover()
            guests = await back(again, "ada", "bo")
            await play_out(again, *guests)
            assert played(remains) == wanted


async def test_killed_around_a_takeover_the_seat_is_the_bots_or_the_players() -> None:
    store = KilledStore()
    options = m.TableOptions(RULES, m.Pace.UNTIMED)
    async with world(store=store, choose=lowest) as server:
        ada = await server.quick(options)
        bo = server.enter("bo")
        await bo.ok(m.JoinTable(ada.info.id))
        while bo.table.seat < 0:
            if not (ada.owes() and (await ada.bid()).ok):
                assert await server.clock.next()
        taken = len(store.remains)
        await play_out(server, ada, bo)
        wanted, clock = played(store), server.clock.time()
    for number in (*range(taken - 4, taken + 2), *range(taken + 2, len(store.remains), 4)):
        remains = store.remains[number]
        async with world(store=remains, clock=FakeClock(clock + 9), choose=lowest) as again:
            await again.lobby.recover()
            ada, bo = await back(again, "ada", "bo")
            has = number >= taken - 1
            assert (bo.last.table is not None) is has
            await play_out(again, *((ada, bo) if has else (ada,)))
        (kept,) = remains.finished.values()
        assert kept.players[1] == ("id-bo" if has else "")
        assert not has or played(remains) == wanted


async def test_every_acknowledged_bid_is_still_sealed() -> None:
    async with world() as server:
        ada, bo, cem = await server.table(UNTIMED, humans=3)
        assert (await ada.bid(ada.own.hand[5])).ok
        assert (await ada.bid(ada.own.hand[6])).ok
        assert (await bo.bid(bo.own.hand[2])).ok
        before = [guest.own for guest in (ada, bo, cem)]
        async with restarted(server) as again:
            assert len(again.lobby.known) == 1
            guests = await back(again, "ada", "bo", "cem")
            assert [guest.own for guest in guests] == before
            assert [guest.table.seat for guest in guests] == [0, 1, 2]
            assert structs.replace(guests[2].info, pause=m.Pause.NONE, deadline=0) == cem.info
            # And a bid for the old round is still what it was.
            assert (await guests[0].bid(ada.own.hand[7])).ok
            assert (await guests[2].bid(cem.own.hand[0])).ok
            assert guests[0].own.table.rounds[0].bids == (
                ada.own.hand[7],
                bo.own.hand[2],
                cem.own.hand[0],
            )


async def test_the_clock_waits_for_the_first_who_is_back_and_then_gives_full_time() -> None:
    async with world() as server:
        await server.table(TIMED, humans=2)
        await server.clock.advance(50)
        async with restarted(server) as again:
            await again.clock.advance(3 * TIMING.suspend)
            (ada,) = await back(again, "ada")
            assert ada.heard(m.Resumed) == [m.Resumed(0)]
            assert ada.own.table.round == 0
            assert ada.info.deadline == (again.clock.time() + TIMING.reveal + TIMING.recovery + 60)
            (bo,) = await back(again, "bo")
            assert not bo.info.seats[1].away
            await play_out(again, ada, bo)


async def test_a_return_right_after_a_restart_is_not_announced() -> None:
    """People at doors do not notice that a coordinator has ended, and have never been away."""
    async with world() as server:
        await server.table(TIMED, humans=3)
        async with restarted(server) as again:
            ada, bo = await back(again, "ada", "bo")
            assert not ada.heard(m.Reconnected)
            assert not bo.info.seats[1].away
            await again.clock.advance(10)
            await back(again, "cem")
            assert [event.name for event in ada.heard(m.Reconnected)] == ["cem"]


async def test_a_correspondence_round_keeps_its_deadline() -> None:
    options = PACES[2]
    async with world() as server:
        ada, _ = await server.table(options, humans=2)
        deadline = ada.info.deadline
        for downtime in (60.0, 2.0 * m.DAY):
            clock = FakeClock(server.clock.time() + downtime)
            async with restarted(server, clock=clock) as again:
                (ada,) = await back(again, "ada")
                due = ada.info.deadline
                assert not ada.info.pause
                if downtime < m.DAY:
                    assert deadline <= due <= deadline + TIMING.reveal
                else:
                    assert due == clock.time() + TIMING.correspondence


async def test_pauses_substitutes_leavers_and_owners_survive() -> None:
    async with world() as server:
        ada, bo, cem = await server.table(m.TableOptions(Rules(players=4), m.Pace.TIMED), humans=3)
        await ada.ok(m.LeaveTable())
        cem.visit.close()
        for _ in range(2):
            assert (await bo.bid()).ok
            await server.clock.advance(61 + TIMING.reveal)
        assert bo.info.seats[2].away
        await bo.ok(m.Vote(m.Motion.PAUSE))
        before = bo.info
        async with restarted(server) as again:
            (bo, ada) = await back(again, "bo", "ada")
            assert ada.last.table is None, "who left for good is in the lobby"
            assert bo.info.seats[0] == before.seats[0]
            assert bo.info.seats[0].occupant is m.Occupant.BOT
            assert bo.info.seats[2].away
            assert (bo.info.owner, bo.info.pause) == (before.owner, m.Pause.VOTED)


async def test_open_and_finished_tables_are_back_too() -> None:
    async with world() as server:
        await server.table(humans=2, start=False)
        cem = await server.quick(name="cem")
        await server.play_out(cem)
        async with restarted(server) as again:
            assert len(again.lobby.known) == 2
            ada, cem = await back(again, "ada", "cem")
            assert ada.status() is m.Status.OPEN
            assert cem.status() is m.Status.OVER
            assert cem.own.table.winners
            await cem.ok(m.Rematch())
            assert cem.status() is m.Status.PLAYING
            await again.clock.advance(TIMING.open_seat + 1)
            assert [seat.name for seat in ada.info.seats] == ["ada", "", ""]
        assert len(server.store.finished) == 1


async def test_after_a_restart_those_who_want_another_game_wait_for_the_others() -> None:
    async with world() as server:
        await server.play_out(*(await server.table(humans=3)))
    async with restarted(server) as again:
        (ada,) = await back(again, "ada")
        await ada.ok(m.Rematch())
        assert ada.status() is m.Status.OVER
        await again.clock.advance(TIMING.recovery - 1)
        (bo,) = await back(again, "bo")
        assert bo.status() is m.Status.OVER
        await bo.ok(m.Rematch())
        assert ada.status() is m.Status.OVER, "cem may still come"
        (cem,) = await back(again, "cem")
        await cem.ok(m.Rematch())
        assert ada.status() is m.Status.PLAYING
        assert {seat.occupant for seat in ada.info.seats} == {m.Occupant.HUMAN}


async def test_who_comes_too_late_for_another_game_is_told() -> None:
    gone: list[str] = []
    async with world() as server:
        await server.play_out(*(await server.table(humans=3)))
        store = copy_of(server.store)
    async with world(store=store, gone=lambda player: gone.append(player.name)) as again:
        await again.lobby.recover()
        (ada,) = await back(again, "ada")
        await ada.ok(m.Rematch())
        await again.clock.advance(TIMING.recovery)
        assert ada.status() is m.Status.PLAYING, "whoever was not back by then"
        assert gone == [], "may still come, and is told"
        assert again.lobby.knows("id-bo")
        (bo,) = await back(again, "bo")
        assert bo.last.lobby is not None
        assert bo.heard(m.SentBack) == [m.SentBack("went_on", ada.info.title)]
        bo.visit.close()
        assert gone == ["bo"]
        (bo,) = await back(again, "bo")
        assert bo.heard(m.SentBack) == [], "once"
        await again.clock.advance(3600)
        assert not again.lobby.knows("id-cem")
        (cem,) = await back(again, "cem")
        assert cem.heard(m.SentBack) == []


async def test_after_weeks_without_a_server_games_wait_for_a_day() -> None:
    async with world() as server:
        ada, bo = await server.table(humans=2)
        ada.visit.close()
        bo.visit.close()
        await server.clock.advance(TIMING.suspend + 1)
        store = copy_of(server.store)
    clock = FakeClock(server.clock.time() + 21 * m.DAY)
    async with world(store=store, clock=clock) as again:
        await again.lobby.recover()
        await clock.advance(m.DAY - 1)
        assert len(again.lobby.feed.snapshot().tables) == 1
        await clock.advance(2)
        assert not again.lobby.feed.snapshot().tables


async def test_a_game_without_people_is_played_to_its_end() -> None:
    async with world() as server:
        (ada,) = await server.table()
        await ada.ok(m.LeaveTable())
        assert not server.store.finished
    async with restarted(server) as again:
        await again.clock.advance(60)
        assert len(again.store.finished) == 1


async def test_a_table_that_cannot_be_read_is_left_alone_and_the_others_are_back() -> None:
    async with world() as server:
        await server.table(humans=2)
        await server.quick(name="cem")
        first, second = server.store.rows
        row, game = dict(server.store.rows[first]), server.store.games[first]
        broken = [copy_of(server.store) for _ in range(5)]
    broken[0].put(first, {"version": 99})
    broken[1].put(first, row | {"seats": 4}, *game)
    broken[2].put(first, row, 1, [["tides", 4, 7, 0.0], ["bid", 0, 61, 0.0]])
    broken[3].put(first, row, 2, [["tides", 4, 7, 0.0]])
    broken[4].put(first, row)
    for store in broken:
        kept = store.rows[first]
        with structlog.testing.capture_logs() as logs:
            async with world(store=store) as again:
                assert await again.lobby.recover() == 1
        assert store.rows[first] == kept
        assert second in store.rows
        (log,) = [log for log in logs if log["event"] == "table_unreadable"]
        assert log["key"] == first
        assert "61" not in str({**log, "key": ""}), "a key is drawn by lot, and may have it"


async def test_a_table_that_cannot_be_forgotten_is_closed_until_the_next_start() -> None:
    """Its game was over before the server was killed, nobody has come back, and the disk is full."""
    async with world() as server:
        ada = await server.quick()
        await ada.ok(m.Vote(m.Motion.END))
        kept = copy_of(server.store)
    store = FullStore(content_of(kept), full=True)
    with structlog.testing.capture_logs() as logs:
        async with world(store=store) as again:
            assert await again.lobby.recover() == 1
            await again.clock.advance(TIMING.over + 1)
            assert again.lobby.feed.snapshot().tables == ()
    assert [log["event"] for log in logs if log["log_level"] == "error"] == ["storage_failed"]
    store.full = False
    async with world(store=store) as again:
        assert await again.lobby.recover() == 1
        await again.clock.advance(TIMING.over + 1)
    assert not store.rows


@pytest.mark.parametrize("alone", [True, False])
async def test_nobody_has_two_seats_after_a_restart(alone: bool) -> None:
    """A table that bo has left since is still in the store as it was before."""
    store = MemoryStore()
    async with world(store=store) as server:
        if alone:
            bo = server.enter("bo")
            await bo.ok(m.CreateTable(UNTIMED))
        else:
            _, bo = await server.table(humans=2, start=False)
        (before,) = copy_of(store).rows.items()
        await bo.ok(m.LeaveTable())
        await bo.ok(m.QuickGame(UNTIMED))
        game = bo.info.id
    store.put(*before, place=-1)
    async with world(store=store) as again:
        assert await again.lobby.recover() == 2 - alone
        ada, bo = await back(again, "ada", "bo")
        assert (bo.info.id, bo.table.seat) == (game, 0)
        if not alone:
            assert [seat.name for seat in ada.info.seats] == ["ada", "", ""]
            assert ada.info.owner == 0
        await again.clock.advance(TIMING.open_seat + 1)
        again.lobby.announce_closing(again.clock.time() + 60)
        await again.clock.settle()
        assert (bo.info.id, bo.table.seat) == (game, 0)
        assert (await bo.bid()).ok
    assert len(store.rows) == 2 - alone


async def test_a_table_that_another_owner_has_changed_is_taken_up_again_as_it_stands() -> None:
    store = MemoryStore()
    async with world(store=store, choose=lowest) as server:
        ada, bo = await server.table(humans=2)
        assert (await ada.bid(ada.own.hand[0])).ok
        (kept,) = await store.load()
        # Somebody else has sealed bo's bid meanwhile.
        card = bo.own.hand[3]
        bid = ["bid", 1, card, 0.0]
        await store.append(StoredChange(kept.key, None, 1, kept.position, [bid]))
        with structlog.testing.capture_logs() as logs:
            assert await ada.code(ada.bid_of(ada.own.hand[5])) == "no_such_table"
            await server.clock.settle()
        assert [log["event"] for log in logs if log["log_level"] == "error"] == ["table_conflict"]
        assert (ada.own.bid, bo.own.bid) == (ada.own.hand[0], card)
        await server.play_out(ada, bo)
        assert len(store.finished) == 1
