"""The lobby and open tables: who is here, which tables there are, whose they are."""

import asyncio
import random

import pytest

from engine.editions import Edition, Rules
from server.coordinator import messages as m
from server.coordinator.contract import LIMIT
from server.coordinator.lobby import lobby_feed
from server.coordinator.lobby.lobby_feed import table_row
from server.coordinator.lobby.tables import TITLES, new_code, new_title
from tests.support.faulty_stores import HeldStore, RaceStore
from tests.support.memory_stores import MemoryStore
from tests.support.tables import FIVE, SHORT, UNTIMED, world


async def test_who_is_here_and_which_tables_there_are() -> None:
    async with world() as server:
        ada = server.enter("ada")
        assert list(ada.lobby.players) == ["ada"]
        bo, cem = server.enter("bo"), server.enter("cem")
        await server.clock.advance(2)
        assert list(ada.lobby.players) == ["ada", "bo", "cem"]
        await bo.ok(m.CreateTable(UNTIMED))
        await cem.ok(m.QuickGame(FIVE))
        await server.clock.advance(2)
        oldest, newest = ada.lobby.tables
        assert (newest.status, oldest.status) == (m.Status.PLAYING, m.Status.OPEN)
        assert oldest.names == ("bo", "", "")
        assert newest.names[0] == "cem"
        assert newest.bots == 4
        assert newest.options == FIVE
        assert newest.title != oldest.title
        cem.visit.close()
        await server.clock.advance(2)
        assert list(ada.lobby.players) == ["ada", "bo"]


async def test_what_one_can_join_comes_first_and_what_is_over_last() -> None:
    async with world() as server:
        over, solo = server.enter("ada"), server.enter("bo")
        await over.ok(m.QuickGame(UNTIMED))
        await over.ok(m.Vote(m.Motion.END))
        older = server.enter("cem")
        await older.ok(m.CreateTable(UNTIMED))
        (together, dora) = server.enter("eve"), server.enter("dora")
        await together.ok(m.CreateTable(UNTIMED))
        await dora.ok(m.JoinTable(together.info.id))
        await together.ok(m.AddBot())
        full = server.enter("fay")
        await full.ok(m.CreateTable(UNTIMED))
        await full.ok(m.AddBot())
        await full.ok(m.AddBot())
        await together.ok(m.StartGame())
        newer = server.enter("gil")
        await newer.ok(m.CreateTable(UNTIMED))
        await solo.ok(m.QuickGame(UNTIMED))
        order = [row.id for row in server.lobby.feed.snapshot().tables]
        wanted = [newer, older, full, together, solo, over]
        assert order == [one.info.id for one in wanted]


async def test_it_tells_who_has_gone_for_good_and_leaves_no_seat() -> None:
    gone: list[str] = []
    async with world(gone=lambda player: gone.append(player.name)) as server:
        ada, bo, cem = server.enter("ada"), server.enter("bo"), server.enter("cem")
        await ada.ok(m.CreateTable(UNTIMED))
        await bo.ok(m.WatchTable(ada.info.id))
        cem.visit.close()
        assert gone == ["cem"]
        bo.visit.close()
        assert gone == ["cem"], "the table has not heard of it yet"
        await server.clock.settle()
        assert gone == ["cem", "bo"]
        ada.visit.close()
        await server.clock.advance(server.lobby.shared.timing.open_seat - 1)
        assert gone == ["cem", "bo"]
        await server.clock.advance(2)
        assert gone == ["cem", "bo", "ada"]


async def test_changes_in_the_lobby_are_told_together() -> None:
    async with world() as server:
        ada = server.enter("ada").read()
        await server.clock.advance(2)
        ada.forget()
        for _ in range(20):
            server.enter()
        await server.clock.advance(2)
        assert len(ada.read().updates) == 2
        server.lobby.feed.changed()
        await server.clock.advance(100)
        assert ada.visit.feed.take() is None, "nothing new, nothing told"


async def test_in_a_crowd_names_are_gathered_now_and_again_and_not_for_each() -> None:
    async with world() as server:
        first = [server.enter(f"p{number}") for number in range(49)]
        assert [len(guest.lobby.players) for guest in first] == list(range(1, 50))
        more = [server.enter(f"q{number}") for number in range(21)]
        assert all(guest.lobby is first[-1].lobby for guest in more)
        # A table is seen by whoever comes afterwards.
        await first[0].ok(m.CreateTable(UNTIMED))
        late = server.enter("late")
        assert len(late.lobby.tables) == 1
        assert "late" in late.lobby.players
        # And in the end everybody is on everybody's list.
        await server.clock.advance(10)
        assert {len(guest.lobby.players) for guest in (*first[1:], *more, late)} == {71}
        assert len(server.enter("later").lobby.players) == 72


