"""What we override and use of asyncssh's private parts is there, and is used as we think it is."""

import asyncio
import inspect
import logging
import re
import tracemalloc
from functools import partial
from typing import Any
from unittest.mock import patch

import asyncssh
import msgspec
import pytest
from asyncssh.auth import _ServerPublicKeyAuth
from asyncssh.constants import MSG_USERAUTH_FAILURE, MSG_USERAUTH_REQUEST
from asyncssh.logging import SSHLogger
from asyncssh.packet import Boolean, SSHPacket, SSHPacketHandler, SSHPacketLogger, String

from server.transport.access.policy import AccessPolicy
from server.transport.asyncssh_hooks import (
    OF_CLIENTS,
    BoundedChannel,
    BoundedZlib,
    Environment,
    HookedConnection,
    authorized_keys_in,
)
from server.transport.ssh.auth import SshAuth
from server.transport.ssh.connection import SshConnection
from server.transport.ssh.server import CIPHERS
from tests.support.connections import GENEROUS, Open, all_of, host_key, key, open_server, until
from tests.support.patience import PATIENCE

BASE = asyncssh.SSHServerConnection
NOT_OVERRIDDEN = {
    *("packet_refused", "key_exchange_started", "key_exchange_answered"),
    *("why_not_open", "more_has_come", "is_usable_key", "signature_failed", "key_proven"),
    "send_data",
}
OVERRIDDEN = sorted(
    name
    for name, value in vars(HookedConnection).items()
    if inspect.isfunction(value) and name not in NOT_OVERRIDDEN
)


def attributes(of: type) -> set[str]:
    """What its methods read and set of themselves."""
    return set(re.findall(r"\bself\.(\w+)", inspect.getsource(of)))


def arguments(method: object) -> list[str]:
    assert callable(method)
    return [name.lstrip("_") for name in inspect.signature(method).parameters]


@pytest.mark.parametrize("name", OVERRIDDEN)
def test_what_is_overridden_exists_and_takes_the_same(name: str) -> None:
    theirs, ours = getattr(BASE, name), vars(HookedConnection)[name]
    assert arguments(theirs) == arguments(ours)
    assert inspect.iscoroutinefunction(theirs) == inspect.iscoroutinefunction(ours)


@pytest.mark.parametrize(
    "name", sorted(NOT_OVERRIDDEN | {"is_logged_in", "channel_count", "variables"})
)
def test_what_is_ours_is_not_theirs(name: str) -> None:
    assert not hasattr(BASE, name)


def test_only_errors_are_put_into_words(caplog: pytest.LogCaptureFixture) -> None:
    logger = SSHLogger(logging.getLogger("asyncssh.test"))
    with caplog.at_level(logging.DEBUG, "asyncssh.test"):
        for name in ("debug1", "debug2", "info", "error"):
            getattr(logger, name)("%s is told", name)
    assert caplog.messages == ["error is told"]
    for its, names in (
        (SSHLogger, ("debug1", "debug2")),
        (SSHPacketLogger, ("log_sent_packet", "log_received_packet")),
    ):
        assert all(f"def {name}(" in inspect.getsource(its) for name in names)
    for name in ("log_sent_packet", "log_received_packet"):
        assert not getattr(SSHPacketLogger, name)(None, 1, 2, b"", "")


def test_no_attribute_of_ours_is_one_of_theirs() -> None:
    theirs = {
        name
        for base in BASE.__mro__
        if base.__module__.startswith("asyncssh")
        for name in attributes(base)
    }
    assert "_loop" in theirs
    assert {name for name in attributes(SshConnection) if name.startswith("_")} & theirs == set()


async def test_asyncssh_calls_what_is_overridden(monkeypatch: pytest.MonkeyPatch) -> None:
    called: list[str] = []
    for name in OVERRIDDEN:
        method = getattr(HookedConnection, name)

        def noted(
            *args: object, name: str = name, method: object = method, **more: object
        ) -> object:
            called.append(name)
            return method(*args, **more)  # type: ignore[operator]

        monkeypatch.setattr(HookedConnection, name, noted)
    monkeypatch.setattr("server.transport.ssh.connection._KEEPALIVE_SECONDS", 0.05)
    async with open_server() as opened:
        async with opened.connect("ada", keys=[key("ada")]) as client:
            process = await client.create_process(term_type="xterm")
            client._rekey_time = 0.0
            wire = String(host_key().key.public_data)
            await client._make_global_request(b"hostkeys-prove-00@openssh.com", wire)
            await until(lambda: "_keepalive_timer_callback" in called)
            process.stdin.write("q")
            assert "bye" in await all_of(process.stdout)
        with pytest.raises(asyncssh.DisconnectError):
            await opened.connect("a" * 2000)
        with pytest.raises(asyncssh.PermissionDenied):
            await opened.connect("bo", client_factory=asyncssh.SSHClient)
    async with open_server(msgspec.structs.replace(GENEROUS, login_seconds=0.01)) as opened:
        reader, writer = await asyncio.open_connection("127.0.0.1", opened.line.listening.port)
        await reader.read()
        writer.close()
    assert set(OVERRIDDEN) - set(called) == set()


