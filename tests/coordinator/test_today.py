"""Today's tide: one counted try a day, through restarts and over midnight; what is shown of it, and when."""

import msgspec
import pytest

from engine.deal import commitment, deal_game
from engine.records.statistics import Streak
from server import StoreError
from server.coordinator import messages as m
from server.coordinator.events import days
from server.coordinator.messages import DAY
from server.coordinator.table.steps import Close
from server.i18n.lookup import words_for
from server.operators.online_people import table_rows
from server.settings.settings import Timing
from server.storage.history_store import HistoryStore
from server.storage.people import Claim, PeopleStore, Person
from server.storage.table_store import StoredChange
from server.text.events import day_lines, place_in_words, try_in_words
from tests.support.days import NOON, Played, served
from tests.support.fake_clock import FakeClock
from tests.support.faulty_stores import RefusingStore, begins_an_events_game
from tests.support.memory_stores import MemoryStore, copy_of
from tests.support.tables import UNTIMED, Guest

TODAY = m.PlayToday()
TIMING = Timing()


async def page(server: Played, guest: Guest, before: int = 0) -> days.DayPage:
    found = await server.days.page(guest.visit.player, before)
    assert found is not None
    return found


async def play_out(server: Played, guest: Guest, bids: int = 1000) -> None:
    """So many bids of the lowest card at most."""
    while guest.status() is m.Status.PLAYING and bids:
        if guest.owes():
            await guest.bid()
            bids -= 1
        else:
            assert await server.clock.next()


async def test_everybody_gets_the_same_deal_once() -> None:
    async with served() as server:
        ada, bo = server.enter("ada"), server.enter("bo")
        for guest in (ada, bo):
            await guest.ok(TODAY)
        assert ada.own.hand == bo.own.hand
        assert ada.info.options.rules.stages == 1
        assert ada.info.commitment == bo.info.commitment == (await page(server, ada)).commitment
        assert [seat.strategy for seat in ada.info.seats[1:]] == list(days.OPPONENTS)
        assert (await page(server, ada)).state == "begun"
        await play_out(server, ada)
        assert ada.status() is m.Status.OVER
        await ada.ok(m.LeaveTable())
        assert await ada.code(TODAY) == "today_played"
        shown = await page(server, ada)
        assert (shown.state, shown.begun, shown.closed, shown.seed) == ("played", 2, False, "")
        (mine,) = shown.tries
        assert (mine.rank, mine.name) == (1, "ada")
        # Who may still play is not told what can be made of it.
        eve = server.enter("eve")
        assert ((await page(server, eve)).state, (await page(server, eve)).tries) == ("new", ())


async def account(server: Played, name: str, since: float, source: str = "") -> Guest:
    """Somebody with an account that exists since then, with a key of the same name."""
    people = PeopleStore(server.store.database)
    person = Person(f"account:{name}", "", False, since, since)
    await people.add(person, [Claim(name, name)], key=name)
    return server.enter(name, id_=person.id, source=source)


def a_guest(server: Played, name: str, source: str = "") -> Guest:
    return server.enter(name, id_=f"guest:{name}", guest=True, source=source)


async def play_today(server: Played, guest: Guest) -> None:
    """To the end, and away."""
    await guest.ok(TODAY)
    await play_out(server, guest)
    await guest.ok(m.LeaveTable())


def apart(page: days.DayPage) -> dict[str, days.Apart]:
    return {each.name: each.apart for each in page.tries}


async def test_who_has_come_only_today_plays_out_of_competition() -> None:
    async with served() as server:
        scout = await account(server, "scout", NOON)
        star = await account(server, "star", NOON + 1)
        old = await account(server, "old", NOON - DAY)
        for guest in (scout, star, old):
            await play_today(server, guest)
        shown = await page(server, old)
        # The same bids of the same deal: all three made as much.
        assert [(each.name, each.rank, each.apart) for each in shown.tries] == [
            ("old", 1, days.Apart.NO),
            ("scout", 1, days.Apart.FIRST_DAY),
            ("star", 1, days.Apart.FIRST_DAY),
        ]
        assert place_in_words(shown, "account:old", words_for("en")) == "place 1 of 1"
        assert place_in_words(shown, "account:star", words_for("en")) == "would be place 1 of 2"
        assert try_in_words(shown.tries[2], words_for("en")).startswith("(1.) star (first day): ")
        assert (await page(server, star)).streak == 1


