"""Commands with a key, given again by who has not heard the answer."""

import asyncio

import pytest

from server.coordinator.messages import CreateTable, LeaveTable, QuickGame, QuickJoin
from tests.support.faulty_stores import HeldStore
from tests.support.tables import UNTIMED, world


@pytest.mark.parametrize("command", [CreateTable, QuickGame, QuickJoin])
async def test_a_key_is_known_though_the_line_dropped_before_the_answer(
    command: type[CreateTable | QuickGame | QuickJoin],
) -> None:
    store = HeldStore()
    async with world(store=store) as server:
        if command is QuickJoin:
            store.gate.set()
            await server.enter("bo").ok(CreateTable(UNTIMED))
            store.gate.clear()
        for key in ("k1", "k2"):
            ada = server.enter("ada")
            asked = asyncio.create_task(ada.submit(command(UNTIMED, key=key)))
            await server.clock.settle()
            asked.cancel()
            ada.visit.close()
            again = server.enter("ada")
            assert await again.code(command(UNTIMED, key=key)) == "busy"
            store.gate.set()
            await server.clock.settle()
            told = await again.submit(command(UNTIMED, key=key))
            assert (told.ok, told.details) == (True, {"table": again.info.id})
            assert await again.code(command(UNTIMED, key="another")) == "seated_elsewhere"
            await again.ok(LeaveTable())
            store.gate.clear()


async def test_a_key_whose_table_could_not_be_kept_opens_another_one() -> None:
    store = HeldStore()
    async with world(store=store) as server:
        ada = server.enter("ada")
        asked = asyncio.create_task(ada.submit(CreateTable(UNTIMED, key="k1")))
        await server.clock.settle()
        asked.cancel()
        ada.visit.close()
        store.refuses = True
        store.gate.set()
        await server.clock.settle()
        store.refuses = False
        again = server.enter("ada")
        told = await again.submit(CreateTable(UNTIMED, key="k1"))
        assert told.details == {"table": again.info.id}
