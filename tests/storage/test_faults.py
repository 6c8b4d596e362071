"""Errors of SQLite: what was acknowledged stays, what was not is refused, and somebody says so. Where nobody
can know, the process ends.
"""

import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import aclosing, closing
from pathlib import Path
from typing import Any, NoReturn

import pytest
from structlog.testing import capture_logs

from server import StoreError
from server.storage.databases import sqlite
from server.storage.databases.connection import Connection
from server.storage.databases.database import DAMAGED, UNKNOWN, CannotOpen
from server.storage.databases.sqlite import NAME, SqliteConnection
from server.storage.people import Claim, PeopleStore, Person
from server.storage.table_store import StoredChange
from tests.support.databases import (
    begun,
    bid,
    database,
    failing,
    insert,
    nobody_is_told_as_it_ends,
    outcomes,
    sql_store,
)
from tests.support.state import open_state

SECOND = StoredChange("one", None, 1, 1, [bid(0, 5)])


def raising(code: str) -> Callable[[Any], NoReturn]:
    def fail(_: object) -> NoReturn:
        made = sqlite3.OperationalError("made by the test")
        made.sqlite_errorcode = getattr(sqlite3, f"SQLITE_{code}")
        raise made

    return fail


# ---------------------------------------------------------------- in a transaction


@pytest.mark.parametrize(
    ("where", "what", "code"),
    [
        ("BEGIN", "FULL", "full"),
        ("BEGIN", "BUSY", "locked"),
        ("BEGIN", "BUSY_SNAPSHOT", "locked"),
        ("BEGIN", "IOERR_FSYNC", "failed"),
        ("BEGIN", "IOERR_SHMSIZE", "full"),
        ("COMMIT", "FULL", "full"),
    ],
)
async def test_what_has_certainly_failed_is_refused_and_the_operator_told_once(
    tmp_path: Path, where: str, what: str, code: str
) -> None:
    async with sql_store(tmp_path) as store:
        await store.append(begun())
        with capture_logs() as lines:
            with failing(SqliteConnection, raising(what), where=where):
                for _ in range(3):
                    told = await outcomes(store.append(SECOND), store.append(begun("two")))
                    assert [getattr(it, "code", "") for it in told] == [code, code]
                    assert store.database.trouble == code
            await store.append(SECOND)
        assert store.database.trouble == ""
        assert [line["event"] for line in lines] == ["storage_trouble", "storage_works_again"]
        assert lines[0]["code"] == code
        assert lines[0]["advice"]
    async with sql_store(tmp_path) as store:
        assert {it.key: len(it.entries) for it in await store.load()} == {"one": 2}


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("what", ["IOERR_FSYNC", "IOERR_WRITE", "IOERR_SHMSIZE", "NOMEM"])
async def test_any_other_error_in_commit_ends_the_process(
    tmp_path: Path, what: str, after: bool
) -> None:
    async with sql_store(tmp_path) as store:
        await store.append(begun())
        with failing(SqliteConnection, raising(what), after=after):
            asked = store.append(SECOND), store.append(begun("two"))
            await nobody_is_told_as_it_ends(store.database, UNKNOWN, "start the server", *asked)
    async with sql_store(tmp_path) as store:
        found = {table.key: len(table.entries) for table in await store.load()}
        assert found == ({"one": 2, "two": 1} if after else {"one": 1})


async def test_trouble_with_reading_is_over_when_something_can_be_read(tmp_path: Path) -> None:
    def works(_: Connection) -> None:
        pass

    broken = raising("BUSY")
    async with sql_store(tmp_path) as store:
        database = store.database
        await outcomes(database.read(broken))
        assert database.trouble == "locked"
        await database.read(works)
        assert database.trouble == "", "nobody may write anything for half an hour"
        with failing(SqliteConnection, broken, where="BEGIN"):
            await outcomes(database.read(works), store.append(begun()))
        await database.read(works)
        assert database.trouble == "locked", "only a write shows that it can be written"
        await store.append(begun())
        assert database.trouble == ""


