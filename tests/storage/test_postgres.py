"""Which databases of PostgreSQL are opened, and by whom."""

import sys
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from server.storage.databases.database import CannotOpen
from server.storage.databases.migrations import versions
from server.storage.table_store import TableStore
from tests.support.databases import LATER, begun, insert, keys, newer, opened
from tests.support.postgres import needed, shared_server
from tests.support.state import open_state


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
    await (await open_state(tmp_path / "state")).aclose()
    with pytest.raises(CannotOpen, match="make install-postgres"):
        await open_state(tmp_path / "state", "postgresql://db/tide")
    await (await open_state(tmp_path / "state")).aclose()


async def test_a_second_server_is_told_that_there_is_one() -> None:
    needed()
    url = shared_server().database()
    async with opened(url, serves=True) as first:
        for _ in range(2):
            with pytest.raises(CannotOpen, match="another server is using this database: stop it"):
                async with opened(url, serves=True):
                    pass
        async with opened(url) as beside:  # as `tide forget` does
            await beside.change(insert("a"))
        await first.change(insert("b"))
    async with opened(url, serves=True) as next_one:
        assert await keys(next_one) == ["a", "b"]
