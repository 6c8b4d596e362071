"""Tables on the real store: a file, a thread that writes, and a server that stops in the middle."""

import asyncio
from pathlib import Path

from tests.support.databases import sql_store
from tests.support.tables import Guest, world


async def test_a_server_that_stops_while_everybody_bids_keeps_what_it_acknowledged(
    tmp_path: Path,
) -> None:
    acknowledged: dict[str, int] = {}
    async with sql_store(tmp_path) as store, world(store=store) as server:
        guests = [await server.quick(name=f"p{number}") for number in range(30)]

        async def bid(guest: Guest) -> None:
            card = guest.own.hand[3]
            if (await guest.bid(card)).ok:
                acknowledged[guest.visit.player.name] = card

        bidding = [asyncio.create_task(bid(guest)) for guest in guests]
        await bidding[0]
        await server.lobby.close()
        await asyncio.gather(*bidding)
    assert acknowledged
    async with sql_store(tmp_path) as store, world(store=store) as again:
        assert await again.lobby.recover() == 30
        for name, card in acknowledged.items():
            guest = again.enter(name)
            await again.clock.settle()
            assert guest.own.bid == card
