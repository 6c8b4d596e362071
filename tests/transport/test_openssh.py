"""The system's own ``ssh``, as players have it."""

import asyncio
import shutil
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest

from server.coordinator import messages as m
from server.coordinator.messages import Player
from server.timers import SystemClock
from server.transport.session.frontends import frontend_for
from server.transport.ssh.connection import SshConnection
from tests.support.connections import AT_ONCE, Open, fingerprint, open_server
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


@pytest.mark.skipif(not shutil.which("ssh-agent"), reason="no ssh-agent here")
async def test_an_agent_with_several_keys(opened: Open, tmp_path: Path) -> None:
    with tempfile.TemporaryDirectory() as place:
        sock = f"{place}/agent"
        agent = await asyncio.create_subprocess_exec(
            "ssh-agent", "-D", "-a", sock, stdout=-3, stderr=-3
        )
        try:
            async with asyncio.timeout(PATIENCE):
                while not Path(sock).exists():  # noqa: ASYNC110, ASYNC240
                    await asyncio.sleep(0.01)
            for name in ("dora", "eve"):
                added = await run(["ssh-add", "-q", key_file(tmp_path, name)], SSH_AUTH_SOCK=sock)
                assert added.status == 0, added.err
            ssh = command(opened, "-tt", "127.0.0.1", agent=True)
            async with playing(ssh, SSH_AUTH_SOCK=sock, HOME=place):
                assert await opened.keys_of(await opened.frontend()) == (fingerprint("dora"),)
        finally:
            agent.terminate()
            await agent.wait()


async def test_batch_mode_works_with_a_key(opened: Open, tmp_path: Path) -> None:
    ssh = command(
        opened, "-o", "BatchMode=yes", "-i", key_file(tmp_path, "ada"), "127.0.0.1", "help"
    )
    done = await run(ssh)
    assert (done.status, done.err) == (0, "")
    assert "NAME@HOST" in done.out


async def test_in_batch_mode_a_client_without_a_key_gives_up_by_itself(opened: Open) -> None:
    # It tries neither of the ways that are open to who has no key, and nothing on our side can change that.
    done = await run(command(opened, "-o", "BatchMode=yes", "127.0.0.1", "help"))
    assert done.status == 255
    assert "Permission denied" in done.err


async def test_help_and_unknown_commands(opened: Open) -> None:
    helped = await run(command(opened, "127.0.0.1", "help"))
    assert (helped.status, helped.err) == (0, "")
    unknown = await run(command(opened, "127.0.0.1", "uname", "-a"))
    assert (unknown.status, unknown.out) == (2, "")
    assert 'There is no command "uname -a" here.' in unknown.err


async def test_without_a_terminal_the_game_is_played_in_lines(opened: Open) -> None:
    async with playing(command(opened, "-T", "127.0.0.1")):
        abilities = (await opened.frontend()).terminal.abilities
    assert abilities.lines
    assert abilities.echoes


async def test_who_has_nothing_to_type_with_is_told_what_has_come_of_it() -> None:
    make = partial(frontend_for, SystemClock())
    async with open_server(make_frontend=make, timing=AT_ONCE) as opened:
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


async def test_the_locale_is_sent_and_used(opened: Open) -> None:
    ssh = command(opened, "-o", "SendEnv=LC_ALL COLORTERM", "-tt", "127.0.0.1")
    async with playing(ssh, LC_ALL="C", COLORTERM="truecolor"):
        abilities = (await opened.frontend()).terminal.abilities
    assert not abilities.unicode
    assert abilities.colours == 1 << 24


async def test_a_terminal_that_does_not_know_its_size_counts_as_80x24(opened: Open) -> None:
    async with playing(command(opened, "-tt", "127.0.0.1")):
        assert (await opened.frontend()).terminal.size == (80, 24)


@pytest.mark.parametrize("name", ["😀", "שלום+plain", "a b", "x" * 500])
async def test_any_name_may_knock(opened: Open, name: str) -> None:
    done = await run(command(opened, "127.0.0.1", "help", name=name))
    assert (done.status, done.err) == (0, "")


@pytest.mark.parametrize(
    "options",
    [
        ["-o", "ExitOnForwardFailure=yes", "-R", "0:127.0.0.1:22", "127.0.0.1", "help"],
        ["-W", "127.0.0.1:22", "127.0.0.1"],
        ["-s", "127.0.0.1", "sftp"],
    ],
    ids=["remote", "stdio", "subsystem"],
)
async def test_forwarding_and_subsystems_are_refused(opened: Open, options: list[str]) -> None:
    done = await run(command(opened, *options))
    assert done.status != 0
    assert "NAME@HOST" not in done.out


async def test_a_killed_client_ends_its_session(opened: Open) -> None:
    async with playing(command(opened, "-tt", "127.0.0.1")):
        frontend = await opened.frontend()
    await frontend.ended.wait()
    await opened.empty()


@pytest.mark.parametrize("name", ["\udcff\udcfeeve", "e" * 2000], ids=["no text", "too long"])
async def test_a_login_name_that_cannot_be_used_is_said_plainly(opened: Open, name: str) -> None:
    ran = await run([*command(opened, name=name), "127.0.0.1"])
    assert ran.status == 255
    assert "Please take another one." in ran.err
    assert "codec" not in ran.err
