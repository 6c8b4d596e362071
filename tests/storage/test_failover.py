"""PostgreSQL with a synchronous standby, which takes over: nobody reads or writes at the former primary."""

import signal
from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("psycopg", reason="without psycopg (make install-postgres)")

import psycopg
from server.storage.databases.primary import Primary
from structlog.testing import capture_logs

from server.storage.databases import postgres, psycopg_hooks
from server.storage.databases.database import CannotOpen
from tests.support.databases import insert, keys, opened
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


async def test_nobody_uses_a_former_primary_that_wakes_up(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(psycopg_hooks.PatientConnection, "patience", 0.5)
    monkeypatch.setattr(postgres, "CONNECT_SECONDS", 2)  # libpq waits no less
    primary, standby, url = pair
    async with opened(url) as database, opened(url) as idle:
        await database.change(insert("a"))
        primary.send(signal.SIGSTOP)
        standby.promote()
        await database.change(insert("b"))
        primary.send(signal.SIGCONT)
        # These connections were open all the time.
        assert await keys(database) == ["a", "b"]
        # Who did not notice: what is written there is not acknowledged.
        await idle.change(insert("c"))
        assert await keys(idle) == await keys(database) == ["a", "b", "c"]
        # The former one is the first in the URL.
        async with opened(url, migrate=False) as newcomer:
            assert await keys(newcomer) == ["a", "b", "c"]


class Fake:
    """A connection."""

    def __init__(self, **parameters: Any) -> None:
        self.host = parameters["host"]
        self.timeline = 0
        self.silent = lambda: None

    def execute(self, _: str) -> "Fake":
        return self

    def close(self) -> None:
        pass

    def fetchone(self) -> tuple[str]:
        return ("0000000A0000000000000001",)


def test_who_was_the_primary_last_is_asked_first() -> None:
    asked: list[str] = []

    def connect(**parameters: Any) -> Any:
        asked.append(f"{parameters['host']}:{parameters['port']}")
        if parameters["host"] == "a":
            raise psycopg.OperationalError("it is not there")
        return Fake(**parameters)

    primary = Primary({"host": "a,b,c", "port": "1"})
    assert primary.several
    made = primary.connect(connect)
    assert asked == ["a:1", "b:1", "c:1"]  # there might be two
    assert primary.timeline == made.timeline == 10
    primary.connect(connect)
    assert asked[3:] == ["b:1"]
    made.silent()
    primary.connect(connect)
    assert asked[4:] == ["a:1", "c:1"]


def test_a_server_that_is_lost_as_soon_as_it_is_connected_is_not_the_primary() -> None:
    class Lost(Fake):
        def execute(self, _: str) -> Fake:
            raise psycopg.OperationalError("it does not answer")

        def rollback(self) -> None:
            raise psycopg.OperationalError("the connection is closed")

    def connect(**parameters: Any) -> Any:
        return (Lost if parameters["host"] == "a" else Fake)(**parameters)

    assert Primary({"host": "a,b"}).connect(connect).host == "b"


def test_a_list_of_hosts_that_does_not_match_its_ports_is_refused() -> None:
    with pytest.raises(CannotOpen, match="cannot be read"):
        postgres.Postgres("postgresql://tide@a:1,b:2/tide?hostaddr=127.0.0.1,127.0.0.2,127.0.0.3")


async def test_replication_that_is_not_synchronous_is_told() -> None:
    needed()
    server = shared_server()
    url = server.database().replace("host=", f"host={server.folder},")
    with capture_logs() as lines:
        async with opened(url):
            pass
    assert [it for it in lines if "synchronous_standby_names" in it.get("reason", "")]
