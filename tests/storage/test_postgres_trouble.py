"""PostgreSQL is killed, restarted, replaced by its standby, or says nothing: nothing acknowledged is lost,
and all goes on by itself.
"""

import asyncio
import signal
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
from structlog.testing import capture_logs

from server import StoreError
from server.storage.databases.connection import Connection
from server.storage.databases.database import UNKNOWN, Database
from server.storage.people import Claim, PeopleStore, Person
from server.storage.table_store import StoredChange, TableLog, TableStore
from tests.support.databases import (
    begun,
    bid,
    failing,
    insert,
    keys,
    nobody_is_told,
    nobody_is_told_as_it_ends,
    opened,
    outcomes,
)
from tests.support.patience import eventually
from tests.support.postgres import PostgresServer, needed

psycopg = pytest.importorskip("psycopg")
from server.storage.databases import postgres  # noqa: E402
from server.storage.databases.postgres import PostgresConnection  # noqa: E402

SECOND = StoredChange("one", None, 1, 1, [bid(0, 5)])

_CUT_OFF = 5.0
"""Seconds after which a write that is not refused waits for the outcome of a COMMIT."""


@pytest.fixture(scope="module")
def server() -> Iterator[PostgresServer]:
    """One that may be stopped."""
    needed()
    found = PostgresServer()
    yield found
    found.stop_for_good()


@pytest.fixture
async def database(server: PostgresServer) -> AsyncIterator[Database]:
    """The database of a server that serves."""
    async with opened(server.database(), serves=True) as found:
        yield found


async def test_what_was_acknowledged_survives_a_kill(
    server: PostgresServer, database: Database
) -> None:
    tables, bids = [f"table {number}" for number in range(8)], 150
    up, halfway = asyncio.Event(), asyncio.Event()
    refused: list[str] = []

    async def play(store: TableStore, key: str) -> None:
        log, number = TableLog(store, key), 0
        while number < bids:
            try:
                await log.append(StoredChange(key, {}, 1, entries=[bid(number, number)]))
            except StoreError as error:
                refused.append(error.code)
                await up.wait()
            else:
                number += 1
                if number == bids // 3:
                    halfway.set()

    with capture_logs() as lines:
        store = TableStore(database)
        playing = [asyncio.create_task(play(store, key)) for key in tables]
        await halfway.wait()
        await asyncio.to_thread(server.stop, "immediate")
        probing = asyncio.create_task(database.probe())  # at least one write meanwhile
        # If a COMMIT was cut off, its outcome is asked for until the server is up, and nothing is written.
        await asyncio.wait({probing}, timeout=_CUT_OFF)
        assert database.trouble == ("unreachable" if probing.done() else "")
        await asyncio.to_thread(server.start)
        up.set()
        await asyncio.gather(probing, *playing)
        kept = {it.key: (it.position, [*map(list, it.entries)]) for it in await store.load()}
        assert database.trouble == ""
    assert {*refused} <= {"unreachable"}
    assert kept == dict.fromkeys(tables, (bids, [bid(it, it) for it in range(bids)]))
    events = [line["event"] for line in lines]
    told = events.count("storage_trouble"), events.count("storage_works_again")
    assert told == ((1, 1) if refused else (0, 0))


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("restarts", [False, True])
async def test_it_is_asked_what_has_become_of_a_commit(
    server: PostgresServer, database: Database, restarts: bool, after: bool
) -> None:
    loop, down, commits = asyncio.get_running_loop(), asyncio.Event(), list[int]()

    def lose(connection: Any) -> None:
        commits.append(1)
        if len(commits) == 1:
            if restarts:
                server.stop()
            loop.call_soon_threadsafe(down.set)
            break_off(connection)

    store = TableStore(database)
    await store.append(begun())
    with failing(PostgresConnection, lose, after=after):
        asked = asyncio.ensure_future(outcomes(store.append(SECOND), store.append(begun("two"))))
        await down.wait()
        if restarts:
            assert not asked.done(), "nobody can know yet"
            await asyncio.to_thread(server.start)
        told = await asked
    assert [type(it) for it in told] == [type(None) if after else StoreError] * 2
    assert {table.key for table in await store.load()} == ({"one", "two"} if after else {"one"})
    await store.append(SECOND._replace(expected=2) if after else SECOND)
    assert database.trouble == ""