async def test_a_guest_plays_out_of_competition_and_is_told_which_place_it_would_be() -> None:
    async with served() as server:
        gus, ada = a_guest(server, "gus", HERE), await account(server, "ada", 0, THERE)
        before = await page(server, gus)
        assert (before.state, before.playable, before.guest) == ("new", True, True)
        for guest in (gus, ada):
            await play_today(server, guest)
        shown = await page(server, gus)
        assert apart(shown) == {"ada": days.Apart.NO, "gus": days.Apart.GUEST}
        assert place_in_words(shown, "guest:gus", words_for("en")) == "would be place 1 of 2"
        assert place_in_words(shown, "account:ada", words_for("en")) == "place 1 of 1"
        assert "make an SSH key" in " ".join(day_lines(shown, "guest:gus", NOON, words_for("en")))
        assert await gus.code(TODAY) == "today_played"


HERE, THERE = "192.0.2.1", "198.51.100.7"


@pytest.mark.parametrize(
    ("begins", "ends", "guest", "counts"),
    [
        (HERE, HERE, THERE, True),
        (HERE, HERE, HERE, False),
        (HERE, THERE, HERE, False),
        (THERE, HERE, HERE, False),
        # Of a network that does not say who comes, all come from one place.
        ("", "", "", False),
        ("2001:db8:1:2::/64", "2001:db8:1:2::/64", "2001:db8:1:9::/64", False),
    ],
)
@pytest.mark.parametrize("waits", [False, True])
async def test_after_a_guest_has_seen_the_hand_nobody_from_there_is_counted(
    begins: str, ends: str, guest: str, counts: bool, waits: bool
) -> None:
    async with served() as server:
        ada = await account(server, "ada", 0, begins)
        if waits:
            await ada.ok(TODAY)
            await play_out(server, ada, 1)
            await ada.ok(m.LeaveTable())
        gus = a_guest(server, "gus", guest)
        await server.clock.advance(1)
        await gus.ok(TODAY)
        await gus.ok(m.LeaveTable())
        await PeopleStore(server.events.database).forget("guest:gus")
        await server.clock.advance(1)
        if not waits:
            await ada.ok(TODAY)
        ada.visit.close()
        ada = server.enter("ada", id_="account:ada", source=ends)
        await server.clock.settle()
        await play_today(server, ada)
        expected = days.Apart.NO if counts else days.Apart.SEEN
        assert apart(await page(server, ada)) == {"ada": expected}
        await server.pass_time(DAY)
        assert apart(await page(server, ada, 1)) == {"ada": expected}


async def test_a_guest_who_comes_later_takes_nothing_away() -> None:
    store = MemoryStore()
    async with served(store) as server:
        ada = await account(server, "ada", 0, HERE)
        await play_today(server, ada)
        await server.clock.advance(1)
        await play_today(server, a_guest(server, "gus", HERE))
        assert apart(await page(server, ada))["ada"] is days.Apart.NO
        # No rating depends on any of it.
        assert {tuple(row) for row in store.sql("SELECT rated, again FROM records")} == {(0, 0)}
        assert not store.sql("SELECT * FROM ratings")


