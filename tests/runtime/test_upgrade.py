"""The first start of a newer version."""

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from server.runtime.coordination import open_and_tell
from server.settings.settings import Settings
from server.storage.databases.migrations import versions
from tests.support.databases import newer, older


async def _started(state: Path) -> None:
    async with AsyncExitStack() as stack:
        await open_and_tell(stack, Settings(state=state))


async def test_it_says_where_the_copy_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = f"tide-version{versions.newest()}.db"
    await older(tmp_path)
    for said in (str(tmp_path / copy), ""):
        with newer():
            await _started(tmp_path)
        errors = capsys.readouterr().err.splitlines()
        assert [line for line in errors if "brought up to date" in line] == [
            f"The database has been brought up to date. As it was: {it}" for it in [said] if it
        ]


def test_copies_do_not_make_the_directory_somebody_elses(tmp_path: Path) -> None:
    asyncio.run(older(tmp_path))
    tmp_path.chmod(0o755)
    (tmp_path / "tide-version18.db").write_bytes(b"")
    (tmp_path / "tide-version12.db").symlink_to(tmp_path / "nowhere")
    asyncio.run(_started(tmp_path))
    assert tmp_path.stat().st_mode & 0o777 == 0o700
