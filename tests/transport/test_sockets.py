import asyncio
import errno
import socket
import struct
from typing import Any

import pytest
import structlog

from server.transport.net import sockets
from server.transport.net.sockets import BindProblem, Listening, addresses, listen
from tests.support.connections import open_server
from tests.support.patience import PATIENCE


def test_loopback_is_both_loopbacks_on_one_port() -> None:
    made = listen("localhost", 0)
    names = [one.getsockname() for one in made]
    for one in made:
        one.close()
    assert len({name[1] for name in names}) == 1
    assert {name[0] for name in names} <= {"127.0.0.1", "::1"}
    assert names[0][0] == "127.0.0.1"


def test_everywhere_is_every_address() -> None:
    assert [address for _, address in addresses("*")] == ["0.0.0.0", "::"]
    assert addresses("127.0.0.1") == [(socket.AF_INET, "127.0.0.1")]


def test_a_machine_without_ipv6_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    one = sockets.listen_at

    def without(family: socket.AddressFamily, address: str, port: int) -> socket.socket:
        if family == socket.AF_INET6:
            raise OSError(errno.EAFNOSUPPORT, "no IPv6 here")
        return one(family, address, port)

    monkeypatch.setattr(sockets, "listen_at", without)
    made = listen("localhost", 0)
    assert [found.getsockname()[0] for found in made] == ["127.0.0.1"]
    made[0].close()
    with pytest.raises(BindProblem, match="no such address"):
        listen("::1", 0)


def test_a_port_in_use_is_said_plainly_and_leaves_nothing_open() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(BindProblem, match=f"port {port} is in use"):
            listen("localhost", port)
    for one in listen("localhost", port):
        one.close()


def test_when_only_one_of_both_is_taken_another_free_port_is_drawn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    one = sockets.listen_at
    refusals = [3]

    def sometimes(family: socket.AddressFamily, address: str, port: int) -> socket.socket:
        if family == socket.AF_INET6 and refusals[0]:
            refusals[0] -= 1
            raise OSError(errno.EADDRINUSE, "taken")
        return one(family, address, port)

    monkeypatch.setattr(sockets, "listen_at", sometimes)
    for found in listen("localhost", 0):
        found.close()
    assert refusals == [0]


@pytest.mark.parametrize(
    ("problem", "words"),
    [
        (errno.EACCES, "port 22 may not be used by this user"),
        (errno.EADDRNOTAVAIL, "this machine has no such address"),
        (errno.ENOBUFS, "port 22: no room"),
    ],
)
def test_other_problems_are_said_plainly(
    monkeypatch: pytest.MonkeyPatch, problem: int, words: str
) -> None:
    def fail(*_: object) -> socket.socket:
        raise OSError(problem, "no room")

    monkeypatch.setattr(sockets, "listen_at", fail)
    with pytest.raises(BindProblem, match=words):
        listen("127.0.0.1", 22)


@pytest.mark.parametrize("host", ["999.1.1.1", "no such host", "x" * 300, "a..b"])
def test_addresses_that_are_none(host: str) -> None:
    with pytest.raises(BindProblem, match="no such address"):
        listen(host, 0)


@pytest.mark.skipif(not hasattr(socket, "TCP_INFO"), reason="this system does not tell")
async def test_many_may_wait_to_be_let_in() -> None:
    """asyncio lets a hundred wait: the others would be there a second later, if at all."""
    async with open_server() as opened:
        (first, *_) = opened.line.listening._sockets
        told = first.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 32)
        most = struct.unpack("8xIIIIII", told)[-1]
        assert most > 100


class Told(asyncio.Protocol):
    """Tells that a connection is there."""

    def __init__(self, came: asyncio.Event) -> None:
        self._came = came

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._came.set()
        transport.close()


async def test_without_descriptors_it_waits_says_so_once_and_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sockets, "_SHORT_SECONDS", 0.0)
    short, tries, came = [3], [0], asyncio.Event()

    class Short(socket.socket):
        def accept(self) -> tuple[socket.socket, Any]:
            tries[0] += 1
            if short[0]:
                short[0] -= 1
                raise OSError(errno.EMFILE, "Too many open files")
            return super().accept()

    monkeypatch.setattr(socket, "socket", Short)
    listening = Listening(listen("127.0.0.1", 0))
    listening.accept(lambda _: Told(came))
    with structlog.testing.capture_logs() as told:
        _, writer = await asyncio.open_connection("127.0.0.1", listening.port)
        async with asyncio.timeout(PATIENCE):
            await came.wait()
    writer.close()
    await writer.wait_closed()
    listening.close()
    assert [line["event"] for line in told] == ["cannot_accept_connections"]
    # The three that failed, the one that came, and the look whether there is another.
    assert tries == [5]


async def test_who_connects_before_it_accepts_waits() -> None:
    came = asyncio.Event()
    listening = Listening(listen("127.0.0.1", 0))
    reader, writer = await asyncio.open_connection("127.0.0.1", listening.port)
    assert not came.is_set()
    listening.accept(lambda _: Told(came))
    async with asyncio.timeout(PATIENCE):
        assert await reader.read() == b""
    assert came.is_set()
    writer.close()
    await writer.wait_closed()
    listening.close()
