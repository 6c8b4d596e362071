"""A door and the coordinator, with a socket between them."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Any, TypeVar

import pytest

from server import StoreError
from server.coordinator import messages as m
from server.coordinator.contract import Arrival, Banned, Visit
from server.coordinator.messages.operator_orders import SeePeople
from server.link import frames
from server.link.door_side import RemoteCoordinator
from server.storage.statedir import DOORS
from tests.link.house import House, come
from tests.support.connections import ban, until
from tests.support.patience import PATIENCE
from tests.support.tables import UNTIMED

T = TypeVar("T")
THREE = m.TableOptions(UNTIMED.rules, m.Pace.UNTIMED)


def table_of(visit: Visit) -> m.TableSnapshot:
    found = visit.feed.now.table
    assert found is not None
    return found


async def playing(house: House, doors: list[RemoteCoordinator]) -> list[Visit]:
    """Three people at a table, by these doors. Bidding the lowest cards, all are in for five rounds."""
    visits = [
        (await come(door, name))[0] for name, door in zip(("ada", "bo", "cem"), doors, strict=True)
    ]
    assert (await visits[0].submit(m.CreateTable(THREE, deal="friday"))).ok
    code = table_of(visits[0]).info.id
    for visit in visits[1:]:
        assert (await visit.submit(m.JoinTable(code))).ok
    assert (await visits[0].submit(m.StartGame())).ok
    await until(lambda: all(visit.feed.now.table and visit.feed.now.table.own for visit in visits))
    return visits


def bid(visit: Visit, card: int = 0) -> m.PlaceBid:
    seen = table_of(visit)
    assert seen.own is not None
    return m.PlaceBid(card or seen.own.hand[0], seen.own.table.stage, seen.own.table.round)


def _has_played(visit: Visit, rounds: int) -> bool:
    table = table_of(visit).table
    return table is not None and len(table.rounds) >= rounds


def _is_away(door: RemoteCoordinator) -> bool:
    return not door.connected.is_set()


@asynccontextmanager
async def away(house: House) -> AsyncIterator[None]:
    """While there is no coordinator."""
    await house.kill()
    for door, _ in house.doors:
        await until(partial(_is_away, door))
    yield
    await house.start()
    for door, _ in house.doors:
        await asyncio.wait_for(door.connected.wait(), PATIENCE)


# ---------------------------------------------------------------- while all is well


async def test_people_at_several_doors_play_at_one_table(house: House) -> None:
    doors = [await house.door(), await house.door()]
    ada, bo, cem = await playing(house, [doors[0], doors[1], doors[0]])
    for visit in (ada, bo, cem):
        assert (await visit.submit(bid(visit))).ok
    await until(lambda: all(table_of(each).own.table.round == 1 for each in (ada, bo, cem)))  # type: ignore[union-attr]
    seen = table_of(bo)
    assert seen.own is not None
    assert seen.own.table == seen.table
    assert seen.table is not None
    assert len(seen.table.rounds) == 1


async def test_what_a_command_leads_to_is_there_when_it_is_answered(house: House) -> None:
    ada = (await come(await house.door(), "ada"))[0]
    for _ in range(20):
        assert (await ada.submit(m.CreateTable(THREE))).ok
        assert ada.feed.now.table is not None
        assert (await ada.submit(m.LeaveTable())).ok
        assert ada.feed.now.table is None


async def test_of_what_one_frame_tells_each_hears_what_has_happened_since_coming(
    house: House,
) -> None:
    door = await house.door()
    ada, bo, cem = [(await come(door, name))[0] for name in ("ada", "bo", "cem")]
    assert (await ada.submit(m.CreateTable(THREE))).ok
    code = table_of(ada).info.id
    ada.feed.take()
    (there,) = house.socket._doors
    there.line.pause_writing()
    asked = []
    for visit in (bo, cem):
        asked.append(asyncio.create_task(visit.submit(m.JoinTable(code))))
        await until(partial(house.lobby.places.seats, visit.player.id))
    there.line.resume_writing()
    assert all(reply.ok for reply in await asyncio.gather(*asked))
    updates = [visit.feed.take() for visit in (ada, bo, cem)]
    seats = [
        [it.seat for it in each.happenings if isinstance(it, m.Sat)] for each in updates if each
    ]
    assert seats == [[1, 2], [1, 2], [2]]


async def test_rows_of_the_lobby_that_have_not_changed_are_the_same_objects(house: House) -> None:
    door = await house.door()
    ada, bo = [(await come(door, name))[0] for name in ("ada", "bo")]
    assert (await ada.submit(m.CreateTable(THREE))).ok
    await until(lambda: bo.feed.now.lobby and len(bo.feed.now.lobby.tables) == 1)
    (before,) = bo.feed.now.lobby.tables  # type: ignore[union-attr]
    cem = (await come(door, "cem"))[0]
    assert (await cem.submit(m.CreateTable(THREE))).ok
    await until(lambda: bo.feed.now.lobby and len(bo.feed.now.lobby.tables) == 2)
    assert any(row is before for row in bo.feed.now.lobby.tables)  # type: ignore[union-attr]


async def test_a_ban_is_known_at_every_door_at_once(house: House) -> None:
    door = await house.door()
    ada = (await come(door, "ada"))[0]
    house.arrivals.bans.fill(ban("key", "k-bo"))
    await until(lambda: door.bans.find("k-bo", "", ""))
    with pytest.raises(Banned):
        await come(door, "bo")
    assert not ada.feed.closed


async def test_who_comes_by_another_door_takes_over(house: House) -> None:
    first, second = await house.door(), await house.door()
    ada = (await come(first, "ada"))[0]
    await come(second, "ada")
    await until(lambda: ada.feed.closed)
    assert ada.feed.closed == "taken_over"


async def test_what_is_asked_for_is_answered_by_its_type(house: House) -> None:
    door = await house.door()
    ada = (await come(door, "ada"))[0]
    known = await door.known("k-ada")
    assert known is not None
    assert (known.id, known.name) == (ada.player.id, "ada")
    assert await door.known("k-nobody") is None
    assert (await door.lobby_now()).players == ("ada",)
    await come(door, "bo")
    assert await door.follow(ada.player.id, "bo", True) == "ok"
    (followed,) = await door.followed(ada.player.id)
    assert (followed.name, followed.here) == ("bo", True)
    found = await door.profile(ada.player.id, "bo")
    assert found is not None
    assert (found[1].name, found[1].followed) == ("bo", True)
    assert await door.report(ada.player.id, "bo", "shouts") == "no_operators"
    assert not (await door.correspondence_of(ada.player.id))
    await door.keep_settings(ada.player.id, {"theme": "dusk"})
    assert (await come(door, "ada"))[1].settings == {"theme": "dusk"}


async def test_who_leaves_on_the_way_in_has_left(house: House) -> None:
    door = await house.door()
    coming = asyncio.create_task(come(door, "ada"))
    await asyncio.sleep(0)
    coming.cancel()
    await asyncio.gather(coming, return_exceptions=True)
    await come(door, "bo")
    await until(lambda: [here.player.name for here in house.arrivals] == ["bo"])


async def test_people_of_a_door_that_ends_are_absent(house: House) -> None:
    doors = [await house.door(), await house.door()]
    ada, bo, _ = await playing(house, [doors[0], doors[1], doors[0]])
    house.doors[1][1].cancel()
    await until(lambda: not table_of(ada).info.seats[1].connected)
    assert not bo.feed.closed


# ---------------------------------------------------------------- when the coordinator dies


async def test_everybody_arrives_again_and_has_the_seat(house: House) -> None:
    door = await house.door()
    visits = await playing(house, [door] * 3)
    ada = visits[0]
    assert (await ada.submit(bid(ada))).ok
    sealed = table_of(ada).own
    async with away(house):
        assert not any(visit.feed.closed for visit in visits)
    await until(lambda: all(seat.connected for seat in table_of(ada).info.seats))
    now = table_of(ada).own
    assert now is not None
    assert sealed is not None
    assert (now.bid, now.hand) == (sealed.bid, sealed.hand)
    for visit in visits[1:]:
        assert (await visit.submit(bid(visit))).ok
    await until(lambda: len(table_of(ada).own.table.rounds) == 1)  # type: ignore[union-attr]


async def test_what_is_asked_for_meanwhile_waits(house: House) -> None:
    door = await house.door()
    ada = (await come(door, "ada"))[0]
    async with away(house):
        opening = asyncio.create_task(ada.submit(m.CreateTable(THREE)))
        coming = asyncio.create_task(come(door, "bo"))
        await asyncio.sleep(0.05)
        assert not opening.done()
        assert not coming.done()
    assert (await opening).ok
    assert (await coming)[0].player.name == "bo"


async def test_who_waits_for_too_long_is_told_so(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    door = await house.door()
    monkeypatch.setattr("server.link.door_side._PATIENCE", 0.01)
    async with away(house):
        with pytest.raises(StoreError):
            await door.known("k-ada")


async def test_who_has_no_coordinator_for_long_is_sent_away(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, _ = await come(await house.door(), "ada")
    monkeypatch.setattr("server.link.door_side._NOTICED", 0.0)
    monkeypatch.setattr("server.link.door_side._GIVEN_UP", 0.0)
    async with away(house):
        await until(lambda: ada.feed.closed)
    assert ada.feed.closed == "lost"


async def cut_with(house: House, ask: Callable[[], Coroutine[Any, Any, T]]) -> "asyncio.Task[T]":
    """What is asked for is carried out, and the coordinator dies before the answer is heard."""
    door = house.doors[0][0]
    line, unheard = door._line, list[frames.LinkFrame]()
    assert line is not None
    line._heard = unheard.append
    asked = asyncio.create_task(ask())
    await until(lambda: any(isinstance(it, frames.Result) for it in unheard))
    assert not asked.done()
    async with away(house):
        pass
    return asked


async def test_a_bid_without_an_answer_is_sent_again(house: House) -> None:
    ada, *_ = await playing(house, [await house.door()] * 3)
    asked = await cut_with(house, partial(ada.submit, bid(ada)))
    assert (await asked).ok
    await until(lambda: table_of(ada).own.bid)  # type: ignore[union-attr]


async def test_a_bid_that_had_ended_the_round_was_not_too_late(house: House) -> None:
    ada, bo, cem = await playing(house, [await house.door()] * 3)
    for visit in (bo, cem):
        assert (await visit.submit(bid(visit))).ok
    asked = await cut_with(house, partial(ada.submit, bid(ada)))
    assert (await asked).code == "uncertain"
    await until(lambda: len(table_of(ada).own.table.rounds) == 1)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (m.CreateTable(THREE), "uncertain"),
        (m.CreateTable(THREE, key="once"), "uncertain"),
        (m.Say(m.Room.LOBBY, "hello"), "uncertain"),
        (m.AskTournament(), "uncertain"),
        (m.Touch(), "uncertain"),
    ],
)
async def test_what_is_not_known_to_have_happened_is_uncertain(
    house: House, command: m.Command, code: str
) -> None:
    ada = (await come(await house.door(), "ada"))[0]
    asked = await cut_with(house, partial(ada.submit, command))
    assert (await asked).code == code
    assert len(house.lobby.tables.actors) == isinstance(command, m.CreateTable)


@pytest.mark.parametrize("operates", [True, False])
async def test_what_an_operator_should_hear_of_or_do_is_not_asked_for_twice(
    house: House, operates: bool
) -> None:
    door = await house.door()
    me = (await come(door, "ada"))[0].player.id

    async def ask() -> None:
        if operates:
            await door.act(me, SeePeople(), False)
        else:
            await door.report(me, "bo", "shouts")

    asked = await cut_with(house, ask)
    with pytest.raises(StoreError, match="uncertain"):
        await asked


async def test_who_was_muted_stays_muted(house: House) -> None:
    door = await house.door()
    ada, bo, cem = [(await come(door, name))[0] for name in ("ada", "bo", "cem")]
    for name, on in (("bo", True), ("cem", True), ("cem", False)):
        assert (await ada.submit(m.Mute(name, on))).ok
    async with away(house):
        pass
    for visit in (bo, cem):
        assert (await visit.submit(m.Say(m.Room.LOBBY, "hello"))).ok
    await until(lambda: ada.feed.now.chat)
    assert [line.sender for line in ada.feed.now.chat] == ["cem"]


@pytest.mark.parametrize("goes", [m.WatchTable, lambda _: m.FollowBusiest()], ids=["table", "any"])
async def test_who_watched_watches(house: House, goes: Callable[[str], m.Command]) -> None:
    door = await house.door()
    ada, *_ = await playing(house, [door] * 3)
    code = table_of(ada).info.id
    eve = (await come(door, "eve"))[0]
    assert (await eve.submit(goes(code))).ok
    await until(lambda: eve.feed.now.table)
    eve.feed.take()
    async with away(house):
        pass
    await until(lambda: "eve" in table_of(ada).info.watching)
    assert table_of(eve).info.id == code


async def test_who_has_come_by_another_door_meanwhile_is_not_put_out(house: House) -> None:
    first = await house.door()
    ada = (await come(first, "ada"))[0]
    async with away(house):
        house.doors[0][1].cancel()
        await house.start()
        second = await house.door()
        later = (await come(second, "ada"))[0]
        await house.kill()
        house.doors[0] = first, asyncio.create_task(first.keep_connected())
    await until(lambda: ada.feed.closed)
    assert (ada.feed.closed, later.feed.closed) == ("taken_over", "")


async def test_who_has_been_banned_meanwhile_stays_outside(house: House) -> None:
    ada = (await come(await house.door(), "ada"))[0]
    async with away(house):
        house.banned = ban("key", "k-ada")
    await until(lambda: ada.feed.closed)
    assert ada.feed.closed == "banned"


async def test_people_hear_of_it_only_when_it_takes_long(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada = (await come(await house.door(), "ada"))[0]

    def said() -> list[str]:
        return [word.kind for word in ada.feed.now.said]

    monkeypatch.setattr("server.link.door_side._NOTICED", PATIENCE)
    async with away(house):
        pass
    assert said() == []
    monkeypatch.setattr("server.link.door_side._NOTICED", 0.0)
    async with away(house):
        await until(said)
        assert said() == ["one_moment"]
    await until(lambda: said() == ["one_moment", "here_again"])


# ---------------------------------------------------------------- who is let near it


async def test_a_coordinator_of_before_is_not_believed(house: House) -> None:
    await house.kill()
    await house.start(term=9)
    door = await house.door()
    await house.kill()
    await until(lambda: not door.connected.is_set())
    await house.start(term=3)
    await asyncio.sleep(0.1)
    assert not door.connected.is_set()
    await house.kill()
    await house.start(term=10)
    await asyncio.wait_for(door.connected.wait(), PATIENCE)


async def test_a_door_of_another_release_is_sent_away(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader, writer = await asyncio.open_unix_connection(house.folder / DOORS)
    writer.write(frames.framed([frames.Hello(frames.VERSION + 1, "door 1")]))
    assert await asyncio.wait_for(reader.read(), PATIENCE) == b""
    writer.close()
    with suppress(OSError):
        await writer.wait_closed()


async def test_the_socket_is_for_this_user_alone(house: House) -> None:
    assert (house.folder / DOORS).stat().st_mode & 0o777 == 0o600


async def test_rubbish_costs_the_line_it_came_by(house: House) -> None:
    door = await house.door()
    ada = (await come(door, "ada"))[0]
    reader, writer = await asyncio.open_unix_connection(house.folder / DOORS)
    writer.write(b"\0\0\0\4\xc1\xc1\xc1\xc1")
    assert await asyncio.wait_for(reader.read(), PATIENCE) == b""
    writer.close()
    with suppress(OSError):
        await writer.wait_closed()
    assert (await ada.submit(m.CreateTable(THREE))).ok


async def test_a_door_that_does_not_read_keeps_nobody_waiting(house: House) -> None:
    door = await house.door()
    ada, bo, cem = await playing(house, [door] * 3)
    _, writer = await asyncio.open_unix_connection(house.folder / DOORS, limit=1)
    hello = frames.Hello(frames.VERSION, "deaf")
    arrive = frames.Arrive(1, Arrival("eve", "192.0.2.9", "ssh", key="k-eve"))
    watch = frames.Submit(2, 1, m.WatchTable(table_of(ada).info.id))
    writer.write(frames.framed([hello, arrive]))
    await until(lambda: any(here.player.name == "eve" for here in house.arrivals))
    writer.write(frames.framed([watch]))
    async with asyncio.timeout(PATIENCE):
        while not _has_played(ada, 5):
            for visit in (ada, bo, cem):
                seen = table_of(visit).own
                if seen is not None and seen.hand and not seen.bid:
                    await visit.submit(bid(visit))
            await asyncio.sleep(0)
    writer.close()
    with suppress(OSError):
        await writer.wait_closed()
