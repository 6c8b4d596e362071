"""What this server does not do, and how it says so."""

import asyncio
import re
from collections.abc import AsyncIterator

import asyncssh
import msgspec
import pytest
import structlog

from server.settings.settings import ServerLimits
from server.transport.access.limiter import Reason
from tests.support.clients import Keyless
from tests.support.connections import GENEROUS, Open, open_server, real_frontend, until
from tests.support.patience import PATIENCE


@pytest.fixture
async def opened() -> AsyncIterator[Open]:
    async with open_server() as one:
        yield one


async def test_who_only_connects_learns_the_version_and_the_algorithms(opened: Open) -> None:
    async with opened.comes("ada"):
        reader, writer = await asyncio.open_connection("127.0.0.1", opened.line.listening.port)
        writer.write(b"SSH-2.0-x\r\n")
        async with asyncio.timeout(PATIENCE):
            version = await reader.readuntil(b"\r\n")
            size = int.from_bytes(await reader.readexactly(4), "big")
            packet = await reader.readexactly(size)
        assert re.fullmatch(rb"SSH-2\.0-\S+\r\n", version)
        # KEXINIT: a byte, a cookie, and names of algorithms between zeros and lengths.
        assert packet[1] == 20
        names = re.findall(rb"[\w@.,-]{4,}", packet[18:])
        assert not [name for name in names if b"ada" in name]
        # Nothing is served before the login: a request for a channel ends the connection.
        writer.write(bytes((0, 0, 0, 12, 10, 90)) + bytes(10))
        async with asyncio.timeout(PATIENCE):
            assert b"ada" not in await reader.read()
        writer.close()


async def test_a_client_without_a_common_algorithm_is_counted_and_named(opened: Open) -> None:
    with structlog.testing.capture_logs() as logs:
        with pytest.raises(asyncssh.KeyExchangeFailed):
            await opened.connect("ada", kex_algs=["ecdh-sha2-nistp256"])
        await until(lambda: any(each.get("limit") == Reason.ALGORITHMS for each in logs))
    (told,) = [each for each in logs if each.get("limit") == Reason.ALGORITHMS]
    assert told["client"].startswith("SSH-2.0-AsyncSSH")


@pytest.mark.parametrize("command", ["help", "HELP", "Help "])
async def test_help_answers(opened: Open, command: str) -> None:
    async with opened.connect() as client:
        done = await client.run(command)
    assert done.exit_status == 0
    assert "ssh -p PORT NAME@HOST" in str(done.stdout)
    assert "\r" not in str(done.stdout)


@pytest.mark.parametrize(
    "command",
    ["ls -l", "scp -f /etc/passwd", "sh -c 'kitten \x1b[31m'", "api foo", "x" * 5000],
)
async def test_unknown_commands_get_a_plain_helpful_answer(opened: Open, command: str) -> None:
    async with opened.connect() as client:
        done = await client.run(command)
    assert done.exit_status == 2
    assert "There is no command" in str(done.stderr)
    assert "ssh -p PORT NAME@HOST" in str(done.stderr)
    assert "\x1b" not in str(done.stderr)
    assert not opened.frontends


async def test_a_command_that_is_cut_is_shown_as_cut(opened: Open) -> None:
    async with opened.connect() as client:
        done = await client.run("mosh-server 'new' '-c' '256'")
        assert "command \"mosh-server 'new' '-c'…\" here" in str(done.stderr)
        done = await client.run("mosh-server 'new' '-c' '")
        assert "command \"mosh-server 'new' '-c' '\" here" in str(done.stderr)


@pytest.mark.parametrize("command", ["exit", "exit 0", "true", ":", "logout"])
async def test_tools_that_try_whether_a_login_works_are_answered_with_nothing(
    opened: Open, command: str
) -> None:
    async with opened.connect() as client:
        done = await client.run(command)
    assert (done.exit_status, done.stdout, done.stderr) == (0, "", "")
    assert not opened.frontends


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("join", "Which table?"),
        ("join nosuch", '"nosuch" is not a table\'s code: those look like kadubilo'),
        ("watch nowhere!", '"nowhere!" is not a table\'s code'),
        ("join \x1b[31mred", '"[31mred" is not a table\'s code'),
        ("join kadubilo my otter", "An invitation has one word after the code"),
    ],
)
async def test_a_wrong_invitation_is_told_what_is_wrong_with_it(
    opened: Open, command: str, said: str
) -> None:
    async with opened.connect() as client:
        done = await client.run(command)
    assert done.exit_status == 2
    assert str(done.stderr).startswith(said)
    assert "There is no command" not in str(done.stderr)
    assert "\x1b" not in str(done.stderr)
    assert not opened.frontends


@pytest.mark.parametrize(
    ("term", "echoes"), [(None, True), ("dumb", False), ("vt52", False), ("wy60", False)]
)
async def test_without_a_screen_the_game_is_played_in_lines(
    opened: Open, term: str | None, echoes: bool
) -> None:
    async with opened.connect() as client:
        await client.create_process(None, term_type=term)
        abilities = (await opened.frontend()).terminal.abilities
    assert abilities.lines
    assert not abilities.cursor
    assert abilities.echoes is echoes


