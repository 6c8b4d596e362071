"""The threads that read."""

import asyncio
from pathlib import Path
from threading import Event, Timer

import pytest

from server.storage.databases.connection import Connection
from server.storage.databases.database import READERS, Database
from tests.support.databases import database, losing
from tests.support.patience import PATIENCE
from tests.support.state import open_state


class Held:
    """A read that ends once it may."""

    def __init__(self, opened: Database) -> None:
        self._reached, self.goes_on = Event(), Event()
        self.task = asyncio.create_task(opened.read(self._read))

    async def reached(self) -> None:
        assert await asyncio.to_thread(self._reached.wait, PATIENCE)

    def _read(self, _connection: Connection) -> str:
        self._reached.set()
        assert self.goes_on.wait(PATIENCE)
        return "read"


def nothing(_connection: Connection) -> None:
    """Reads nothing."""


def mistaken(_connection: Connection) -> None:
    raise LookupError("a mistake of ours")


async def test_one_that_fails_fails_alone(tmp_path: Path) -> None:
    async with database(tmp_path) as opened, asyncio.timeout(PATIENCE):
        reads = [opened.read(work) for work in (nothing, mistaken, nothing)]
        answers = await asyncio.gather(*reads, return_exceptions=True)
        assert [type(answer) for answer in answers] == [type(None), LookupError, type(None)]


async def test_who_has_gone_holds_nobody_up(tmp_path: Path) -> None:
    async with database(tmp_path) as opened, asyncio.timeout(PATIENCE):
        held = [Held(opened) for _ in range(READERS)]
        for one in held:
            await one.reached()
        ran = list[Connection]()
        gone = asyncio.create_task(opened.read(ran.append))
        await asyncio.sleep(0)
        gone.cancel()
        for one in held:
            one.goes_on.set()
        await opened.read(nothing)
        assert not ran
        assert [await one.task for one in held] == ["read"] * READERS


async def test_closing_waits_for_those_who_wait(tmp_path: Path) -> None:
    async with database(tmp_path) as opened, asyncio.timeout(PATIENCE):
        held = [Held(opened) for _ in range(READERS + 1)]
        await held[0].reached()
        closing = asyncio.create_task(opened.close())
        await asyncio.sleep(0)
        assert not closing.done()
        for one in held:
            one.goes_on.set()
        await closing
        assert [await one.task for one in held] == ["read"] * len(held)
        with pytest.raises(Exception, match="failed"):
            await opened.read(nothing)


async def test_a_server_that_ends_lets_those_read_who_have_asked(tmp_path: Path) -> None:
    """They find the files in their places: without connections, SQLite removes the log."""
    state, gate = await open_state(tmp_path), Event()
    opened, lost = state.database, losing(state.database)
    for _ in range(READERS):
        opened._reading.submit(gate.wait, PATIENCE)
    asked = asyncio.create_task(opened.read(nothing))
    await asyncio.sleep(0)
    Timer(0.2, gate.set).start()
    async with asyncio.timeout(PATIENCE):
        await state.aclose()
        await asyncio.wait((asked, lost), return_when=asyncio.FIRST_COMPLETED)
    assert not lost.done()
    lost.cancel()
