"""Callers who mean no good, or whose machine has gone: they cost little, and nobody else notices."""

import asyncio
import random
import socket
from collections.abc import AsyncIterator

import msgspec
import pytest
from structlog.testing import capture_logs

from server.transport.access.limiter import Reason
from server.transport.telnet import connection
from server.transport.telnet import protocol as t
from tests.support.connections import GENEROUS, real_frontend, until
from tests.support.patience import PATIENCE
from tests.support.telnet_caller import OpenTelnet, open_telnet


@pytest.fixture(autouse=True)
def quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "QUIET", 0.05)


@pytest.fixture
async def telnet() -> AsyncIterator[OpenTelnet]:
    async with open_telnet() as one:
        yield one


FLOODS = {
    "commands": (t.IAC + t.DO + b"\x7e") * 100_000,
    "windows": (t.IAC + t.SB + t.NAWS + b"\0\x50\0\x18" + t.IAC + t.SE) * 50_000,
    "an endless subnegotiation": t.IAC + t.SB + t.TTYPE + b"x" * 500_000,
    "an endless line": b"x" * 500_000,
    "lines": b"x\r\n" * 200_000,
    "rubbish": random.Random(7).randbytes(500_000).replace(b"q", b"p"),
    "timing marks": (t.IAC + t.DO + t.TM) * 100_000,
    "are you there": (t.IAC + t.AYT) * 100_000,
}


@pytest.mark.slow
@pytest.mark.parametrize("flood", FLOODS.values(), ids=FLOODS)
async def test_a_flood_waits_outside_and_then_in_vain(flood: bytes) -> None:
    limits = msgspec.structs.replace(
        GENEROUS, stuck_seconds=1.0, wire_bytes=1024, wire_bytes_per_second=128
    )
    async with open_telnet(limits) as telnet, telnet.call(silent=True) as eve:
        eve.line("eve")
        await telnet.opened.frontend()
        eve.send(flood)
        guard = telnet.opened.server.limiter
        await until(lambda: guard.counts[Reason.WIRE])
        # Others come in and are heard meanwhile.
        async with telnet.comes("ada") as (ada, frontend):
            ada.line("hello")
            await frontend.until(lambda one: "hello" in one.typed)
        # Of the flood, no more has come in than may.
        assert len(telnet.opened.frontends[0].typed) < 16 * limits.wire_bytes
        assert eve.received < 64 * limits.wire_bytes
        await eve.end()
        assert guard.counts[Reason.FLOOD] == 1


async def test_a_flood_is_told_why_it_ends_on_a_screen_put_in_order() -> None:
    limits = msgspec.structs.replace(GENEROUS, stuck_seconds=0.5)
    async with open_telnet(limits, real_frontend) as telnet, telnet.terminal() as eve:
        await eve.reads("Your name")
        eve.line("eve+de")
        await until(lambda: any(one.frontend for one in telnet.opened.server.sessions))
        eve.send(b"x" * 200_000)
        await eve.end()
        assert "Du hast mehr gesendet" in eve.text.rpartition("\x1b[?1049l")[2]
        assert telnet.opened.server.limiter.counts[Reason.FLOOD] == 1


async def test_a_flood_before_there_is_a_name_waits_as_well() -> None:
    limits = msgspec.structs.replace(GENEROUS, login_seconds=2.0)
    async with open_telnet(limits) as telnet, telnet.call(silent=True) as eve:
        eve.send(FLOODS["rubbish"].replace(b"\n", b"").replace(b"\r", b""))
        await until(lambda: telnet.opened.server.limiter.counts[Reason.WIRE])
        await eve.end()
        await telnet.empty()


@pytest.mark.slow
async def test_who_says_nothing_is_shown_out() -> None:
    limits = msgspec.structs.replace(GENEROUS, login_seconds=0.3)
    async with open_telnet(limits) as telnet, telnet.call(silent=True) as eve:
        with capture_logs() as logged:
            await eve.end()
        await telnet.empty()
        assert eve.text.endswith("You have not given a name: connect again when you are ready.\r\n")
        assert telnet.opened.server.limiter.counts[Reason.LOGIN] == 1
        # That is no reason to worry.
        assert [entry["log_level"] for entry in logged if entry["event"] == "limit"] == ["info"]


