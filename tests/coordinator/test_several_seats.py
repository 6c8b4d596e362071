"""Seats by correspondence: who has several looks at one of them, or at something else, and loses none."""

import asyncio
import random
from dataclasses import replace
from typing import Any, Final

import pytest
from msgspec.structs import replace as replace_message

from server.coordinator import messages as m
from server.settings.settings import TableLimits
from tests.support.letters import DAILY, bid_at, letters
from tests.support.tables import UNTIMED, Guest, World, restarted, world

HOUR: Final = 3600
ADA: Final = "id-ada"


def waiting(guest: Guest) -> list[str]:
    return [each.table for each in guest.last.correspondence if each.waits]


def turns(guest: Guest) -> list[str]:
    """Which games have called since the last time."""
    said = [word.about for update in guest.read().updates for word in update.said]
    guest.updates = [replace_message(guest.updates[-1], said=())]
    return said


async def test_one_plays_several_games_and_answers_each_in_turn() -> None:
    async with world() as server:
        ada, bo = server.enter("ada"), server.enter("bo")
        codes = [await letters(server, ada, bo) for _ in range(3)]
        assert sorted(waiting(ada)) == sorted(codes)
        for code in codes:
            await ada.ok(m.JoinTable(code))
            assert ada.info.id == code
            assert (await ada.bid()).ok
        assert not waiting(ada)
        await ada.ok(m.GoToLobby())
        assert ada.last.lobby is not None
        assert server.lobby.places.seats(ADA) == codes
        assert [each.stage for each in ada.last.correspondence] == [0, 0, 0]


async def test_going_to_the_lobby_or_hanging_up_is_no_news_for_the_others() -> None:
    async with world() as server:
        ada, bo = server.enter("ada"), server.enter("bo")
        code = await letters(server, ada, bo)
        await bo.ok(m.JoinTable(code))
        await ada.ok(m.JoinTable(code))
        await ada.ok(m.GoToLobby())
        await ada.ok(m.JoinTable(code))
        ada.visit.close()
        await server.back("ada", code)
        await server.clock.settle()
        assert not bo.heard(m.Disconnected)
        assert not bo.heard(m.Reconnected)
        assert bo.info.seats[0].connected


async def test_one_comes_in_to_the_lobby_and_with_a_live_seat_to_that() -> None:
    async with world() as server:
        ada, bo = server.enter("ada"), server.enter("bo")
        code = await letters(server, ada, bo)
        ada.visit.close()
        ada = server.enter("ada")
        assert ada.last.lobby is not None
        await ada.ok(m.QuickGame(UNTIMED))
        live = ada.info.id
        ada.visit.close()
        ada = server.enter("ada")
        await server.clock.settle()
        assert ada.info.id == live
        # The live seat binds; the other games can be answered all the same.
        assert await ada.code(m.JoinTable(code)) == "seated_elsewhere"
        assert await ada.code(m.GoToLobby()) == "seated_elsewhere"
        assert waiting(ada) == [code]
        assert (await bid_at(ada, code)).ok
        assert (waiting(ada), ada.info.id) == ([], live)
        await ada.ok(m.LeaveTable())
        assert server.lobby.places.seats(ADA) == [code]


async def test_a_game_calls_wherever_one_looks_and_once_a_round() -> None:
    async with world() as server:
        ada, bo = server.enter("ada"), server.enter("bo")
        one, two = [await letters(server, ada, bo) for _ in range(2)]
        await ada.ok(m.QuickGame(UNTIMED))
        turns(ada)
        assert (await bid_at(ada, one)).ok
        assert (await bid_at(ada, two)).ok
        assert not turns(ada)
        assert (await bid_at(bo, one)).ok
        await server.clock.advance(10.0)  # the bot
        assert turns(ada) == [one]
        await server.clock.advance(10.0)
        assert not turns(ada)
        assert waiting(ada) == [one]


async def test_nothing_of_another_table_is_done_or_seen_without_a_seat_there() -> None:
    async with world() as server:
        ada, bo = server.enter("ada"), server.enter("bo")
        code = await letters(server, bo)
        assert await ada.code(m.LookAt(code)) == "not_seated"
        assert await ada.code(m.AtTable(code, m.LeaveTable())) == "not_seated"
        assert await ada.code(m.AtTable("nowhere", m.AskHint())) == "not_seated"
        assert await ada.code(m.LookAt("nowhere")) == "not_seated"
        await ada.ok(m.WatchTable(code))
        assert await ada.code(m.AtTable(code, m.LeaveTable())) == "not_seated"


