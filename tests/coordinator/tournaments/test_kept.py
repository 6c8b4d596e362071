"""Tournaments that were over long ago."""

from server.coordinator import messages as m
from server.coordinator.tournaments.actor import SHOWN
from tests.support.cups import cup
from tests.support.memory_stores import MemoryStore


async def test_one_that_is_not_at_hand_any_more_is_found_by_its_code() -> None:
    store, ids = MemoryStore(), list[str]()
    async with cup(store) as held:
        for _ in range(SHOWN + 2):
            ids.append(await held.opened())
            await held.direct(m.Directing.END)
            await held.clock.advance(1)
    async with cup(store) as again:
        visitor = again.server.enter("ada")
        assert again.directory.shown_to("")[0].id == ids[-1]
        assert ids[0] not in [each.id for each in again.directory.shown_to("")]
        reply = await visitor.submit(m.AskTournament(ids[0].upper()))
        assert reply.tournament is not None
        assert reply.tournament.info.id == ids[0]
        assert (await again.directory.record(ids[0]))["id"] == ids[0]
