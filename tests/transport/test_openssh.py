"""The system's own ``ssh``, as players have it."""

import asyncio
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from server.coordinator import messages as m
from server.coordinator.messages import Player
from server.transport.ssh.connection import SshConnection
from tests.support.connections import AT_ONCE, Open, fingerprint, open_server, real_frontend
from tests.support.openssh import command, environment, key_file, run
from tests.support.patience import PATIENCE
from tests.support.through_frames import enter

pytestmark = pytest.mark.skipif(not shutil.which("ssh"), reason="no ssh here")


@pytest.fixture
async def opened() -> AsyncIterator[Open]:
    async with open_server() as one:
        yield one


@asynccontextmanager
async def playing(arguments: list[str], **env: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """``ssh`` with a terminal, for as long as the block lasts."""
    process = await asyncio.create_subprocess_exec(
        *arguments,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env=environment(**env),
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


async def test_a_key_is_an_identity(opened: Open, tmp_path: Path) -> None:
    ssh = command(opened, "-i", key_file(tmp_path, "ada"), "-tt", "127.0.0.1")
    async with playing(ssh) as process:
        frontend = await opened.frontend()
        assert (frontend.visit.player.name, frontend.visit.player.guest) == ("ada", False)
        assert await opened.keys_of(frontend) == (fingerprint("ada"),)
        assert process.stdin is not None
        process.stdin.write(b"q")
        assert await process.wait() == 0
        assert process.stdout is not None
        assert b"bye" in await process.stdout.read()


async def test_new_keys_are_agreed_on_in_mid_session(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    agreed = 0
    agree = SshConnection.send_newkeys

    def counted(connection: SshConnection, k: bytes, h: bytes) -> None:
        nonlocal agreed
        agreed += 1
        agree(connection, k, h)

    monkeypatch.setattr(SshConnection, "send_newkeys", counted)
    ssh = command(opened, "-o", "RekeyLimit=16", "-tt", "127.0.0.1")
    async with playing(ssh) as process:
        await opened.frontend()
        assert process.stdin is not None
        assert process.stdout is not None
        async with asyncio.timeout(PATIENCE):
            process.stdin.write(b"xyzq")
            assert b"bye" in await process.stdout.read()
            assert await process.wait() == 0
    assert agreed > 2


async def test_without_a_key_nothing_is_asked_and_one_is_a_guest(opened: Open) -> None:
    ssh = command(opened, "-tt", "127.0.0.1")
    async with playing(ssh):
        assert (await opened.frontend()).visit.player.guest


async def test_with_several_keys_the_first_counts(opened: Open, tmp_path: Path) -> None:
    keys = [part for name in ("cem", "bo", "ada") for part in ("-i", key_file(tmp_path, name))]
    async with playing(command(opened, *keys, "-tt", "127.0.0.1")):
        assert await opened.keys_of(await opened.frontend()) == (fingerprint("cem"),)


async def test_batch_mode_works_with_a_key(opened: Open, tmp_path: Path) -> None:
    ssh = command(
        opened, "-o", "BatchMode=yes", "-i", key_file(tmp_path, "ada"), "127.0.0.1", "help"
    )
    done = await run(ssh)
    assert (done.status, done.err) == (0, "")
    assert "NAME@HOST" in done.out


async def test_who_has_nothing_to_type_with_is_told_what_has_come_of_it() -> None:
    async with open_server(make_frontend=real_frontend, timing=AT_ONCE) as opened:
        host = enter(opened.lobby, Player("bo", "bo", True))
        await host.submit(m.CreateTable(m.TableOptions()))
        table = host.feed.now.table
        assert table is not None
        said = await run(command(opened, "127.0.0.1", "join", table.info.id))
        assert (said.status, said.err) == (0, "")
        assert "Turn the Tide. You are " in said.out
        assert f"Table {table.info.title}" in said.out
        assert "Goodbye, " in said.out.splitlines()[-1]
        nowhere = await run(command(opened, "127.0.0.1", "join", "babababa"))
        assert "There is no such table (any more)." in nowhere.out
        playing = await run(command(opened, "127.0.0.1"), b"play\n")
        assert "your seat is kept" in " ".join(playing.out.split())
        assert "Goodbye, " in playing.out.splitlines()[-1]
        await opened.empty()
        host.close()


@pytest.mark.parametrize("name", ["\udcff\udcfeeve", "e" * 2000], ids=["no text", "too long"])
async def test_a_login_name_that_cannot_be_used_is_said_plainly(opened: Open, name: str) -> None:
    ran = await run([*command(opened, name=name), "127.0.0.1"])
    assert ran.status == 255
    assert "Please take another one." in ran.err
    assert "codec" not in ran.err
