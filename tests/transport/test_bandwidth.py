"""When a line counts as a thin one."""

import asyncio

import pytest

from server.transport.net import bandwidth
from server.transport.net.bandwidth import (
    AGAIN_SECONDS,
    LEAST,
    BandwidthMeter,
)
from server.transport.telnet import protocol as t
from tests.support.clients import seated
from tests.support.connections import open_server
from tests.support.telnet_caller import open_telnet


class Line:
    """That takes so many bytes a second, and whose far end answers after ``away`` seconds."""

    def __init__(self, rate: float, away: float = 0.0, *, fast: bool = False) -> None:
        self.rate = rate
        self.away = away
        self.now = 0.0
        self.asked = 0
        self.slow = 0
        self.speed = BandwidthMeter(lambda: self.now, self._ask, self._slow)
        if fast:
            self.speed.rest()

    def _ask(self) -> bool:
        self.asked += 1
        return True

    def _slow(self) -> None:
        self.slow += 1

    def send(self, size: int, *, stutter: float = 0.0, more: int = 0) -> None:
        """Send a text, and wait until all of it has arrived, and what is asked for has come back.
        ``stutter``: for so long the line stands still behind the first half; ``more`` bytes are sent while
        the line is measured.
        """
        if not self.speed.wants(size):
            self.speed.wrote(size)
            self.now += size / self.rate + self.away
            return
        half, asked = size // 2, self.asked
        through = [self.now + half / self.rate, self.now + size / self.rate + stutter]
        self.speed.begin(half, size - half)
        while self.asked > asked:
            asked = self.asked
            if len(through) == 1 and more:
                self.speed.wrote(more)
                through.append(through[0] + more / self.rate)
                more = 0
            arrived = through.pop(0) if through else self.now
            self.now = max(arrived, self.now) + self.away
            self.speed.sign()


TITLE = 1_400
"""Bytes of the first screen."""


@pytest.mark.parametrize(
    ("baud", "slow"), [(1_200, 1), (2_400, 1), (9_600, 0), (28_800, 0), (115_200, 0)]
)
def test_lines_of_old_are_found_out_by_the_first_screen(baud: int, slow: int) -> None:
    line = Line(baud / 10, 0.2)
    line.send(TITLE)
    assert line.slow == slow


def test_a_slow_line_that_is_also_far_away_is_slow() -> None:
    line = Line(120, away=2.0)
    line.send(TITLE)
    assert line.slow


@pytest.mark.parametrize("away", [0.6, 1.2, 2.0, 5.0, 20.0])
def test_far_away_is_not_slow(away: float) -> None:
    line = Line(1_000_000, away=away)
    for _ in range(20):
        line.send(3_000)
        line.now += AGAIN_SECONDS
    assert not line.slow


def test_it_is_told_once_and_then_not_measured_any_more() -> None:
    line = Line(120)
    for _ in range(10):
        line.send(3_000)
    assert line.slow == 1
    assert line.asked == 3


@pytest.fixture
def everything_is_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(BandwidthMeter, "_is_fast", lambda *_: False)
    monkeypatch.setattr(bandwidth, "PROOF_SECONDS", float("-inf"))


@pytest.mark.usefixtures("everything_is_slow")
async def test_over_telnet_a_timing_mark_is_the_sign(monkeypatch: pytest.MonkeyPatch) -> None:
    big = 2_000  # and the greeting is not
    monkeypatch.setattr(bandwidth, "LEAST", big)
    async with open_telnet() as telnet, telnet.comes("ada", telnet.terminal()) as (ada, frontend):
        frontend.terminal.write("x" * big)
        await frontend.until(lambda one: one.slowed)
        assert frontend.terminal.abilities.thin
        frontend.terminal.write("x" * big)
        await ada.until(lambda one: one.text.count("x") >= 2 * big)
        assert frontend.slowed == 1


@pytest.mark.slow
@pytest.mark.usefixtures("everything_is_slow")
async def test_over_telnet_a_bare_connection_is_asked_nothing() -> None:
    async with open_telnet() as telnet, telnet.comes("ada") as (nc, frontend):
        frontend.terminal.write("x" * 5_000)
        await nc.until(lambda one: one.text.count("x") >= 5_000)
        assert t.DO + t.TM not in nc.commands
        assert not frontend.slowed


@pytest.mark.usefixtures("everything_is_slow")
async def test_over_ssh_any_answer_is_the_sign() -> None:
    async with open_server() as opened, seated(opened, "ada") as ada:
        frontend = await opened.frontend()
        frontend.terminal.write("x" * LEAST)
        await frontend.until(lambda one: one.slowed)
        assert frontend.terminal.abilities.thin
        assert frontend.terminal.facts.sent > LEAST
        assert frontend.terminal.facts.kind == "xterm-256color"
        ada.press("q")
        await ada.until(lambda one: one.closed)


async def test_over_ssh_who_leaves_while_asked_leaves_nothing() -> None:
    async with open_server() as opened:
        async with seated(opened, "ada"):
            frontend = await opened.frontend()
            frontend.terminal.write("x" * LEAST)
        await opened.empty()
        async with asyncio.timeout(20):
            await frontend.ended.wait()
