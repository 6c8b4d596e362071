"""A machine on which everything takes long, and turns that come when a test says so."""

from server.terminal.fair_queue import REST, FairQueue
from server.terminal.meter import Networks
from tests.support.pilot import FakeTimers


def few_turns(networks: Networks) -> FakeTimers:
    """Have all that these networks cause take a millisecond from now on, and those that have used up their
    shares take turns on the timers that are returned. To be called before anybody comes from there.
    """
    timers = FakeTimers()

    def spent() -> float:
        timers.now += 0.001
        return timers.now

    networks.spent, networks.turns = spent, FairQueue(timers, REST)
    return timers