@pytest.mark.parametrize("into", ["first", "second"])
async def test_of_two_tries_of_accounts_that_become_one_the_first_to_begin_counts(
    into: str,
) -> None:
    async with served() as server:
        first = await account(server, "first", NOON - DAY)
        second = await account(server, "second", NOON - DAY)
        await first.ok(TODAY)
        await play_out(server, first, bids=2)
        await server.clock.advance(10)
        # Meanwhile the other one plays, knowing the deal, and is done before.
        await play_today(server, second)
        await play_out(server, first)
        await first.ok(m.LeaveTable())
        shown = await page(server, first)
        assert {each.name for each in shown.tries} == {"first", "second"}
        (game,) = (each.game for each in shown.tries if each.name == "first")
        people, gone = PeopleStore(server.events.database), {"first": "second", "second": "first"}
        assert await people.add_key(f"account:{into}", gone[into], NOON) == f"account:{gone[into]}"
        shown = await page(server, first if into == "first" else second)
        assert [(each.game, each.rank, each.player) for each in shown.tries] == [
            (game, 1, f"account:{into}")
        ]
        assert (shown.begun, shown.state) == (1, "played")


async def test_a_try_that_goes_on_while_accounts_become_one_is_a_second_one() -> None:
    async with served() as server:
        first = await account(server, "first", NOON - DAY)
        second = await account(server, "second", NOON - DAY)
        await play_today(server, first)
        await server.clock.advance(10)
        await second.ok(TODAY)
        people = PeopleStore(server.events.database)
        assert await people.add_key("account:second", "first", NOON) == "account:first"
        await play_out(server, second)
        (only,) = (await page(server, second)).tries
        assert only.name == "first"


async def test_days_in_a_row_are_counted() -> None:
    async with served() as server:
        ada = await account(server, "ada", NOON)
        for day in range(1, 4):
            assert (await page(server, ada)).streak == day - 1
            await play_today(server, ada)
            assert (await page(server, ada)).streak == day
            await server.pass_time(DAY)
            assert "account:ada" in server.today.played_yesterday
        # Today can still be played.
        told = await page(server, ada)
        assert told.streak == 3
        lines = day_lines(told, "id-ada", server.clock.time(), words_for("en"))
        assert "You have played on 3 days in a row." in lines
        assert (await page(server, ada, 1)).streak == 3
        await server.pass_time(DAY)
        told = await page(server, ada)
        assert (told.streak, told.longest) == (0, 3)
        assert await server.days.streak("account:ada") == Streak(3, 0)
        assert not server.today.played_yesterday
        assert (await page(server, server.enter("gus", guest=True))).streak == 0


async def test_a_day_that_a_wrong_clock_has_closed_is_told_as_that() -> None:
    store = MemoryStore()
    for when in (NOON, NOON + DAY):
        async with served(store, FakeClock(when)):
            store = copy_of(store)
    async with served(store, FakeClock(NOON)) as server:
        ada = server.enter("ada")
        assert await ada.code(TODAY) == "today_closed"
        told = await page(server, ada)
        assert not told.playable
        assert day_lines(told, "id-ada", server.clock.time(), words_for("en"))[:2] == [
            "This day was closed before its time: everybody can see every game.",
            "The next one begins in 12 hours.",
        ]
        await server.pass_time(DAY)
        await ada.ok(TODAY)


async def test_who_leaves_comes_back_to_the_same_try() -> None:
    async with served() as server:
        ada = server.enter("ada")
        await ada.ok(TODAY)
        await play_out(server, ada, 3)
        table, hand = ada.info.id, ada.own.hand
        await ada.ok(m.LeaveTable())
        assert ada.last.table is None
        assert (await page(server, ada)).state == "begun"
        await server.clock.advance(7200)
        # Meanwhile another game can be played ...
        await ada.ok(m.QuickGame(UNTIMED))
        assert await ada.code(TODAY) == "seated_elsewhere"
        await ada.ok(m.LeaveTable())
        # ... and nobody else sits down there.
        assert await server.enter("eve").code(m.JoinTable(table)) == "event_game"
        await ada.ok(TODAY)
        await server.clock.settle()
        assert (ada.info.id, ada.own.hand, ada.info.pause) == (table, hand, m.Pause.NONE)
        await play_out(server, ada)
        assert (await page(server, ada)).state == "played"


async def test_who_is_cut_off_comes_back_to_the_same_try() -> None:
    async with served() as server:
        ada = server.enter("ada")
        await ada.ok(TODAY)
        await play_out(server, ada, 2)
        table, hand = ada.info.id, ada.own.hand
        ada.visit.close()
        await server.clock.advance(3600)
        again = server.enter("ada")
        await server.clock.settle()
        assert again.info.id == table
        assert set(again.own.hand) <= set(hand)
        assert again.owes()


