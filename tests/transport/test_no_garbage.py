"""Connections that come to nothing leave nothing that only a look for garbage would find: in a flood of them
there would be a gigabyte within a minute, and the look would stop everybody for seconds.
"""

import asyncio
import gc
import socket
import struct
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from functools import partial

import msgspec
import pytest

from server.transport.net.sockets import Listening, listen
from server.transport.telnet.server import TelnetServer
from tests.support.connections import Open, open_server, until

pytestmark = pytest.mark.slow

CONNECTIONS = 10
_AT_ONCE = struct.pack("ii", 1, 0)
"""Closing is a reset."""


@pytest.fixture
async def opened() -> AsyncIterator[Open]:
    async with open_server() as opened:
        yield opened


@pytest.fixture
def nobody_looks() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def kinds() -> Counter[str]:
    """How many objects of the server's, asyncssh's and asyncio's classes there are."""
    ours = ("server.transport", "asyncssh", "asyncio.selector_events")
    return Counter(
        type(one).__qualname__
        for one in gc.get_objects()
        if str(type(one).__module__).startswith(ours)
    )


def there(opened: Open) -> int:
    """How many connections there are."""
    return opened.server.limiter.waiting + opened.server.limiter.inside


async def comes_and_goes(opened: Open, port: int, says: bytes, *, at_once: bool = True) -> None:
    loop = asyncio.get_running_loop()
    with socket.socket() as line:
        line.setblocking(False)
        await loop.sock_connect(line, ("127.0.0.1", port))
        await until(lambda: there(opened))
        if says:
            await loop.sock_recv(line, 1000)
            await loop.sock_sendall(line, says)
            await loop.sock_recv(line, 1000)
        if at_once:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _AT_ONCE)
    await until(lambda: not there(opened))


async def leaves_nothing(comes: Callable[[], Awaitable[None]]) -> None:
    """Have many come and go, one after the other."""
    await comes()  # what is made once and kept
    before = kinds()
    for _ in range(CONNECTIONS):
        await comes()
    await until(lambda: not kinds() - before)


@pytest.mark.parametrize("at_once", [True, False], ids=["reset", "closed"])
@pytest.mark.parametrize("says", [b"", b"GET / HTTP/1.1\r\n\r\n", b"SSH-2.0-x\r\n"], ids=len)
@pytest.mark.usefixtures("nobody_looks")
async def test_of_ssh_connections_that_come_to_nothing_nothing_is_left(
    opened: Open, says: bytes, at_once: bool
) -> None:
    port = opened.line.listening.port
    await leaves_nothing(partial(comes_and_goes, opened, port, says, at_once=at_once))


@pytest.mark.usefixtures("nobody_looks")
async def test_of_ssh_connections_that_say_nothing_for_too_long_nothing_is_left(
    opened: Open,
) -> None:
    server, loop = opened.server, asyncio.get_running_loop()
    limits = msgspec.structs.replace(server.settings.limits, login_seconds=0.05)
    server.adjust(msgspec.structs.replace(server.settings, limits=limits))

    async def waits() -> None:
        with socket.socket() as line:
            line.setblocking(False)
            await loop.sock_connect(line, ("127.0.0.1", opened.line.listening.port))
            await until(lambda: there(opened))
            await until(lambda: not there(opened))

    await leaves_nothing(waits)


@pytest.mark.parametrize("says", [b"", b"\xff\xfb\x18"], ids=len)
@pytest.mark.usefixtures("nobody_looks")
async def test_of_telnet_connections_that_come_to_nothing_nothing_is_left(
    opened: Open, says: bytes
) -> None:
    telnet = TelnetServer(opened.server, Listening(listen("localhost", 0)))
    telnet.open()
    try:
        await leaves_nothing(partial(comes_and_goes, opened, telnet.listening.port, says))
    finally:
        await telnet.close()


@pytest.mark.usefixtures("nobody_looks")
async def test_of_connections_that_are_turned_away_nothing_is_left(opened: Open) -> None:
    guard, loop = opened.server.limiter, asyncio.get_running_loop()
    guard.adjust(msgspec.structs.replace(guard.limits, attempts=1, attempts_seconds=86_400))
    assert guard.attempts_again("127.0.0.1")

    async def knocks() -> None:
        with socket.socket() as line:
            line.setblocking(False)
            await loop.sock_connect(line, ("127.0.0.1", opened.line.listening.port))
            while await loop.sock_recv(line, 1000):
                pass

    await leaves_nothing(knocks)
