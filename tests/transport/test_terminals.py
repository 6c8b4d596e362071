import asyncio
import time

from typing_extensions import override

from server.settings.settings import ServerLimits
from server.terminal.capabilities import ConnectionStats
from server.terminal.meter import unlimited
from server.transport.access.limiter import ConnectionLimiter, Reason
from server.transport.session.terminals import RemoteTerminal
from tests.fuzz.harness import hurried


class Line(RemoteTerminal):
    """A line that keeps what it is given until somebody reads."""

    facts = ConnectionStats()

    def __init__(self, limits: ServerLimits) -> None:
        self.meter = unlimited()
        super().__init__(ConnectionLimiter(limits, time.monotonic), "192.0.2.1")
        self.waiting = b""
        self.times_drained = 0
        self.ended: list[str] = []
        self.gone = False

    @override
    def write(self, text: str) -> None:
        self.put(text.encode())

    @override
    def send(self, data: bytes) -> None:
        if self.gone:
            raise BrokenPipeError
        self.waiting += data

    @property
    @override
    def unsent(self) -> int:
        return len(self.waiting)

    @override
    def ask_for_sign(self) -> bool:
        return False

    @override
    def drained(self) -> None:
        self.times_drained += 1

    @override
    def abort(self) -> None:
        self.ended += [reason for reason in self._limiter.counts if reason != Reason.PAUSE]

    @override
    def close(self) -> None:
        pass


async def test_drawing_pauses_until_every_layer_has_drained() -> None:
    line = Line(ServerLimits())
    line.pause("channel")
    line.pause("line")
    assert not line.writable
    line.resume("channel")
    assert (line.writable, line.times_drained) == (False, 0)
    line.resume("line")
    assert (line.writable, line.times_drained) == (True, 1)
    line.resume("line")
    assert line.times_drained == 1


async def test_too_much_unread_ends_the_session() -> None:
    line = Line(ServerLimits(unread_bytes=1000))
    line.put(b"x" * 1000)
    line.pause("line")
    assert not line.ended
    line.put(b"x")
    assert (line.ended, line.writable) == ([Reason.UNREAD], False)
    line.put(b"more")
    assert line._sent == 1001


@hurried
async def test_a_slow_reader_is_not_stuck() -> None:
    line = Line(ServerLimits(stuck_seconds=0.04))
    line.put(b"x" * 100)
    line.pause("line")
    while line.waiting:
        line.waiting = line.waiting[1:]
        await asyncio.sleep(0.02)
        assert not line.ended
    line.resume("line")
    assert line.writable


async def test_a_line_that_is_gone_takes_nothing_and_harms_nobody() -> None:
    line = Line(ServerLimits())
    line.gone = True
    line.put(b"abc")
    assert not line.writable
    assert not line.ended


@hurried
async def test_a_closed_outlet_waits_for_nothing() -> None:
    line = Line(ServerLimits(stuck_seconds=0.01))
    line.pause("line")
    line.end_sending()
    line.pause("line")
    await asyncio.sleep(0.03)
    assert not line.ended
