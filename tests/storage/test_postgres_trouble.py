"""PostgreSQL is killed, restarted, or says nothing: nothing acknowledged is lost, all goes on by itself."""

import asyncio
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from server.storage.databases.connection import Connection
from server.storage.databases.database import CannotOpen, Database
from server.storage.databases.migrations import versions
from server.storage.people import PeopleStore
from server.storage.statedir import open_in_turn
from server.storage.store import StoredChange, StoreError
from server.storage.tables import TableLog, TableStore
from tests.support.databases import (
    LATER,
    begun,
    bid,
    closed,
    insert,
    keys,
    losing,
    newer,
    nobody_is_told,
    opened,
    outcomes,
)
from tests.support.patience import PATIENCE, eventually
from tests.support.postgres import PostgresServer, needed, shared_server
from tests.support.state import open_state


@pytest.fixture(scope="module")
def server() -> Iterator[PostgresServer]:
    """One that may be stopped."""
    needed()
    found = PostgresServer()
    yield found
    found.stop_for_good()


def person(name: str) -> Callable[[Connection], int]:
    query = (
        "INSERT INTO people (id, name, guest, created, seen, settings) "
        "VALUES (:name, :name, 0, 1, 1, '{}')"
    )
    return lambda connection: connection.execute(query, name=name).rowcount


async def test_what_was_acknowledged_survives_a_kill(server: PostgresServer) -> None:
    tables, bids = [f"table {number}" for number in range(8)], 150
    up, halfway = asyncio.Event(), asyncio.Event()
    refused: list[str] = []

    async def play(store: TableStore, key: str) -> None:
        log, number = TableLog(store, key), 0
        row: dict[str, Any] | None = {"title": key}
        while number < bids:
            try:
                await log.append(StoredChange(key, row, 1, entries=[bid(number, number)]))
            except StoreError as error:
                refused.append(error.code)
                row = {"title": key}
                await up.wait()
            else:
                number, row = number + 1, None
                if number == bids // 3:
                    halfway.set()

    with capture_logs() as lines:
        async with opened(server.database(), serves=True) as database:
            store = TableStore(database)
            playing = [asyncio.create_task(play(store, key)) for key in tables]
            await halfway.wait()
            await asyncio.to_thread(server.stop, "immediate")
            told = asyncio.create_task(database.probe())  # there is at least one write meanwhile
            await told
            assert database.trouble == "unreachable"
            await asyncio.to_thread(server.start)
            up.set()
            await asyncio.gather(*playing)
            kept = {table.key: table for table in await store.load()}
            assert database.trouble == ""
    assert set(refused) == {"unreachable"}
    for key in tables:
        assert [list(entry) for entry in kept[key].entries] == [bid(it, it) for it in range(bids)]
        assert kept[key].position == bids
    events = [line["event"] for line in lines]
    assert events.count("storage_trouble") == events.count("storage_works_again") == 1


async def test_a_restart_while_nobody_writes_is_not_noticed(server: PostgresServer) -> None:
    async with opened(server.database()) as database:
        await database.change(insert("a"))
        assert await keys(database) == ["a"]
        server.stop("fast")
        server.start()
        assert await keys(database) == ["a"]
        server.stop("fast")
        server.start()
        await database.change(insert("b"))
        assert await keys(database) == ["a", "b"]
        assert not database.failures


async def test_what_was_lost_before_its_commit_is_refused() -> None:
    needed()
    url = shared_server().database()
    async with opened(url) as database:

        def work(connection: Connection) -> None:
            insert("a")(connection)
            own = connection.scalar("SELECT pg_backend_pid()")
            shared_server().sql(f"SELECT pg_terminate_backend({own})")

        told = await outcomes(*map(database.change, (insert("x"), work, insert("y"))))
        assert [getattr(it, "code", "") for it in told] == ["unreachable"] * 3
        await database.change(insert("b"))
        assert await keys(database) == ["b"]