@pytest.mark.parametrize("leaves", [False, True])
async def test_a_try_survives_a_kill_at_any_bid(leaves: bool) -> None:
    store, clock = MemoryStore(), FakeClock(NOON)
    async with served(store, clock) as server:
        ada = server.enter("ada")
        await ada.ok(TODAY)
        table, committed = ada.info.id, ada.info.commitment
        bids = 0
        copies = [copy_of(store)]
        while ada.status() is m.Status.PLAYING and bids < (4 if leaves else 14):
            await play_out(server, ada, 1)
            bids += 1
            copies.append(copy_of(store))
        if leaves:
            await ada.ok(m.LeaveTable())
            copies = [copy_of(store)]
    for killed in copies:
        # The seed is what the store has: a new server draws none for this day.
        async with served(killed, FakeClock(NOON + 60), seeds=99) as server:
            ada = server.enter("ada")
            await server.clock.settle()
            if leaves:
                assert ada.last.table is None
                await ada.ok(TODAY)
                await server.clock.settle()
            assert ada.info.id == table
            assert ada.info.event == "day-2025-11-21"
            assert ada.info.commitment == committed
            await play_out(server, ada)
            assert await ada.code(TODAY) in ("today_played", "seated_elsewhere")
            (mine,) = (await page(server, ada)).tries
            assert mine.name == "ada"


async def test_who_has_played_has_done_so_after_a_restart() -> None:
    store, clock = MemoryStore(), FakeClock(NOON)
    async with served(store, clock) as server:
        ada = server.enter("ada")
        await ada.ok(TODAY)
        await server.lobby.order(ada.info.id, Close("closed"))
    async with served(copy_of(store), clock) as server:
        # It was broken off before there was any result: that was the try.
        assert await server.enter("ada").code(TODAY) == "today_played"


async def test_a_try_begun_before_midnight_counts_for_its_day() -> None:
    async with served() as server:
        ada, bo = server.enter("ada"), server.enter("bo")
        await server.pass_time(12 * 3600 - 60)
        await ada.ok(TODAY)
        await bo.ok(TODAY)
        await bo.ok(m.LeaveTable())
        await server.pass_time(120)
        # A new day has begun; who has not ended the last one goes on with it.
        assert (await page(server, ada)).day == "2025-11-22"
        last = await page(server, ada, 1)
        assert (last.day, last.state, last.closed) == ("2025-11-21", "begun", False)
        assert await server.enter("eve").code(TODAY) == "ok"
        await bo.ok(TODAY)
        assert bo.info.event == "day-2025-11-21"
        await play_out(server, ada)
        assert [each.name for each in (await page(server, ada, 1)).tries] == ["ada"]
        # Whoever does not end it within an hour has not made anything.
        await server.pass_time(3600)
        assert [said.code for said in bo.heard(m.SentBack)] == ["day_over"]
        closed = await page(server, bo, 1)
        assert (closed.closed, closed.state) == (True, "played")
        assert [each.name for each in closed.tries] == ["ada"]
        assert closed.seed
        # And the new day is another try.
        await ada.ok(m.LeaveTable())
        await ada.ok(TODAY)
        assert ada.info.event == "day-2025-11-22"


async def test_a_server_that_was_down_at_the_closing_time_closes_the_day_when_it_is_back() -> None:
    store = MemoryStore()
    async with served(store) as server:
        ada = server.enter("ada")
        await ada.ok(TODAY)
    async with served(copy_of(store), FakeClock(NOON + DAY)) as server:
        ada = server.enter("ada")
        await server.clock.settle()
        assert ada.last.table is None
        assert (await page(server, ada, 1)).closed
        await ada.ok(TODAY)
        assert ada.info.event == "day-2025-11-22"