async def test_a_row_is_made_when_somebody_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []

    def counted(table: m.TablePublic) -> m.TableRow:
        made.append(table.id)
        return table_row(table)

    monkeypatch.setattr(lobby_feed, "table_row", counted)
    async with world() as server:
        ada = server.enter("ada")
        await ada.ok(m.QuickGame(UNTIMED))
        await server.clock.advance(4)
        made.clear()
        for _ in range(3):
            await ada.bid()
            await server.clock.advance(4)
        bo = server.enter("bo")
        assert bo.lobby.games[0].round == 3
        assert made == [], "its row is as it was"
        await bo.ok(m.WatchTable(ada.info.id))
        await server.clock.advance(4)
        made.clear()
        bo.visit.close()
        await server.clock.advance(4)
        assert made == [], "there is nobody to be told"
        cem = server.enter("cem")
        assert [row.spectators for row in cem.lobby.tables] == [0]
        assert made == [ada.info.id]


async def test_people_at_tables_hear_nothing_of_the_lobby() -> None:
    async with world() as server:
        ada = await server.quick()
        await server.clock.advance(10)
        ada.forget()
        server.enter("bo")
        await server.clock.advance(1)
        assert ada.visit.feed.take() is None


async def test_taking_and_freeing_seats() -> None:
    async with world() as server:
        ada, bo = await server.table(FIVE, humans=2, start=False)
        await ada.ok(m.AddBot(3, "cautious"))
        assert ada.info.seats[3].strategy == "cautious"
        cem = server.enter("cem")
        await cem.ok(m.JoinTable(ada.info.id, 4))
        assert [seat.occupant for seat in ada.info.seats] == [
            m.Occupant.HUMAN,
            m.Occupant.HUMAN,
            m.Occupant.NOBODY,
            m.Occupant.BOT,
            m.Occupant.HUMAN,
        ]
        assert ada.heard(m.Sat)[-1] == m.Sat(4, "cem")
        await ada.ok(m.RemoveSeat(3))
        await ada.ok(m.RemoveSeat(4))
        assert cem.lobby.tables[0].names == ("ada", "bo", "", "", "")
        assert [stood.seat for stood in ada.heard(m.Stood)] == [3, 4]
        await bo.ok(m.LeaveTable())
        assert bo.lobby.tables
        await ada.ok(m.LeaveTable())
        await server.clock.advance(1)
        assert ada.lobby.tables == ()
        assert not server.store.rows


async def test_ownership_is_handed_on() -> None:
    async with world() as server:
        ada, bo, cem = await server.table(FIVE, humans=3, start=False)
        assert ada.info.owner == 0
        await ada.ok(m.HandOver(2))
        assert cem.heard(m.NewOwner) == [m.NewOwner(2, "cem")]
        assert await ada.code(m.AddBot()) == "not_owner"
        await cem.ok(m.LeaveTable())
        assert bo.heard(m.NewOwner)[-1] == m.NewOwner(0, "ada")
        assert bo.info.owner == 0


async def test_options_change_with_the_number_of_seats() -> None:
    async with world() as server:
        ada = server.enter("ada")
        await ada.ok(m.CreateTable(FIVE))
        bo = server.enter("bo")
        await bo.ok(m.JoinTable(ada.info.id, 4))
        await ada.ok(m.AddBot(2))
        await ada.ok(m.ChangeOptions(m.TableOptions(Rules(players=3), m.Pace.UNTIMED)))
        assert [seat.name for seat in ada.info.seats][::2] == ["ada", "bo"]
        assert (ada.table.seat, bo.table.seat) == (0, 2)
        assert ada.heard(m.OptionsChanged)
        six = m.TableOptions(Rules(Edition.BGA, 6), m.Pace.UNTIMED)
        await ada.ok(m.ChangeOptions(six))
        assert len(ada.info.seats) == 6
        assert bo.info.options == six
        for _ in range(3):
            await ada.ok(m.AddBot())
        await ada.ok(m.ChangeOptions(m.TableOptions(Rules(players=3), m.Pace.UNTIMED)))
        assert {seat.name for seat in ada.info.seats} >= {"ada", "bo"}
        await server.clock.advance(1)


async def test_a_spectator_sits_down_and_a_table_is_left_for_another() -> None:
    async with world() as server:
        ada, bo = await server.table(FIVE, humans=2, start=False)
        dora = await server.quick(name="dora")
        cem = server.enter("cem")
        await cem.ok(m.WatchTable(dora.info.id))
        assert dora.info.spectators == 1
        await cem.ok(m.WatchTable(ada.info.id))
        assert dora.info.spectators == 0
        assert ada.info.spectators == 1
        await cem.ok(m.JoinTable(ada.info.id))
        assert (ada.info.spectators, cem.table.seat) == (0, 2)
        assert bo.info.seats[2].name == "cem"


