"""What the lobby tells of games: how those go that one could watch, and what has happened lately."""

from dataclasses import replace
from typing import Any

import pytest

from engine.editions import Rules
from engine.records.outcome import result_of
from engine.records.statistics import Streak
from server import StoreError
from server.coordinator import messages as m
from server.storage.people import FORMER
from server.storage.table_store import FinishedGame
from tests.support.databases import archived
from tests.support.days import NOON, Played, served
from tests.support.games import record
from tests.support.memory_stores import copy_of
from tests.support.tables import FIVE, UNTIMED, Guest, World, world

ADA = "account:ada"
MINUTE = 60


def account(server: World, name: str) -> Guest:
    return server.enter(name, id_=f"account:{name}")


async def won_at_once(server: Played, guest: Guest, options: m.TableOptions = UNTIMED) -> int:
    """Play a game against bots to its end; the place."""
    await guest.ok(m.QuickGame(options))
    await server.play_out(guest)
    view = guest.table.table
    assert view is not None
    place = 1 if guest.table.seat in view.winners else 2
    await guest.ok(m.LeaveTable())
    return place


# ------------------------------------------------------------------- games that go on


def game_of(server: World, guest: Guest) -> m.GameNow | None:
    games = server.lobby.feed.snapshot().games
    return next((game for game in games if game.table == guest.info.id), None)


async def test_the_lobby_shows_how_a_game_goes_as_spectators_see_it() -> None:
    async with world() as server:
        ada = await server.quick()
        eve = server.enter("eve")
        for number in range(3):
            game, view = game_of(server, ada), ada.table.table
            assert game is not None
            assert view is not None
            assert game.round == view.round == number
            assert game.levels == tuple(seat.level for seat in view.seats)
            assert game.points == tuple(seat.score for seat in view.seats)
            await ada.bid()
            while not ada.owes():
                assert await server.clock.next()
        assert len([update for update in eve.updates if update.lobby]) <= 1
        await server.clock.advance(2)
        assert eve.lobby.games == server.lobby.feed.snapshot().games


@pytest.mark.parametrize("spectators", [m.Spectating.OPEN, m.Spectating.DELAYED])
async def test_nothing_of_the_round_that_goes_on_is_shown(spectators: m.Spectating) -> None:
    async with world() as server:
        ada = await server.quick(replace(UNTIMED, spectators=spectators))
        watcher = server.enter("bo")
        await watcher.ok(m.WatchTable(ada.info.id))
        before = game_of(server, ada)
        # Tides are on offer, and the bots bid: a delayed spectator sees neither.
        await server.clock.advance(5)
        assert game_of(server, ada) == before
        seen = watcher.table.table
        assert seen is not None
        assert before is not None
        assert tuple(seat.level for seat in seen.seats) == before.levels


async def test_games_that_are_not_for_everybody_are_not_shown() -> None:
    async with served() as server:
        none = replace(UNTIMED, spectators=m.Spectating.NONE)
        hidden = await server.quick(none, "ada")
        assert game_of(server, hidden) is None
        private = server.enter("bo")
        await private.ok(m.CreateTable(UNTIMED))
        await private.ok(m.SetWord("otter"))
        for _ in range(2):
            await private.ok(m.AddBot())
        await private.ok(m.StartGame())
        assert game_of(server, private) is None
        daily = account(server, "cem")
        await daily.ok(m.PlayToday())
        assert game_of(server, daily) is None
        assert server.lobby.feed.snapshot().games == ()


async def test_fifty_games_are_told_every_two_seconds_at_most() -> None:
    async with world() as server:
        players = [server.enter(f"p{number}") for number in range(50)]
        for player in players:
            await player.ok(m.QuickGame(FIVE))
        eve = server.enter("eve").read()
        await server.clock.advance(4)
        eve.forget()
        begin, games = server.clock.time(), set(eve.lobby.games)
        assert len(games) == 50
        while server.clock.time() < begin + MINUTE:
            # A third of them at each moment.
            for player in players[int(server.clock.time()) % 3 :: 3]:
                if player.owes():
                    await player.bid()
            await server.clock.advance(1)
            eve.read()
        assert len(set(eve.lobby.games) - games) == 50, "all of them have gone on"
        assert 20 <= len(eve.updates) - 1 <= 30