async def test_a_server_that_is_stopped_is_waited_for(server: PostgresServer) -> None:
    async with opened(server.database()) as database:
        await database.change(insert("a"))
        server.send(signal.SIGSTOP)
        asked = [asyncio.ensure_future(it) for it in (database.change(insert("b")), keys(database))]
        await nobody_is_told(*asked, cancel=False)
        assert database.oldest > 0.1
        server.send(signal.SIGCONT)
        await asyncio.gather(*asked)
        assert await keys(database) == ["a", "b"]
        assert database.trouble == ""


async def test_a_lock_that_somebody_holds_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    import psycopg

    from server.storage.databases import postgres

    needed()
    monkeypatch.setitem(postgres._SERVER_TIMEOUTS, "lock_timeout", "50ms")
    url = shared_server().database()
    async with opened(url) as database:
        with psycopg.connect(url) as other:
            other.execute("LOCK TABLE tables")
            with pytest.raises(StoreError) as told:
                await database.change(insert("a"))
        assert told.value.code == "locked"
        await database.change(insert("a"))


async def test_what_meets_a_lock_is_refused_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    import psycopg

    from server.storage.databases import postgres

    needed()
    monkeypatch.setitem(postgres._SERVER_TIMEOUTS, "lock_timeout", "50ms")
    url = shared_server().database()
    async with opened(url) as database:
        people = PeopleStore(database)
        for name in ("ada", "bo"):
            await database.change(person(name))
        with psycopg.connect(url) as other:
            other.execute("SELECT 1 FROM people WHERE id = 'ada' FOR UPDATE")
            told = await outcomes(people.came("ada", 1.0), people.set_settings("bo", {}))
            assert [getattr(it, "code", it) for it in told] == ["locked", None]
        await people.came("ada", 1.0)


async def test_a_process_that_is_stopped_in_a_transaction_lets_go_of_its_locks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import psycopg

    from server.storage.databases import postgres

    needed()
    monkeypatch.setitem(postgres._SERVER_TIMEOUTS, "idle_in_transaction_session_timeout", "100ms")
    url = shared_server().database()
    runs: list[int] = []

    with psycopg.connect(url, autocommit=True) as other:

        def insert_and_stop(connection: Connection) -> None:
            rows = [{"key": key, "place": 0, "content": "{}"} for key in "abc"]
            assert connection.insert("tables", *rows) == 3
            if not runs:
                runs.append(connection.scalar("SELECT pg_backend_pid()"))
                there = "SELECT FROM pg_stat_activity WHERE pid = %s"
                eventually(lambda: other.execute(there, runs).fetchone() is None)

        async with opened(url, serves=True) as database:
            with pytest.raises(StoreError, match="unreachable"):
                await database.change(insert_and_stop)
            assert await keys(database) == []
            await database.change(insert_and_stop)
            assert await keys(database) == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("statement", "why"),
    [
        ("UPDATE schema_version SET version = 1000", "used with a newer release"),
        ("DROP TABLE schema_version", "holds something else"),
        ("DELETE FROM schema_version", "does not say which version"),
    ],
)
async def test_a_database_of_something_else_is_refused(statement: str, why: str) -> None:
    needed()
    url = shared_server().database()
    shared_server().sql(statement, url.split("/")[3].split("?")[0])
    with pytest.raises(CannotOpen, match=why) as refused:
        async with opened(url):
            pass
    assert "\n" not in str(refused.value)


async def test_an_encoding_without_all_letters_is_refused() -> None:
    needed()
    name = "tide_latin"
    shared_server().sql(
        f"CREATE DATABASE {name} TEMPLATE template0 ENCODING 'SQL_ASCII' LOCALE 'C'"
    )
    with pytest.raises(CannotOpen, match="createdb --template=template0 --encoding=UTF8"):
        async with opened(shared_server().url(name)):
            pass


