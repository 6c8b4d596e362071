"""What a table is asked through another node than its own."""

import asyncio
from typing import get_args

from server.coordinator.messages import CreateTable, Resume
from server.coordinator.table import steps
from tests.support.nodes import house
from tests.support.tables import UNTIMED


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
        orders = (steps.Asked(member, Resume(), visit), steps.Close("closed"))
        assert {type(order) for order in orders} == set(get_args(steps.Order))
        reached, codes = b.lobby.tables.remote[code], []
        for order in orders:
            asked = asyncio.create_task(reached.ask(order))
            await here.settle()
            assert asked.done(), type(order).__name__
            codes.append((await asked).code)
        assert codes == ["not_paused", "ok"]