# ------------------------------------------------------------------- news


async def test_who_has_won_is_told_and_how_often_in_a_row() -> None:
    async with served() as server:
        ada = account(server, "ada")
        places = [await won_at_once(server, ada) for _ in range(6)]
        news = await server.newest()
        assert {(one.winners, one.against) for one in news} == {(("ada",), ())}
        assert max(one.bots for one in news) == 2, "none that has won, too, is counted"
        rows = [len(row) for row in "".join(map(str, places)).split("2") if row]
        assert [one.row for one in reversed(news)] == rows != []
        # A server that starts anew knows it all.
        store = copy_of(server.store)
    async with served(store) as server:
        assert await server.newest() == news


async def test_a_bot_that_shares_the_win_was_not_beaten() -> None:
    async with served() as server:
        rules, number = Rules(players=3, stages=1), 0
        while True:
            number += 1
            _, result = result_of(record(number, ("a", "b", "c"), rules=rules).text)
            if [seat.place for seat in result.seats].count(1) == 2:
                break
        seat = [each.place for each in result.seats].index(1)
        people = [ADA if n == seat else "" for n in range(3)]
        await keep(server, number, *people, stages=1)
        (news,) = await server.newest()
        assert (news.winners, news.bots, news.winning_bots) == (("ada",), 1, 1)


async def test_no_number_of_other_games_hides_who_has_won() -> None:
    async with served() as server:
        one = record(1, ("ada", "Bot1", "Bot2"), rules=Rules(players=3))
        _, result = result_of(one.text)
        winning = ["account:ada" if seat.place == 1 else "" for seat in result.seats]
        assert winning.count("") == 2
        for number in range(3):
            await keep(server, 1, *winning, id=f"won-{number}")
        for number in range(101):
            await keep(server, 1, "account:bo", "", "", "", event="day-2025-11-21", id=f"{number}")
        news = await server.newest()
        assert [(each.winners, each.row) for each in news] == [(("ada",), 3)]
        # Nor does it count less because others have played between them.
        for number in range(101):
            await keep(server, 2, "account:bo", "", "", id=f"other-{number}")
        await keep(server, 1, *winning, id="once more")
        newest = (await server.newest())[0]
        assert (newest.winners, newest.row) == (("ada",), 4)


async def test_who_was_beaten_in_a_row_of_wins_is_told_and_the_row_only_once() -> None:
    async with served() as server:
        one = record(1, ("ada", "Bot1", "Bot2"), rules=Rules(players=3))
        _, result = result_of(one.text)
        alone = ["account:ada" if seat.place == 1 else "" for seat in result.seats]
        against_bo = [player or "account:bo" for player in alone]
        for number, players in enumerate((alone, against_bo, alone, alone)):
            await keep(server, 1, *players, id=str(number))
        news = await server.newest()
        assert [(bool(each.against), each.row) for each in news] == [(False, 4), (True, 0)]


async def test_the_best_score_lately_is_told_within_a_row_of_wins_too() -> None:
    async with served() as server:
        rules, won = Rules(players=3), dict[int, tuple[int, list[str]]]()
        for number in range(1, 9):
            _, result = result_of(record(number, ("a", "b", "c"), rules=rules).text)
            places = [seat.place for seat in result.seats]
            if places.count(1) == 1:
                points = max(seat.score for seat in result.seats)
                won[number] = points, [ADA if place == 1 else "" for place in places]
        least, *_, best = sorted(won, key=lambda number: won[number][0])
        assert won[least][0] < won[best][0]
        for number in range(20):
            await keep(
                server, least, *["account:bo" if it else "" for it in won[least][1]], id=f"{number}"
            )
        await keep(server, best, *won[best][1], id="best")
        await keep(server, least, *won[least][1], id="newest")
        newest, highest, *_ = await server.newest()
        assert (newest.winners, newest.row, newest.most) == (("ada",), 2, False)
        assert (highest.winners, highest.row, highest.most) == (("ada",), 0, True)


