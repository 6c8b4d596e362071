"""The state directory: for one user and one server, and nothing else is touched."""

import os
from contextlib import aclosing
from pathlib import Path

import pytest

from server.storage.databases.database import CannotOpen
from server.storage.databases.sqlite import NAME
from server.storage.statedir import KEY, LOCK, Lock, make_private
from server.transport.ssh.server import load_or_make
from tests.support.databases import begun
from tests.support.state import open_state


async def test_a_refused_start_gives_the_lock_back(tmp_path: Path) -> None:
    state = tmp_path / "state"
    make_private(state)
    (state / NAME).write_bytes(b"nonsense" * 1000)
    with pytest.raises(CannotOpen):
        await open_state(state)
    Lock(state).release()


async def test_files_and_directory_are_private_whatever_the_umask(tmp_path: Path) -> None:
    state = tmp_path / "state"
    before = os.umask(0)
    try:
        async with aclosing(await open_state(state)) as opened:
            await opened.tables.append(begun())
            modes = {path.name: path.stat().st_mode & 0o777 for path in state.iterdir()}
    finally:
        os.umask(before)
    assert state.stat().st_mode & 0o777 == 0o700
    assert set(modes) == {"lock", KEY, NAME, *(f"{NAME}-{it}" for it in ("wal", "shm", "open"))}
    assert set(modes.values()) == {0o600}


async def test_files_that_others_could_read_become_private(tmp_path: Path) -> None:
    state = tmp_path / "state"
    await (await open_state(state)).aclose()
    state.chmod(0o755)
    (state / NAME).chmod(0o644)
    await (await open_state(state)).aclose()
    assert state.stat().st_mode & 0o777 == 0o700
    assert (state / NAME).stat().st_mode & 0o777 == 0o600


async def test_the_keys_may_be_in_it_and_be_there_first_but_nothing_else(tmp_path: Path) -> None:
    state = tmp_path / "state"
    load_or_make(state / "keys")
    state.chmod(0o755)
    await (await open_state(state, keys=state / "keys")).aclose()
    assert state.stat().st_mode & 0o777 == 0o700
    (state / "photos").mkdir()
    make_private(state)
    state.chmod(0o755)
    with pytest.raises(CannotOpen, match="photos"):
        await open_state(state, keys=state / "keys")
    assert state.stat().st_mode & 0o777 == 0o755, "it is not touched"


def test_a_state_directory_that_is_a_file_is_no_mystery(tmp_path: Path) -> None:
    (tmp_path / "state").touch()
    with pytest.raises(CannotOpen, match="is a file"):
        make_private(tmp_path / "state")
    # Where the disk is missing that it is on, another directory is no remedy.
    (tmp_path / "link").symlink_to(tmp_path / "missing" / "disk")
    with pytest.raises(CannotOpen, match="cannot be used"):
        make_private(tmp_path / "link")


async def test_one_server_uses_it_also_without_the_lock_file(tmp_path: Path) -> None:
    state = tmp_path / "state"
    async with aclosing(await open_state(state)):
        with pytest.raises(CannotOpen, match=f"already using .* \\(process {os.getpid()}\\)"):
            await open_state(state)
        (state / LOCK).unlink()
        with pytest.raises(CannotOpen, match=r"already using .* \(another process\)"):
            await open_state(state)
    await (await open_state(state)).aclose()
