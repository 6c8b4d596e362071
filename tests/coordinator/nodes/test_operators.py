"""What operators see and do on one node holds on all."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from server.coordinator.messages import (
    CreateTable,
    LeaveTable,
    QuickGame,
    Refusal,
    Room,
    Say,
    SentBack,
)
from server.coordinator.messages import operator_orders as asked
from server.coordinator.messages.operator_orders import Action, OperatorReply, PersonRow, TableFacts
from server.coordinator.people.people import People
from server.i18n.lookup import words_for
from server.storage.moderation_store import ModerationStore
from server.storage.people import PeopleStore
from server.text.operator_orders import row_in_words, told_lines
from tests.support.connections import fingerprint
from tests.support.nodes import House, house
from tests.support.operators import ROOT, Place, Somebody, place_in
from tests.support.tables import UNTIMED, World


@asynccontextmanager
async def office(here: House, name: str, folder: Path) -> AsyncIterator[Place]:
    node, database = here.nodes[name], here.store.database
    people = People(PeopleStore(database), here.clock, seated=node.lobby.knows)
    world = World(here.clock, here.store, node.lobby)
    store = ModerationStore(database)
    async with place_in(world, folder, store=store, people=people, node=node.node) as made:
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
        found = [(row.name, row.address, row.muted > 0, row.node) for row in rows]
        assert found == [("bo", "2001:db8::7", False, "b"), ("ada", "192.0.2.7", True, "a")]
        assert all(f"on {row.node}, for" in row_in_words(row, words_for("en")) for row in rows)


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


@pytest.mark.parametrize(
    ("order", "told"),
    [
        (asked.Kick("bo", "shouts"), ("kicked", "shouts")),
        (asked.BanSomebody("name", "bo", 60.0, "shouts"), ("banned", "shouts")),
        (asked.Broadcast("cake"), ("broadcast", "cake")),
    ],
)
async def test_an_order_of_which_a_node_was_not_told_is_carried_out_a_little_later(
    tmp_path: Path, order: Action, told: tuple[str, str]
) -> None:
    async with offices(tmp_path) as (here, a, b):
        bo = await b.enter("bo")
        here.nodes["a"].bus.lost = lambda topic: topic in ("order", "office.order")
        acting = asyncio.create_task(a.operator_actions.act(ROOT, order))
        await here.clock.settle()
        assert said(bo) == []
        await here.clock.advance(5.0)
        assert (await acting).ok
        assert said(bo) == [told]
        assert bo.here is isinstance(order, asked.Broadcast)


async def test_a_node_that_starts_keeps_to_the_last_word_about_new_games_and_to_nothing_else(
    tmp_path: Path,
) -> None:
    async with offices(tmp_path) as (here, a, _):
        await a.enter("ada")
        assert (await a.act(asked.Kick("ada"))).ok
        assert (await a.act(asked.Drain())).ok
        await here.start("c")
        async with office(here, "c", tmp_path) as c:
            await here.nodes["c"].node.orders.begin()
            ada = await c.enter("ada")
            await here.clock.advance(3.0)
            assert ada.here
            assert (await ada.reader.visit.submit(QuickGame(UNTIMED))).code == "closing"


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
        assert row.node == "b"
        assert f"({row.code}) on b: " in row_in_words(row, words_for("en"))
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


def in_words(action: Action, told: OperatorReply) -> str:
    (line,) = told_lines(action, told, words_for("en"))
    return line


async def test_no_game_begins_on_any_node_until_that_is_taken_back(tmp_path: Path) -> None:
    async with offices(tmp_path) as (_, a, b):
        ada, bo = await a.enter("ada"), await b.enter("bo")
        told = await a.act(asked.Drain())
        assert told.facts == {"games": 0, "stop": 0, "nodes": "a, b"}
        assert in_words(asked.Drain(), told).endswith("0 games are in progress. Done on a, b.")
        for each in (ada, bo):
            assert (await each.reader.visit.submit(QuickGame(UNTIMED))).code == "closing"
        assert (await b.act(asked.Undrain())).facts == {"nodes": "a, b"}
        assert await a.act(asked.Undrain()) == OperatorReply("not_draining")
        for each in (ada, bo):
            await each.do(QuickGame(UNTIMED))


async def test_all_nodes_stop_when_nobody_plays_on_any(tmp_path: Path) -> None:
    async with offices(tmp_path) as (here, a, b):
        bo = await b.enter("bo")
        await bo.do(QuickGame(UNTIMED))
        await here.clock.advance(1.0)
        told = await a.act(asked.Drain(stop=True))
        assert told.facts == {"games": 1, "stop": 1, "nodes": "a, b"}
        assert "When none is left, all nodes stop." in in_words(asked.Drain(stop=True), told)
        await here.clock.advance(60.0)
        assert (a.stops, b.stops) == (0, 0)
        await bo.do(LeaveTable())
        await here.clock.advance(3.0)
        assert (a.stops, b.stops) == (1, 1)


async def test_a_node_that_did_not_hear_that_no_game_begins_is_told_later(tmp_path: Path) -> None:
    async with offices(tmp_path) as (here, a, b):
        bo = await b.enter("bo")
        here.nodes["b"].bus.up = False
        await here.clock.advance(2.0)
        told = await a.act(asked.Drain())
        assert (told.facts["nodes"], told.facts["unreached"]) == ("a", "b")
        assert in_words(asked.Drain(), told).endswith("Done on a. No answer from b.")
        here.nodes["b"].bus.up = True
        await here.clock.advance(2.0)
        assert (await bo.reader.visit.submit(QuickGame(UNTIMED))).code == "closing"
        # And one that hears of an old order keeps to the last one.
        here.nodes["a"].bus.up = False
        await here.clock.advance(2.0)
        assert (await b.act(asked.Undrain())).facts["unreached"] == "a"
        here.nodes["a"].bus.up = True
        await here.clock.advance(2.0)
        for place in (a, b):
            assert await place.act(asked.Undrain()) == OperatorReply("not_draining")


async def test_settings_are_read_again_on_all_nodes(tmp_path: Path) -> None:
    async with offices(tmp_path) as (_, a, b):
        a.reread = OperatorReply(facts={"changed": "notice, timing.bid", "late": "host"})
        b.reread = OperatorReply(facts={"changed": "notice", "late": "host"})
        told = await a.act(asked.Reload())
        assert told.facts == {"changed": "notice, timing.bid (a)", "late": "host", "nodes": "a, b"}
        assert in_words(asked.Reload(), told) == (
            "Settings applied: notice, timing.bid (a). These need a restart: host. Done on a, b."
        )
        b.reread = OperatorReply("settings", {"problem": "tide.toml: no"})
        told = await a.act(asked.Reload())
        assert told.code == "settings_of_some"
        assert in_words(asked.Reload(), told) == (
            "Read again on a, but not everywhere: b: tide.toml: no"
        )
        a.reread = b.reread
        told = await a.act(asked.Reload())
        assert in_words(asked.Reload(), told) == (
            "Nothing was changed: a: tide.toml: no; b: tide.toml: no"
        )


async def test_a_list_says_which_nodes_are_missing(tmp_path: Path) -> None:
    async with offices(tmp_path) as (here, a, b):
        await a.enter("ada")
        await b.enter("bo")
        here.nodes["b"].bus.up = False
        await here.clock.advance(2.0)
        told = await a.act(asked.SeePeople())
        lines = told_lines(asked.SeePeople(), told, words_for("en"))
        assert [line.split(":")[0] for line in lines] == ["ada", "No answer from b."]
        told = await a.act(asked.Kick("bo"))
        assert in_words(asked.Kick("bo"), told) == 'Nobody here is called "bo". No answer from b.'
