"""Where connections come from that load balancers hand on, in the words of the protocol's own document."""

import asyncio
import socket
import struct
from contextlib import ExitStack, closing, suppress
from ipaddress import ip_address
from typing import cast

import pytest
import structlog
from hypothesis import given
from hypothesis import strategies as st

from server.transport.net import sockets
from server.transport.net.sockets import (
    LONGEST,
    SIGNATURE,
    Listening,
    NoHeader,
    contains,
    listen,
    networks,
    source,
)
from tests.support.patience import PATIENCE

LOOPBACK = networks("127.0.0.0/8")


def header(
    address: str, *, command: int = 0x21, family: int | None = None, more: bytes = b""
) -> bytes:
    """As a load balancer sends it for a client at this address."""
    ip = ip_address(address)
    both = ip.packed + ip_address("127.0.0.1" if ip.version == 4 else "::1").packed
    body = both + struct.pack("!HH", 4711, 2222) + more
    kind = (0x11 if ip.version == 4 else 0x21) if family is None else family
    return SIGNATURE + struct.pack("!BBH", command, kind, len(body)) + body


async def told(data: bytes, at_once: int = 1 << 16) -> tuple[str, bytes]:
    """What is read from this, so many bytes at a time, and what is left."""
    left = bytearray(data)

    async def receive(size: int) -> bytes:
        size = min(size, at_once)
        some = bytes(left[:size])
        del left[:size]
        return some

    return await source(receive), bytes(left)


@pytest.mark.parametrize("at_once", [1, 7, 1 << 16])
@pytest.mark.parametrize(
    ("sent", "address"),
    [
        (header("203.0.113.9"), "203.0.113.9"),
        (header("2001:db8::9"), "2001:db8::9"),
        # A balancer that listens for IPv6 alone: the limits of that network are those of the IPv4 address.
        (header("::ffff:203.0.113.9"), "203.0.113.9"),
        (header("203.0.113.9", more=b"\x04\x00\x01\x00"), "203.0.113.9"),
        (header("203.0.113.9", command=0x20), ""),
        (header("203.0.113.9", family=0x00), ""),
        (header("203.0.113.9", family=0x31), ""),
        (SIGNATURE + b"\x20\x00\x00\x00", ""),
    ],
)
async def test_an_address_is_read_and_nothing_after_it(
    sent: bytes, address: str, at_once: int
) -> None:
    assert await told(sent + b"SSH-2.0-x\r\n", at_once) == (address, b"SSH-2.0-x\r\n")


@pytest.mark.parametrize(
    "sent",
    [
        b"SSH-2.0-OpenSSH_9.9\r\n",
        b"PROXY TCP4 203.0.113.9 127.0.0.1 4711 2222\r\n",
        header("203.0.113.9", command=0x11),
        header("203.0.113.9", command=0x22),
        header("203.0.113.9", family=0x21),
        SIGNATURE + struct.pack("!BBH", 0x21, 0x11, LONGEST + 1),
    ],
)
async def test_anything_else_is_refused(sent: bytes) -> None:
    with pytest.raises(NoHeader):
        await told(sent)


async def test_half_a_header_is_the_end() -> None:
    with pytest.raises(EOFError):
        await told(header("203.0.113.9")[:-1])


@given(st.binary(max_size=200), st.booleans())
async def test_nothing_else_is_raised(data: bytes, signed: bool) -> None:
    try:
        address, _ = await told(SIGNATURE * signed + data)
    except (NoHeader, EOFError):
        return
    assert address == "" or str(ip_address(address)) == address


def test_networks_are_separated_as_people_do() -> None:
    trusted = networks("10.0.0.0/8, 2001:db8::/32 192.0.2.7")
    assert contains(trusted, "10.1.2.3")
    assert contains(trusted, "::ffff:10.1.2.3")
    assert contains(trusted, "2001:db8::1")
    assert contains(trusted, "192.0.2.7")
    assert not contains(trusted, "192.0.2.8")
    assert not contains(trusted, "fe80::1%eth0 or so")
    assert not contains(networks(""), "10.1.2.3")
    with pytest.raises(ValueError, match=r"'10\.0\.0/8'"):
        networks("10.0.0/8")


class Heard(asyncio.Protocol):
    """What comes, and from where the connection is said to come."""

    def __init__(self, found: "asyncio.Queue[str | bytes]", address: str) -> None:
        self._found = found
        found.put_nowait(address)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        cast(asyncio.Transport, transport).write(b"welcome")

    def data_received(self, data: bytes) -> None:
        self._found.put_nowait(data)


async def heard(
    sent: bytes, proxies: str, expected: int, listening: Listening | None = None
) -> list[str | bytes]:
    """The first things that the server hears of somebody who sends this at once."""
    found: asyncio.Queue[str | bytes] = asyncio.Queue()
    with ExitStack() as opened:
        if listening is None:
            listening = opened.enter_context(
                closing(Listening(listen("127.0.0.1", 0), networks(proxies)))
            )
        listening.accept(lambda address: Heard(found, address))
        reader, writer = await asyncio.open_connection("127.0.0.1", listening.port)
        writer.write(sent)
        async with asyncio.timeout(PATIENCE):
            answers = [await found.get() for _ in range(expected)]
            if expected:
                assert await reader.readexactly(7) == b"welcome"
            else:
                with suppress(ConnectionResetError):  # by a system that has not read everything
                    assert await reader.read() == b""
                assert found.empty()
        writer.close()
        with suppress(ConnectionResetError):
            await writer.wait_closed()
    return answers


async def test_from_a_load_balancer_comes_who_it_says() -> None:
    sent = header("203.0.113.9") + b"hello"
    assert await heard(sent, "127.0.0.0/8", 2) == ["203.0.113.9", b"hello"]


async def test_a_health_check_comes_from_the_load_balancer_itself() -> None:
    assert await heard(header("203.0.113.9", command=0x20), "127.0.0.1", 1) == ["127.0.0.1"]


async def test_nobody_else_is_believed() -> None:
    sent = header("203.0.113.9")
    assert await heard(sent, "10.0.0.0/8", 2) == ["127.0.0.1", sent]


async def test_a_load_balancer_that_says_nothing_is_let_go_and_told_of_once_a_connection() -> None:
    with structlog.testing.capture_logs() as logged:
        assert await heard(b"SSH-2.0-OpenSSH_9.9\r\n", "127.0.0.1", 0) == []
    assert [(line["event"], line["address"]) for line in logged] == [
        ("no_proxy_header", "127.0.0.1")
    ]


async def test_a_load_balancer_that_is_silent_is_let_go_and_told_of(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """At most once a second, with how many there were besides."""
    monkeypatch.setattr(sockets, "_HEADER_SECONDS", 0.0)
    with closing(Listening(listen("127.0.0.1", 0), LOOPBACK)) as listening:
        throttle = listening._no_header
        with structlog.testing.capture_logs() as logged:
            for throttle.seconds in (1.0, 3600.0, 3600.0, 0.0):
                assert await heard(b"", "", 0, listening) == []
    assert [(line["event"], line["reason"], line["also"]) for line in logged] == [
        ("no_proxy_header", "none within 0 s", also) for also in (0, 2)
    ]


async def test_an_address_is_one_harmless_word() -> None:
    found: asyncio.Queue[str | bytes] = asyncio.Queue()
    listening = Listening(listen("127.0.0.1", 0))
    here, there = socket.socketpair()
    here.setblocking(False)
    await listening._connect(here, "fe80::1%\x1b[2Jeth0", lambda address: Heard(found, address))
    assert await found.get() == "fe80::1%[2Jeth0"
    there.close()
    listening.close()
