"""Telnet within TLS, which has a port of its own."""

import asyncio
import os
import ssl
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path

import msgspec
import pytest
from structlog.testing import capture_logs

from server.transport.access.limiter import Reason
from server.transport.telnet import connection, gmcp
from server.transport.telnet.server import CertificateProblem, load_certificate
from tests.support.certificates import made
from tests.support.connections import GENEROUS, until
from tests.support.patience import PATIENCE
from tests.support.telnet_caller import OpenTelnet, open_telnet


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    certificate, key, _ = made()
    (tmp_path / "cert.pem").write_bytes(certificate)
    (tmp_path / "key.pem").write_bytes(key)
    return tmp_path / "cert.pem", tmp_path / "key.pem"


@pytest.fixture
async def telnet(files: tuple[Path, Path]) -> AsyncIterator[OpenTelnet]:
    async with open_telnet(tls=load_certificate(*files)) as one:
        yield one


@pytest.fixture
def trusting(files: tuple[Path, Path]) -> ssl.SSLContext:
    context = ssl.create_default_context(cafile=files[0])
    context.check_hostname = False  # we connect to an address
    return context


async def test_both_kinds_come_in_each_by_its_own_port(
    telnet: OpenTelnet, trusting: ssl.SSLContext
) -> None:
    async with telnet.terminal(tls=trusting) as ada, telnet.terminal() as bo:
        await ada.reads("Your name")
        assert "not encrypted" not in ada.text
        ada.line("ada")
        await ada.reads("ada 80x24")
        await bo.reads("not encrypted", "Your name")
        bo.line("bo")
        await bo.reads("bo 80x24")
        for number, caller in ((0, ada), (1, bo)):
            frontend = await telnet.opened.frontend(number)
            frontend.terminal.write("x" * 100_000)
            await caller.until(lambda one: one.text.count("x") >= 100_000)
            caller.send(b"q")
            await caller.end()
            assert caller.text.endswith("bye\r\n")
    await telnet.empty()
    await until(lambda: not telnet.line.context.connections)


@pytest.mark.slow
async def test_a_plain_client_that_speaks_first_does_not_have_to_wait(
    telnet: OpenTelnet, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "TLS_WAIT", 2 * PATIENCE)
    async with telnet.call(silent=True) as nc:
        nc.line("ada")
        await nc.reads("ada 80x24")


async def test_tls_on_the_plain_port_gets_an_alert_and_the_log_names_the_other(
    telnet: OpenTelnet, trusting: ssl.SSLContext
) -> None:
    with capture_logs() as logged, pytest.raises(ssl.SSLError, match="ACCESS_DENIED"):
        await asyncio.open_connection("127.0.0.1", telnet.line.listening.port, ssl=trusting)
    (said,) = [entry for entry in logged if entry["event"] == "limit"]
    assert said["limit"] == "telnet_tls_port"
    assert said["telnet_tls_port"] == telnet.line.context.tls_port != telnet.line.listening.port
    await telnet.empty()


def _mssp(telnet: OpenTelnet) -> dict[str, str | list[str]]:
    here = telnet.line.context
    return gmcp.variables(here.server, here.port, here.tls_port, here.opened)


async def test_mssp_names_the_port(telnet: OpenTelnet) -> None:
    assert _mssp(telnet)["SSL"] == str(telnet.line.context.tls_port)
    assert _mssp(telnet)["PORT"] == str(telnet.line.listening.port)


async def test_who_does_not_read_is_let_go_there_too(
    telnet: OpenTelnet, trusting: ssl.SSLContext
) -> None:
    async with telnet.comes("eve", telnet.terminal(tls=trusting)) as (eve, frontend):
        eve.listens(False)
        async with asyncio.timeout(PATIENCE):
            while not frontend.ended.is_set():
                frontend.terminal.write("y" * 8_192)
                await asyncio.sleep(0)
    await telnet.empty()


@pytest.mark.slow
async def test_what_comes_encrypted_is_rationed_before_it_is_taken_apart(
    files: tuple[Path, Path], trusting: ssl.SSLContext
) -> None:
    """New keys, of which no text comes, count like everything else; nothing is lost."""
    limits = msgspec.structs.replace(GENEROUS, wire_bytes=4096, wire_bytes_per_second=100_000)
    async with open_telnet(limits, tls=load_certificate(*files)) as telnet:
        async with telnet.terminal(tls=trusting) as eve:
            await eve.reads("Your name")
            eve.send(b"\xff\xf1" * 50_000)
            refusals = telnet.opened.server.limiter.counts
            await until(lambda: refusals[Reason.WIRE] > 0)
            eve.line("eve")
            await eve.reads("eve 80x24")
        await telnet.empty()