async def test_a_hint_is_that_of_the_table_that_is_named() -> None:
    async with world() as server:
        ada = server.enter("ada")
        code = await letters(server, ada)
        await ada.ok(m.QuickGame(UNTIMED))
        # Nothing thinks here: the table has been asked, and noted that.
        await ada.submit(m.AtTable(code, m.AskHint()))
        assert server.lobby.tables.actors[code].table.seats[0].hints == ((0, 0),)


async def test_so_many_and_no_more() -> None:
    limits = TableLimits(correspondence_per_player=2)
    async with world(limits=limits) as server:
        ada, bo = server.enter("ada"), server.enter("bo")
        for _ in range(2):
            await letters(server, ada)
        other = await letters(server, bo, start=False)
        for command in (m.CreateTable(DAILY), m.QuickGame(DAILY), m.JoinTable(other)):
            assert await ada.code(command) == "too_many_by_correspondence"
        # Any game, but none of those.
        await ada.ok(m.QuickJoin(UNTIMED))
        assert ada.info.options.pace is m.Pace.UNTIMED
        await ada.ok(m.LeaveTable())
        await ada.ok(m.WatchTable(other))


async def test_games_by_correspondence_take_nobodys_right_to_open_a_table() -> None:
    async with world(limits=TableLimits(tables_per_player=1)) as server:
        ada, bo = server.enter("ada"), server.enter("bo")
        for _ in range(3):
            await letters(server, ada, bo)
        await ada.ok(m.QuickGame(UNTIMED))
        await ada.ok(m.LeaveTable())
        assert await ada.code(m.QuickGame(UNTIMED)) == "too_many_opened"


async def test_a_seat_never_becomes_a_live_one() -> None:
    async with world() as server:
        ada, bo = server.enter("ada"), server.enter("bo")
        code = await letters(server, ada, bo, start=False)
        await bo.ok(m.QuickGame(UNTIMED))
        await ada.ok(m.JoinTable(code))
        assert await ada.code(m.ChangeOptions(UNTIMED)) == "by_correspondence"
        await ada.ok(m.ChangeOptions(replace(DAILY, seconds=HOUR)))
        await bo.ok(m.LeaveTable())
        await bo.ok(m.JoinTable(code))
        await ada.ok(m.ChangeOptions(UNTIMED))
        assert not server.lobby.places.letters(ADA)
        assert await bo.code(m.QuickGame(UNTIMED)) == "seated_elsewhere"


async def test_an_open_table_keeps_seats_as_long_as_a_round_may_take() -> None:
    async with world() as server:
        ada, bo = server.enter("ada"), server.enter("bo")
        code = await letters(server, ada, bo, start=False)
        for guest in (ada, bo):
            guest.visit.close()
        await server.clock.advance(DAILY.seconds - 1)
        assert server.lobby.places.seats(ADA) == [code]
        await server.clock.advance(2)
        assert code not in server.lobby.known


async def test_a_full_table_waits_for_its_owner_to_start() -> None:
    async with world() as server:
        ada, bo, cem = (server.enter(name) for name in ("ada", "bo", "cem"))
        code = await letters(server, ada, bo, start=False)
        assert not waiting(ada)
        await cem.ok(m.JoinTable(code))
        assert (waiting(ada), waiting(bo)) == ([code], [])
        await ada.ok(m.AtTable(code, m.StartGame()))
        assert waiting(bo) == [code]


@pytest.mark.parametrize("daily", [False, True])
async def test_of_deserted_games_those_by_correspondence_make_room_last(daily: bool) -> None:
    async with world(limits=TableLimits(tables=2)) as server:
        ada, bo, cem = (server.enter(name) for name in ("ada", "bo", "cem"))
        code = await letters(server, ada)
        await bo.ok(m.CreateTable(DAILY) if daily else m.QuickGame(UNTIMED))
        other = bo.info.id
        bo.visit.close()
        await server.clock.advance(1.0)
        await cem.ok(m.QuickGame(UNTIMED))
        # An open table goes before a game in any case.
        assert (code in server.lobby.known, other in server.lobby.known) == (True, False)