@pytest.mark.direct
async def test_a_spectator_sees_what_is_public_and_may_go() -> None:
    async with world() as server:
        ada, _ = await server.table(humans=2)
        cem = server.enter("cem")
        await cem.ok(m.WatchTable(ada.info.id))
        assert (cem.table.seat, cem.table.own) == (-1, None)
        assert cem.table.table is ada.table.table
        assert cem.info is ada.info
        assert await cem.code(m.Touch()) == "not_seated"
        assert await cem.code(cem_bid := ada.bid_of(ada.own.hand[0])) == "not_seated"
        assert (await ada.submit(cem_bid)).ok
        again = server.enter("cem")
        await server.clock.settle()
        assert again.table.seat == -1
        again.visit.close()
        await server.clock.settle()
        assert ada.info.spectators == 0


@pytest.mark.direct
async def test_many_spectators_all_hear_it() -> None:
    async with world() as server:
        ada, bo = await server.table(humans=2)
        crowd = [server.enter() for _ in range(40)]
        for guest in crowd:
            await guest.ok(m.WatchTable(ada.info.id))
        assert (await ada.bid()).ok
        await server.clock.settle()
        assert all(guest.info is bo.info for guest in crowd)
        assert all(guest.table.table is bo.table.table for guest in crowd)


@pytest.mark.direct
async def test_who_never_reads_costs_the_others_nothing() -> None:
    async with world() as server:
        ada, bo = await server.table(FIVE, humans=2)
        sloth = server.enter("sloth")
        await sloth.ok(m.WatchTable(ada.info.id))
        seen = 0
        sloth.forget()
        while ada.status() is m.Status.PLAYING:
            for guest in (ada, bo):
                if guest.owes():
                    assert (await guest.bid()).ok
            if not (ada.owes() or bo.owes()):
                await server.clock.next()
            seen = len(ada.happenings)
        assert seen > LIMIT
        update = sloth.visit.feed.take()
        assert update is not None
        assert update.resynced
        assert len(update.happenings) <= LIMIT
        assert update.table is not None
        assert update.table.table is ada.table.table


@pytest.mark.parametrize("seed", range(5))
async def test_people_who_want_the_same_seat(seed: int) -> None:
    store = RaceStore(rng=random.Random(seed))
    async with world(store=store) as server:
        (ada,) = await server.table(FIVE, start=False)
        crowd = [server.enter() for _ in range(6)]
        replies = await asyncio.gather(
            *(guest.submit(m.JoinTable(ada.info.id, 2)) for guest in crowd),
            *(guest.submit(m.JoinTable(ada.info.id)) for guest in crowd),
        )
        await server.clock.settle()
        codes = [reply.code for reply in replies]
        assert codes.count("ok") == 4
        names = [seat.name for seat in ada.info.seats]
        assert len(set(names)) == 5
        for guest in crowd:
            at_table = guest.visit.player.name in names
            assert (guest.last.table is not None) is at_table


@pytest.mark.parametrize("seed", range(5))
async def test_lines_that_drop_while_the_table_is_being_laid(seed: int) -> None:
    rng = random.Random(seed)
    async with world(store=RaceStore(rng=rng)) as server:
        guests = [server.enter() for _ in range(10)]
        asked = [asyncio.create_task(guest.submit(m.CreateTable(FIVE))) for guest in guests]
        for guest in rng.sample(guests, 6):
            for _ in range(rng.randrange(6)):
                await asyncio.sleep(0)
            guest.visit.close()
        await asyncio.gather(*asked)
        await server.clock.advance(200)
        # Tables of those who are gone are closed, the others are not.
        left = [guest for guest in guests if not guest.last.closed]
        assert len(server.lobby.feed.snapshot().tables) == len(left) == 4


async def test_a_rated_rematch_opens_the_table_again_when_somebody_is_missing() -> None:
    async with world() as server:
        rated = m.TableOptions(Rules(players=3), m.Pace.UNTIMED, rated=True)
        ada, bo, cem = await server.table(rated, humans=3)
        watcher = server.enter("watcher")
        await watcher.ok(m.WatchTable(ada.info.id))
        await server.play_out(ada, bo, cem)
        await ada.ok(m.Rematch())
        await cem.ok(m.Rematch())
        await bo.ok(m.LeaveTable())
        assert ada.status() is m.Status.OPEN
        assert ada.table.table is None
        assert [seat.occupant for seat in ada.info.seats][1] is m.Occupant.NOBODY
        assert (ada.info.commitment, ada.info.seed) == ("", "")
        await server.clock.settle()
        assert watcher.status() is m.Status.OPEN, "spectators stay"
        await watcher.ok(m.JoinTable(ada.info.id))
        await ada.ok(m.StartGame())
        assert watcher.status() is m.Status.PLAYING
        assert watcher.info.game == 2


