"""What people may know of each other: pages, who follows whom, and who is told of whom."""

import asyncio
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import pytest

from server.coordinator import messages as m
from server.coordinator.arrivals import Arrivals
from server.coordinator.events.days import days_in
from server.coordinator.lobby.lobby import Lobby
from server.coordinator.people.people import SEEN_EVERY, Admitted, Credential, People
from server.session.account import VisitorAccount
from server.storage.people import BLOCKED, FOLLOWABLE, SHOWS_RESULTS, SHOWS_VISITS
from tests.support.accounts import RESULTS, FakeLibrary
from tests.support.fake_clock import FakeClock
from tests.support.memory_stores import MemoryPeople, MemoryStore
from tests.support.tables import UNTIMED, Guest, rated_game, world


class Here:
    """Who has been here, and what each may know of the others."""

    def __init__(self) -> None:
        self.clock = FakeClock(1e9)
        self.people = People(MemoryPeople(), self.clock)
        self.ids: dict[str, str] = {}
        self.at: dict[str, tuple[bool, str, str]] = {}
        lobby = Lobby(MemoryStore(), self.clock)
        lobby.seen_at = lambda player: self.at.get(player, (False, "", ""))  # type: ignore[method-assign]
        self.arrivals = Arrivals(lobby, self.people)

    async def come(self, name: str, *, guest: bool = False) -> Admitted:
        key = "" if guest else f"key:{name}"
        admitted = await self.people.admit(Credential(key, source=name), name)
        self.ids[name] = admitted.player.id
        return admitted

    async def back(self, name: str) -> set[str]:
        """Who is told, by name, when this one comes in once more."""
        told = (await self.come(name)).followers
        return {name for name, id_ in self.ids.items() if id_ in told}

    async def choose(self, name: str, **settings: Any) -> None:
        await self.people.store.set_settings(self.ids[name], settings)

    async def block(self, name: str, other: str) -> None:
        await self.choose(name, **{BLOCKED: {self.ids[other]: other}})

    def account(self, name: str, *, guest: bool = False) -> VisitorAccount:
        return VisitorAccount(
            self.arrivals,
            m.Player(self.ids[name], name, guest),
            "",
            {},
            FakeLibrary(1e9),
            None,
            lambda: None,
            False,
        )


@pytest.fixture
async def here() -> Here:
    found = Here()
    for name in ("ada", "bo", "cem"):
        await found.come(name)
    await found.come("gus", guest=True)
    return found


async def test_a_page_tells_results_and_where_somebody_is(here: Here) -> None:
    ada = here.account("ada")
    await here.clock.advance(7200)
    here.at[here.ids["bo"]] = (True, "reef-7", "Reef")
    page = await ada.profile("BO")
    assert page is not None
    assert (page.name, page.own, page.results) == ("bo", False, RESULTS)
    assert (page.here, page.table, page.title, page.seen) == (
        True,
        "reef-7",
        "Reef",
        1e9 // 900 * 900,
    )
    assert (page.followable, page.followed) == (True, False)
    own = await ada.profile("ada")
    assert own is not None
    assert own.own


@pytest.mark.parametrize("setting", [SHOWS_RESULTS, SHOWS_VISITS, FOLLOWABLE])
async def test_each_part_can_be_hidden(here: Here, setting: str) -> None:
    here.at[here.ids["bo"]] = (True, "reef-7", "Reef")
    assert await here.account("ada").follow("bo") == "ok"
    await here.choose("bo", **{setting: False})
    page = await here.account("ada").profile("bo")
    assert page is not None
    assert (page.results is None) is (setting == SHOWS_RESULTS)
    assert (page.shows_visits, page.here, page.table, page.seen > 0) == (
        (False, False, "", False) if setting == SHOWS_VISITS else (True, True, "reef-7", True)
    )
    assert page.followable is page.followed is (setting != FOLLOWABLE)
    followed = await here.account("ada").followed()
    assert [each.here for each in followed] == {SHOWS_VISITS: [False], FOLLOWABLE: []}.get(
        setting, [True]
    )
    await here.clock.advance(SEEN_EVERY)
    assert await here.back("bo") == ({"ada"} if setting == SHOWS_RESULTS else set())


@pytest.mark.parametrize(("who", "other"), [("ada", "bo"), ("bo", "ada")])
async def test_neither_of_two_knows_anything_when_one_has_blocked_the_other(
    here: Here, who: str, other: str
) -> None:
    assert await here.account("ada").follow("bo") == "ok"
    await here.block(who, other)
    assert await here.account("ada").profile("bo") is None
    assert await here.account("bo").profile("ada") is None
    assert await here.account("bo").follow("ada") == "no_profile"
    assert await here.account("ada").followed() == ()
    assert await here.account("cem").profile("bo") is not None
    await here.clock.advance(SEEN_EVERY)
    if who == "bo":
        assert await here.back("bo") == set()
    await here.choose(who)
    assert [each.name for each in await here.account("ada").followed()] == ["bo"]


