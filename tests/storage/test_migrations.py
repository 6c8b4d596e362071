"""Databases that earlier releases left are brought up to date, or left alone with a reason."""

import errno
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
import structlog

from server.storage.databases import sqlite_files
from server.storage.databases.database import CannotOpen, Database
from server.storage.databases.migrations import versions
from server.storage.databases.sqlite import NAME, SqliteFile
from tests.support.databases import database, older, sql_store

OLDEST = versions.VERSIONS[0].number
NEWEST = versions.newest()


def schema(path: Path) -> dict[str, str]:
    """What there is, and the statement that made it, blanks aside."""
    connection = sqlite3.connect(path)
    rows = connection.execute(
        "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL"
    ).fetchall()
    connection.close()
    return {name: re.sub(r"\s+", "", sql) for name, sql in rows}


def copies(folder: Path) -> list[Path]:
    return list(folder.glob("tide-*"))


def copied(opened: Database) -> Path | None:
    assert isinstance(opened.backend, SqliteFile)
    return opened.backend.copied


def test_a_later_version_has_a_higher_number() -> None:
    numbers = [version.number for version in versions.VERSIONS]
    assert numbers == sorted(set(numbers))


async def test_opening_again_changes_nothing(tmp_path: Path) -> None:
    async with database(tmp_path) as opened:
        found = await opened.read(versions.checked)
        assert found == NEWEST
    before = schema(tmp_path / NAME)
    async with database(tmp_path):
        pass
    assert schema(tmp_path / NAME) == before


async def test_a_copy_is_made_before_a_database_changes(tmp_path: Path) -> None:
    path = await older(tmp_path)
    before = schema(path)
    for name in ("tide-version13.db", "tide-version13-2.db"):
        with structlog.testing.capture_logs() as logs:
            async with database(tmp_path) as opened:
                assert copied(opened) == tmp_path / name
        (log,) = (log for log in logs if log["event"] == "database_upgraded")
        assert (log["old"], log["new"], log["backup"]) == (OLDEST, NEWEST, str(tmp_path / name))
        assert schema(tmp_path / name) == before
        assert (tmp_path / name).stat().st_mode & 0o777 == 0o600
        async with database(tmp_path) as opened:
            assert copied(opened) is None
        path.unlink()
        await older(tmp_path)
    (tmp_path / "new").mkdir()
    async with database(tmp_path / "new") as opened:
        assert copied(opened) is None, "there was nothing"


async def test_a_database_that_is_too_new_is_refused_with_the_copy_that_is_not(
    tmp_path: Path,
) -> None:
    path = await older(tmp_path)
    async with database(tmp_path) as opened:
        newer = "UPDATE schema_version SET version = 99"
        await opened.change(lambda connection: connection.execute(newer).rowcount)
    (tmp_path / "tide-version98.db").write_text("newer than this program as well")
    (tmp_path / "tide-versions.db").write_text("something else")
    copy = tmp_path / "tide-version13.db"
    with pytest.raises(CannotOpen, match=f"version 99.*put {re.escape(str(copy))} in its place"):
        async with database(tmp_path):
            pass
    path.unlink()
    copy.rename(path)
    async with sql_store(tmp_path) as store:
        assert await store.load()


@pytest.mark.parametrize("version", [3, 12, 15])
async def test_a_database_of_before_the_first_release_is_refused(
    tmp_path: Path, version: int
) -> None:
    path = await older(tmp_path)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(f"UPDATE schema_version SET version = {version}")
    with pytest.raises(CannotOpen, match=f"version {version}, of before the first release"):
        async with database(tmp_path):
            pass
    assert copies(tmp_path) == []


async def test_a_full_disk_leaves_an_old_database_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = await older(tmp_path)
    before = schema(path)

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(sqlite_files, "back_up", full)
    with pytest.raises(CannotOpen, match="No space left"):
        async with database(tmp_path):
            pass
    assert schema(path) == before


async def test_a_database_of_a_newer_release_is_left_alone(tmp_path: Path) -> None:
    async with database(tmp_path) as opened:
        newer = "UPDATE schema_version SET version = 99"
        await opened.change(lambda connection: connection.execute(newer).rowcount)
    with pytest.raises(CannotOpen, match=f"version 99.*up to {NEWEST}"):
        async with database(tmp_path):
            pass


async def test_a_reader_does_not_change_the_schema(tmp_path: Path) -> None:
    path = await older(tmp_path)
    before = schema(path)
    reader = Database(SqliteFile(path))
    with pytest.raises(CannotOpen, match="version 13, and this program needs"):
        await reader.open(migrate=False)
    await reader.close()
    assert schema(path) == before


async def test_a_migration_that_fails_leaves_the_old_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = await older(tmp_path)
    before = schema(path)
    half = versions.Version(NEWEST + 1, "CREATE TABLE half (a TEXT);\nno SQL;\n")
    monkeypatch.setattr(versions, "VERSIONS", (*versions.VERSIONS, half))
    with pytest.raises(CannotOpen, match="syntax error"):
        async with database(tmp_path):
            pass
    assert schema(path) == before
    assert copies(tmp_path) == [], "there is nothing to go back to"
