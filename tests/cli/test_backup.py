"""``tide backup``: a whole private copy, also beside a running server; never over something else."""

import asyncio
import errno
import os
from contextlib import aclosing
from pathlib import Path

import pytest

from server import private_files
from server.storage.databases import sqlite
from server.storage.databases.database import DAMAGED
from server.storage.databases.sqlite import NAME
from tests.support.databases import begun
from tests.support.state import open_state
from tests.support.state_dirs import filled, tide


def restored(copy: Path, place: Path) -> list[str]:
    """The tables in a backup, opened as a server would."""

    async def keys() -> list[str]:
        async with aclosing(await open_state(place)) as opened:
            return [table.key for table in await opened.tables.load()]

    place.mkdir(mode=0o700)
    copy.rename(place / "tide.db")
    return asyncio.run(keys())


def test_a_copy_of_a_server_that_is_down(tmp_path: Path) -> None:
    state = filled(tmp_path / "state")
    copy = tmp_path / "copy.db"
    told = tide("backup", copy, "--state", state)
    assert (told.status, told.err) == (0, "")
    assert "hidden hands" in told.out
    assert copy.stat().st_mode & 0o777 == 0o600
    assert restored(copy, tmp_path / "again") == ["running"]
    assert len(tide("records", "list", "--state", tmp_path / "again").lines) == 3


def test_a_copy_while_the_server_writes(tmp_path: Path) -> None:
    state = filled(tmp_path / "state", 1)
    copy = tmp_path / "copy.db"

    async def beside() -> None:
        async with aclosing(await open_state(state)) as opened:
            before = [opened.tables.append(begun(f"before {n}")) for n in range(50)]
            await asyncio.gather(*before)
            during = asyncio.gather(
                *(opened.tables.append(begun(f"during {n}")) for n in range(200))
            )
            told = await asyncio.to_thread(tide, "backup", copy, "--state", state)
            assert told.status == 0
            await during

    asyncio.run(beside())
    keys = restored(copy, tmp_path / "again")
    assert [f"before {n}" for n in range(50)] == [key for key in keys if key.startswith("before")]


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    state = filled(tmp_path / "state", 1)
    copy = tmp_path / "copy.db"
    copy.write_text("precious")
    told = tide("backup", copy, "--state", state)
    assert (told.status, told.out) == (1, "")
    assert "already exists" in told.err
    assert copy.read_text() == "precious"
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    assert tide("backup", tmp_path / "link", "--state", state).status == 1
    assert not (tmp_path / "nowhere").exists()


def test_a_copy_that_fails_leaves_nothing(tmp_path: Path) -> None:
    state = filled(tmp_path / "state")
    file = state / "tide.db"
    os.truncate(file, file.stat().st_size // 2)
    told = tide("backup", tmp_path / "copy.db", "--state", state)
    assert told.status == DAMAGED
    assert "malformed" in told.err
    assert not (tmp_path / "copy.db").exists()


def test_places_that_are_not_there(tmp_path: Path) -> None:
    state = filled(tmp_path / "state", 0)
    told = tide("backup", tmp_path / "no" / "copy.db", "--state", state)
    assert (told.status, "No such file" in told.err) == (1, True)
    told = tide("backup", tmp_path / "copy.db", "--state", tmp_path / "nowhere")
    assert (told.status, "no database" in told.err) == (1, True)
    assert not (tmp_path / "copy.db").exists()


def test_what_a_killed_one_left_is_in_nobodys_way(tmp_path: Path) -> None:
    """It was killed while it wrote: what it had is beside the copy, and not there in its place."""
    state = filled(tmp_path / "state", 1)
    copy = tmp_path / "copy.db"
    for left in ("copy.db.part", "copy.db.part-journal"):
        (tmp_path / left).write_bytes(b"half of it" * 1000)
    assert tide("backup", copy, "--state", state).status == 0
    assert {path.name for path in tmp_path.iterdir()} == {"state", "copy.db"}
    assert restored(copy, tmp_path / "again") == ["running"]


def test_until_it_is_whole_a_copy_is_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    state, copy = filled(tmp_path / "state", 1), tmp_path / "copy.db"
    seen: list[bool] = []
    real = private_files.sync

    def sync(path: Path) -> None:
        seen.append(copy.exists())
        real(path)

    monkeypatch.setattr(sqlite, "sync", sync)
    sqlite.copy(state / NAME, copy)
    assert seen == [False, True], "itself, then its directory"


def test_a_file_system_without_second_names_will_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    state, copy = filled(tmp_path / "state", 1), tmp_path / "copy.db"

    def link(*_: object) -> None:
        raise PermissionError(errno.EPERM, "not here")

    monkeypatch.setattr(os, "link", link)
    sqlite.copy(state / NAME, copy)
    with pytest.raises(FileExistsError):
        sqlite.copy(state / NAME, copy)
    assert {path.name for path in tmp_path.iterdir()} == {"state", "copy.db"}