async def test_the_commitment_is_public_the_day_before_and_the_seed_after() -> None:
    async with served() as server:
        ada = server.enter("ada")
        tomorrow = (await page(server, ada)).tomorrow
        await server.pass_time(DAY)
        today = await page(server, ada)
        assert (today.commitment, today.seed) == (tomorrow, "")
        await server.pass_time(DAY)
        over = await page(server, ada, 1)
        assert over.commitment == tomorrow
        assert commitment(bytes.fromhex(over.seed), days.OPTIONS.rules) == tomorrow


async def test_the_table_has_who_made_most_first() -> None:
    async with served() as server:
        people = [server.enter(name) for name in ("ada", "bo", "cem")]
        for number, guest in enumerate(people):
            await guest.ok(TODAY)
            while guest.status() is m.Status.PLAYING:
                if guest.owes():
                    await guest.bid(guest.own.hand[-1 if number else 0])
                else:
                    assert await server.clock.next()
        tries = (await page(server, people[0])).tries
        assert [each.score for each in tries] == sorted((e.score for e in tries), reverse=True)
        same = [each for each in tries if each.name in ("bo", "cem")]
        # The same cards against the same bots come to the same.
        assert len({(each.rank, each.score, each.others) for each in same}) == 1


async def test_until_the_day_is_over_nothing_of_the_deal_is_told_to_others() -> None:
    store = MemoryStore()
    history = HistoryStore(store.database)
    async with served(store) as server:
        ada, eve = server.enter("ada"), server.enter("eve")
        await ada.ok(TODAY)
        event = await server.events.find("day-2025-11-21")
        assert event is not None
        await play_out(server, ada)
        hands = deal_game(bytes.fromhex(event.seed), days.OPTIONS.rules).hands
        secret = [event.seed, *(msgspec.json.encode(hand).decode() for hand in hands)]
        told = msgspec.json.encode([eve.read().updates, server.lobby.feed.snapshot()]).decode()
        told += repr([*server.lobby.known.values(), table_rows(server.lobby), event])
        told += repr([await page(server, eve), await page(server, ada)])
        assert not [each for each in secret if each in told]
        # Who has played has seen cards, but is told neither the seed nor the deal as such.
        own = msgspec.json.encode(ada.read().updates).decode()
        assert event.seed not in own
        assert msgspec.json.encode(hands).decode() not in own
        assert await history.games() == ()
        assert await history.numbers() == []
        (mine,) = await history.games(player="id-ada")
        assert mine.held
        assert await history.record(mine.id) is None
        await server.pass_time(DAY)
        (shown,) = (await page(server, eve, 1)).tries
        record = await history.record(shown.game)
        assert record is not None
        assert event.seed in record


async def test_a_day_stays_open_while_a_try_cannot_be_closed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def refuse(_: StoredChange) -> None:
        raise StoreError("full")

    async with served() as server:
        ada = server.enter("ada")
        await ada.ok(TODAY)
        await server.clock.advance(DAY)
        with monkeypatch.context() as patch:
            patch.setattr(server.store, "append", refuse)
            with pytest.raises(StoreError):
                await server.today.refresh()
        last = await page(server, ada, 1)
        assert (last.closed, last.seed) == (False, "")
        # The new day is there all the same.
        assert (await page(server, ada)).day == "2025-11-22"
        await server.pass_time(60)
        assert [said.code for said in ada.heard(m.SentBack)] == ["day_over"]
        assert (await page(server, ada, 1)).closed


async def test_a_first_write_that_is_refused_costs_no_try() -> None:
    store = RefusingStore(refuses=begins_an_events_game)
    async with served(store) as server:
        ada = server.enter("ada")
        told = await ada.submit(TODAY)
        assert told.ok
        refused = store.refused
        await server.clock.advance(TIMING.retry)
        assert (store.refused > refused > 0, ada.status()) == (True, m.Status.OPEN)
        store.refuses = lambda _: False
        await server.clock.advance(TIMING.retry)
        assert (await page(server, ada)).state == "begun"
        assert (await ada.submit(TODAY)).details == told.details
        await play_out(server, ada)
        assert [each.name for each in (await page(server, ada)).tries] == ["ada"]