async def test_who_is_sent_away_elsewhere_hears_of_it_in_the_lobby() -> None:
    async with world() as server:
        ada, bo = server.enter("ada"), server.enter("bo")
        here = await letters(server, bo, ada, start=False)
        one, two = [await letters(server, bo, ada, start=False) for _ in range(2)]
        await ada.ok(m.JoinTable(here))
        for code in (one, two):
            await bo.ok(m.JoinTable(code))
            await bo.ok(m.RemoveSeat(1))
        assert not ada.heard(m.SentBack)
        await ada.ok(m.GoToLobby())
        assert [told.code for told in ada.heard(m.SentBack)] == ["removed", "removed"]
        assert [each.table for each in ada.last.correspondence] == [here]


async def test_all_seats_are_there_after_a_restart() -> None:
    async with world() as server:
        ada, bo = server.enter("ada"), server.enter("bo")
        codes = [await letters(server, ada, bo) for _ in range(3)]
        assert (await bid_at(ada, codes[1])).ok
        await ada.ok(m.QuickGame(UNTIMED))
        live = ada.info.id
    async with restarted(server) as server:
        ada = server.enter("ada")
        await server.clock.settle()
        assert ada.info.id == live
        assert sorted(server.lobby.places.letters(ADA)) == sorted(codes)
        assert sorted(waiting(ada)) == sorted({*codes} - {codes[1]})
        for code in waiting(ada):
            assert (await bid_at(ada, code)).ok


async def test_a_screen_that_follows_games_and_a_seat_by_correspondence() -> None:
    async with world() as server:
        ada, bo = server.enter("ada"), server.enter("bo")
        code = await letters(server, ada, bo)
        await bo.ok(m.QuickGame(UNTIMED))
        await ada.ok(m.JoinTable(code))
        await ada.ok(m.FollowBusiest())
        assert (ada.info.id, ada.table.seat) == (bo.info.id, -1)
        await ada.ok(m.JoinTable(code))
        await server.clock.advance(60.0)
        assert (ada.info.id, ada.table.seat) == (code, 0)


# ---------------------------------------------------------------- whatever somebody does


