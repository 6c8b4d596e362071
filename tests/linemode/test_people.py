"""People, by sentences: who somebody is, whom one follows, and the same people at another table."""

from server.coordinator.contract import Profile
from server.coordinator.messages import (
    JoinTable,
    LeaveTable,
    LobbySnapshot,
    ServerMessage,
    Update,
)
from tests.support.accounts import RESULTS
from tests.support.fakes import FakeVisit
from tests.support.homes import at_home
from tests.support.tables import UNTIMED, world
from tests.support.transcript import Reader, reader

BO = Profile("bo", False, RESULTS, True, True, "reef-7", "Reef", 1e6, True, False)


async def told(reader: Reader, update: Update) -> None:
    assert isinstance(reader.visit, FakeVisit)
    reader.new()
    reader.visit.feed.push(update)
    await reader.clock.advance(0)


async def test_whom_one_follows() -> None:
    home, _ = at_home(profiles={"bo": BO})
    async with home as ada:
        assert (await ada.say("follow"))[0].startswith("You follow nobody.")
        await ada.say("follow bo")
        assert await ada.say("follow") == ["You follow: bo (here)."]


async def test_who_wants_it_quiet_is_not_told_who_comes() -> None:
    home, _ = at_home()
    async with home as ada:
        here = LobbySnapshot((), ("ada", "bo"))
        came = ServerMessage("came", about="bo")
        invited = ServerMessage("invited", "bo", about="reef-7")
        await ada.say("set quiet")
        await told(ada, Update(here, None, (), False, "", said=(came, invited)))
        (said,) = ada.new()
        assert said.startswith("bo keeps a seat for you at a table: reef-7.")


async def test_the_same_people_at_another_table() -> None:
    async with world() as server:
        ada, bo = await server.table(UNTIMED, humans=2)
        await server.play_out(ada, bo)
        first = bo.info.id
        await bo.ok(LeaveTable())
        ada.visit.feed.rewind()
        async with Reader(ada.visit, server.clock) as typing:
            await typing.say("regroup")
            await server.clock.settle()
            assert "kept for bo" in "".join(await typing.say("table"))
        words = [word for update in bo.read().updates for word in update.said]
        (invited,) = words
        assert (invited.kind, invited.text) == ("invited", "ada")
        assert invited.about != first
        await bo.ok(JoinTable(invited.about))
        assert {seat.name for seat in bo.info.seats} >= {"ada", "bo"}
        assert all(seat.name for seat in bo.info.seats), "a bot has the third seat"


async def test_before_a_game_nobody_can_be_gathered_again() -> None:
    async with world() as server, reader(server) as ada:
        await ada.say("new 3 players")
        assert await ada.say("regroup") == ["The game has not begun yet."]


async def test_in_a_game_that_goes_on_nobody_leaves_by_it() -> None:
    async with world() as server:
        ada, _ = await server.table(UNTIMED, humans=2)
        code = ada.info.id
        ada.visit.feed.rewind()
        async with Reader(ada.visit, server.clock) as typing:
            (said,) = await typing.say("regroup")
        assert said.startswith("This opens a table for the people of a finished game.")
        assert server.lobby.places.seats("id-ada") == [code]
