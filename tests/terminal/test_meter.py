"""Processor time is charged to networks; whoever has used up a share takes turns, and no job is ever lost."""

import gc
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, invariant, rule

from server.settings.settings import ServerLimits
from server.terminal.fair_queue import REST, FairQueue
from server.terminal.meter import Meter, Networks
from server.transport.net.input_throttle import CALM, PIECE, InputThrottle
from tests.support.fake_clock import FakeTimers

COST = 0.002
"""Seconds that a piece takes."""


class House:
    """Networks on a machine on which every piece costs the same, and its clock."""

    def __init__(self, burst: float = 4.5 * COST) -> None:
        self.timers = FakeTimers()
        self.spent = 0.0
        turns = FairQueue(self.timers, REST)
        self.networks = Networks(burst, 0.01, turns, self.timers.time, spent=lambda: self.spent)
        self.done: list[str] = []

    def work(self, what: str) -> None:
        self.spent += COST
        self.timers.now += COST
        self.done.append(what)

    def meter(self, network: str) -> Meter:
        return Meter(self.networks.of(network))

    def job(self, what: str) -> Callable[[], None]:
        return partial(self.work, what)


class Connection:
    """Bytes that come in on it, and what is done about them."""

    def __init__(
        self, house: House, network: str, burst: int = 10**6, rate: int = 10**6, flood: float = 60.0
    ) -> None:
        self.house, self.network = house, network
        self.meter = house.meter(network)
        self.got = bytearray()
        self.deliver = self.take
        self.read = True
        self.floods = 0
        self.throttle = InputThrottle(
            ServerLimits(wire_bytes=burst, wire_bytes_per_second=rate, stuck_seconds=flood),
            house.timers,
            self.meter,
            deliver=self.received,
            pause=partial(setattr, self, "read", False),
            resume=partial(setattr, self, "read", True),
            on_limit=bool,
            on_flood=self.flooded,
        )

    def received(self, data: bytes) -> None:
        self.deliver(data)

    def take(self, data: bytes) -> None:
        self.got += data
        self.house.work(self.network)

    def flooded(self) -> None:
        self.floods += 1
        self.throttle.close()


def test_who_has_used_up_a_share_takes_turns_is_not_read_and_rests_when_alone_too() -> None:
    house = House()
    eve = Connection(house, "eve")
    eve.throttle.push(bytes(20 * PIECE))
    assert house.done == ["eve"] * 3, "half of the share is kept for others there"
    assert not eve.read
    second, mallory = Connection(house, "eve"), Connection(house, "mallory")
    second.network = "second"
    second.throttle.push(bytes(10 * PIECE))
    mallory.throttle.push(bytes(10 * PIECE))
    house.done.clear()
    house.timers.advance(1)
    assert house.done[:12] == ["eve", "mallory", "second", "mallory"] * 3
    assert (len(eve.got), len(mallory.got)) == (20 * PIECE, 10 * PIECE)
    assert eve.read
    begun = house.timers.now
    eve.throttle.push(bytes(20 * PIECE))
    while not eve.read:
        house.timers.advance(COST / 10)
    assert house.timers.now - begun > 0.9 * 17 * COST * (1 + REST)


def test_at_an_address_that_floods_who_asks_for_little_waits_for_nobody() -> None:
    house = House()
    flood = [Connection(house, "school") for _ in range(5)]
    pupil = Connection(house, "school")
    for second in range(20):
        for one in flood:
            one.throttle.push(bytes(40 * PIECE))
        house.timers.advance(1)
        pupil.throttle.push(b"hello")
        assert pupil.got == b"hello" * (second + 1)
        assert pupil.read
    assert not all(one.read for one in flood)


def test_what_is_done_within_other_work_is_charged_once_and_what_is_sent_as_well() -> None:
    house = House()
    meter = house.meter("ada")
    meter.do("input", lambda: meter.do("frame", house.job("frame")))
    assert meter.outer.left < 3.6 * COST
    assert house.networks.usage.seconds["input"] == COST
    meter.sent(20_000)
    assert house.networks.usage.seconds["sent"] == COST
    assert meter.outer.left < 2.6 * COST