async def opened_connection(opened: Open) -> SshConnection:
    await opened.frontend()
    (connection,) = opened.line._connections
    return connection


async def test_what_is_asked_of_asyncssh() -> None:
    async with open_server() as opened, opened.connect("ada") as client:
        process = await client.create_process(term_type="xterm")
        connection = await opened_connection(opened)
        assert connection.is_logged_in
        assert connection.channel_count == 1
        assert connection._session_id == client._session_id != b""
        assert connection._client_kexinit == connection._server_kexinit == b""
        assert connection.deferred_bytes == 0
        connection._send_kexinit()
        connection._kexinit_sent = True
        (channel,) = connection._channels.values()
        assert isinstance(channel, asyncssh.SSHServerChannel)
        channel.write(b"later")
        assert connection.deferred_bytes > 5
        process.stdin.write("q")
        assert "later" in await all_of(process.stdout)
        assert connection.deferred_bytes == 0
    assert connection._recv_handler() is False


async def test_a_connection_keeps_nothing_that_only_a_client_needs() -> None:
    async with open_server() as opened, opened.connect("ada", keys=[key("ada")]):
        (connection,) = opened.line._connections
        stock = BASE(asyncio.get_running_loop(), connection._options)
        for name in OF_CLIENTS:
            assert len(vars(stock)[name]) == 0
            assert getattr(connection, name) == ()
            assert name not in inspect.getsource(BASE)


async def test_the_end_can_be_waited_for_without_a_deque_for_it() -> None:
    assert "_waiters" in vars(asyncio.Event())
    async with open_server() as opened:
        client = await opened.connect("ada", keys=[key("ada")])
        await client.create_process(term_type="xterm")
        connection = await opened_connection(opened)
        (channel,) = connection._channels.values()
        ends = [asyncio.create_task(each.wait_closed()) for each in (connection, channel)]
        await asyncio.sleep(0)
        for each in (connection, channel):
            assert [type(it) for it in vars(each._close_event)["_waiters"]] == [asyncio.Future]
        client.abort()
        async with asyncio.timeout(PATIENCE):
            await asyncio.gather(*ends)
        for each in (connection, channel):
            assert vars(each._close_event)["_waiters"] == []


async def test_what_comes_in_sets_no_other_timer() -> None:
    async with open_server() as opened, opened.connect("ada", keys=[key("ada")]) as client:
        await client.create_process(term_type="xterm")
        connection = await opened_connection(opened)
        timer = connection._keepalive_timer
        assert timer is not None
        await client._make_global_request(b"keepalive@openssh.com")
        assert connection._keepalive_timer is timer


async def test_nothing_that_waits_for_nothing_is_a_task(monkeypatch: pytest.MonkeyPatch) -> None:
    def noted(connection: asyncssh.SSHServerConnection, work: Any, *more: Any) -> Any:
        begun.append(work.__name__)
        return make(connection, work, *more)

    begun, make = list[str](), BASE.create_task
    monkeypatch.setattr(BASE, "create_task", noted)
    async with open_server() as opened, opened.connect("ada", keys=[key("ada")]) as client:
        await client.create_process(term_type="xterm")
    assert begun == []
    theirs = {
        BASE: ("_process_kexinit", "_finish_userauth"),
        _ServerPublicKeyAuth: ("_start",),
        asyncssh.SSHServerChannel: ("_finish_open_request",),
    }
    for owner, names in theirs.items():
        assert all(inspect.iscoroutinefunction(getattr(owner, name)) for name in names)


async def test_a_login_that_waits_is_a_task(monkeypatch: pytest.MonkeyPatch) -> None:
    async def waits(_policy: object, _key: object, _shown: str, _address: str) -> bool:
        await asyncio.sleep(0)
        return False

    monkeypatch.setattr(AccessPolicy, "needs_word", waits)
    monkeypatch.setattr(SshConnection, "login_waits", True)
    async with open_server() as opened, opened.connect("ada", keys=[key("ada")]) as client:
        await client.create_process(term_type="xterm")


