"""Whoever can speak on the bus, and does not know the database, is not heard; nor is what was said before."""

import asyncio
from functools import partial
from itertools import product

import msgspec
from structlog.testing import capture_logs

from server.bus.bus import ALL
from server.coordinator import messages as m
from server.coordinator.messages.operator_orders import EndNode
from server.coordinator.nodes import node_messages as n
from server.coordinator.nodes.chat import AskSaid, Whisper
from server.coordinator.nodes.handover import Offer
from server.coordinator.nodes.order_rows import written
from server.coordinator.presence import Spoken
from server.coordinator.table import steps
from server.coordinator.table.state import Member
from server.storage.nodes import NodeStore
from server.storage.store import StoredChange
from tests.support.nodes import House, TestNode, house
from tests.support.tables import TIMED, Guest

_pack = msgspec.msgpack.encode


async def game_on_two_nodes(here: House) -> tuple[Guest, Guest, Guest]:
    """The table is on a, bo comes through b; eve is in the lobby there."""
    ada, bo = here.nodes["a"].guest("ada"), here.nodes["b"].guest("bo")
    eve = here.nodes["b"].guest("eve")
    await here.clock.advance(1.0)
    await ada.ok(m.CreateTable(TIMED))
    await here.settle()
    await here.seat(ada.info.id, bo)
    await ada.ok(m.AddBot())
    await ada.ok(m.StartGame())
    await here.clock.advance(1.0)
    return ada, bo, eve


def forged(here: House, ada: Guest) -> list[object]:
    """Each kind of message, as harmful as may be."""
    code, bo = ada.info.id, m.Player("account:bo", "bo", False)
    word = m.ServerMessage("broadcast", "The server is sold.")
    said = Spoken(m.ChatLine(1, m.Room.LOBBY, "bo", "sold", 0.0), "account:bo")
    gone = here.nodes["a"].lobby.listings[code]._replace(seated=(), watching=())
    return [
        n.Beat("nobody"),
        n.Changed((n.Connected(bo, 10**9),), ("account:ada",), (n.TableAt(99, gone),), (code,)),
        n.AskState(),
        n.State("nobody", (n.Connected(bo, 10**9),), (n.TableAt(99, gone),)),
        n.ToTable(code, steps.Close("closed")),
        n.ToTable(code, steps.Asked(Member(bo), m.LeaveTable(), 10**9)),
        n.ToTable(code, steps.Gone("account:bo")),
        n.ToTable(code, steps.Advise("account:bo")),
        n.ToTable(code, steps.Look("account:bo")),
        n.Picture(code, 99, 1, ada.info, None, False, (m.SentBack("closed", ""),), ()),
        n.SeatPicture(code, 99, 1, "account:bo", 1, None, "", (), 0),
        n.Back(code, 99, "account:bo", (m.SentBack("closed", ""),)),
        n.Word("account:bo", word),
        n.Missed("account:eve", m.SentBack("closed", "")),
        said,
        Whisper("account:ada", said),
        AskSaid(code),
        Offer("tournaments", ""),
        n.Ordered(),
        n.Bye(),
    ]


async def test_nothing_that_a_stranger_says_does_anything() -> None:
    async with house("a", "b") as here:
        ada, bo, eve = await game_on_two_nodes(here)
        messages, ends = forged(here, ada), []
        kinds = {type(each).__name__ for each in messages}
        assert kinds == {"Ordered", *here.nodes["a"].node.peers.kinds}
        for each in here.nodes.values():
            each.node.orders.end = lambda: ends.append("node")
        ids = [each.node.membership.id for each in here.nodes.values()]
        rows, shown = here.store.rows, [guest.last for guest in (ada, bo, eve)]
        known = {name: dict(each.node.peers.known) for name, each in here.nodes.items()}
        with capture_logs() as logged:
            for to, sender in product(here.nodes.values(), (*ids, "", "nobody-00000000")):
                kinds_of_all = [(type(each).__name__, n.encode(each)) for each in messages]
                told = [("", n.encode(m.Reply())), *kinds_of_all]
                for number, question, message in product((0, 1, 10**6), (0, 1), told):
                    envelope = n.Envelope(sender, number, *message, question)
                    to.bus.heard(_pack(envelope))
                    for key, for_ in product((b"guessed", b""), (to.bus.node, ALL)):
                        to.bus.heard(n.sealed(key, for_, envelope))
            await here.settle()
        assert {each["event"] for each in logged} == {"message_forged"}
        assert len(logged) == len(ids), "once a minute each"
        assert not ends
        assert here.store.rows == rows
        assert [guest.last for guest in (ada, bo, eve)] == shown
        assert not any(guest.visit.feed.closed for guest in (ada, bo, eve))
        assert {name: each.node.peers.known for name, each in here.nodes.items()} == known
        for guest in (ada, bo):
            assert (await guest.bid()).ok


