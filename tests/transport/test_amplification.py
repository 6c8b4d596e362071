"""What a connection makes the server write, in bytes: a hundred for each that it sent, and 64 KB besides.

``floods`` measures the same, and more, for ten seconds each.
"""

from collections.abc import AsyncIterator
from functools import partial
from typing import Final

import pytest

from server.coordinator.time_source import SystemClock
from server.terminal.output_budget import Budget
from server.transport.session.frontends import frontend_for
from server.transport.telnet import codes as t
from tests.support.connections import AT_ONCE, until
from tests.support.pilot import FakeTimers
from tests.support.telnet_caller import OpenTelnet, open_telnet
from tests.transport.floods import ALLOWANCE, FOR_EACH, Count, fill, over_ssh

_TABLES: Final = 120


@pytest.fixture
def timers(monkeypatch: pytest.MonkeyPatch) -> FakeTimers:
    """The time of every connection's budget: it stands still until a test moves it."""
    made = FakeTimers()
    for module in ("ssh.connection", "telnet.connection"):
        monkeypatch.setattr(f"server.transport.{module}.Budget", lambda _loop: Budget(made))
    return made


@pytest.fixture
async def telnet(timers: FakeTimers) -> AsyncIterator[OpenTelnet]:
    async with open_telnet(
        make_frontend=partial(frontend_for, SystemClock()), timing=AT_ONCE
    ) as one:
        await fill(one.opened, _TABLES)
        yield one


def _answered(count: Count, timers: FakeTimers, before: int) -> bool:
    return count.received > before or timers.pending > 0


@pytest.mark.parametrize(
    ("name", "command", "size", "piece"),
    [
        ("ada", "api", None, b'{"do": "look"}\n'),
        ("ada", "api", None, b'{"do": "play"}\n{"do": "leave"}\n'),
        ("ada+plain", None, (80, 24), b"help\n"),
        ("ada", None, (250, 70), b"?\x0c"),
    ],
)
async def test_a_flood_is_answered_bit_by_bit_and_whole(
    telnet: OpenTelnet,
    timers: FakeTimers,
    name: str,
    command: str | None,
    size: tuple[int, int] | None,
    piece: bytes,
) -> None:
    async with over_ssh(telnet.opened, name, command, size) as (channel, count):
        await until(lambda: count.received)
        sent = 0
        # The screen paints again four times a second at most, by the loop's own time.
        while not timers.pending and sent < 900:
            channel.write(piece)
            sent += len(piece)
            await until(partial(_answered, count, timers, count.received))
        await until(lambda: timers.pending)
        (session,) = telnet.opened.server.sessions
        await until(lambda: count.received >= session.terminal.facts.sent)
        assert count.received <= ALLOWANCE + FOR_EACH * sent
        held = count.received
        timers.advance(60.0)
        await until(lambda: count.received > held)


async def test_floods_at_once_are_held_back_and_nothing_of_them_is_lost(
    telnet: OpenTelnet, timers: FakeTimers
) -> None:
    async with over_ssh(telnet.opened, "ada", "api", None) as (channel, count):
        piece = b'{"do": "look"}\n' * 50
        channel.write(piece)
        await until(lambda: timers.pending)
        (session,) = telnet.opened.server.sessions
        await until(lambda: count.received >= session.terminal.facts.sent)
        assert count.received <= ALLOWANCE + FOR_EACH * len(piece)
        assert count.answers < 50
        while count.answers < 50:
            before = count.received
            timers.advance(10.0)
            await until(partial(_answered, count, FakeTimers(), before))


async def test_are_you_there_has_a_short_answer(telnet: OpenTelnet) -> None:
    async with telnet.terminal(size=(200, 60)) as ada:
        await ada.reads("Your name")
        ada.line("ada")
        await ada.sees("ada")
        before = ada.received
        ada.send((t.IAC + t.AYT) * 400)
        await ada.reads("This is Turn the Tide")
        # What comes after them has been answered, so they have been read.
        ada.send(t.IAC + t.DO + t.TM)
        await ada.until(lambda one: t.WILL + t.TM in one.commands)
        assert ada.received - before < 20_000
        assert ada.text.count("This is Turn the Tide") <= 2


async def test_directories_are_told_once(telnet: OpenTelnet) -> None:
    async with telnet.call(silent=True) as crawler:
        crawler.send((t.IAC + t.DO + t.MSSP + t.IAC + t.DONT + t.MSSP) * 50)
        crawler.send(t.IAC + t.DO + t.TM)
        await crawler.until(lambda one: t.WILL + t.TM in one.commands)
        assert sum(sub[:1] == t.MSSP for sub in crawler.subs) == 1
