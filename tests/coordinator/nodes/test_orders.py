"""What a table is asked through another node than its own."""

import asyncio
from typing import get_args

import pytest

from server.coordinator.messages import CreateTable, Resume
from server.coordinator.messages.operator_orders import CloseTable
from server.coordinator.table import steps
from tests.support.nodes import house
from tests.support.tables import UNTIMED


@pytest.mark.parametrize("topic", ["ask", "answer"])
async def test_what_was_lost_on_its_way_is_answered_as_soon_as_that_is_noticed(topic: str) -> None:
    async with house("a", "b") as here:
        a, b = here.nodes["a"], here.nodes["b"]
        ada, bo = a.guest("ada"), b.guest("bo")
        await here.clock.advance(1.0)
        await ada.ok(CreateTable(UNTIMED))
        await here.settle()
        await here.seat(ada.info.id, bo)
        for node in (a, b):
            node.bus.lost = topic.startswith
        asked = asyncio.create_task(bo.visit.submit(Resume()))
        await here.settle()
        for node in (a, b):
            node.bus.lost = lambda _: False
        assert not asked.done()
        await here.clock.advance(1.0)
        assert asked.done()
        assert (await asked) == steps.MOVING


async def test_every_order_for_a_table_of_another_node_is_answered() -> None:
    async with house("a", "b") as here:
        a, b = here.nodes["a"], here.nodes["b"]
        ada, bo = a.guest("ada"), b.guest("bo")
        await ada.ok(CreateTable(UNTIMED))
        await here.settle()
        code = ada.info.id
        await here.seat(code, bo)
        member = a.lobby.tables.actors[code].table.people["account:bo"]
        visit = a.lobby.people["account:bo"].visit
        closing = (steps.Close("deserted", deserted=True), steps.OperatorOrder(CloseTable(code)))
        orders = (steps.Asked(member, Resume(), visit), *closing)
        assert {type(order) for order in orders} == set(get_args(steps.Order))
        reached, codes = b.lobby.tables.remote[code], []
        for order in orders:
            asked = asyncio.create_task(reached.ask(order))
            await here.settle()
            assert asked.done(), type(order).__name__
            codes.append((await asked).code)
        assert codes == ["not_paused", "busy", "ok"]


def test_a_node_reads_what_one_of_another_version_asks_a_table() -> None:
    names = {
        kind.__struct_config__.tag for kind in (*get_args(steps.Request), steps.GoAway, steps.Came)
    }
    assert names == {"Asked", "Close", "Ordered", "Advise", "Look", "StopWatching", "Came"}
