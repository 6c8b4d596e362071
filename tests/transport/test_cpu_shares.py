"""Processor time is shared out among networks."""

import asyncio
from collections.abc import Callable

from server.rate_limiter import TokenBucket
from server.terminal.fair_queue import FairQueue
from server.transport.access.cpu_shares import PIECE, Shares
from server.transport.net.input_throttle import InputThrottle

COST = 0.002
"""Seconds that a piece takes."""


class Timers:
    """Nothing happens but what the test lets happen."""

    def __init__(self) -> None:
        self.now = 0.0
        self.due: list[Callable[[], object]] = []

    def time(self) -> float:
        return self.now

    def call_at(self, when: float, callback: Callable[[], object]) -> asyncio.TimerHandle:
        self.due.append(callback)
        return None  # type: ignore[return-value]  # nobody cancels it

    def turn(self) -> None:
        due, self.due = self.due, []
        for one in due:
            one()


class Place:
    """A machine on which every piece costs the same."""

    def __init__(self) -> None:
        self.timers = Timers()
        turns = FairQueue(self.timers, 3.0, 4)
        self.spent = 0.0
        self.shares = Shares(4.5 * COST, 0.01, turns, lambda: self.timers.now, lambda: self.spent)
        self.taken: list[tuple[str, int]] = []
        self.paused: set[str] = set()

    def throttle(self, network: str) -> InputThrottle:
        def deliver(data: bytes) -> None:
            self.taken.append((network, len(data)))
            self.spent += COST
            self.timers.now += COST

        return InputThrottle(
            TokenBucket(1_000_000, 1.0, 0.0),
            self.timers.time,
            deliver=deliver,
            pause=lambda: self.paused.add(network),
            resume=lambda: self.paused.discard(network),
            on_limit=lambda: None,
            share=self.shares.of(network),
        )


async def test_who_has_used_their_share_takes_turns() -> None:
    place = Place()
    for network in ("eve", "mallory"):
        place.throttle(network).push(b"x" * (10 * PIECE))
    assert place.taken == [("eve", PIECE)] * 5 + [("mallory", PIECE)] * 5
    assert place.paused == {"eve", "mallory"}
    place.taken.clear()
    for _ in range(20):
        place.timers.turn()
    assert place.taken == [("eve", PIECE), ("mallory", PIECE)] * 5
    assert not place.paused


async def test_a_key_exchange_is_begun_in_one_piece_while_half_a_share_is_left() -> None:
    place = Place()
    place.shares.first = 4 * PIECE
    throttle = place.throttle("eve")
    for _ in range(4):
        throttle.push(b"x" * (4 * PIECE))
    assert place.taken[:3] == [("eve", 4 * PIECE)] * 3
    assert place.taken[3:] == [("eve", PIECE)] * 2
    place.taken.clear()
    place.throttle("mallory").push(b"x" * (4 * PIECE + 1))
    assert place.taken == [*[("mallory", PIECE)] * 4, ("mallory", 1)]


async def test_who_sends_little_does_not_wait_for_who_sends_much() -> None:
    place = Place()
    for number in range(20):
        place.throttle(f"eve{number}").push(b"x" * (100 * PIECE))
    place.taken.clear()
    place.throttle("ada").push(b"hello")
    assert place.taken == [("ada", 5)]


async def test_the_connections_of_one_network_have_their_turns_one_after_the_other() -> None:
    place = Place()
    first, second = place.throttle("eve"), place.throttle("eve")
    first.push(b"x" * (10 * PIECE))
    second.push(b"yy")
    place.taken.clear()
    place.timers.turn()
    place.timers.turn()
    assert place.taken == [("eve", PIECE), ("eve", 2)]


async def test_what_waits_for_its_turn_is_forgotten_with_the_connection() -> None:
    place = Place()
    throttle = place.throttle("eve")
    throttle.push(b"x" * (10 * PIECE))
    throttle.close()
    place.taken.clear()
    for _ in range(5):
        place.timers.turn()
    assert not place.taken
    assert not place.timers.due
    assert place.paused, "a line that is gone is not touched"


async def test_a_share_comes_back_with_time_and_is_forgotten_then() -> None:
    place = Place()
    place.throttle("eve").push(b"x" * (5 * PIECE))
    assert not place.shares.of("eve").ready
    place.timers.now += 5 * COST / 0.01
    assert place.shares.of("eve").ready
    for number in range(100):
        place.shares.of(f"other{number}")
    assert len(place.shares._known) < 100
