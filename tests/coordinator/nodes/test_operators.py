"""What operators see and do on one node holds on all."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from server.coordinator.messages import CreateTable, Refusal, Room, Say, SentBack
from server.coordinator.moderation import orders as asked
from server.coordinator.moderation.orders import PersonRow, TableFacts
from server.coordinator.people.people import People
from server.storage.moderation_sql import SqlModeration
from server.storage.people_sql import SqlPeople
from tests.support.connections import fingerprint
from tests.support.nodes import House, house
from tests.support.operators import Place, Somebody, place_in
from tests.support.tables import UNTIMED, World


@asynccontextmanager
async def office(here: House, name: str, folder: Path) -> AsyncIterator[Place]:
    node, database = here.nodes[name], here.store.database
    people = People(SqlPeople(database), here.clock, seated=node.lobby.knows)
    world = World(here.clock, here.store, node.lobby)
    store = SqlModeration(database)
    async with place_in(
        world, folder, store=store, people=people, channels=node.node.channels
    ) as made:
        yield made


@asynccontextmanager
async def offices(folder: Path) -> AsyncIterator[tuple[House, Place, Place]]:
    async with (
        house("a", "b") as here,
        office(here, "a", folder) as a,
        office(here, "b", folder) as b,
    ):
        yield here, a, b


def said(somebody: Somebody) -> list[tuple[str, str]]:
    return somebody.reader.said


async def test_people_of_all_nodes_are_listed(tmp_path: Path) -> None:
    async with offices(tmp_path) as (here, a, b):
        await a.enter("ada")
        await here.clock.advance(5.0)
        await b.enter("bo", "2001:db8::7")
        await b.act(asked.MutePerson("ada", 60.0))
        rows = [row for row in (await a.act(asked.SeePeople())).rows if isinstance(row, PersonRow)]
        found = [(row.name, row.address, row.muted > 0) for row in rows]
        assert found == [("bo", "2001:db8::7", False), ("ada", "192.0.2.7", True)]


async def test_somebody_on_another_node_is_kicked(tmp_path: Path) -> None:
    async with offices(tmp_path) as (_, a, b):
        bo = await b.enter("bo")
        told = await a.act(asked.Kick(fingerprint("bo"), "shouts"))
        assert (told.code, told.facts) == ("ok", {"name": "bo"})
        await b.world.clock.settle()
        assert not bo.here
        assert said(bo) == [("kicked", "shouts")]
        (entry,) = await b.audit()
        assert (entry.about, entry.details["address"]) == ("bo", "192.0.2.7")
        assert (await a.act(asked.Kick("nobody"))).code == "nobody_called"


async def test_a_silence_holds_on_all_nodes_and_ends_there(tmp_path: Path) -> None:
    async with offices(tmp_path) as (_, a, b):
        bo = await b.enter("bo")
        assert (await a.act(asked.MutePerson("bo", 600.0, "shouts"))).ok
        await b.world.clock.settle()
        assert said(bo) == [("muted", "shouts")]
        reply = await bo.reader.visit.submit(Say(Room.LOBBY, "hello"))
        assert reply.code == Refusal.SILENCED
        assert (await a.act(asked.UnmutePerson("bo"))).ok
        await b.world.clock.settle()
        assert (await bo.reader.visit.submit(Say(Room.LOBBY, "hello"))).ok


async def test_a_ban_sends_away_and_keeps_out_everywhere_at_once(tmp_path: Path) -> None:
    async with offices(tmp_path) as (_, a, b):
        bo = await b.enter("bo", "192.0.2.9")
        told = await a.act(asked.BanSomebody("address", "bo", 3600.0, "shouts"))
        assert (told.facts["ended"], told.facts["shown"]) == (1, "192.0.2.9")
        assert not bo.here
        assert not (await b.enter("cleo", "192.0.2.9")).here
        assert (await b.act(asked.Unban(int(told.facts["id"])))).ok
        await a.world.clock.settle()
        assert (await a.enter("cleo", "192.0.2.9")).here


async def test_a_ban_of_which_a_node_was_not_told_is_made_up_for(tmp_path: Path) -> None:
    async with offices(tmp_path) as (here, a, b):
        bo = await b.enter("bo")
        here.nodes["a"].bus.lost = lambda topic: topic.startswith("office")
        here.nodes["b"].node.peers[here.nodes["a"].node.id].silent = True
        here.nodes["a"].node.peers[here.nodes["b"].node.id].silent = True  # asks nobody
        await a.act(asked.BanSomebody("name", "bo"))
        here.nodes["a"].node.channels.tell("office.reread", {})
        here.nodes["a"].bus.lost = lambda _topic: False
        await here.clock.advance(2.0)
        assert not bo.here
        assert not (await b.enter("bo")).here


async def test_operators_of_all_nodes_hear_of_reports_and_answers_find_who_reported(
    tmp_path: Path,
) -> None:
    async with offices(tmp_path) as (_, a, b):
        b.authorize("ada")
        ada, bo = await b.enter("ada"), await a.enter("bo")
        await b.enter("cleo")
        assert await bo.reader.account.report("cleo", "shouts") == "ok"
        await b.world.clock.settle()
        assert said(ada) == [("report", "shouts")]
        bo.session.hang_up()
        await a.world.clock.settle()
        assert (await a.act(asked.AnswerReport(1, "thank you"))).ok
        # Who reported comes back, through another node.
        again = await b.enter("bo")
        assert said(again) == [("answer", "thank you")]
        again.session.hang_up()
        await a.world.clock.settle()
        assert said(await a.enter("bo")) == []


async def test_a_table_of_another_node_is_closed(tmp_path: Path) -> None:
    async with offices(tmp_path) as (here, a, b):
        ada = await b.enter("ada")
        await ada.do(CreateTable(UNTIMED))
        await here.clock.advance(1.0)
        (row,) = (await a.act(asked.SeeTables())).rows
        assert isinstance(row, TableFacts)
        assert (await a.act(asked.CloseTable(row.code))).ok
        await here.clock.advance(1.0)
        told = [each for update in ada.reader.updates for each in update.happenings]
        assert [each.code for each in told if isinstance(each, SentBack)] == ["closed"]
        assert (await a.act(asked.SeeTables())).rows == ()


async def test_a_word_to_everybody_reaches_all_nodes(tmp_path: Path) -> None:
    async with offices(tmp_path) as (_, a, b):
        ada, bo = await a.enter("ada"), await b.enter("bo")
        assert (await a.act(asked.Broadcast("cake"))).facts == {"people": 2}
        await b.world.clock.settle()
        assert said(ada) == said(bo) == [("broadcast", "cake")]