async def test_what_no_text_ever_comes_of_counts_as_well(
    files: tuple[Path, Path], trusting: ssl.SSLContext
) -> None:
    """Half a record of TLS, as a key update is less than one: nothing behind the encryption sees it."""
    limits = msgspec.structs.replace(GENEROUS, wire_bytes=4096, wire_bytes_per_second=10_000)
    async with open_telnet(limits, tls=load_certificate(*files)) as telnet:
        async with telnet.terminal(tls=trusting) as eve:
            await eve.reads("Your name")
            raw = eve.writer.get_extra_info("socket")
            os.write(raw.fileno(), b"\x17\x03\x03\x40\x00" + bytes(12_000))
            await until(lambda: telnet.opened.server.limiter.counts[Reason.WIRE])
            eve.writer.transport.abort()
        await telnet.empty()


@pytest.mark.parametrize("said", [b"\x16", b"\x16\x03\x01\x00\xffrubbish" * 30])
async def test_a_handshake_that_leads_nowhere_ends(files: tuple[Path, Path], said: bytes) -> None:
    limits = msgspec.structs.replace(GENEROUS, login_seconds=0.3)
    async with open_telnet(limits, tls=load_certificate(*files)) as telnet:
        reader, writer = await asyncio.open_connection("127.0.0.1", telnet.line.context.tls_port)
        writer.write(said)
        async with asyncio.timeout(PATIENCE):
            await reader.read()
        writer.close()
        await telnet.empty()
        assert not telnet.line.context.connections


async def test_who_leaves_before_saying_anything_leaves_nothing(telnet: OpenTelnet) -> None:
    for _ in range(20):
        _, writer = await asyncio.open_connection("127.0.0.1", telnet.line.context.tls_port)
        writer.transport.abort()
    for _ in range(20):
        _, writer = await asyncio.open_connection("127.0.0.1", telnet.line.context.tls_port)
        writer.close()
    await telnet.empty()
    await until(lambda: not telnet.line.context.connections)


async def test_closing_does_not_wait_for_handshakes(telnet: OpenTelnet) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", telnet.line.context.tls_port)
    await until(lambda: telnet.line.context.connections)
    async with asyncio.timeout(PATIENCE):
        await telnet.line.close()
        with suppress(ConnectionError):
            await reader.read()
    writer.close()


async def test_without_a_certificate_tls_is_shown_out(trusting: ssl.SSLContext) -> None:
    async with open_telnet() as telnet:
        assert telnet.line.context.tls_port == 0
        assert _mssp(telnet)["SSL"] == "0"
        with pytest.raises((OSError, ssl.SSLError)):
            await asyncio.open_connection("127.0.0.1", telnet.line.listening.port, ssl=trusting)
        await telnet.empty()


def test_a_certificate_that_cannot_be_used_is_said_in_one_line(
    tmp_path: Path, files: tuple[Path, Path]
) -> None:
    certificate, key = files
    assert load_certificate(None, None) is None
    both = tmp_path / "both.pem"
    both.write_bytes(certificate.read_bytes() + key.read_bytes())
    assert load_certificate(both, None) is not None
    locked = tmp_path / "locked.pem"
    locked.write_bytes(made()[2])
    rubbish = tmp_path / "rubbish.pem"
    rubbish.write_text("rubbish")
    bad = {
        "No such file": (tmp_path / "none.pem", key),
        "no certificate and key": (rubbish, key),
        "encrypted": (certificate, locked),
        "without a certificate": (None, key),
        "PEM|key": (certificate, None),
    }
    for reason, (one, other) in bad.items():
        with pytest.raises(CertificateProblem, match=reason) as problem:
            load_certificate(one, other)
        assert "\n" not in str(problem.value)
        assert ".pem" in str(problem.value)


async def test_a_renewed_certificate_counts_for_new_connections(
    telnet: OpenTelnet, trusting: ssl.SSLContext, files: tuple[Path, Path]
) -> None:
    made.cache_clear()
    certificate, key, _ = made()
    files[0].write_bytes(certificate)
    files[1].write_bytes(key)
    async with telnet.terminal(tls=trusting) as before:
        telnet.line.use(load_certificate(*files))
        with pytest.raises(ssl.SSLCertVerificationError):
            async with telnet.terminal(tls=trusting):
                pass
        renewed = ssl.create_default_context(cafile=files[0])
        renewed.check_hostname = False
        async with telnet.terminal(tls=renewed) as after:
            await after.reads("Your name")
        before.line("ada")
        await before.reads("ada 80x24")
