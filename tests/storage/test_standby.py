"""A server that waits for another one to end, or to fall silent, with PostgreSQL."""

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from server.storage.databases.database import Database
from server.storage.statedir import open_state
from tests.support.databases import closed, insert, keys, losing, nobody_is_told
from tests.support.patience import PATIENCE
from tests.support.postgres import needed, shared_server


def _served(url: str) -> Database:
    from server.storage.databases.postgres import Postgres

    return Database(Postgres(url, serves=True))


async def test_a_standby_takes_over_when_the_server_ends(tmp_path: Path) -> None:
    needed()
    url = shared_server().database()
    first = _served(url)
    await first.open()
    async with AsyncExitStack() as stack:
        waiting = asyncio.create_task(open_state(stack, tmp_path / "state", url, in_turn=True))
        await first.change(insert("a"))
        assert not waiting.done()
        await first.close()
        async with asyncio.timeout(PATIENCE):
            store = await waiting
        assert await keys(store.database) == ["a"]


async def test_a_server_that_comes_back_at_once_is_not_replaced(tmp_path: Path) -> None:
    needed()
    url = shared_server().database()
    first, again = _served(url), _served(url)
    await first.open()
    async with AsyncExitStack() as stack:
        waiting = asyncio.create_task(open_state(stack, tmp_path / "state", url, in_turn=True))
        with pytest.raises(TimeoutError):  # until it has been refused
            await asyncio.wait_for(asyncio.shield(waiting), 1.5)
        await first.close()
        await again.open()
        assert not waiting.done()
        await closed(again)
        async with asyncio.timeout(PATIENCE):
            await waiting


async def test_a_standby_ends_a_server_that_is_silent_and_waits_for_one_that_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    needed()
    from server.storage.databases import postgres

    url = shared_server().database()
    first = _served(url)
    await first.open()
    await first.change(insert("a"))
    async with AsyncExitStack() as stack:
        waiting = asyncio.create_task(open_state(stack, tmp_path / "state", url, in_turn=True))
        await first.beat()
        with pytest.raises(TimeoutError):  # longer than one try
            await asyncio.wait_for(asyncio.shield(waiting), 1.5)
        monkeypatch.setattr(postgres, "SILENT_SECONDS", 0.0)  # so long ago was the last beat
        async with asyncio.timeout(PATIENCE):
            store = await waiting
        monkeypatch.undo()
        lost = losing(first)
        asked = asyncio.ensure_future(first.change(insert("b")))
        assert "another server has used this database" in str(await lost)
        await nobody_is_told(asked)
        assert await keys(store.database) == ["a"]
    await closed(first)
