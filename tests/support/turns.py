"""A machine on which everything takes long, and turns that come when a test says so."""

from server.terminal.fair_queue import REST, FairQueue
from server.terminal.meter import Networks
from tests.support.fake_clock import FakeTimers


def few_turns(networks: Networks) -> FakeTimers:
    """Have all that these networks cause take a millisecond from now on, of thirty that each has for good;
    those that have used them up take turns on the timers that are returned. To be called before anybody
    comes from there.
    """
    timers = FakeTimers()

    def spent() -> float:
        timers.now += 0.001
        return timers.now

    networks.spent, networks.turns, networks.rate = spent, FairQueue(timers, REST), 0.0
    return timers
