"""Of tables that are closed nothing is left for Python to look for, which stops everybody."""

import gc

from server.coordinator.messages import LeaveTable, WatchTable
from server.coordinator.table.actor import TableActor
from tests.support.tables import World, world


def tables() -> int:
    return sum(type(one) is TableActor for one in gc.get_objects())


async def plays_and_leaves(server: World) -> None:
    ada, watcher = await server.quick(), server.enter("watcher")
    await watcher.ok(WatchTable(ada.info.id))
    await server.play_out(ada)
    await ada.ok(LeaveTable())
    for guest in (ada, watcher):
        guest.visit.close()
    await server.clock.advance(0)
    assert not server.lobby.feed.snapshot().tables


async def test_of_a_table_that_is_closed_nothing_is_left() -> None:
    async with world() as server:
        await plays_and_leaves(server)
        gc.collect()
        before = tables()
        gc.disable()
        try:
            for _ in range(3):
                await plays_and_leaves(server)
            assert tables() == before
        finally:
            gc.enable()
