"""Who does not read, floods, or stays for ever, and what that costs the others: nothing."""

import asyncio
from typing import Any

import asyncssh
import msgspec
import pytest
from asyncssh.constants import MSG_REQUEST_SUCCESS
from asyncssh.packet import SSHPacket, String

from server.settings.settings import ServerLimits
from server.transport.access.limiter import Reason
from server.transport.ssh import connection as ssh_connection
from tests.support.connections import GENEROUS, Deaf, FakeFrontend, Open, open_server, until
from tests.support.patience import PATIENCE
from tests.support.turns import few_turns


def limits(**changed: Any) -> ServerLimits:
    return msgspec.structs.replace(GENEROUS, **changed)


async def deaf(client: asyncssh.SSHClientConnection) -> Deaf:
    session: Deaf
    _, session = await client.create_session(  # type: ignore[assignment]
        Deaf, term_type="xterm", encoding=None, window=16_384, max_pktsize=8_192
    )
    return session


def fill(frontend: FakeFrontend) -> int:
    """Draw for as long as that makes sense; how much that was."""
    sent = 0
    while frontend.terminal.writable:
        frontend.terminal.write("x" * 4096)
        sent += 4096
    return sent


async def echo(opened: Open, number: int, process: asyncssh.SSHClientProcess[str]) -> None:
    """See that this honest player is served."""
    frontend = await opened.frontend(number)
    process.stdin.write("e")
    await frontend.until(lambda frontend: "e" in frontend.typed)
    frontend.terminal.write("here\n")
    async with asyncio.timeout(PATIENCE):
        while "here" not in await process.stdout.readline():
            pass


async def test_who_does_not_read_pauses_only_their_own_drawing() -> None:
    async with (
        open_server(GENEROUS) as opened,
        opened.connect() as client,
        opened.connect() as other,
    ):
        session = await deaf(client)
        frontend = await opened.frontend(0)
        sent = fill(frontend)
        assert opened.server.limiter.counts == {Reason.PAUSE: 1}
        assert sent < GENEROUS.pause_bytes + 16_384 + 8_192
        honest = await other.create_process(term_type="xterm")
        await echo(opened, 1, honest)
        session.channel.resume_reading()
        await frontend.until(lambda frontend: frontend.drains)
        assert frontend.terminal.writable
        await until(lambda: session.got >= sent)


async def test_who_stays_stuck_is_let_go() -> None:
    async with open_server(limits(stuck_seconds=0.05)) as opened, opened.connect() as client:
        await deaf(client)
        frontend = await opened.frontend()
        fill(frontend)
        await until(frontend.ended.is_set)
        await opened.empty()
        assert opened.server.limiter.counts[Reason.STUCK] == 1


async def test_who_leaves_without_reading_to_the_end_is_let_go() -> None:
    async with open_server(limits(stuck_seconds=0.05)) as opened, opened.connect() as client:
        await deaf(client)
        frontend = await opened.frontend()
        fill(frontend)
        frontend.feed("q")
        await until(frontend.ended.is_set)
        await opened.empty()


async def test_who_says_nothing_at_all_is_let_go_soon() -> None:
    async with open_server(GENEROUS) as opened, opened.connect() as honest:
        opened.limit(first_byte_seconds=0.05)
        reader, writer = await asyncio.open_connection("127.0.0.1", opened.line.listening.port)
        async with asyncio.timeout(PATIENCE):
            await reader.read()  # to the end
        writer.close()
        assert opened.server.limiter.counts == {Reason.FIRST_BYTE: 1}
        await honest.create_process(term_type="xterm")
        await opened.frontend()


async def test_who_does_not_log_in_in_a_time_that_was_changed_meanwhile_is_counted() -> None:
    async with open_server(GENEROUS) as opened:
        opened.limit(login_seconds=0.05)
        reader, writer = await asyncio.open_connection("127.0.0.1", opened.line.listening.port)
        writer.write(b"SSH-2.0-Slow\r\n")
        async with asyncio.timeout(PATIENCE):
            await reader.read()
        writer.close()
        await opened.empty()
        assert opened.server.limiter.counts == {Reason.LOGIN: 1}


async def test_forty_players_behind_one_address_come_in_at_once() -> None:
    async with open_server(ServerLimits()) as opened:
        clients = await asyncio.gather(*(opened.connect(f"ada{one}") for one in range(40)))
        await asyncio.gather(*(one.create_process(term_type="xterm") for one in clients))
        await opened.frontend(39)
        assert not opened.server.limiter.counts
        for one in clients:
            one.abort()


async def test_three_pasted_lines_pass_at_once() -> None:
    async with open_server(GENEROUS) as opened, opened.connect() as client:
        process = await client.create_process(term_type="xterm")
        frontend = await opened.frontend()
        process.stdin.write("\n".join(["x" * 200] * 3))
        await frontend.until(lambda frontend: len(frontend.typed) == 602)
        assert not opened.server.limiter.counts


@pytest.mark.slow
async def test_a_million_tiny_packets_are_read_at_a_walking_pace() -> None:
    chosen = limits(wire_bytes=20_000, wire_bytes_per_second=1_000)
    async with open_server(chosen) as opened, opened.connect() as client, opened.connect() as other:
        process = await client.create_process(term_type="xterm")
        await opened.frontend(0)
        for _ in range(5_000):
            process.change_terminal_size(80, 24)
        await until(lambda: opened.server.limiter.counts[Reason.WIRE])
        honest = await other.create_process(term_type="xterm")
        await echo(opened, 1, honest)