async def test_guests_have_no_page_and_follow_nobody(here: Here) -> None:
    assert await here.account("ada").profile("gus") is None
    assert await here.account("ada").follow("gus") == "no_profile"
    gus = here.account("gus", guest=True)
    assert await gus.follow("ada") == "follow_guest"
    assert await gus.profile("ada") is not None
    assert await gus.profile("gus") is None


async def test_why_somebody_is_not_followed(here: Here) -> None:
    ada = here.account("ada")
    assert await ada.follow("nobody") == "no_profile"
    assert await ada.follow("ada") == "own_name"
    await here.choose("bo", **{FOLLOWABLE: False})
    assert await ada.follow("bo") == "not_followable"
    assert await ada.follow("bo", on=False) == "ok"


async def test_who_is_forgotten_has_no_page(here: Here) -> None:
    assert await here.account("ada").follow("bo") == "ok"
    await here.people.store.forget(here.ids["bo"])
    assert await here.account("ada").profile("bo") is None
    assert await here.account("ada").followed() == ()


async def test_a_line_that_flaps_is_told_of_once_in_some_minutes(here: Here) -> None:
    await here.account("ada").follow("bo")
    await here.clock.advance(SEEN_EVERY)
    told = [await here.back("bo")]
    for _ in range(20):
        await here.clock.advance(20)
        told.append(await here.back("bo"))
    assert told == [{"ada"}, *[set()] * 20]
    await here.clock.advance(SEEN_EVERY)
    assert await here.back("bo") == {"ada"}


async def test_who_was_here_for_long_and_comes_back_at_once_has_not_come(here: Here) -> None:
    await here.account("ada").follow("bo")
    await here.clock.advance(5 * SEEN_EVERY)
    await here.people.was_here(here.ids["bo"])
    await here.clock.advance(30)
    assert await here.back("bo") == set()
    page = await here.account("ada").profile("bo")
    assert page is not None
    assert page.seen == (here.clock.time() - 30) // 900 * 900, "no more exactly, for anybody"


async def test_two_lines_of_one_person_at_once_are_told_of_once(here: Here) -> None:
    await here.account("ada").follow("bo")
    await here.clock.advance(SEEN_EVERY)
    came = await asyncio.gather(*(here.come("bo") for _ in range(4)))
    assert sorted(len(each.followers) for each in came) == [0, 0, 0, 1]


def test_days_are_counted_over_all_runs() -> None:
    day = 86_400.0
    assert days_in([(0.0, 0.0), (2 * day, 5 * day)]) == 5
    assert days_in([]) == 0


# ---------------------------------------------------------------- who is told


def said(guest: Guest) -> list[m.ServerMessage]:
    return [word for update in guest.read().updates for word in update.said]


async def test_who_shuts_somebody_out_is_not_told_of_that_person() -> None:
    async with world() as server:
        ada, bo, cem = (server.enter(name) for name in ("ada", "bo", "cem"))
        word = m.ServerMessage("came", about="eve", sender="id-eve")
        server.enter("eve")
        await bo.ok(m.Mute("eve"))
        await cem.ok(m.Block("eve"))
        for name in ("ada", "bo", "cem"):
            server.lobby.say_to(f"id-{name}", word)
        assert [said(one) for one in (ada, bo, cem)] == [[word], [], []]


async def test_where_somebody_is_is_told_of_public_tables_only() -> None:
    async with world() as server:
        ada, bo = server.enter("ada"), server.enter("bo")
        seen_at: Callable[[str], Any] = server.lobby.seen_at
        assert seen_at("id-ada") == (True, "", "")
        await ada.ok(m.CreateTable(UNTIMED))
        await bo.ok(m.WatchTable(ada.info.id))
        place = (True, ada.info.id, ada.info.title)
        assert seen_at("id-ada") == seen_at("id-bo") == place
        assert ada.info.watching == ("bo",)
        await ada.ok(m.SetWord("otter-otter"))
        assert seen_at("id-ada") == seen_at("id-bo") == (True, "", "")
        ada.visit.close()
        assert seen_at("id-ada") == (False, "", "")


# ---------------------------------------------------------------- invitations


