"""The threads that read: what is brief shares a transaction with what else is."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from threading import Event
from unittest.mock import patch

import pytest

from server.storage.databases.connection import Connection
from server.storage.databases.database import Database
from server.storage.store import StoreError
from tests.support.databases import database
from tests.support.patience import PATIENCE


def nothing(_connection: Connection) -> None:
    """Reads nothing."""


def mistaken(_connection: Connection) -> None:
    raise LookupError("a mistake of ours")


@asynccontextmanager
async def held(
    opened: Database, then: Callable[[Connection], None] = nothing
) -> AsyncIterator[None]:
    """Within, something brief is being read, which ends in ``then``."""
    reached, goes_on = Event(), Event()

    def work(connection: Connection) -> None:
        reached.set()
        assert goes_on.wait(PATIENCE)
        then(connection)

    first = await asked(opened, work)
    assert await asyncio.to_thread(reached.wait, PATIENCE)
    yield
    goes_on.set()
    async with asyncio.timeout(PATIENCE):
        await asyncio.wait([first])
    assert (first.exception() is None) == (then is nothing)


async def asked(
    opened: Database, work: Callable[[Connection], None] = nothing
) -> asyncio.Task[None]:
    task = asyncio.create_task(opened.read(work, brief=True))
    await asyncio.sleep(0)
    return task


async def test_what_is_asked_meanwhile_shares_the_next_transaction(tmp_path: Path) -> None:
    async with database(tmp_path) as opened:
        readers = opened.backend.readers
        with patch.object(readers, "transaction", wraps=readers.transaction) as begun:
            async with held(opened):
                others = [await asked(opened) for _ in range(5)]
                await opened.read(nothing)
                assert begun.call_count == 2, "what is not brief waits for nobody"
                assert not any(other.done() for other in others)
            async with asyncio.timeout(PATIENCE):
                await asyncio.gather(*others)
        assert begun.call_count == 3


async def test_one_that_fails_fails_alone(tmp_path: Path) -> None:
    async with database(tmp_path) as opened:
        async with held(opened):
            before, failed, after = [await asked(opened, it) for it in (nothing, mistaken, nothing)]
        async with asyncio.timeout(PATIENCE):
            await asyncio.gather(before, after)
            with pytest.raises(LookupError):
                await failed


async def test_who_has_gone_holds_nobody_up(tmp_path: Path) -> None:
    async with database(tmp_path) as opened:
        async with held(opened):
            (await asked(opened)).cancel()
        async with asyncio.timeout(PATIENCE):
            await (await asked(opened))


async def test_who_has_gone_says_nothing_of_the_disk(tmp_path: Path) -> None:
    async with database(tmp_path) as opened:
        async with held(opened, mistaken):
            broken = patch.object(opened.backend, "check_in_place", side_effect=OSError)
            with broken, pytest.raises(StoreError):
                await opened.read(nothing)
            (await asked(opened)).cancel()
            last = await asked(opened, mistaken)
        async with asyncio.timeout(PATIENCE):
            await asyncio.wait([last])
        assert last.exception() is not None
        assert opened.trouble


async def test_those_who_cannot_read_are_told_after_one_try(tmp_path: Path) -> None:
    async with database(tmp_path) as opened:
        some = [None, *[OSError] * 5]
        with patch.object(opened.backend, "check_in_place", side_effect=some) as tried:
            async with held(opened):
                waiting = [await asked(opened) for _ in range(5)]
            async with asyncio.timeout(PATIENCE):
                answers = await asyncio.gather(*waiting, return_exceptions=True)
        assert [type(answer) for answer in answers] == [StoreError] * 5
        assert tried.call_count == 2


async def test_closing_waits_for_those_who_wait(tmp_path: Path) -> None:
    async with database(tmp_path) as opened:
        async with held(opened):
            waiting = await asked(opened)
            closing = asyncio.create_task(opened.close())
            await asyncio.sleep(0)
        async with asyncio.timeout(PATIENCE):
            await asyncio.gather(closing, waiting)