@pytest.mark.slow
async def test_one_address_cannot_fill_the_porch() -> None:
    limits = msgspec.structs.replace(GENEROUS, waiting_per_address=3)
    async with open_telnet(limits) as telnet:
        async with telnet.call(silent=True) as one, telnet.call() as two, telnet.call() as three:
            for caller in (one, two, three):
                await caller.reads("Your name")
            # Who has come in takes no place there.
            two.line("ada")
            await telnet.opened.frontend()
            async with telnet.call() as four, telnet.call() as five:
                for caller in (four, five):
                    await caller.reads("Your name")
                await one.end()
                assert "Please try again in a minute." in one.text
                three.line("bo")
                await telnet.opened.frontend(1)
        assert telnet.opened.server.limiter.counts == {Reason.WAITING_HERE: 1}
        await telnet.empty()


async def test_a_full_house_says_so() -> None:
    limits = msgspec.structs.replace(GENEROUS, sessions=1)
    async with open_telnet(limits) as telnet, telnet.call(silent=True) as ada:
        ada.line("ada")
        await telnet.opened.frontend()
        async with telnet.call(silent=True) as bo:
            bo.line("bo+de")
            await bo.end()
            assert "Dieser Server ist voll" in bo.text


async def test_who_connects_too_often_is_told_so_in_all_languages() -> None:
    limits = msgspec.structs.replace(GENEROUS, attempts=1)
    async with open_telnet(limits) as telnet, telnet.call(), telnet.call() as bo:
        await bo.end()
        assert len(bo.text.splitlines()) == 3
        assert "connect too often" in bo.text


async def test_a_shutdown_is_told_to_who_has_not_come_in(telnet: OpenTelnet) -> None:
    async with telnet.call(silent=True) as ada:
        await ada.reads("Your name")
        await asyncio.gather(telnet.line.close(PATIENCE), ada.end())
        assert "The server is shutting down." in ada.text


async def test_who_reads_late_is_drawn_for_again(telnet: OpenTelnet) -> None:
    async with telnet.comes("ada") as (ada, frontend):
        ada.listens(False)
        written = 0
        while frontend.terminal.writable:
            frontend.terminal.write("y" * 4_096)
            written += 4_096
        assert frontend.drains == 0
        ada.listens(True)
        await frontend.until(lambda one: one.drains)
        await ada.until(lambda one: one.text.count("y") >= written)


async def test_who_does_not_read_the_good_bye_does_not_stay() -> None:
    limits = msgspec.structs.replace(GENEROUS, stuck_seconds=0.4)
    async with open_telnet(limits) as telnet, telnet.comes("eve") as (eve, frontend):
        eve.listens(False)
        while frontend.terminal.writable:
            frontend.terminal.write("y" * 4_096)
        eve.send(b"q")
        await until(lambda: not telnet.line.context.connections)
    await telnet.empty()


@pytest.mark.parametrize(
    "line",
    [
        *("GET / HTTP/1.1", "DELETE /x HTTP/1.1", "PRI * HTTP/2.0", "OPTIONS / RTSP/1.0"),
        *("OPTIONS sip:nm SIP/2.0", "SSH-2.0-OpenSSH_9.2", "\x16\x03\x01\x02"),
        *("EHLO x.example", "NICK al", "PASS hunter2", "USER al 0 * :al"),
    ],
)
async def test_lost_programs_are_shown_out(telnet: OpenTelnet, line: str) -> None:
    async with telnet.call(silent=True) as lost:
        lost.line(line)
        await lost.end()
    await telnet.empty()
    assert not telnet.opened.frontends


@pytest.mark.slow
async def test_a_thousand_dropped_lines_leave_nothing(telnet: OpenTelnet) -> None:
    tasks = len(asyncio.all_tasks())

    async def drop(number: int) -> None:
        _, writer = await asyncio.open_connection("127.0.0.1", telnet.line.listening.port)
        if number % 2:
            writer.write(b"\xff\xfb\x18ada\r\n")
            await writer.drain()
        writer.transport.abort()

    for start in range(0, 1_000, 50):
        await asyncio.gather(*(drop(number) for number in range(start, start + 50)))
    await telnet.empty()
    await until(lambda: not telnet.line.context.connections)
    await until(lambda: len(asyncio.all_tasks()) <= tasks)
    async with telnet.call(silent=True) as ada:
        await ada.reads("Your name")


async def test_the_system_is_asked_to_notice_who_has_gone_without_a_word(
    telnet: OpenTelnet,
) -> None:
    """Half-open: telnet itself has nothing to ask with that every client answers."""
    async with telnet.call(silent=True) as ada:
        ada.line("ada")
        await telnet.opened.frontend()
        (connection,) = telnet.line.context.connections
        assert connection._line is not None
        line = connection._line.transport
        watched = line.get_extra_info("socket")
        assert watched.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
        if hasattr(socket, "TCP_KEEPIDLE"):
            assert watched.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE) <= 60