def test_who_sends_on_while_nothing_is_read_is_hung_up_on_and_who_pastes_a_lot_is_not() -> None:
    house = House(burst=1000.0)
    eve = Connection(house, "eve", burst=1000, rate=1000, flood=30.0)
    ada = Connection(house, "ada", burst=1000, rate=1000, flood=30.0)
    for _ in range(10):
        ada.throttle.push(bytes(3000))
        for _ in range(5):
            eve.throttle.push(bytes(1200))
            house.timers.advance((CALM + 3) / 5)
    assert (eve.floods, ada.floods) == (1, 0)
    assert len(ada.got) == 30_000
    assert len(eve.got) < 1000 * 32


def test_a_share_comes_back_with_time_and_not_by_hanging_up() -> None:
    house = House()
    house.meter("eve").do("input", house.job("eve"))
    gc.collect()
    assert house.networks.of("eve").left < 4 * COST
    house.timers.advance(COST / 0.01)
    assert house.networks.of("eve").left > 4 * COST


class Planted(Exception):
    """A mistake of what is done."""


class Orders(RuleBasedStateMachine):
    """Jobs of many connections in any order: some fail, some lead to others, connections go away in the
    middle and move to another network. In the end each has been done once, and nobody waits.
    """

    connections: Bundle[Connection] = Bundle("connections")

    @initialize()
    def begin(self) -> None:
        self.house = House()
        self.number = 0
        self.asked, self.gone, self.closed = set[str](), set[str](), set[int]()
        self.sent: dict[int, tuple[Connection, bytearray]] = {}

    @rule(target=connections, network=st.sampled_from("abc"))
    def comes(self, network: str) -> Connection:
        connection = Connection(self.house, network, burst=4 * PIECE, rate=8 * PIECE)
        self.sent[id(connection)] = connection, bytearray()
        return connection

    @rule(
        of=connections,
        kind=st.sampled_from(["plain", "twice", "fails", "leads on", "closes", "moves"]),
        now=st.booleans(),
    )
    def asks(self, of: Connection, kind: str, now: bool) -> None:
        self.number += 1
        name = f"job{self.number}"
        if id(of) not in self.closed:
            self.asked.add(name)

        def job() -> None:
            assert id(of) not in self.closed
            self.house.work(name)
            if kind == "leads on":
                self.asks(of, "plain", not now)
                self.asks(of, "fails", now=False)
            elif kind == "closes":
                self.close(of)
            elif kind == "moves":
                of.meter.move(self.house.networks.of("d"))
            elif kind == "fails":
                raise Planted

        if id(of) in self.closed:
            return
        with suppress(Planted):
            if kind == "twice":
                of.meter.later("keys", job)
                of.meter.later("keys", job)
            else:
                (of.meter.do if now else of.meter.later)("keys", job)

    @rule(of=connections, size=st.integers(1, 6 * PIECE), fails=st.booleans())
    def sends(self, of: Connection, size: int, fails: bool) -> None:
        if id(of) in self.closed:
            return

        def deliver(data: bytes) -> None:
            assert id(of) not in self.closed
            of.take(data)
            if fails:
                raise Planted

        of.deliver = deliver
        data = bytes([self.number % 256]) * size
        self.sent[id(of)][1].extend(data)
        with suppress(Planted):
            of.throttle.push(data)

    @rule(of=connections)
    def close(self, of: Connection) -> None:
        self.closed.add(id(of))
        of.throttle.close()

    @rule(seconds=st.sampled_from([0.0, COST, 0.1, 3.0]))
    def time_passes(self, seconds: float) -> None:
        with suppress(Planted):
            self.house.timers.advance(seconds)

    @invariant()
    def nothing_is_read_while_anything_waits(self) -> None:
        for connection, _ in getattr(self, "sent", {}).values():
            assert not (connection.read and connection.meter.waits)

    def teardown(self) -> None:
        if not hasattr(self, "house"):
            return
        while self.house.timers.pending:
            self.time_passes(1.0)
        done = [name for name in self.house.done if name.startswith("job")]
        assert len(done) == len(set(done)), "none is done twice"
        for connection, sent in self.sent.values():
            assert not connection.meter.waits
            assert not connection.meter._running
            if id(connection) not in self.closed:
                assert connection.got == sent
                assert connection.read
        if not self.closed:
            assert set(done) == self.asked, "none is lost"
        assert self.house.networks.waiting == 0


Orders.TestCase.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)
TestOrders = Orders.TestCase