async def test_a_table_for_certain_people_keeps_their_seats_and_invites_them() -> None:
    async with world() as server:
        ada, bo, cem = (server.enter(name) for name in ("ada", "bo", "cem"))
        await ada.ok(m.CreateTable(UNTIMED, keep=("bo",)))
        await server.clock.settle()
        code = ada.info.id
        assert [(seat.name, seat.kept) for seat in ada.info.seats[:2]] == [("ada", ""), ("", "bo")]
        assert ada.info.seats[2].occupant == "bot"
        invited = m.ServerMessage("invited", "ada", about=code, sender="id-ada")
        assert (said(bo), said(cem), said(ada)) == ([invited], [], [])
        assert await cem.code(m.JoinTable(code)) == "seat_kept"
        await bo.ok(m.JoinTable(code))


@pytest.mark.parametrize("shut", [{}, {"id-ada": "ada"}])
async def test_nobody_is_invited_by_whom_they_block_nor_again_and_again(
    shut: Mapping[str, str],
) -> None:
    async with world() as server:
        ada, bo = server.enter("ada"), server.enter("bo")
        server.lobby.people["id-bo"].blocked = dict(shut)
        await ada.ok(m.CreateTable(UNTIMED))
        keep = partial(m.KeepSeat, 1)
        for _ in range(9):
            await ada.ok(keep("bo"))
            await ada.ok(keep(""))
        await server.clock.settle()
        assert len(said(bo)) == (0 if shut else 3)


async def test_who_is_invited_hears_of_few_invitations_whoever_invites() -> None:
    async with world() as server:
        bo = server.enter("bo")
        for number in range(9):
            await server.enter(f"ada{number}").ok(m.CreateTable(UNTIMED, keep=("bo",)))
        await server.clock.settle()
        assert len(said(bo)) == 3
        await server.clock.advance(121)
        for number in range(9):
            await server.enter(f"cem{number}").ok(m.CreateTable(UNTIMED, keep=("bo",)))
        await server.clock.settle()
        assert len(said(bo)) == 4


async def test_who_is_blocked_uses_up_nobody_elses_invitations() -> None:
    async with world() as server:
        bo, eve, ada = (server.enter(name) for name in ("bo", "eve", "ada"))
        server.lobby.people["id-bo"].blocked = {"id-eve": "eve"}
        await eve.ok(m.CreateTable(UNTIMED))
        for _ in range(9):
            await eve.ok(m.KeepSeat(1, "bo"))
            await eve.ok(m.KeepSeat(1, ""))
        await ada.ok(m.CreateTable(UNTIMED, keep=("bo",)))
        await server.clock.settle()
        assert [word.text for word in said(bo)] == ["ada"]


@pytest.mark.parametrize("lan", [False, True])
async def test_guests_invite_nobody_but_at_a_party(lan: bool) -> None:
    async with world(guests_invite=lan) as server:
        bo, ada = server.enter("bo"), server.enter("ada", guest=True)
        await ada.ok(m.CreateTable(UNTIMED, keep=("bo",)))
        await ada.ok(m.KeepSeat(1, ""))
        await ada.ok(m.KeepSeat(1, "bo"))
        await server.clock.settle()
        assert len(said(bo)) == 2 * lan
        await bo.ok(m.JoinTable(ada.info.id))  # the seat is kept all the same


async def test_who_is_silenced_invites_nobody() -> None:
    async with world() as server:
        bo, eve = server.enter("bo"), server.enter("eve")
        server.lobby.chat.silence_only({"id-eve": server.clock.time() + 60})
        await eve.ok(m.CreateTable(UNTIMED, keep=("bo",)))
        await server.clock.settle()
        assert said(bo) == []
        await server.clock.advance(61)
        await eve.ok(m.KeepSeat(1, ""))
        await eve.ok(m.KeepSeat(1, "bo"))
        await server.clock.settle()
        assert len(said(bo)) == 1


async def test_nobody_is_invited_away_from_a_rated_game() -> None:
    async with world() as server:
        players = await rated_game(server)
        for player in players:
            player.forget()
        eve = server.enter("eve")
        await eve.ok(m.CreateTable(UNTIMED, keep=("ada", "bo")))
        await server.clock.settle()
        assert [said(player) for player in players] == [[], [], []]


async def test_more_people_than_seats_are_refused() -> None:
    async with world() as server:
        ada = server.enter("ada")
        assert await ada.code(m.CreateTable(UNTIMED, keep=("bo", "cem", "dora"))) == "table_full"
        await ada.ok(m.CreateTable(UNTIMED, keep=("ada", " ")))
        assert [seat.kept for seat in ada.info.seats] == ["", "", ""]
