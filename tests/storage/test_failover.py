"""PostgreSQL with a synchronous standby, which takes over: nothing that was acknowledged is lost."""

import asyncio
import signal
from collections.abc import Iterator

import pytest
from structlog.testing import capture_logs

from server.storage.store import StoreError
from tests.support.databases import insert, keys, nobody_is_told, opened
from tests.support.postgres import PostgresServer, needed, shared_server

Pair = tuple[PostgresServer, PostgresServer, str]


@pytest.fixture
def pair() -> Iterator[Pair]:
    """A primary, its standby, and the URL with both of a database there."""
    needed()
    primary = PostgresServer(synchronous_standby_names="standby")
    standby = PostgresServer(primary)
    name = primary.empty().partition("?")[0]
    yield primary, standby, f"{name}?host={primary.folder},{standby.folder}"
    for server in (standby, primary):
        server.stop_for_good()


async def test_what_was_acknowledged_is_at_the_standby(pair: Pair) -> None:
    primary, standby, url = pair
    async with opened(url) as database:
        await database.change(insert("a"))
        primary.stop()
        standby.promote()
        assert await keys(database) == ["a"]
        await database.change(insert("b"))
        assert await keys(database) == ["a", "b"]
        assert not database.failures


async def test_a_former_primary_that_wakes_up_acknowledges_nothing(pair: Pair) -> None:
    primary, standby, url = pair
    async with opened(url, serves=True) as database:
        await database.change(insert("a"))
        primary.send(signal.SIGSTOP)
        standby.promote()
        asked = asyncio.ensure_future(database.change(insert("b")))
        await nobody_is_told(asked, cancel=False)
        primary.send(signal.SIGCONT)
        # Its standby no longer follows it, so it never says that anything is kept.
        await nobody_is_told(asked, cancel=False)
        primary.stop()
        # The new one is asked, and does not have it.
        with pytest.raises(StoreError, match="unreachable"):
            await asked
        await database.change(insert("c"))
        assert await keys(database) == ["a", "c"]


async def test_replication_that_is_not_synchronous_is_told() -> None:
    needed()
    server = shared_server()
    url = server.database().replace("host=", f"host={server.folder},")
    with capture_logs() as lines:
        async with opened(url):
            pass
    assert [it for it in lines if "synchronous_standby_names" in it.get("reason", "")]