async def test_an_endless_environment_is_forgotten_and_then_refused() -> None:
    async with open_server(limits(wire_bytes=10_000_000)) as opened:
        async with opened.connect() as client:
            env = {f"VARIABLE_{number}": "x" * 50 for number in range(1_000)}
            await client.create_process(term_type="xterm", env=env)
            frontend = await opened.frontend()
            assert frontend.terminal._channel.get_environment() == {}  # type: ignore[attr-defined]
        async with opened.connect() as client:
            env = {f"VARIABLE_{number}": "x" * 1_000 for number in range(1_000)}
            with pytest.raises((asyncssh.Error, OSError)):
                await client.create_process(term_type="xterm", env=env)
        assert opened.server.limiter.counts[Reason.SETUP] == 1


async def test_a_channel_on_which_nothing_is_started_is_closed() -> None:
    # Time enough for the client to ask for it.
    chosen = limits(idle_connection_seconds=1.0)
    async with open_server(chosen) as opened, opened.connect() as client:
        loop = asyncio.get_running_loop()
        channel = asyncssh.SSHClientChannel[bytes](
            client, loop, "strict", None, "strict", 65_536, 8_192
        )
        await channel._open(b"session")
        async with asyncio.timeout(PATIENCE):
            await client.wait_closed()
        await opened.empty()


async def test_a_line_that_stalls_below_ssh_pauses_drawing_as_well() -> None:
    async with open_server(GENEROUS) as opened, opened.connect() as client:
        process = await client.create_process(term_type="xterm", encoding=None, window=64 << 20)
        frontend = await opened.frontend()
        await process.stdout.readline()
        client._transport.pause_reading()
        fill(frontend)
        connection = frontend.terminal._connection  # type: ignore[attr-defined]
        assert 0 < connection.unsent < 2 * GENEROUS.pause_bytes
        client._transport.resume_reading()
        async with asyncio.timeout(PATIENCE):
            while not frontend.drains:
                await process.stdout.read(1 << 20)
        assert frontend.terminal.writable


async def test_proofs_of_the_servers_keys_are_not_to_be_had_by_the_thousand() -> None:
    async with open_server() as opened, opened.connect() as client:
        key = client.get_server_host_key()
        assert key is not None

        async def prove(times: int) -> bool:
            wire = String(key.public_data)
            asked = b"hostkeys-prove-00@openssh.com"
            code, _ = await client._make_global_request(asked, *[wire] * times)
            return bool(code == MSG_REQUEST_SUCCESS)

        assert not await prove(500)
        assert await prove(1)
        assert not await prove(1), "once is enough"


async def test_signs_of_life_without_end_wait_for_turns_and_nobody_else_does() -> None:
    async with open_server(GENEROUS) as opened:
        timers = few_turns(opened.server.players)
        client = await opened.connect()
        honest = await opened.connect("bo", local_addr=("127.0.0.2", 0))
        process = await honest.create_process(term_type="xterm")
        request = client._make_global_request
        await asyncio.gather(*[request(b"keepalive@openssh.com") for _ in range(5)])
        assert not opened.server.players.waiting, "one who asks once a second is not held back"
        asked = [asyncio.create_task(request(b"keepalive@openssh.com")) for _ in range(1_000)]
        await until(lambda: opened.server.players.waiting)
        await echo(opened, 0, process)
        assert not all(one.done() for one in asked)
        while not all(one.done() for one in asked):
            timers.advance(0.1)
            await asyncio.sleep(0)
        honest.abort()
        client.abort()


class Asleep(asyncssh.SSHClientConnection):
    """The machine of a player that has gone to sleep: it answers nothing by itself any more."""

    asked = 0

    def _process_keepalive_at_openssh_dot_com_global_request(self, packet: SSHPacket) -> None:
        self.asked += 1


async def test_who_is_silent_is_asked_for_a_sign_and_let_go_without_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ssh_connection, "_KEEPALIVE_SECONDS", 0.01)
    monkeypatch.setattr(asyncssh.connection, "SSHClientConnection", Asleep)
    async with open_server() as opened:
        client = await opened.connect("ada")
        await client.create_process(term_type="xterm")
        async with asyncio.timeout(PATIENCE):
            await client.wait_closed()
    assert client.asked


async def test_session_after_session_of_one_connection_waits_for_turns_and_nobody_else_does() -> (
    None
):
    async with open_server(msgspec.structs.replace(GENEROUS, channels=100)) as opened:
        timers = few_turns(opened.server.players)
        client = await opened.connect()
        honest = await opened.connect("bo", local_addr=("127.0.0.2", 0))
        process = await honest.create_process(term_type="xterm")
        await opened.frontend(0)

        async def another() -> None:
            await client.create_process(term_type="xterm")

        asked = [asyncio.create_task(another()) for _ in range(60)]
        await until(lambda: opened.server.players.waiting)
        await echo(opened, 0, process)
        assert not all(one.done() for one in asked)
        while not all(one.done() for one in asked):
            timers.advance(0.1)
            await asyncio.sleep(0)
        honest.abort()
        client.abort()
