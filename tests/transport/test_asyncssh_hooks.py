"""What the hooks into asyncssh do, as a client sees it, and what they need of the library."""

import asyncio
import tracemalloc
from typing import Any

import asyncssh
import pytest
from asyncssh.constants import MSG_IGNORE, MSG_KEXINIT
from asyncssh.packet import String
from typing_extensions import override

from server.transport.asyncssh_hooks import BoundedZlib, Environment
from server.transport.ssh.connection import SshConnection
from server.transport.ssh.server import KEX, POST_QUANTUM
from tests.support.connections import Open, open_server
from tests.support.patience import PATIENCE


async def opened_connection(opened: Open) -> SshConnection:
    await opened.frontend()
    (connection,) = opened.line._connections
    return connection


# ---------------------------------------------------------------- a guessed key exchange (RFC 4253, 7.1)


class Guessing(asyncssh.SSHClientConnection):
    """Sends a key exchange packet with its offer, as Dropbear does; where that guess is wrong, one that the
    server has to ignore.
    """

    guesses = right = True

    @override
    def send_packet(self, pkttype: int, *args: bytes, **more: Any) -> None:
        if pkttype == MSG_KEXINIT and self.guesses:
            offer = args[0][:-5] + b"\1" + args[0][-4:]
            self._client_kexinit = bytes((pkttype,)) + offer
            super().send_packet(pkttype, offer)
            if not self.right:
                super().send_packet(30, String(b"a share of a key for another algorithm"))
        else:
            super().send_packet(pkttype, *args, **more)


CURVE, NIST = "curve25519-sha256", "ecdh-sha2-nistp256"
OURS, OTHER = "ssh-ed25519", "ecdsa-sha2-nistp256"


@pytest.mark.parametrize(
    ("kex", "host_keys", "guess"),
    [
        (KEX, [OURS], "none"),
        ([CURVE], [OURS, OTHER], "none"),
        (KEX, [OURS], "right"),
        (KEX, [OURS, OTHER], "right"),
        ([CURVE], [OURS], "wrong"),  # Dropbear: that is what both agree on, and still not our first
        ([CURVE, *POST_QUANTUM], [OURS], "wrong"),
        ([NIST, CURVE], [OURS], "wrong"),
        (KEX, [OTHER, OURS], "wrong"),
        ([NIST, CURVE], [OTHER, OURS], "wrong"),
    ],
)
async def test_a_guessed_key_exchange_is_used_if_right_and_ignored_if_wrong(
    kex: list[str], host_keys: list[str], guess: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Guessing, "guesses", guess != "none")
    monkeypatch.setattr(Guessing, "right", guess != "wrong")
    monkeypatch.setattr(asyncssh.connection, "SSHClientConnection", Guessing)
    async with open_server() as opened:
        algorithms: Any = {"kex_algs": kex, "server_host_key_algs": host_keys}
        async with asyncio.timeout(PATIENCE), opened.connect("ada", **algorithms) as client:
            assert isinstance(client, Guessing)
            assert "ssh -T" in str((await client.run("help")).stdout)
            renewed = client.get_extra_info("recv_cipher")
            client._rekey_time = 0.0  # new keys, with another guess
            assert "ssh -T" in str((await client.run("help")).stdout)
            assert renewed


async def test_a_server_for_post_quantum_clients_takes_their_guess(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(asyncssh.connection, "SSHClientConnection", Guessing)
    first: Any = {"kex_algs": KEX, "server_host_key_algs": [OURS]}
    async with (
        open_server(post_quantum_only=True) as opened,
        opened.connect("ada", **first) as client,
    ):
        assert "ssh -T" in str((await client.run("help")).stdout)


# ---------------------------------------------------------------- login names


@pytest.mark.parametrize("name", ["sheep \N{SHEEP}", "\N{SHEEP}\u0378"])
async def test_a_name_newer_than_saslprep_comes_in_with_any_password(name: str) -> None:
    async with open_server() as opened, opened.connect(name, password=name) as client:
        assert "ssh -T" in str((await client.run("help")).stdout)


# ---------------------------------------------------------------- what a client may make us keep


async def test_the_environment_is_bounded() -> None:
    async with open_server() as opened, opened.connect("ada") as client:
        await client.create_process(term_type="xterm", env={"LANG": "x" * 500, "EVIL": "x" * 500})
        connection = await opened_connection(opened)
        (channel,) = connection._channels.values()
        assert isinstance(channel, asyncssh.SSHServerChannel)
        assert isinstance(channel._env, Environment)
        assert channel._env == {b"LANG": b"x" * 128}
        assert channel.get_environment() == {"LANG": "x" * 128}


# ---------------------------------------------------------------- compression


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
            client.send_packet(MSG_IGNORE, String(bytes(8 << 20)))  # some 8 KB on the line
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


# ---------------------------------------------------------------- names


def test_no_attribute_of_ours_is_one_of_theirs() -> None:
    theirs = {
        name
        for base in asyncssh.SSHServerConnection.__mro__
        for function in vars(base).values()
        if hasattr(function, "__code__")
        for name in function.__code__.co_names
    }
    assert "_loop" in theirs
    connection = vars(SshConnection)["__init__"].__code__.co_names
    assert {
        name for name in connection if name.startswith("_") and name[1] != "_"
    } & theirs == set()
