"""What we use of asyncio's private parts is there, and does what we think."""

import asyncio
import gc
import ssl
import weakref
from asyncio import sslproto
from pathlib import Path

from typing_extensions import override

from server.transport.net.asyncio_hooks import let_go, put_before_tls, take_apart
from tests.support.certificates import made


class Line(asyncio.Protocol):
    """One end of a connection; what it has heard."""

    def __init__(self) -> None:
        self.line: asyncio.Transport
        self.heard = b""
        self.came, self.gone = asyncio.Event(), asyncio.Event()

    @override
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.line = transport
        self.came.set()

    @override
    def data_received(self, data: bytes) -> None:
        self.heard += data

    @override
    def connection_lost(self, exc: Exception | None) -> None:
        self.gone.set()


async def test_a_line_that_is_let_go_needs_no_garbage_collector() -> None:
    loop = asyncio.get_running_loop()
    here = Line()
    server = await loop.create_server(lambda: here, "127.0.0.1", 0)
    gc.disable()
    try:
        async with server:
            _, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
            await here.came.wait()
            line = here.line
            assert {"_read_ready_cb", "_write_ready"} & vars(line).keys()
            writer.close()
            await here.gone.wait()
            await asyncio.sleep(0)  # asyncio is done with it
            let_go(line)
            seen = weakref.ref(line)
            del here.line, line
            assert seen() is None
    finally:
        gc.enable()


async def test_what_comes_goes_through_our_hands_before_tls(tmp_path: Path) -> None:
    certificate, key, _ = made()
    both = tmp_path / "both.pem"
    both.write_bytes(certificate + key)
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(both)
    loop = asyncio.get_running_loop()
    here, within = Line(), Line()
    server = await loop.create_server(lambda: here, "127.0.0.1", 0)
    async with server:
        place = server.sockets[0].getsockname()
        trusting = ssl.create_default_context(cadata=certificate.decode())
        client = asyncio.create_task(
            asyncio.open_connection(*place, ssl=trusting, server_hostname="localhost")
        )
        await here.came.wait()
        here.line.pause_reading()
        encrypted = await loop.start_tls(here.line, within, tls, server_side=True)
        assert encrypted is not None
        assert isinstance(here.line.get_protocol(), sslproto.SSLProtocol)
        inner = put_before_tls(here.line, here)
        reader, writer = await client
        writer.write(b"hello")
        while b"hello" not in within.heard:
            await asyncio.sleep(0)
            data, here.heard = here.heard, b""
            take_apart(here.line, inner, data)
        encrypted.write(b"hello back")
        assert await reader.readexactly(10) == b"hello back"
        writer.transport.abort()  # who closes waits half a minute for an answer, and nobody gives one
        await here.gone.wait()
        inner.connection_lost(None)