def break_off(connection: Any) -> None:
    """The answer is lost with the connection."""
    connection.driver.close()
    raise psycopg.OperationalError("server closed the connection unexpectedly")


async def test_what_it_does_not_tell_in_time_ends_the_process(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres, "ASK_SECONDS", 0.0)
    with failing(PostgresConnection, break_off, after=True):
        asked = database.change(insert("a"))
        await nobody_is_told_as_it_ends(database, UNKNOWN, "it finds out", asked)


async def test_what_was_lost_before_its_commit_is_refused(
    server: PostgresServer, database: Database
) -> None:
    def work(connection: Connection) -> None:
        insert("a")(connection)
        own = connection.scalar("SELECT pg_backend_pid()")
        server.sql(f"SELECT pg_terminate_backend({own})")

    told = await outcomes(*map(database.change, (insert("x"), work, insert("y"))))
    assert [getattr(it, "code", "") for it in told] == ["unreachable"] * 3
    await database.change(insert("b"))
    assert await keys(database) == ["b"]


async def test_a_server_goes_on_after_a_restart_unless_another_one_was_there(
    server: PostgresServer,
) -> None:
    url = server.database()
    async with opened(url, serves=True) as first:
        for asked in (first.change(insert("a")), keys(first), first.change(insert("b"))):
            await asked
            assert not first.failures, "nobody has noticed"
            server.stop("fast")
            server.start()
        async with opened(url, serves=True):
            why = "another server has used this database"
            await nobody_is_told_as_it_ends(first, UNKNOWN, why, first.change(insert("c")))
    async with opened(url) as looked:
        assert await keys(looked) == ["a", "b"]


async def test_a_server_whose_connection_hangs_takes_the_lock_from_itself(
    database: Database,
) -> None:
    # As if it was lost here, and PostgreSQL did not know.
    kept = database.backend.writer._taken()
    for _ in range(2):
        await outcomes(database.change(insert("a")))
    assert await keys(database) == ["a"]
    assert kept is not None
    kept.close()


async def test_what_meets_a_lock_is_refused_alone(
    server: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(postgres._SERVER_TIMEOUTS, "lock_timeout", "50ms")
    url = server.database()
    async with opened(url) as database:
        people = PeopleStore(database)
        for name in ("ada", "bo"):
            await people.add(Person(name, "", False, 1.0, 1.0), [Claim(name, name)])
        with psycopg.connect(url) as other:
            other.execute("SELECT 1 FROM people WHERE id = 'ada' FOR UPDATE")
            told = await outcomes(people.came("ada", 1.0), people.set_settings("bo", {}))
            assert [getattr(it, "code", it) for it in told] == ["locked", None]
        await people.came("ada", 1.0)


async def test_a_process_that_is_stopped_in_a_transaction_lets_go_of_its_locks(
    server: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(postgres._SERVER_TIMEOUTS, "idle_in_transaction_session_timeout", "100ms")
    runs: list[int] = []

    def insert_and_stop(connection: Connection) -> None:
        insert("a")(connection)
        if not runs:
            runs.append(connection.scalar("SELECT pg_backend_pid()"))
            there = f"SELECT 1 FROM pg_stat_activity WHERE pid = {runs[0]}"
            eventually(lambda: not server.sql(there))

    async with opened(server.database(), serves=True) as database:
        with pytest.raises(StoreError, match="unreachable"):
            await database.change(insert_and_stop)
        assert await keys(database) == []
        await database.change(insert_and_stop)
        assert await keys(database) == ["a"]


# ---------------------------------------------------------------- with a synchronous standby

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
        await nobody_is_told(asked)
        primary.send(signal.SIGCONT)
        # Its standby no longer follows it, so it never says that anything is kept.
        await nobody_is_told(asked)
        primary.stop()
        # The new one is asked, and does not have it.
        with pytest.raises(StoreError, match="unreachable"):
            await asked
        await database.change(insert("c"))
        assert await keys(database) == ["a", "c"]


async def test_replication_that_is_not_synchronous_is_told(server: PostgresServer) -> None:
    url = server.database().replace("host=", f"host={server.folder},")
    with capture_logs() as lines:
        async with opened(url):
            pass
    assert [it for it in lines if "synchronous_standby_names" in it.get("reason", "")]
