"""Everything goes from SQLite to PostgreSQL and back, and is as it was."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from server.storage import statedir
from server.storage.databases import sqlite
from server.storage.databases.connection import Connection
from server.storage.databases.database import CannotOpen, Database
from server.storage.databases.migrations import versions
from server.storage.databases.sqlite import NAME, SqliteFile
from server.storage.statedir import KEY
from tests.support.patience import eventually
from tests.support.postgres import needed, shared_server
from tests.support.state import open_state
from tests.support.state_dirs import filled, tide

MOST = 2**63 - 1
TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)
NUMBERS = st.integers(-MOST - 1, MOST) | st.integers(0, 3)
FLOATS = st.floats(-1e300, 1e300) | st.sampled_from([0.1 + 0.2, 1_700_000_000.123456, 5e-324])

Rows = dict[str, list[tuple[Any, ...]]]


def tables(connection: Connection) -> dict[str, Sequence[str]]:
    return {
        name: [
            it[0] for it in connection.execute(f"SELECT * FROM {name} LIMIT 0").description or ()
        ]
        for name in versions.tables()
    }


def content(connection: Connection) -> Rows:
    """Every row, with the type of each value."""
    found: Rows = {}
    for table, columns in tables(connection).items():
        rows = connection.execute(f"SELECT {', '.join(columns)} FROM {table}").fetchall()
        found[table] = sorted((tuple(row) for row in rows), key=repr)
    return found


@st.composite
def fillings(draw: st.DrawFn) -> Callable[[Connection], None]:
    """What fills every table with some rows of anything."""
    seed = draw(st.randoms(use_true_random=False))
    sizes = draw(st.integers(0, 4))
    values: dict[str, list[Any]] = {
        "TEXT": draw(st.lists(TEXTS, min_size=8, max_size=8)),
        "INTEGER": draw(st.lists(NUMBERS, min_size=8, max_size=8)),
        "DOUBLE": draw(st.lists(FLOATS, min_size=8, max_size=8)),
    }

    def fill(connection: Connection) -> None:
        parents: dict[str, list[Any]] = {}
        for table in tables(connection):
            told = {
                name: connection.execute(f"PRAGMA {name}({table})").fetchall()
                for name in ("foreign_key_list", "index_list", "table_info")
            }
            references = {row[3]: f"{row[2]}.{row[4]}" for row in told["foreign_key_list"]}
            keys = {row[1] for row in told["table_info"] if row[5]}
            unique = keys.union(
                *(
                    [it[2] for it in connection.execute(f"PRAGMA index_info({row[1]})").fetchall()]
                    for row in told["index_list"]
                    if row[3] == "u"
                )
            )
            rows = []
            for number in range(sizes):
                row: dict[str, Any] = {}
                for _, name, declared, not_null, *_ in told["table_info"]:
                    kind = declared.split()[0].replace("BIGINT", "INTEGER")
                    if name in references:
                        value: Any = parents[references[name]][number]
                    else:
                        value = seed.choice(list(values[kind]))
                        if name in unique:
                            value = f"{value}/{number}" if kind == "TEXT" else number - 1
                        if not not_null and name not in keys and number % 2:
                            value = None
                    row[name] = value
                    parents.setdefault(f"{table}.{name}", []).append(value)
                rows.append(row)
            connection.insert(table, *rows)
        for kind in ("tables", "records", "bans")[: sizes + 1]:
            connection.next_number(kind)

    return fill


@pytest.mark.slow
@given(fillings())
@settings(max_examples=12, suppress_health_check=[HealthCheck.too_slow])
def test_every_row_comes_back(
    tmp_path_factory: pytest.TempPathFactory, fill: Callable[[Connection], None]
) -> None:
    needed()
    folder, url = tmp_path_factory.mktemp("copying"), shared_server().empty()
    old, new = folder / "old.db", folder / "new.db"
    old.unlink(missing_ok=True)
    with sqlite.filled(old) as connection:
        fill(connection)
        before = content(connection)
    with statedir.source(old) as origin, statedir.target(url) as goal:
        counts = statedir.copy_rows(origin, goal)
    assert counts == {table: len(rows) for table, rows in before.items()}
    with statedir.source(url) as origin:
        there = content(origin)
        with statedir.target(new) as goal:
            statedir.copy_rows(origin, goal)
    assert repr(there) == repr(before)
    with statedir.source(new) as connection:
        assert repr(content(connection)) == repr(before)


def test_an_operator_moves_a_server_there_and_back(tmp_path: Path) -> None:
    needed()
    url, state, back = shared_server().empty(), tmp_path / "state", tmp_path / "back"
    there = tmp_path / "there"
    os_environ = {"TIDE_STATE": str(there), "TIDE_KEYS": str(tmp_path / "keys")}
    with pytest.MonkeyPatch.context() as patch:
        for name, value in os_environ.items():
            patch.setenv(name, value)
        filled(state, 3)
        done = tide("database", "copy", state, url)
        assert (done.status, done.err) == (0, ""), done.err
        assert "Copied" in done.out
        assert (there / KEY).read_bytes() == (state / KEY).read_bytes()

        async def play_on() -> None:
            async with aclosing(await open_state(there, url)) as opened:
                assert [table.key for table in await opened.tables.load()] == ["running"]

                def number(connection: Connection) -> int:
                    return connection.next_number("records")

                assert await opened.database.change(number) == 4
                again = tide("database", "copy", url, tmp_path / "early")
                assert again.status == 1
                assert "is using this database: stop it first" in again.err

        asyncio.run(play_on())
        patch.setenv("TIDE_DATABASE_URL", url)
        assert len(tide("records", "list").lines) >= 3
        # PostgreSQL lets go of what was closed in its own time.
        eventually(lambda: tide("database", "copy", "@", back).status == 0)
        patch.delenv("TIDE_DATABASE_URL")
        assert (
            tide("records", "list", "--state", back).out
            == tide("records", "list", "--state", state).out
        )
        assert (back / KEY).read_bytes() == (state / KEY).read_bytes()

        async def number_again() -> int:
            async with aclosing(await open_state(back)) as opened:
                return await opened.database.change(lambda it: it.next_number("records"))

        assert asyncio.run(number_again()) == 5


def test_what_is_not_empty_or_in_use_is_refused(tmp_path: Path) -> None:
    needed()
    url, state = shared_server().empty(), filled(tmp_path / "state")
    with pytest.raises(CannotOpen, match="already exists"), statedir.target(state):
        pass
    assert tide("database", "copy", state, url).status == 0
    full = tide("database", "copy", state, url)
    assert (full.status, len(full.errors)) == (1, 1)
    assert "is not empty" in full.err

    async def while_it_runs() -> None:
        async with aclosing(await open_state(state)):
            told = tide("database", "copy", state, tmp_path / "other")
            assert told.status == 1
            assert "already using" in told.err

    asyncio.run(while_it_runs())
    missing = tide("database", "copy", tmp_path / "nothing", url)
    assert missing.status == 1
    assert "there is no database" in missing.err


def test_what_the_other_one_cannot_hold_is_told_and_nothing_is_kept(tmp_path: Path) -> None:
    needed()
    old, url = tmp_path / "old.db", shared_server().empty()
    with sqlite.filled(old) as connection:
        for key in ("a", "a\0b"):
            connection.insert("tables", {"key": key, "place": 1, "content": "{}"})
    told = tide("database", "copy", old, url)
    assert told.status == 1
    assert "table tables could not be copied" in told.err
    with statedir.source(url) as connection:
        assert not any(rows for table, rows in content(connection).items() if table != "numbers")


def test_a_password_is_refused_in_an_argument(tmp_path: Path) -> None:
    told = tide("database", "copy", tmp_path, "postgresql://tide:sesame@localhost/tide")
    assert told.status == 2
    assert "TIDE_DATABASE_URL" in told.err
    assert "sesame" not in told.err


async def test_a_copy_that_is_broken_off_leaves_nothing(tmp_path: Path) -> None:
    class Broken(Exception):
        pass

    def copy() -> None:
        with statedir.target(tmp_path / "state") as connection:
            connection.insert("codes", {"code": "x"})
            raise Broken

    with pytest.raises(Broken):
        copy()
    assert not (tmp_path / "state" / NAME).exists()
    database = Database(SqliteFile(tmp_path / "state" / NAME))
    await database.open()
    await database.close()