async def test_an_older_schema_is_brought_up_to_date() -> None:
    needed()
    url, old = shared_server().empty(), versions.newest()
    async with opened(url) as database:
        assert database.backend.new
    with newer():
        with pytest.raises(CannotOpen, match="`tide serve` brings it up to date"):
            async with opened(url, migrate=False):
                pass
        with capture_logs() as lines:
            async with opened(url) as database:
                assert not database.backend.new
                await TableStore(database).append(begun())
    upgraded = [line for line in lines if line["event"] == "database_upgraded"]
    assert [(it["old"], it["new"]) for it in upgraded] == [(old, LATER.number)]


async def test_without_the_package_one_line_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    monkeypatch.delitem(sys.modules, "server.storage.databases.postgres", raising=False)
    await (await open_state(tmp_path / "state")).close()
    with pytest.raises(CannotOpen, match="make install-postgres"):
        await open_state(tmp_path / "state", "postgresql://db/tide")
    await (await open_state(tmp_path / "state")).close()


async def test_what_was_to_be_written_is_in_no_log() -> None:
    needed()
    async with opened(shared_server().database()) as database:

        def work(connection: Connection) -> None:
            query = "INSERT INTO tables (key, place, content) VALUES (:it, :place, :it)"
            connection.execute(query, it="seed", place=1.0e30)

        with capture_logs() as lines, pytest.raises(StoreError) as told:
            await database.change(work)
        assert told.value.code == "failed"
        assert [line["event"] for line in lines] == ["storage_job_failed"]
        assert "seed" not in str(lines)
        assert "\n" not in lines[0]["cause"]


def _served(url: str) -> Database:
    from server.storage.databases.postgres import Postgres

    return Database(Postgres(url, serves=True))


async def test_a_second_server_is_told_that_there_is_one() -> None:
    needed()
    url = shared_server().database()
    first = _served(url)
    await first.open()
    for _ in range(2):
        second = _served(url)
        with pytest.raises(CannotOpen, match="another server is using this database: stop it"):
            await second.open()
        await second.close()
    async with opened(url) as beside:  # as `tide forget` does
        await beside.change(insert("a"))
    await first.change(insert("b"))
    await first.close()
    next_one = _served(url)
    await next_one.open()
    assert await keys(next_one) == ["a", "b"]
    await next_one.close()


async def test_a_standby_takes_over_when_the_server_ends(tmp_path: Path) -> None:
    needed()
    url = shared_server().database()
    first = _served(url)
    await first.open()
    async with AsyncExitStack() as stack:
        waiting = asyncio.create_task(open_in_turn(stack, tmp_path / "state", url))
        await first.change(insert("a"))
        assert not waiting.done()
        await first.close()
        async with asyncio.timeout(PATIENCE):
            store = await waiting
        assert await keys(store.database) == ["a"]


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
        waiting = asyncio.create_task(open_in_turn(stack, tmp_path / "state", url))
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


async def test_a_server_goes_on_after_a_restart_unless_another_one_was_there(
    server: PostgresServer,
) -> None:
    url = server.database()
    first = _served(url)
    await first.open()
    await first.change(insert("a"))
    server.stop("fast")
    server.start()
    await first.change(insert("b"))
    server.stop("fast")
    server.start()
    second = _served(url)
    await second.open()
    lost = losing(first)
    asked = asyncio.ensure_future(first.change(insert("c")))
    assert "another server has used this database" in str(await lost)
    await nobody_is_told(asked)
    await closed(first)
    await second.close()
    async with opened(url) as looked:
        assert await keys(looked) == ["a", "b"]


async def test_a_server_whose_connection_hangs_takes_the_lock_from_itself() -> None:
    needed()
    url = shared_server().database()
    first = _served(url)
    await first.open()
    # As if it was lost here, and PostgreSQL did not know.
    kept = first.backend.writer._taken()
    for _ in range(2):
        with suppress(StoreError):
            await first.change(insert("a"))
    assert await keys(first) == ["a"]
    assert kept is not None
    kept.close()
    await first.close()
