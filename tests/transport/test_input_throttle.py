import asyncio

from server.rate_limiter import TokenBucket
from server.transport.net.input_throttle import InputThrottle


class Line:
    """A line that notes what its valve does to it."""

    def __init__(self, burst: int, rate: float) -> None:
        self.got = b""
        self.paused = False
        self.pauses = self.counts = 0
        self.drained = asyncio.Event()
        loop = asyncio.get_running_loop()
        self.throttle = InputThrottle(
            TokenBucket(burst, rate, loop.time()),
            loop.time,
            deliver=self.deliver,
            pause=self.pause,
            resume=self.resume,
            on_limit=self.bitten,
        )

    def deliver(self, data: bytes) -> None:
        self.got += data

    def pause(self) -> None:
        self.paused = True
        self.pauses += 1

    def resume(self) -> None:
        self.paused = False
        self.drained.set()

    def bitten(self) -> None:
        self.counts += 1


async def test_what_fits_goes_straight_through() -> None:
    line = Line(10, 1.0)
    line.throttle.push(b"12345")
    line.throttle.push(b"67890")
    assert (line.got, line.paused) == (b"1234567890", False)


async def test_what_is_too_much_comes_later_and_in_order() -> None:
    line = Line(10, 1000.0)
    text = bytes(range(100))
    line.throttle.push(text[:60])
    assert (line.got, line.paused, line.counts) == (text[:10], True, 1)
    line.throttle.push(text[60:])
    assert line.got == text[:10]
    await line.drained.wait()
    assert (line.got, line.paused, line.pauses) == (text, False, 1)


async def test_a_line_that_rests_is_read_on_unless_more_is_held_back_by_then() -> None:
    line = Line(10, 1000.0)
    line.throttle.rest(0.001)
    line.throttle.rest(100.0)
    assert line.paused
    await line.drained.wait()
    line.drained.clear()
    line.throttle.rest(0.001)
    line.throttle.push(bytes(60))
    await line.drained.wait()
    assert (len(line.got), line.paused) == (60, False)
    line.throttle.rest(100.0)
    line.throttle.close()


async def test_a_closed_valve_hands_on_nothing() -> None:
    line = Line(1, 1000.0)
    line.throttle.push(b"abc")
    line.throttle.close()
    line.throttle.push(b"def")
    await asyncio.sleep(0)
    assert line.got == b"a"


async def test_closing_while_something_is_handed_on() -> None:
    line = Line(1, 1000.0)
    closed = asyncio.Event()

    def deliver(data: bytes) -> None:
        line.got += data
        if line.got == b"ab":
            line.throttle.close()
            closed.set()

    line.throttle.deliver = deliver
    line.throttle.push(b"abc")
    await closed.wait()
    assert line.got == b"ab"
    assert not line.drained.is_set()


async def test_of_lines_so_many_are_handed_on_however_long_they_are() -> None:
    line = Line(1000, 1.0)
    line.throttle.lines = TokenBucket(2, 1000.0, asyncio.get_running_loop().time())
    line.throttle.push(b"a" * 100 + b"\nb\n\nd\nrest")
    assert (line.got, line.paused, line.counts) == (b"a" * 100 + b"\nb\n", True, 1)
    await line.drained.wait()
    assert line.got == b"a" * 100 + b"\nb\n\nd\nrest"
    # What waited for its turn has cost no bytes twice.
    left = line.throttle.bucket.left(asyncio.get_running_loop().time())
    assert 1000 - len(line.got) <= left < 1000


async def test_where_lines_are_counted_a_flood_of_bytes_still_waits() -> None:
    line = Line(10, 1000.0)
    line.throttle.lines = TokenBucket(5, 1.0, 0.0)
    line.throttle.push(b"x" * 20 + b"\n")
    assert (line.got, line.paused) == (b"x" * 10, True)
    await line.drained.wait()
    assert line.got == b"x" * 20 + b"\n"
