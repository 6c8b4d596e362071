"""When a line counts as a thin one."""

import asyncio

import pytest

from server.transport.net import bandwidth
from server.transport.net.bandwidth import (
    AGAIN_SECONDS,
    COUNTED_SECONDS,
    LEAST,
    PROOF_SECONDS,
    BandwidthMeter,
)
from server.transport.telnet import codes as t
from tests.support.clients import seated
from tests.support.connections import open_server
from tests.support.telnet_caller import open_telnet


class Line:
    """That takes so many bytes a second, and answers after ``away`` seconds more."""

    def __init__(self, rate: float, away: float = 0.0, *, fast: bool = False) -> None:
        self.rate = rate
        self.away = away
        self.now = 0.0
        self.asked = 0
        self.slow = 0
        self.deaf = False
        self.speed = BandwidthMeter(lambda: self.now, self._ask, self._slow)
        if fast:
            self.speed.rest()

    def _ask(self) -> bool:
        if self.deaf:
            return False
        self.asked += 1
        return True

    def _slow(self) -> None:
        self.slow += 1

    def send(self, size: int) -> None:
        """Send a piece, and wait until it has arrived."""
        self.speed.wrote(size)
        self.now += self.away + size / self.rate
        self.speed.sign()


@pytest.mark.parametrize(("baud", "slow"), [(1_200, 1), (9_600, 1), (28_800, 0), (115_200, 0)])
def test_lines_of_old(baud: int, slow: int) -> None:
    line = Line(baud / 10)
    for _ in range(4):
        line.send(3_000)
    assert line.slow == slow


def test_far_away_is_not_slow() -> None:
    line = Line(1_000_000, away=1.2)
    for _ in range(20):
        line.send(3_000)
        line.now += AGAIN_SECONDS
    assert not line.slow


def test_one_stutter_is_none() -> None:
    line = Line(1_000_000)
    for _ in range(5):
        line.away = 60.0
        line.send(3_000)
        line.away = 0.1
        line.send(3_000)
        line.now += AGAIN_SECONDS
    assert not line.slow


def test_it_is_told_once_and_then_not_measured_any_more() -> None:
    line = Line(120)
    needed = -(-PROOF_SECONDS // COUNTED_SECONDS)
    for number in range(10):
        line.send(3_000)
        assert line.slow == (number + 1 >= needed)
    assert line.asked == needed


def test_small_pieces_and_fast_lines_cost_no_questions() -> None:
    line = Line(120)
    for _ in range(10):
        line.send(LEAST - 1)
    assert not line.asked
    line = Line(1_000_000)
    for _ in range(10):
        line.send(3_000)
        line.now += AGAIN_SECONDS / 10 + 0.1
    assert line.asked == 1


def test_a_line_known_to_be_fast_is_left_alone_for_a_while() -> None:
    line = Line(1_000_000, fast=True)
    line.send(3_000)
    assert line.asked == 0
    line.now += AGAIN_SECONDS
    line.send(3_000)
    assert line.asked == 1


def test_signs_that_nobody_asked_for_mean_nothing() -> None:
    line = Line(120)
    line.deaf = True
    line.send(3_000)
    line.send(3_000)
    line.send(3_000)
    assert not line.slow


@pytest.fixture
def everything_is_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bandwidth, "SLOW_SECONDS", 0.0)
    monkeypatch.setattr(bandwidth, "SLOW_BYTES", float("inf"))
    monkeypatch.setattr(bandwidth, "PROOF_SECONDS", 0.0)


@pytest.mark.usefixtures("everything_is_slow")
async def test_over_telnet_a_timing_mark_is_the_sign(monkeypatch: pytest.MonkeyPatch) -> None:
    big = 2_000  # and the greeting is not
    monkeypatch.setattr(bandwidth, "LEAST", big)
    async with open_telnet() as telnet, telnet.terminal() as ada:
        await ada.reads("Your name")
        ada.line("ada")
        frontend = await telnet.opened.frontend()
        frontend.terminal.write("x" * big)
        await frontend.until(lambda one: one.slowed)
        assert frontend.terminal.abilities.thin
        frontend.terminal.write("x" * big)
        await ada.until(lambda one: one.text.count("x") >= 2 * big)
        assert frontend.slowed == 1


@pytest.mark.slow
@pytest.mark.usefixtures("everything_is_slow")
async def test_over_telnet_a_bare_connection_is_asked_nothing() -> None:
    async with open_telnet() as telnet, telnet.call(silent=True) as nc:
        nc.line("ada")
        frontend = await telnet.opened.frontend()
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