async def test_a_failing_neighbour_changes_nothing_for_anybody(
    product: str, tmp_path: Path
) -> None:
    """What is wrong with one does not run the others twice, nor use up what they were given; and what it was
    to write is in no log.
    """

    def refused(connection: Connection) -> None:
        connection.execute("INSERT INTO tables (key, place, content) VALUES ('seed', 0, NULL)")

    def wrong(connection: Connection) -> None:
        insert("x")(connection)
        raise OverflowError

    async with sql_store(tmp_path) as store:
        people, runs = PeopleStore(store.database), list[int]()
        wanted = (Claim(name, name) for name in ("ada", "ada2"))
        with capture_logs() as lines:
            answers = await outcomes(
                people.add(Person("account:1", "", False, 1.0, 1.0), wanted, key="a"),
                *map(store.database.change, (lambda _: runs.append(1), refused, wrong)),
                store.append(begun()),
            )
        assert isinstance(answers[0], Person)
        assert answers[0].name == "ada"
        assert runs == [1]
        kinds = [type(it) for it in answers[1:]]
        assert kinds == [type(None), StoreError, OverflowError, type(None)]
        assert [table.key for table in await store.load()] == ["one"], "and not x"
        assert [line["event"] for line in lines] == ["storage_job_failed"]
        assert "seed" not in str(lines)
        assert "\n" not in lines[0]["cause"]
        assert store.database.trouble == ""


# ---------------------------------------------------------------- the files


async def test_another_program_that_holds_the_file_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "BUSY_SECONDS", 0.05)
    async with sql_store(tmp_path) as store:
        await store.append(begun())
        with closing(sqlite3.connect(tmp_path / NAME, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with capture_logs() as lines, pytest.raises(StoreError, match="locked"):
                await store.append(begun("two"))
            assert len(await store.load()) == 1, "reading needs no lock"
        assert "Another program" in lines[0]["advice"]
        await store.append(begun("two"))
    with closing(sqlite3.connect(tmp_path / NAME, isolation_level=None)) as other:
        other.execute("PRAGMA journal_mode=DELETE")
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(CannotOpen, match="Another program"):
            async with database(tmp_path):
                pass


@pytest.mark.parametrize("found_by", ["read", "change"])
async def test_once_damage_has_shown_nothing_more_is_accepted(
    tmp_path: Path, found_by: str
) -> None:
    async with sql_store(tmp_path) as store:
        opened = store.database
        await store.append(begun("one"))
        much = "CREATE TABLE much AS SELECT hex(zeroblob(1000000)) AS text"
        await opened.change(lambda it: it.execute(much))
        await opened.checkpoint()
        with (tmp_path / NAME).open("r+b") as file:
            file.seek(-1_000_000, os.SEEK_END)
            file.write(b"\xa5" * 500_000)
        await store.append(SECOND)  # nobody can know yet
        for pool in (opened.backend.readers, opened.backend.writer):
            with pool.idle() as connection:
                connection.execute("PRAGMA shrink_memory")
        count = "SELECT sum(length(text)) FROM much"
        asked = getattr(opened, found_by)(lambda it: it.scalar(count))
        await nobody_is_told_as_it_ends(opened, DAMAGED, "tide backup", asked)


async def test_a_new_database_is_called_new_and_whole_from_the_start(tmp_path: Path) -> None:
    def tables_without_the_log() -> int:
        with closing(sqlite3.connect(f"file:{state / NAME}?immutable=1", uri=True)) as file:
            return len(file.execute("SELECT * FROM tables").fetchall())

    state = tmp_path / "state"
    for new in (True, False):
        async with aclosing(await open_state(state)) as opened:
            assert opened.database.backend.new is new
            assert tables_without_the_log() == int(not new)
            if new:
                await opened.tables.append(begun())
                await opened.database.checkpoint()
                assert tables_without_the_log() == 1


async def test_a_state_directory_taken_away_under_the_server_ends_it(tmp_path: Path) -> None:
    state = tmp_path / "state"
    async with aclosing(await open_state(state)) as opened:
        await opened.tables.append(begun("before"))
        state.rename(tmp_path / "away")
        shutil.copytree(tmp_path / "away", state)
        asked = opened.tables.append(begun("during"))
        await nobody_is_told_as_it_ends(opened.database, DAMAGED, "removed or replaced", asked)
