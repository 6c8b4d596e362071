"""Tables on the real store: a file, a thread that writes, and a server that stops in the middle."""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from server.coordinator.clock import FakeClock
from server.coordinator.messages import LeaveTable, Status
from server.storage.history_sql import SqlHistory
from server.storage.store import Store, StoredChange, StoredTable
from tests.support.databases import sql_store
from tests.support.tables import Guest, World, world


class Watched:
    """A store that tells when nothing is being written: its thread is no business of the clock's."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._writing = 0
        self._quiet = asyncio.Event()
        self._quiet.set()

    async def append(self, change: StoredChange) -> None:
        with self._busy():
            await self._store.append(change)

    async def drop(self, key: str, epoch: int) -> None:
        with self._busy():
            await self._store.drop(key, epoch)

    async def load(self) -> Sequence[StoredTable]:
        return await self._store.load()

    async def is_given(self, code: str) -> bool:
        with self._busy():
            return await self._store.is_given(code)

    @contextmanager
    def _busy(self) -> Iterator[None]:
        self._writing += 1
        self._quiet.clear()
        try:
            yield
        finally:
            self._writing -= 1
            if not self._writing:
                self._quiet.set()

    async def settle(self, clock: FakeClock) -> None:
        await clock.settle()
        while not self._quiet.is_set():
            await self._quiet.wait()
            await clock.settle()


async def play_out(house: World, store: Watched, ada: Guest) -> None:
    while ada.status() is Status.PLAYING:
        if ada.owes():
            assert (await ada.bid()).ok
        else:
            assert await house.clock.next()
        await store.settle(house.clock)


async def test_a_whole_game_is_written_and_its_record_kept(tmp_path: Path) -> None:
    async with sql_store(tmp_path) as sql, world(store=(store := Watched(sql))) as house:
        ada = await house.quick()
        await play_out(house, store, ada)
        assert len(await SqlHistory(sql.database).games()) == 1
        await ada.ok(LeaveTable())
        assert not await store.load()


async def test_a_server_that_stops_while_everybody_bids_keeps_what_it_acknowledged(
    tmp_path: Path,
) -> None:
    acknowledged: dict[str, int] = {}
    async with sql_store(tmp_path) as store, world(store=store) as house:
        guests = [await house.quick(name=f"p{number}") for number in range(30)]

        async def bid(guest: Guest) -> None:
            card = guest.own.hand[3]
            if (await guest.bid(card)).ok:
                acknowledged[guest.visit.player.name] = card

        bidding = [asyncio.create_task(bid(guest)) for guest in guests]
        await bidding[0]
        await house.lobby.close()
        await asyncio.gather(*bidding)
    assert acknowledged
    async with sql_store(tmp_path) as store, world(store=store) as again:
        assert await again.lobby.recover() == 30
        for name, card in acknowledged.items():
            guest = again.enter(name)
            await again.clock.settle()
            assert guest.own.bid == card