async def test_a_packet_that_would_wait_ends_its_connection(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def waits(_auth: object, _name: str) -> bool:
        await asyncio.sleep(0)
        return True

    monkeypatch.setattr(SshAuth, "begin_auth", waits)
    async with open_server() as opened:
        with pytest.raises(asyncssh.DisconnectError):
            await opened.connect("ada")


class Hasty(asyncssh.SSHClient):
    """Once asked for a key, sends two requests that are refused, and then the next at once."""

    refused = 0

    def connection_made(self, conn: asyncssh.SSHClientConnection) -> None:
        self._connection = conn
        self._process = self._connection.process_packet
        setattr(conn, "process_packet", self._heard)  # noqa: B010 - instead of theirs

    def _heard(self, kind: int, number: int, packet: SSHPacket) -> Any:
        if kind == MSG_USERAUTH_FAILURE:
            self.refused += 1
            if self.refused > 1:
                return True
            no_key = (Boolean(False), String("ssh-ed25519"), String(b"no key"))
            for _ in range(2):
                asked = map(String, ("ada", "ssh-connection", "publickey"))
                self._connection.send_packet(MSG_USERAUTH_REQUEST, *asked, *no_key)
        return self._process(kind, number, packet)


async def test_login_requests_that_come_together_are_all_answered() -> None:
    client = Hasty()
    options: Any = {"client_factory": lambda: client}
    async with open_server() as opened, opened.connect("ada", keys=[key("ada")], **options):
        assert client.refused == 3


def test_packets_are_read_and_sent_as_we_think() -> None:
    source = inspect.getsource(BASE._recv_packet)
    assert "process_packet(pkttype, seq, packet)" in source
    assert "self.send_packet(MSG_IGNORE" in inspect.getsource(BASE.send_packet)
    assert SSHPacketHandler in BASE.__mro__
    assert SSHPacket(b"ab").get_remaining_payload() == b"ab"


def test_both_places_use_our_saslprep() -> None:
    assert asyncssh.connection.saslprep("sheep \N{SHEEP}") == "sheep \N{SHEEP}"  # type: ignore[attr-defined]
    assert asyncssh.auth.saslprep("\N{SHEEP}\u0378") == "\N{SHEEP}\u0378"  # type: ignore[attr-defined]
    assert "saslprep(" in inspect.getsource(
        asyncssh.connection.SSHConnection._process_userauth_request
    )
    assert "saslprep(" in inspect.getsource(asyncssh.auth)


async def test_the_environment_is_bounded() -> None:
    async with open_server() as opened, opened.connect("ada") as client:
        await client.create_process(term_type="xterm", env={"LANG": "x" * 500, "EVIL": "x" * 500})
        connection = await opened_connection(opened)
        (channel,) = connection._channels.values()
        assert isinstance(channel, asyncssh.SSHServerChannel)
        assert isinstance(channel._env, Environment)
        assert channel._env == {b"LANG": b"x" * 128}
        assert channel.get_environment() == {"LANG": "x" * 128}


@pytest.mark.parametrize("cipher", CIPHERS)
async def test_data_is_sent_as_asyncssh_sends_it(cipher: str) -> None:
    """The same bytes on the line, for every length of the padding."""
    ciphers: Any = {"encryption_algs": [cipher]}
    async with open_server() as opened, opened.connect("ada", **ciphers) as client:
        await client.create_process(term_type="xterm")
        connection = await opened_connection(opened)
        assert connection.get_extra_info("send_cipher") == cipher
        (channel,) = connection._channels.values()
        encryption = connection._send_encryption
        assert isinstance(channel, BoundedChannel)
        assert encryption is not None
        sent, number = connection._rekey_bytes_sent, connection._send_seq
        for size in range(1, 66):
            told, window = [], channel._send_window
            for write in (channel.write, partial(asyncssh.SSHServerChannel.write, channel)):
                connection._rekey_bytes_sent, connection._send_seq = sent, number
                with (
                    patch.object(encryption, "encrypt_packet", return_value=(b"", b"")) as encrypt,
                    patch("os.urandom", bytes),
                ):
                    write(bytes(size))
                told.append(
                    (encrypt.mock_calls, connection._rekey_bytes_sent, connection._send_seq)
                )
            assert told[0] == told[1]
            assert len(told[0][0]) == 1
            assert channel._send_window == window - 2 * size
        client.abort()  # packets are missing on the line


async def test_what_is_written_arrives_whatever_happens_meanwhile() -> None:
    """In order: where it fits into the window, is more than that, waits for keys, or makes new ones due."""
    tight: Any = {"window": 1000, "max_pktsize": 700, "term_type": "xterm"}
    async with open_server() as opened, opened.connect("ada") as client:
        process = await client.create_process(**tight)
        connection = await opened_connection(opened)
        (channel,) = connection._channels.values()
        assert isinstance(channel, BoundedChannel)
        reading = asyncio.create_task(all_of(process.stdout))
        pieces = [b"%d " % number * (1 + number % 7 * 20) for number in range(60)]
        renew = connection._send_kexinit
        with patch.object(connection, "_send_kexinit", side_effect=renew) as renewed:
            for number, piece in enumerate(pieces):
                if number in (20, 40):
                    fits = len(piece)
                    await until(lambda: connection._kex_complete and not channel._send_buf)
                    await until(lambda fits=fits: channel._send_window >= fits)  # type: ignore[misc]
                if number == 20:
                    connection._rekey_time = 0.0
                if number == 40:
                    connection._rekey_bytes_sent = connection._rekey_bytes
                channel.write(piece)
                assert renewed.call_count == number // 20
                if number % 3 == 0:
                    await asyncio.sleep(0)
            channel.write(b"")
        with pytest.raises(OSError, match="data type"):
            channel.write(b"no", 7)
        process.stdin.write("q")
        assert b"".join(pieces).decode() in await reading
    with pytest.raises(BrokenPipeError):
        channel.write(b"too late")


@pytest.mark.parametrize("name", ["_deliver_data", "process_open", "write"])
def test_what_a_channel_overrides_takes_the_same(name: str) -> None:
    theirs = getattr(asyncssh.SSHServerChannel, name)
    assert arguments(theirs) == arguments(vars(BoundedChannel)[name])


async def test_a_window_is_granted_once_nothing_waits() -> None:
    async with open_server() as opened, opened.connect("ada") as client:
        process = await client.create_process(term_type="xterm")
        connection = await opened_connection(opened)
        (channel,) = connection._channels.values()
        assert isinstance(channel, BoundedChannel)
        whole = channel.get_recv_window()
        channel.pause_reading()
        for _ in range(8):
            process.stdin.write("x" * (whole // 10))
            await process.stdin.drain()
        await until(lambda: len(channel._recv_buf) == 8)
        assert channel._recv_window < whole / 2
        left = channel._recv_window
        session = channel._session
        assert session is not None
        with patch.object(session, "data_received", lambda *_: channel.pause_reading()):
            for waiting in range(7, 0, -1):
                channel.resume_reading()
                assert (len(channel._recv_buf), channel._recv_window) == (waiting, left)
            channel.resume_reading()
            assert (channel._recv_buf, channel._recv_window) == ([], whole)


def test_keys_of_a_line() -> None:
    public = key("ada").export_public_key().decode()
    line = asyncssh.import_authorized_keys(f'from="192.0.2.*" {public}')
    assert authorized_keys_in(line) == [key("ada").convert_to_public()]
    authority = asyncssh.import_authorized_keys(f"cert-authority {public}")
    assert authorized_keys_in(authority) == []


def test_what_was_compressed_cannot_grow_without_bounds() -> None:
    ours, theirs = BoundedZlib(), BoundedZlib()
    for text in (b"ahoy", b"ahoy " * 1000, b""):
        assert ours.decompress(theirs.compress(text)) == text
    assert len(theirs.compress(b"ahoy " * 1000)) < 100
    assert ours.decompress(BoundedZlib().compress(bytes(1 << 20))) is None
    assert BoundedZlib().decompress(b"nonsense") is None


async def test_a_compression_bomb_ends_its_connection_and_no_other() -> None:
    async with open_server() as opened, opened.connect("bo") as other:
        client = await opened.connect("ada", compression_algs=["zlib@openssh.com"])
        await client.run("help")
        tracemalloc.start()
        try:
            client.send_packet(2, String(bytes(8 << 20)))  # MSG_IGNORE: some 8 KB on the line
            async with asyncio.timeout(PATIENCE):
                await client.wait_closed()
            assert tracemalloc.get_traced_memory()[1] < 4 * (8 << 20), "most of it the client's own"
        finally:
            tracemalloc.stop()
        assert "ssh -T" in str((await other.run("help")).stdout)


@pytest.mark.parametrize("wanted", ["zlib@openssh.com", "none"])
async def test_it_compresses_for_whoever_asks_for_it(wanted: str) -> None:
    compression: Any = {"compression_algs": [wanted]}
    async with open_server() as opened, opened.connect("ada", **compression) as client:
        assert client.get_extra_info("recv_compression") == wanted
        assert client.get_extra_info("send_compression") == wanted
        (connection,) = opened.line._connections
        compresses = isinstance(connection._compressor, BoundedZlib)
        assert compresses is (wanted != "none")
        assert isinstance(connection._decompressor, BoundedZlib) is compresses
        assert "ssh -T" in str((await client.run("help")).stdout)