async def test_what_somebody_says_again_that_a_node_has_said_is_not_heard() -> None:
    async with house("a", "b") as here:
        ada, bo = here.nodes["a"].guest("ada"), here.nodes["b"].guest("bo")
        await here.clock.advance(1.0)
        await ada.ok(m.CreateTable(TIMED))
        await here.settle()
        await here.seat(ada.info.id, bo)
        await bo.ok(m.LeaveTable())
        await here.settle()
        said = tuple(here.hub.sent)
        await bo.ok(m.JoinTable(ada.info.id))
        await here.settle()

        async def all_again() -> None:
            nodes = {each.node.membership.id: each for each in here.nodes.values()}
            for _, to, _, message in said:
                for each in [nodes[to]] if to in nodes else nodes.values():
                    each.bus.heard(message)
            await here.clock.advance(3.0)

        await all_again()
        assert [seat.name for seat in ada.info.seats if seat.name] == ["ada", "bo"]
        # Nor when the node has gone, and would begin to count anew.
        await here.kill("b")
        here.lapse("b")
        await here.clock.advance(3.0)
        await all_again()
        assert [seat.name for seat in ada.info.seats if seat.name] == ["ada", "bo"]
        assert here.nodes["a"].node.peers.known.keys() == set()


async def test_a_call_that_somebody_says_again_answers_no_question() -> None:
    async with house("a", "b") as here:
        _, bo, _ = await game_on_two_nodes(here)
        a, b = here.nodes["a"], here.nodes["b"]
        may_write, append = asyncio.Event(), a.tables.append

        async def late(change: StoredChange) -> None:
            await may_write.wait()
            await append(change)

        a.tables.append = late  # type: ignore[method-assign]
        bidding = asyncio.create_task(bo.bid())
        await here.settle()
        calls = [
            message for _, to, topic, message in here.hub.sent if (to, topic) == (ALL, "state")
        ]
        for message in calls:
            b.bus.heard(message)
        await here.settle()
        assert calls
        assert not bidding.done()
        may_write.set()
        assert (await bidding).ok


async def drained(here: House, node: TestNode) -> bool:
    return await NodeStore(here.store.database).drain(node.node.membership.id, *written(EndNode()))


async def test_a_node_ends_when_the_database_says_so_though_nobody_tells_it() -> None:
    async with house("a", "b") as here:
        ends: list[str] = []
        for name, each in here.nodes.items():
            each.node.orders.end = partial(ends.append, name)
        await here.clock.advance(2.0)
        assert not ends
        assert await drained(here, here.nodes["a"])
        await here.clock.advance(2.0)
        assert ends == ["a"]


async def test_a_node_that_loses_its_lease_keeps_to_the_order_to_end() -> None:
    async with house("a", "b") as here:
        a, b, ends = here.nodes["a"], here.nodes["b"], []
        a.node.orders.end = lambda: ends.append("a")
        before = a.node.membership.id
        assert await drained(here, a)
        await NodeStore(here.store.database).leave(before)
        await here.clock.advance(5.0)
        assert a.node.membership.id != before
        assert ends == ["a"]
        # And nobody ends the other one meanwhile.
        assert not await drained(here, b)
