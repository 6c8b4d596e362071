"""Databases that earlier releases left are brought up to date, or left alone with a reason."""

import errno
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
import structlog

from engine.outcome import TUTORIAL_RULES
from server.coordinator.nodes.messages import State
from server.coordinator.people.names import skeleton
from server.storage import migrations, sqlite_files
from server.storage.database import CannotOpen, Database
from server.storage.history_sql import SqlHistory
from server.storage.moderation import AuditRow, BanRow, StoredBan
from server.storage.moderation_sql import SqlModeration
from server.storage.sqlite import NAME, SqliteFile
from server.storage.store import StoredChange
from tests.support.databases import bid, database, restored, sql_store
from tests.support.games import record

OLD = Path(__file__).parent / "old" / "version6.sql"
NEWEST = migrations.newest()


def columns(path: Path) -> dict[str, list[tuple[str, str, int, int]]]:
    """Every table and index with its columns, however it came about."""
    connection = sqlite3.connect(path)
    names = [name for (name,) in connection.execute("SELECT name FROM sqlite_master")]
    found = {
        name: [row[1:4] + row[5:] for row in connection.execute(f"PRAGMA table_xinfo('{name}')")]
        for name in names
    }
    connection.close()
    return found


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


def test_versions_are_numbered_without_gaps() -> None:
    assert [version.number for version in migrations.VERSIONS] == list(range(6, NEWEST + 1))


def test_nodes_that_number_no_visits_go_on_beside_none_that_do() -> None:
    """What they say of people cannot be read."""
    old = {"people": [{"player": {"id": "a", "name": "ada", "guest": True}, "since": 1.0}]}
    state = {"type": "State", "name": "a", "tables": [], **old}
    with pytest.raises(msgspec.ValidationError, match="visit"):
        msgspec.convert(state, State)
    assert migrations.beside(13) > 13


async def test_an_old_database_is_brought_up_to_date(tmp_path: Path) -> None:
    path = restored(OLD, tmp_path)
    async with sql_store(tmp_path) as store:
        first, second = await store.load()
        assert (first.key, first.row, first.game) == (
            "7f3a",
            {"title": "Harbour", "number": 2},
            2,
        )
        assert [list(entry) for entry in first.entries] == [["tides", 4, 7], bid(0, 44), bid(2, 16)]
        assert (second.key, second.game, second.entries) == ("91bc", 0, ())
        await store.append(StoredChange("7f3a", None, 2, 3, [bid(1, 27)]))
    (tmp_path / "new").mkdir()
    async with database(tmp_path / "new"):
        pass
    assert columns(path) == columns(tmp_path / "new" / NAME)


async def test_old_records_count_in_the_history(tmp_path: Path) -> None:
    restored(OLD, tmp_path)
    async with database(tmp_path) as opened:
        history = SqlHistory(opened)
        *_, game = await history.games()
        assert (game.id, game.edition, game.complete) == (1, "amigo", True)
        assert [(seat.name, seat.kind) for seat in game.seats] == [
            ("ada", "human"),
            ("bo", "human"),
            ("Gull", "bot"),
            ("Tern", "bot"),
        ]
        assert 1 in {seat.place for seat in game.seats}
        page = await history.page("account:ada")
        assert page is not None
        assert (page.tally.games, page.tally.stages) == (1, 2)
        assert [game.id for game in page.games] == [2, 1], "one of which nobody can read"


async def test_numbers_go_on_after_those_that_an_old_release_gave(tmp_path: Path) -> None:
    """The last ban there is has the number 1; the log knows that there was one with 3."""
    restored(OLD, tmp_path)
    async with database(tmp_path) as opened:
        operator_actions = SqlModeration(opened)
        ban = await operator_actions.ban(
            StoredBan(BanRow(0, "name", "dil", "", 1.0, "ada", 0.0), "dil")
        )
        assert ban.row.id == 4
        assert await operator_actions.note(AuditRow(0, 1.0, "uid 0", "root", "ban", "dil")) == 3


async def test_old_tutorials_and_games_that_were_given_up_are_no_wins(tmp_path: Path) -> None:
    """As version 6 kept them: both were wins of Ada's."""
    bots = [{"kind": "bot", "strategy": "greedy"}] * 3
    tutorial = record(1, rules=TUTORIAL_RULES, pace="untimed", seats=[{"kind": "human"}, *bots])
    given_up = record(2, pace="untimed", seats=[{"kind": "left"}, *bots])
    path = restored(OLD, tmp_path)
    connection = sqlite3.connect(path)
    for number, over, kind in ((3, tutorial, "human"), (4, given_up, "left")):
        connection.execute(
            "INSERT INTO records (id, origin, kept, content, edition, complete, rated)"
            " VALUES (?, ?, 1.0, ?, 'amigo', 1, 0)",
            (number, f"{number}", over.text),
        )
        connection.execute(
            "INSERT INTO record_seats (record_id, seat, player, name, kind, score, place)"
            " VALUES (?, 0, 'account:ada', 'ada', ?, 9, 1)",
            (number, kind),
        )
        stages = over.rules.stages
        connection.executemany(
            "INSERT INTO hand_results VALUES (?, ?, 0, 0, 2)",
            [(number, at) for at in range(stages)],
        )
    connection.commit()
    connection.close()
    async with database(tmp_path) as opened:
        page = await SqlHistory(opened).page("account:ada")
    assert page is not None
    found = {game.id: (game.tutorial, game.seats[0].place) for game in page.games}
    assert found[3] == (True, 1)
    assert found[4] == (False, 0)
    assert page.tally.games == 2, "the first game, and the one given up"
    assert page.tally.wins == int(found[1][1] == 1)


