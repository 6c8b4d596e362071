"""``tide forget`` beside a server that has the person in memory: what it has removed does not come back."""

from functools import partial

from server.coordinator import messages as m
from server.storage import people
from server.storage.people import Occurrences
from tests.support.cups import PLAN, Cup, cup
from tests.support.memory_stores import MemoryStore
from tests.support.tables import UNTIMED, world


async def forget(store: MemoryStore, who: m.Player) -> list[str]:
    found = Occurrences(who.id, who.name, False, (who.name,), 1, 0, False, 0, 0)
    return await store.database.change(partial(people.forget, found=found))


def kept(held: Cup) -> str:
    return str(held.store.sql("SELECT state FROM tournaments")[0].state)


async def test_who_is_registered_is_taken_off_first_and_does_not_come_back() -> None:
    async with cup() as held:
        await held.opened()
        guests = held.come(9)
        for each in guests[:8]:
            await each.ok(m.EnterTournament(held.id))
        who = guests[3].visit.player
        guests[3].visit.close()
        before = kept(held)
        assert await forget(held.store, who) == [f"Friday cup ({held.id})"]
        assert kept(held) == before
        await held.direct(m.Directing.REMOVE, who.name)
        assert await forget(held.store, who) == []
        await guests[8].ok(m.EnterTournament(held.id))
        assert who.id not in kept(held)
        assert f'"{who.name}"' not in kept(held)


async def test_who_has_played_or_directs_stays_until_it_is_over() -> None:
    async with cup(lan=True) as held:
        ada, *_ = held.come(8)
        reply = await ada.submit(m.OpenTournament(PLAN))
        held.id = str(reply.details["tournament"])
        for each in held.guests:
            await each.ok(m.EnterTournament(held.id))
        await ada.ok(m.WithdrawFromTournament(held.id))
        # As director.
        assert await forget(held.store, ada.visit.player) == [f"Friday cup ({held.id})"]
        await ada.ok(m.DirectTournament(held.id, m.Directing.END))
        assert await forget(held.store, ada.visit.player) == []
        assert ada.visit.player.id not in kept(held)


async def test_a_table_keeps_no_id_of_who_opened_it() -> None:
    store = MemoryStore()
    async with world(store=store) as server:
        ada = server.enter("ada")
        bo = server.enter("bo")
        await ada.ok(m.CreateTable(UNTIMED))
        await bo.ok(m.JoinTable(ada.info.id))
        await ada.ok(m.LeaveTable())
        (row,) = store.sql("SELECT content FROM tables")
        assert "id-bo" in row.content
        assert "id-ada" not in row.content