async def test_a_rematch_gives_seats_of_people_who_are_gone_to_bots() -> None:
    async with world() as server:
        ada, bo, cem = await server.table(humans=3)
        await ada.ok(m.LeaveTable())
        await server.play_out(bo, cem)
        bo.visit.close()
        await server.clock.advance(6)
        await cem.ok(m.Rematch())
        await server.clock.advance(0)
        assert cem.status() is m.Status.PLAYING
        assert [seat.occupant for seat in cem.info.seats] == [
            m.Occupant.BOT,
            m.Occupant.BOT,
            m.Occupant.HUMAN,
        ]
        assert not any(seat.left for seat in cem.info.seats)
        assert {seat.name for seat in cem.info.seats}.isdisjoint({"ada", "bo"})
        assert cem.info.owner == 2
        assert server.enter("bo").last.lobby is not None


async def test_the_owner_starts_though_somebody_is_not_on_the_line() -> None:
    async with world() as server:
        ada, bo, cem = await server.table(humans=3, start=False)
        bo.visit.close()
        await ada.ok(m.StartGame())
        await server.clock.advance(120)
        assert ada.info.seats[1].replaceable
        assert cem.info.seats[1].name == "bo"


async def test_the_server_announces_that_it_goes_down() -> None:
    async with world() as server:
        ada = await server.quick()
        bo = server.enter("bo")
        when = server.clock.time() + 60
        server.lobby.announce_closing(when)
        await server.clock.advance(1)
        assert ada.heard(m.Closing) == [m.Closing(when)]
        assert ada.info.closing == bo.lobby.closing == when
        assert (await ada.bid()).ok, "running games go on until then"
        await server.lobby.close()
        assert ada.last.closed == bo.last.closed == "shutdown"
        server.lobby.announce_closing(0)


async def test_nothing_is_remembered_of_people_who_are_gone() -> None:
    async with world() as server:
        for number in range(20):
            guest = server.enter(f"guest{number}")
            if number % 2:
                await guest.ok(m.QuickGame(m.TableOptions(SHORT, m.Pace.UNTIMED)))
            guest.visit.close()
            await server.clock.settle()
        await server.clock.advance(15 * 24 * 3600)
        assert not server.lobby.known
        assert not server.lobby.people


async def test_the_code_of_a_closed_table_is_never_given_again() -> None:
    store = MemoryStore()
    given: list[str] = []
    for _ in range(3):
        # Each server begins with the same codes, but for those that were given.
        async with world(store=store) as server:
            for name in ("ada", "bo"):
                guest = server.enter(name)
                await guest.ok(m.CreateTable(UNTIMED))
                given.append(guest.info.id)
                await guest.ok(m.LeaveTable())
    assert not store.rows
    assert len(set(given)) == 6


def test_codes_are_speakable_and_titles_tell_tables_apart() -> None:
    rng = random.Random(1)
    codes: set[str] = set()
    titles: set[str] = set()
    for _ in range(3 * len(TITLES)):
        codes.add(new_code(codes, rng))
        titles.add(new_title(titles, rng))
    assert len(codes) == len(titles) == 3 * len(TITLES)
    assert all(len(code) == 8 and code.isalpha() for code in codes)


@pytest.mark.parametrize("returns", [False, True])
async def test_a_session_that_is_cut_off_while_it_sits_down(returns: bool) -> None:
    """Its task is cancelled in the middle of the command; the seat is taken all the same, and absent."""
    store = HeldStore()
    store.gate.set()
    async with world(store=store) as server:
        (ada,) = await server.table(FIVE, start=False)
        store.gate.clear()
        bo = server.enter("bo")
        joining = asyncio.create_task(bo.submit(m.JoinTable(ada.info.id)))
        await server.clock.settle()
        joining.cancel()
        await server.clock.settle()
        bo.visit.close()
        again = server.enter("bo") if returns else None
        if again:
            assert await again.code(m.CreateTable(FIVE)) == "busy"
            assert await again.code(m.JoinTable("nowhere")) == "busy"
        store.gate.set()
        await server.clock.settle()
        assert ada.info.seats[1].name == "bo"
        assert ada.info.seats[1].connected is returns
        if again:
            assert again.table.seat == 1
            assert await again.code(m.CreateTable(FIVE)) == "seated_elsewhere"
        else:
            await server.clock.advance(61)
            assert ada.info.seats[1].name == ""
            assert len(server.lobby.people) == 1


async def test_a_session_that_is_cut_off_while_its_table_is_refused() -> None:
    store = HeldStore(refuses=True)
    async with world(store=store) as server:
        bo = server.enter("bo")
        creating = asyncio.create_task(bo.submit(m.CreateTable(FIVE)))
        await server.clock.settle()
        creating.cancel()
        bo.visit.close()
        store.gate.set()
        await server.clock.advance(1)
        assert not server.lobby.people
        assert not server.lobby.known