async def test_old_names_and_bans_are_compared_by_what_they_look_like_now(tmp_path: Path) -> None:
    """As version 6 kept them: nothing was known of Canadian or Malayalam letters."""
    path = restored(OLD, tmp_path)
    connection = sqlite3.connect(path)
    connection.executemany(
        "INSERT INTO names (skeleton, name, person) VALUES (?, ?, ?)",
        [("ᕼany", "ᕼany", "account:ada"), ("bഠ", "bഠ", "account:ada")],
    )
    connection.execute(
        "INSERT INTO bans (kind, shown, matched, reason, made, made_by, until)"
        " VALUES ('name', 'ᗰaх', 'ᗰax', '', 1.0, 'ada', 0.0)"
    )
    connection.commit()
    connection.close()
    async with database(tmp_path):
        pass
    connection = sqlite3.connect(path)
    names = dict(connection.execute("SELECT name, skeleton FROM names").fetchall())
    banned = connection.execute("SELECT matched FROM bans WHERE shown = 'ᗰaх'").fetchall()
    connection.close()
    assert names["ᕼany"] == skeleton("ᕼany") == "hany"
    assert (names["bo"], names["bഠ"]) == ("bo", "bഠ"), "two people keep their names"
    assert banned == [(skeleton("ᗰaх"),)]


async def test_opening_again_changes_nothing(tmp_path: Path) -> None:
    async with database(tmp_path) as opened:
        found = await opened.read(migrations.checked)
        assert found == NEWEST
    before = schema(tmp_path / NAME)
    async with database(tmp_path):
        pass
    assert schema(tmp_path / NAME) == before


async def test_a_copy_is_made_before_a_database_changes(tmp_path: Path) -> None:
    path = restored(OLD, tmp_path)
    before = schema(path)
    for name in ("tide-version6.db", "tide-version6-2.db"):
        with structlog.testing.capture_logs() as logs:
            async with database(tmp_path) as opened:
                assert copied(opened) == tmp_path / name
        (log,) = (log for log in logs if log["event"] == "database_upgraded")
        assert (log["old"], log["new"], log["backup"]) == (6, NEWEST, str(tmp_path / name))
        assert schema(tmp_path / name) == before
        assert (tmp_path / name).stat().st_mode & 0o777 == 0o600
        async with database(tmp_path) as opened:
            assert copied(opened) is None
        path.unlink()
        restored(OLD, tmp_path)
    (tmp_path / "new").mkdir()
    async with database(tmp_path / "new") as opened:
        assert copied(opened) is None, "there was nothing"


async def test_a_database_that_is_too_new_is_refused_with_the_copy_that_is_not(
    tmp_path: Path,
) -> None:
    path = restored(OLD, tmp_path)
    async with database(tmp_path) as opened:
        newer = "UPDATE schema_version SET version = 99"
        await opened.change(lambda connection: connection.execute(newer).rowcount)
    (tmp_path / "tide-version98.db").write_text("newer than this program as well")
    (tmp_path / "tide-versions.db").write_text("something else")
    copy = tmp_path / "tide-version6.db"
    with pytest.raises(CannotOpen, match=f"version 99.*put {re.escape(str(copy))} in its place"):
        async with database(tmp_path):
            pass
    path.unlink()
    copy.rename(path)
    async with sql_store(tmp_path) as store:
        assert len(await store.load()) == 2


async def test_a_database_of_before_the_first_release_is_refused(tmp_path: Path) -> None:
    path = restored(OLD, tmp_path)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE schema_version SET version = 3")
    with pytest.raises(CannotOpen, match="version 3, of before the first release"):
        async with database(tmp_path):
            pass
    assert copies(tmp_path) == []


async def test_a_full_disk_leaves_an_old_database_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = restored(OLD, tmp_path)
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
    path = restored(OLD, tmp_path)
    before = schema(path)
    reader = Database(SqliteFile(path))
    with pytest.raises(CannotOpen, match="version 6, and this program needs"):
        await reader.open(migrate=False)
    await reader.close()
    assert schema(path) == before


async def test_a_migration_that_fails_leaves_the_old_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = restored(OLD, tmp_path)
    before = schema(path)
    half = migrations.Version(NEWEST + 1, "CREATE TABLE half (a TEXT);\nno SQL;\n")
    monkeypatch.setattr(migrations, "VERSIONS", (*migrations.VERSIONS, half))
    with pytest.raises(CannotOpen, match="syntax error"):
        async with database(tmp_path):
            pass
    assert schema(path) == before
    assert copies(tmp_path) == [], "there is nothing to go back to"
