"""What we override of nats-py's private parts is there, and keeps what a server must not hear."""

import asyncio
import inspect
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

pytest.importorskip("nats", reason="without nats-py (make install-cluster)")

from nats.aio.client import Client
from nats.aio.transport import TcpTransport

from server.bus.nats_bus import CannotConnect, connect
from server.bus.nats_hooks import GuardedClient
from tests.support.certificates import made
from tests.support.nats import NatsServer, nats_server
from tests.support.patience import PATIENCE


class Impostor:
    """Speaks NATS in plain text on a port of its own, and notes what it is sent."""

    def __init__(self, **info: object) -> None:
        self.heard = b""
        self.left = asyncio.Event()
        """Somebody has come and gone."""
        self.greeted: asyncio.Queue[asyncio.StreamWriter] = asyncio.Queue()
        """Ways to those who have come."""
        self._info = {"server_id": "x", "version": "2.10.0", "max_payload": 1 << 20, **info}

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"INFO " + json.dumps(self._info).encode() + b"\r\n")
        while data := await reader.read(4096):
            self.heard += data
            if b"PING" in data:
                writer.write(b"PONG\r\n")
            if b"CONNECT" in data:
                self.greeted.put_nowait(writer)
        self.left.set()
        writer.close()

    @asynccontextmanager
    async def at(self, port: int = 0) -> AsyncIterator[int]:
        server = await asyncio.start_server(self.serve, "127.0.0.1", port)
        async with server:
            yield server.sockets[0].getsockname()[1]


def test_the_hooks_are_where_we_think() -> None:
    for name in ("_connect_command", "_process_info", "_process_err"):
        assert name in vars(GuardedClient)
        assert name in vars(Client)
    connecting = inspect.getsource(Client._process_connect_init)
    # Nothing is written before it.
    before, _, _ = connecting.partition("self._connect_command()")
    assert "write(" not in before
    assert {"_server_info", "_transport"} <= set(vars(Client()))
    assert "self._io_writer" in inspect.getsource(TcpTransport.__init__)


def certificate(folder: Path) -> tuple[Path, Path]:
    """For ``localhost``, and its key."""
    found = folder / "cert.pem", folder / "key.pem"
    for path, content in zip(found, made(), strict=False):
        path.write_bytes(content)
    return found


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.bus.nats_bus._CONNECT_SECONDS", 0.3)


@pytest.mark.usefixtures("impatient")
async def test_an_impostor_in_plain_text_is_told_nothing() -> None:
    impostor = Impostor(auth_required=True)
    async with impostor.at() as port:
        with pytest.raises(CannotConnect, match="offers no TLS") as refused:
            await connect(f"tls://tide:s3cret@127.0.0.1:{port}", "a", "house")
    assert "s3cret" not in str(refused.value)
    assert impostor.left.is_set()
    assert impostor.heard == b""


@pytest.mark.usefixtures("impatient")
async def test_a_server_that_lets_in_everybody_is_refused() -> None:
    impostor = Impostor()
    async with impostor.at() as port:
        with pytest.raises(CannotConnect, match="lets in everybody"):
            await connect(f"nats://tide:s3cret@127.0.0.1:{port}", "a", "house")
    assert impostor.heard == b""


async def test_encrypted_with_the_authority_that_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cert, key = certificate(tmp_path)
    tls = ("--tls", "--tlscert", str(cert), "--tlskey", str(key))
    with nats_server("--user", "tide", "--pass", "s3cret", *tls) as url:
        place = url.replace("nats://127.0.0.1", "tls://tide:s3cret@localhost")
        bus = await connect(place, "a", "house", cert)
        assert bus.connected
        await bus.close()
        monkeypatch.setattr("server.bus.nats_bus._CONNECT_SECONDS", 0.5)
        with pytest.raises(CannotConnect, match="certificate"):
            await connect(place, "a", "house")
        with pytest.raises(CannotConnect, match=r"bus_ca: .* no certificate in it"):
            await connect(place, "a", "house", key)


# Of the stream that nats-py drops when its server dies, asyncio says that nobody has closed it.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
async def test_an_impostor_that_takes_its_place_later_is_told_nothing(tmp_path: Path) -> None:
    cert, key = certificate(tmp_path)
    tls = ("--tls", "--tlscert", str(cert), "--tlskey", str(key))
    with nats_server("--user", "x", "--pass", "x"):  # skips where there is none
        server = NatsServer("--user", "tide", "--pass", "s3cret", *tls)
    try:
        place = f"tls://tide:s3cret@localhost:{server.port}"
        bus = await connect(place, "a", "house", cert)
        server.kill()
        impostor = Impostor(auth_required=True)
        async with impostor.at(server.port):
            bus.send("", "topic", b"a hand")
            await asyncio.wait_for(impostor.left.wait(), PATIENCE)
            await bus.close()
        assert impostor.heard == b""
    finally:
        server.kill()


async def test_only_servers_that_were_named_are_connected_to() -> None:
    impostor = Impostor(auth_required=True, connect_urls=["192.0.2.1:4222", "192.0.2.2:4222"])
    async with impostor.at() as port:
        client = GuardedClient(encrypted=False)
        await client.connect(f"nats://tide:s3cret@127.0.0.1:{port}")
        assert client.discovered_servers == []
        await client.close()


@pytest.mark.parametrize("objection", ["Authorization Violation", "Maximum Connections Exceeded"])
async def test_whoever_is_sent_away_comes_back(objection: str) -> None:
    impostor = Impostor(auth_required=True)
    async with impostor.at() as port:
        bus = await connect(f"nats://tide:s3cret@127.0.0.1:{port}", "a", "house")
        there = await impostor.greeted.get()
        there.write(f"-ERR '{objection}'\r\n".encode())
        there.close()
        await asyncio.wait_for(impostor.greeted.get(), PATIENCE)
        await bus.close()
