"""Databases that earlier releases left are brought up to date, or left alone with a reason: with a migration
that is made for these tests.
"""

import errno
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
import structlog

from server.storage.databases import sqlite
from server.storage.databases.database import CannotOpen, Database
from server.storage.databases.migrations import versions
from server.storage.databases.sqlite import NAME, SqliteFile
from tests.support.databases import LATER, database, newer, older, sql_store

OLD = versions.newest()
COPY = f"tide-version{OLD}"


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
        assert found == OLD
    before = schema(tmp_path / NAME)
    async with database(tmp_path):
        pass
    assert schema(tmp_path / NAME) == before


async def test_a_copy_is_made_before_a_database_changes(tmp_path: Path) -> None:
    path = await older(tmp_path)
    before = schema(path)
    for name in (f"{COPY}.db", f"{COPY}-2.db"):
        with newer():
            with structlog.testing.capture_logs() as logs:
                async with database(tmp_path) as opened:
                    assert copied(opened) == tmp_path / name
            (log,) = (log for log in logs if log["event"] == "database_upgraded")
            told = (log["old"], log["new"], log["backup"])
            assert told == (OLD, LATER.number, str(tmp_path / name))
            assert schema(tmp_path / name) == before
            assert schema(path).keys() - before.keys() == {"later"}
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
    with newer():
        async with database(tmp_path):
            pass
    (tmp_path / "tide-version98.db").write_text("newer than this program as well")
    (tmp_path / "tide-versions.db").write_text("something else")
    copy = tmp_path / f"{COPY}.db"
    refused = f"version {LATER.number}.*up to {OLD}.*put {re.escape(str(copy))} in its place"
    with pytest.raises(CannotOpen, match=refused):
        async with database(tmp_path):
            pass
    path.unlink()
    copy.rename(path)
    async with sql_store(tmp_path) as store:
        assert await store.load()


async def test_a_full_disk_leaves_an_old_database_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = await older(tmp_path)
    before = schema(path)

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(sqlite, "back_up", full)
    with newer(), pytest.raises(CannotOpen, match="No space left"):
        async with database(tmp_path):
            pass
    assert schema(path) == before


async def test_a_reader_does_not_change_the_schema(tmp_path: Path) -> None:
    path = await older(tmp_path)
    before = schema(path)
    reader = Database(SqliteFile(path))
    with newer(), pytest.raises(CannotOpen, match=f"version {OLD}, and this program needs"):
        await reader.open(migrate=False)
    await reader.close()
    assert schema(path) == before


async def test_a_migration_that_fails_leaves_the_old_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = await older(tmp_path)
    before = schema(path)
    half = versions.Version(OLD + 1, "CREATE TABLE half (a TEXT);\nno SQL;\n")
    monkeypatch.setattr(versions, "VERSIONS", (*versions.VERSIONS, half))
    with pytest.raises(CannotOpen, match="syntax error"):
        async with database(tmp_path):
            pass
    assert schema(path) == before
    assert copies(tmp_path) == [], "there is nothing to go back to"


@pytest.mark.parametrize("content", ["", "VALUES (6), (7)", "VALUES ('six')"])
async def test_a_schema_of_no_known_version_is_no_mystery(tmp_path: Path, content: str) -> None:
    async with database(tmp_path):
        pass
    with closing(sqlite3.connect(tmp_path / NAME)) as other:
        other.execute("DELETE FROM schema_version")
        if content:
            other.execute(f"INSERT INTO schema_version {content}")
        other.commit()
    with pytest.raises(CannotOpen, match=r"does not say which version .* made by `tide backup`"):
        async with database(tmp_path):
            pass