async def test_it_is_read_soon_after_a_game_and_told_to_whoever_is_in_the_lobby() -> None:
    async with served() as server:
        eve, ada = server.enter("eve"), account(server, "ada")
        read: list[int] = []

        async def read_it() -> None:
            read.append(1)

        server.news.refresh = read_it  # type: ignore[method-assign]
        server.lobby.spawn(server.news.keep(), "news")
        await server.clock.advance(2)
        assert len(read) == 1, "at the start"
        await won_at_once(server, ada)
        await server.clock.advance(2)
        assert len(read) == 2, "after the game"
        await server.clock.advance(301)
        assert len(read) == 3, "now and then"
        server.lobby.feed.tell_news((m.News(("ada",), bots=2),), m.TodayNow())
        await server.clock.advance(3)
        assert eve.lobby.news == (m.News(("ada",), bots=2),)


async def test_a_store_that_fails_ends_nothing() -> None:
    async with served() as server:

        async def fails() -> None:
            raise StoreError("failed")

        server.news.refresh, works = fails, server.news.refresh  # type: ignore[method-assign]
        server.lobby.spawn(server.news.keep(), "news")
        await server.clock.advance(2)
        server.news.refresh = works  # type: ignore[method-assign]
        await server.clock.advance(301)
        assert server.lobby.feed.snapshot().today.played == 0


async def keep(server: Played, number: int, *people: str, stages: int = 0, **more: Any) -> None:
    """A finished game of these people, by id, in which bots have the other seats."""
    names = tuple(one.partition(":")[2] or f"Bot{at}" for at, one in enumerate(people))
    kinds = [{"kind": "human" if one else "bot"} for one in people]
    rules = Rules(players=len(people), stages=stages)
    made = record(number, names, rules=rules, seats=kinds, **more)
    over = FinishedGame(made.fields(), people, NOON, event=str(more.get("event", "")))
    await archived(server.history.database, f"table-{number}-{more.get('id', '')}", over)


async def test_private_tables_guests_and_open_events_are_no_news() -> None:
    async with served() as server:
        me = ("account:ada", "account:bo", "guest:cem")
        await keep(server, 1, *me)
        (shown,) = await server.newest()
        assert {*shown.winners, *shown.against} == {"ada", "bo", ""}
        await keep(server, 2, *me, private=True)
        await keep(server, 3, *me, event="day-2025-11-21")
        await keep(server, 4, *me, event="tournament-one/1/2")
        await keep(server, 5, *me, again=True)
        await keep(server, 6, "", "", "")
        assert await server.newest() == (shown,)


async def test_the_third_day_in_a_row_is_news_and_its_result_is_not() -> None:
    async with served() as server:
        streaks = {"account:ada": Streak(3, 3), "account:bo": Streak(9, 2)}

        async def streak(player: str) -> Streak:
            return streaks[player]

        server.news._streak = streak
        for player in streaks:
            await keep(server, len(player), player, "", "", "", event="day-2025-11-21")
        assert await server.newest() == (m.News(("ada",), days=3),)


async def test_of_today_only_how_many_have_begun_and_of_yesterday_who_was_best() -> None:
    async with served() as server:
        ada = account(server, "ada")
        await ada.ok(m.PlayToday())
        await server.play_out(ada)
        await ada.ok(m.LeaveTable())
        await server.newest()
        assert server.lobby.feed.snapshot().today == m.TodayNow(played=1)
        await server.clock.advance(m.DAY)
        await server.today.refresh()
        await server.newest()
        today = server.lobby.feed.snapshot().today
        assert (today.played, today.day, today.tries) == (0, "2025-11-21", 1)
        assert [name for name, _ in today.best] == ["ada"]
        # Who is forgotten does not stay the best.
        server.store.sql("UPDATE record_seats SET name = :to WHERE name = 'ada'", to=FORMER)
        await server.clock.advance(300)
        await server.newest()
        assert "ada" not in [name for name, _ in server.lobby.feed.snapshot().today.best]
