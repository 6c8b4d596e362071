"""Who comes in and goes at the same moment."""

import asyncio
from typing import Any
from unittest.mock import patch

from server.coordinator.people.names import digest, skeleton
from server.storage.people import Person
from tests.support.connections import open_server, until
from tests.support.memory_stores import MemoryPeople
from tests.support.patience import PATIENCE


class Slow(MemoryPeople):
    """Writes down who comes as soon as it may, whether that is still waited for or not."""

    def __init__(self) -> None:
        super().__init__()
        self.may = asyncio.Event()
        self.writing: list[asyncio.Task[Person]] = []

    async def add(self, *args: Any, **more: Any) -> Person:
        async def later() -> Person:
            await self.may.wait()
            return await super(Slow, self).add(*args, **more)

        self.writing.append(asyncio.create_task(later()))
        return await asyncio.shield(self.writing[-1])


def _no_frontend(*_: object) -> Any:
    raise AssertionError("nobody has come in")


async def test_a_guest_whose_line_drops_on_the_way_in_is_not_kept() -> None:
    book = Slow()
    async with open_server(make_frontend=_no_frontend) as opened:
        server = opened.server
        with patch.object(opened.people, "store", book):
            client = await opened.connect("ada")
            await client.create_process()
            await until(lambda: book.writing)
            (session,) = server.sessions
            client.abort()
            await until(lambda: not opened.line._connections)
            book.may.set()
            await asyncio.gather(*book.writing)
            await asyncio.wait([session.task])
            await server.close()
            await opened.arrivals.close(PATIENCE)
    assert session.task.cancelled()
    assert await book.find("skeleton", skeleton("ada")) is None


async def test_guests_without_a_seat_are_forgotten_but_not_by_a_server_that_stops() -> None:
    async with open_server() as opened:
        async with opened.connect("ada") as ada:
            await ada.create_process()
            code = (await opened.frontend()).account.rejoin_code
        await opened.empty()
        assert await opened.people.store.find("code", digest(code)) is None
        async with opened.connect("bo") as bo:
            await bo.create_process()
            code = (await opened.frontend(1)).account.rejoin_code
            opened.arrivals.closing_down = True
            await opened.lobby.close()
        await opened.empty()
        await opened.server.close()
        assert await opened.people.store.find("code", digest(code)) is not None


async def test_people_come_from_their_networks_but_not_from_a_load_balancers_own() -> None:
    async with open_server(proxies="203.0.113.0/24 2001:db8:1::/48") as opened:
        source_of = opened.server.source_of
        assert source_of("192.0.2.1") == "192.0.2.1"
        assert source_of("2001:db8:2:3::4") == "2001:db8:2:3::/64"
        assert source_of("203.0.113.9") == source_of("2001:db8:1:2::3") == ""