async def test_a_terminal_that_is_not_known_can_say_that_it_is_like_an_xterm() -> None:
    async with open_server(GENEROUS, real_frontend) as opened, opened.connect() as client:
        process = await client.create_process(None, term_type="something-new")
        process.stdin.write("screen\r")
        async with asyncio.timeout(PATIENCE):
            await process.stdout.readuntil("TERM=xterm ssh ...")


async def test_lines_are_there_for_the_asking_on_any_terminal(opened: Open) -> None:
    async with opened.comes("ada+plain") as frontend:
        abilities = frontend.terminal.abilities
    assert abilities.lines
    assert abilities.cursor
    assert not abilities.echoes


async def test_no_files(opened: Open) -> None:
    async with opened.connect() as client:
        with pytest.raises(asyncssh.ChannelOpenError):
            await client.start_sftp_client()
        with pytest.raises((asyncssh.SFTPError, OSError)):
            await asyncssh.scp((client, "/etc/passwd"), "/dev/null")


async def test_no_forwarding_in_either_direction(opened: Open) -> None:
    async with opened.connect() as client:
        for opening in (
            client.open_connection("127.0.0.1", 22),
            client.open_unix_connection("/run/any"),
            client.open_tun(),
            client.open_tap(),
        ):
            with pytest.raises(asyncssh.ChannelOpenError, match="no forwarding") as refused:
                await opening
            assert refused.value.code == asyncssh.OPEN_ADMINISTRATIVELY_PROHIBITED
        with pytest.raises(asyncssh.ChannelListenError):
            await client.forward_remote_port("", 0, "127.0.0.1", 22)
        with pytest.raises(asyncssh.ChannelListenError):
            await client.forward_remote_path("/tmp/any", "/tmp/other")
        await client.run("help", check=True)


async def test_no_x11(opened: Open) -> None:
    async with opened.connect() as client:
        with pytest.raises(asyncssh.ChannelOpenError, match="X11"):
            await client.run("help", x11_forwarding=True, x11_display="localhost:0")


async def test_no_agent(opened: Open) -> None:
    async with opened.connect(agent_forwarding=True) as client:
        await client.run("help", check=True)
        assert opened.line._options.agent_forwarding is False


async def test_too_many_channels_on_one_connection() -> None:
    chosen = msgspec.structs.replace(GENEROUS, wire_bytes=1_000_000)
    async with open_server(chosen) as opened, opened.connect() as client:
        processes = [await client.create_process(term_type="xterm") for _ in range(chosen.channels)]
        with pytest.raises(asyncssh.ChannelOpenError):
            await client.create_process(term_type="xterm")
        processes[0].stdin.write("q")
        await processes[0].wait_closed()
        await client.create_process(term_type="xterm")
        assert opened.server.limiter.counts[Reason.CHANNELS] == 1


async def test_a_full_house_says_so() -> None:
    async with open_server(ServerLimits(sessions=1)) as opened, opened.comes():
        told = Keyless()
        other = await opened.connect("bo", client_factory=lambda: told)
        async with asyncio.timeout(PATIENCE):
            await other.wait_closed()
        assert "full" in str(told.lost)


async def test_who_knocks_too_often_reads_a_line_and_nothing_else() -> None:
    async with open_server(ServerLimits(attempts=2, attempts_seconds=3600)) as opened:
        for _ in range(2):
            async with opened.connect() as client:
                await client.run("help", check=True)
        reader, writer = await asyncio.open_connection("127.0.0.1", opened.line.listening.port)
        async with asyncio.timeout(PATIENCE):
            said = await reader.read()
        writer.close()
        await writer.wait_closed()
        assert b"try again in a minute" in said
        assert b"SSH-" not in said
        assert opened.server.limiter.counts[Reason.ATTEMPTS] == 1


async def test_who_comes_in_and_asks_for_nothing_is_let_go() -> None:
    limits = ServerLimits(idle_connection_seconds=0.05)
    async with open_server(limits) as opened:
        client = await opened.connect()
        async with asyncio.timeout(PATIENCE):
            await client.wait_closed()
        assert opened.server.limiter.counts[Reason.IDLE] == 1
        await opened.empty()


@pytest.mark.parametrize(
    "rubbish",
    [
        b"GET / HTTP/1.1\r\n\r\n",
        b"\x00" * 100_000,
        b"SSH-2.0-x\r\n" + b"\xff" * 100_000,
        b"x" * 1_000_000,
    ],
    ids=["http", "zeros", "packets", "megabyte"],
)
async def test_other_protocols_are_hung_up_on(rubbish: bytes) -> None:
    async with open_server(GENEROUS) as opened:
        reader, writer = await asyncio.open_connection("127.0.0.1", opened.line.listening.port)
        writer.write(rubbish)
        async with asyncio.timeout(PATIENCE):
            while True:
                try:
                    if not await reader.read(65_536):
                        break
                except ConnectionError:
                    break
        writer.transport.abort()
        await opened.empty()
