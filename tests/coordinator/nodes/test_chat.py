"""Chat of people on several nodes: who hears what, and what those who come are told."""

from dataclasses import replace

from server.coordinator.messages import (
    Block,
    ChatLine,
    CreateTable,
    JoinTable,
    Mute,
    Refusal,
    Room,
    Say,
    SetWord,
    StartGame,
    WatchTable,
)
from server.coordinator.nodes.chat import LineNumbers
from tests.support.fake_clock import FakeClock
from tests.support.nodes import House, house
from tests.support.tables import UNTIMED, Guest

RATED = replace(UNTIMED, rated=True)


def heard(guest: Guest) -> list[ChatLine]:
    return [line for update in guest.read().updates for line in update.chat]


def texts(guest: Guest) -> list[str]:
    return [line.text for line in heard(guest)]


async def visitors(here: House, *names: tuple[str, str]) -> list[Guest]:
    guests = [here.nodes[node].guest(name) for node, name in names]
    await here.clock.advance(1.0)
    return guests


async def test_a_direct_line_reaches_somebody_on_another_node() -> None:
    async with house("a", "b") as here:
        ada, bo = await visitors(here, ("a", "ada"), ("b", "Bo"))
        assert (await ada.submit(Say(Room.DIRECT, "psst", to="bo"))).ok
        await here.settle()
        assert [(line.text, line.sender, line.to) for line in heard(bo)] == [("psst", "ada", "Bo")]
        assert heard(ada) == heard(bo)
        assert await ada.code(Say(Room.DIRECT, "psst", to="cleo")) == Refusal.NOBODY_CALLED


async def test_a_direct_line_to_somebody_who_sits_here_and_is_connected_elsewhere() -> None:
    async with house("a", "b") as here:
        ada, bo = await visitors(here, ("a", "ada"), ("b", "bo"))
        await ada.ok(CreateTable(UNTIMED))
        await here.clock.advance(1.0)
        await here.seat(ada.info.id, bo)
        await ada.ok(Say(Room.DIRECT, "psst", to="bo"))
        await bo.ok(Say(Room.DIRECT, "what", to="ada"))
        await here.settle()
        assert texts(bo) == texts(ada) == ["psst", "what"]


async def test_direct_lines_are_refused_as_on_one_node() -> None:
    async with house("a", "b") as here:
        ada, bo, cleo, dan = await visitors(
            here, ("a", "ada"), ("b", "bo"), ("b", "cleo"), ("b", "dan")
        )
        await ada.ok(Mute("bo", on=True))
        assert await ada.code(Say(Room.DIRECT, "psst", to="bo")) == Refusal.OWN_BLOCK
        for _ in range(10):  # what is refused is no line
            assert await bo.code(Say(Room.DIRECT, "psst", to="ada")) == Refusal.NOT_LISTENING
        await ada.ok(Mute("bo", on=False))
        await bo.ok(Block("ada", on=True))
        assert await ada.code(Say(Room.DIRECT, "psst", to="bo")) == Refusal.NOT_LISTENING
        await bo.ok(CreateTable(RATED))
        await here.clock.advance(1.0)
        await here.seat(bo.info.id, cleo, dan)
        await bo.ok(StartGame())
        await here.clock.advance(1.0)
        assert await ada.code(Say(Room.DIRECT, "psst", to="cleo")) == Refusal.RATED_ROUND
        assert not texts(cleo)


async def test_who_comes_through_another_node_is_told_what_was_said() -> None:
    async with house("a") as here:
        (ada,) = await visitors(here, ("a", "ada"))
        await ada.ok(Say(Room.LOBBY, "first"))
        await ada.ok(CreateTable(UNTIMED))
        await here.clock.advance(1.0)
        await ada.ok(Say(Room.TABLE, "sit down"))
        await here.clock.advance(1.0)
        await here.start("b")
        await here.clock.advance(1.0)
        (bo,) = await visitors(here, ("b", "bo"))
        assert [(line.text, line.old) for line in heard(bo)] == [("first", True)]
        await here.seat(ada.info.id, bo)
        assert [(line.text, line.old) for line in heard(bo)][1:] == [("sit down", True)]
        await ada.ok(Say(Room.TABLE, "now"))
        await here.clock.advance(1.0)
        assert [line.text for line in heard(bo)][2:] == ["now"]
        numbers = {line.text: line.number for line in heard(ada)}
        assert [numbers[line.text] for line in heard(bo)] == [line.number for line in heard(bo)]


async def test_what_is_said_at_a_private_table_goes_only_where_somebody_is_there() -> None:
    async with house("a", "b", "c") as here:
        ada, bo, cleo = await visitors(here, ("a", "ada"), ("b", "bo"), ("c", "cleo"))
        await ada.ok(CreateTable(UNTIMED))
        await ada.ok(SetWord("herring"))
        await here.clock.advance(1.0)
        await bo.ok(JoinTable(ada.info.id, word="herring"))
        await here.clock.advance(1.0)
        here.hub.sent.clear()
        await bo.ok(Say(Room.TABLE, "secret"))
        await here.clock.advance(1.0)
        to = {to for _, to, _, message in here.hub.sent if b"secret" in message}
        assert to == {here.nodes["a"].node.membership.id}
        assert texts(ada) == ["secret"]
        assert not texts(cleo)
        # Who sits down later is told; as at a table of one node.
        await cleo.ok(JoinTable(ada.info.id, word="herring"))
        await here.clock.advance(1.0)
        assert texts(cleo) == ["secret"]
        await ada.ok(Say(Room.TABLE, "more"))
        await here.clock.advance(1.0)
        await cleo.ok(Say(Room.TABLE, "welcome"))
        await here.clock.advance(1.0)
        (dan,) = await visitors(here, ("b", "dan"))
        await dan.ok(WatchTable(ada.info.id, "herring"))
        await here.clock.advance(1.0)
        assert texts(dan) == ["secret", "more", "welcome"]
        assert texts(bo) == texts(dan)


async def test_a_table_that_moves_keeps_what_was_said() -> None:
    async with house("a", "b", "c") as here:
        ada, bo, cleo = await visitors(here, ("a", "ada"), ("c", "bo"), ("b", "cleo"))
        await ada.ok(CreateTable(UNTIMED))
        await here.clock.advance(1.0)
        code = ada.info.id
        await here.seat(code, bo)
        await ada.ok(Say(Room.TABLE, "before"))
        await here.clock.advance(1.0)
        await here.kill("a")
        await here.clock.advance(3.0)
        here.lapse("a")
        await here.nodes["b"].node.membership.renew_now()
        await here.clock.advance(2.0)
        assert code in here.nodes["b"].lobby.tables.actors
        await here.seat(code, cleo)
        assert texts(cleo) == ["before"]


async def test_an_answer_comes_after_what_it_answers_though_clocks_differ() -> None:
    async with house("a", "b") as here:
        ada, bo = await visitors(here, ("a", "ada"), ("b", "bo"))
        ahead = LineNumbers(FakeClock(here.clock.time() + 300.0), "a")
        here.nodes["a"].lobby.chat.number = ahead.next
        await ada.ok(Say(Room.LOBBY, "Who plays?"))
        await here.clock.advance(1.0)
        await bo.ok(Say(Room.LOBBY, "I do."))
        await here.clock.advance(1.0)
        (cleo,) = await visitors(here, ("b", "cleo"))
        assert texts(cleo) == ["Who plays?", "I do."]
        assert [line.number for line in heard(cleo)] == sorted(line.number for line in heard(ada))