class Walk:
    """Three people with many seats do things by lot: in the wrong order, twice, from two sessions, while
    lines drop.
    """

    def __init__(self, server: World, seed: int) -> None:
        self.server: Final = server
        self.rng: Final = random.Random(seed)
        self.names: Final = ("ada", "bo", "cem")
        self.guests: Final = {name: server.enter(name) for name in self.names}
        self.old: Final[list[Guest]] = []
        """Of visits that others have taken over; some are still used."""
        self.sealed: Final[dict[tuple[str, str, int, int, int], int]] = {}

    def command(self, name: str) -> Any:
        rng, places = self.rng, self.server.lobby.places
        codes = [*self.server.lobby.known, "nowhere"]
        code = rng.choice(codes)
        options = rng.choice((DAILY, DAILY, UNTIMED))
        own = rng.choice([*places.letters(f"id-{name}"), code])
        return rng.choice(
            [
                *(m.JoinTable(own), m.JoinTable(code), m.JoinTable(code), m.WatchTable(code)),
                *(m.GoToLobby(), m.GoToLobby(), m.CreateTable(options), m.QuickGame(options)),
                *(m.QuickJoin(options), m.LookAt(own), m.LeaveTable(), m.FollowBusiest()),
                *(
                    m.AtTable(own, m.StartGame()),
                    m.AtTable(own, m.AddBot()),
                    m.AddBot(),
                    m.StartGame(),
                ),
                *(m.AtTable(own, m.LeaveTable()), m.Rematch(), m.AtTable(own, m.Rematch())),
                *(m.ChangeOptions(options), m.AtTable(own, m.Vote(m.Motion.END))),
                *("bid", "bid", "bid", "bid", "bid at", "bid at", "bid at"),
            ]
        )

    async def step(self) -> None:
        rng, clock = self.rng, self.server.clock
        name = rng.choice(self.names)
        chance = rng.random()
        if chance < 0.08:
            self.guests[name].visit.close()
        if chance < 0.16:
            self.old.append(self.guests[name])
            self.guests[name] = self.server.enter(name)
        guest = self.guests[name]
        if self.old and rng.random() < 0.1:
            guest = rng.choice(self.old)
        doing = [
            self.do(guest, name, self.command(name)) for _ in range(rng.choice((1, 1, 1, 2, 3)))
        ]
        work = asyncio.gather(*doing)
        if rng.random() < 0.1:
            await asyncio.sleep(0)
            guest.visit.close()  # while it is under way
        await work
        await clock.advance(rng.choice((0.0, 0.0, 1.0, 30.0, 2.0 * HOUR)))
        if guest.visit.feed.closed and guest is self.guests[name]:
            self.guests[name] = self.server.enter(name)
        await clock.settle()

    async def do(self, guest: Guest, name: str, command: Any) -> None:
        if command == "bid at":
            own = self.server.lobby.places.letters(f"id-{name}")
            if not own:
                return
            code = self.rng.choice(own)
            seen = (await guest.submit(m.LookAt(code))).table
        elif command == "bid":
            code, seen = "", guest.read().updates[-1].table if guest.updates else None
        else:
            await guest.submit(command)
            return
        if seen is None or seen.own is None or not seen.own.hand:
            return
        view, card = seen.own.table, self.rng.choice(seen.own.hand)
        bid: Any = m.PlaceBid(card, view.stage, view.round)
        reply = await guest.submit(m.AtTable(code, bid) if code else bid)
        if reply.ok:
            place = seen.info.id, name, seen.info.game, view.stage, view.round
            self.sealed[place] = card

    def check(self) -> None:
        places, actors = self.server.lobby.places, self.server.lobby.tables.actors
        for name, guest in self.guests.items():
            id_ = f"id-{name}"
            presence, last = self.server.lobby.people[id_], guest.last
            assert len(places.live(id_)) <= 1
            assert not places.besides(id_, presence.table)
            shown = last.table.info.id if last.table is not None else ""
            assert shown == presence.table
            assert last.correspondence == self.server.lobby.correspondence_of(id_)
            for code in places.letters(id_):
                table = actors[code].table
                away = bool(table.absent_since(table.seat_of(id_)))
                assert away is (code != presence.table), (name, code)
            if last.table is not None and not last.table.behind:
                picture = actors[shown].publisher.picture(id_)
                assert (last.table.seat, last.table.own) == (picture.seat, picture.own)
            for update in guest.updates:
                told = {type(each) for each in update.happenings}
                # Where the options have just changed, that was a live game.
                lost = m.Disconnected in told and m.OptionsChanged not in told
                pace = update.table.info.options.pace if update.table is not None else None
                assert not (lost and pace is m.Pace.CORRESPONDENCE)
        for (code, name, number, stage, round_), card in self.sealed.items():
            here = actors[code].table if code in actors else None
            seat = here.seat_of(f"id-{name}") if here is not None else -1
            if here is not None and seat >= 0 and here.epoch[:3] == (number, stage, round_):
                assert here.bids[seat] == card


@pytest.mark.direct
@pytest.mark.parametrize("seed", range(12))
async def test_whatever_somebody_with_many_seats_does(seed: int) -> None:
    async with world(limits=TableLimits(correspondence_per_player=5), rng=seed) as server:
        walk, seats = Walk(server, seed), 0
        await server.clock.settle()
        for _ in range(60):
            await walk.step()
            walk.check()
            seats = max(seats, *(len(server.lobby.places.letters(f"id-{it}")) for it in walk.names))
        assert seats > 1, "somebody had several"


async def test_no_live_table_becomes_one_too_many_by_correspondence() -> None:
    async with world(limits=TableLimits(correspondence_per_player=1)) as server:
        ada, bo = server.enter("ada"), server.enter("bo")
        await letters(server, bo)
        await ada.ok(m.CreateTable(UNTIMED))
        code = ada.info.id
        await bo.ok(m.JoinTable(code))
        assert await ada.code(m.ChangeOptions(DAILY)) == "too_many_by_correspondence"
        await bo.ok(m.LeaveTable())
        await ada.ok(m.ChangeOptions(DAILY))
        await ada.ok(m.GoToLobby())
        assert await ada.code(m.CreateTable(DAILY)) == "too_many_by_correspondence"
