"""What can wait: in pieces, half a millisecond's worth in a turn, whoever it belongs to."""

import asyncio
import gc
import weakref

import pytest

from server.terminal.fair_queue import (
    GIVE_WAY,
    GIVES_WAY,
    REST,
    SLICE,
    FairQueue,
    Queues,
    queues_of,
)
from tests.support.pilot import FakeTimers


class Loop:
    """A clock, and the queues on it."""

    def __init__(self) -> None:
        self.timers = FakeTimers()
        self.queues = Queues(self.timers)
        self.done: list[str] = []

    def join(self, queue: FairQueue, name: str, jobs: int, seconds: float = SLICE) -> None:
        """Join ``jobs`` times; each job takes ``seconds``, and joins when the one before is done."""

        def job() -> None:
            self.timers.now += seconds
            self.done.append(name)
            if jobs > 1:
                self.join(queue, name, jobs - 1, seconds)

        queue.join(job)

    def turn(self) -> str:
        """What is done in the next turn that anything is done in."""
        before = len(self.done)
        while len(self.done) == before and self.timers.pending:
            self.timers.advance(SLICE / 10)
        return "".join(self.done[before:])


def test_those_who_have_more_take_turns_and_a_turn_is_a_slice() -> None:
    loop = Loop()
    background = loop.queues.background
    loop.join(background, "a", 4)
    loop.join(background, "b", 2)
    assert loop.done == []
    assert loop.turn() == "a"
    loop.join(background, "c", 1)
    assert [loop.turn() for _ in range(6)] == list("bacbaa")
    assert loop.turn() == ""
    loop.join(background, "d", 1)
    assert loop.turn() == "d"


def test_small_jobs_share_a_slice() -> None:
    loop = Loop()
    for name in "abcdefgh":
        loop.join(loop.queues.traffic, name, 1, SLICE / 3.5)
    assert loop.turn() == "abcd"
    assert loop.turn() == "efgh"


def test_what_is_beyond_ones_share_leaves_the_others_most_of_the_time() -> None:
    loop = Loop()
    for _ in range(50):  # nobody gets round the rest by coming back
        loop.join(loop.queues.traffic, "a", 1)
        assert loop.turn() == "a"
    assert loop.timers.now == pytest.approx(49 * SLICE * (1 + REST), rel=0.1)
    loop.join(loop.queues.traffic, "a", 2)
    loop.queues.traffic.charge(1.0)
    loop.turn()
    before = loop.timers.now
    loop.turn()
    assert loop.timers.now - before == pytest.approx(REST, rel=0.1), "what other threads do counts"


def test_what_is_beyond_ones_share_rests_longer_while_others_keep_the_loop_busy() -> None:
    loop = Loop()

    def others() -> None:
        loop.timers.now += 5 * SLICE
        loop.timers.call_at(loop.timers.now + SLICE, others)

    others()
    loop.join(loop.queues.traffic, "a", 100)
    start = loop.timers.now
    while len(loop.done) < 20:
        loop.turn()
    assert 0.1 * (loop.timers.now - start) > 20 * SLICE


def test_all_sessions_of_a_loop_share_their_queues_and_do_not_keep_the_loop() -> None:
    async def own() -> FairQueue:
        done = asyncio.Event()

        queues = queues_of(asyncio.get_running_loop())
        for queue in (queues.background, queues.traffic):
            done.clear()
            queue.join(done.set)
            await done.wait()
        assert queues is queues_of(asyncio.get_running_loop())
        return queues.background

    first, second = asyncio.new_event_loop(), asyncio.new_event_loop()
    assert first.run_until_complete(own()) is not second.run_until_complete(own())
    gone = weakref.ref(first)
    first.close()
    second.close()
    del first, second
    gc.collect()
    assert gone() is None


def test_what_moves_by_itself_gives_way_while_a_bid_is_on_its_way_but_not_for_good() -> None:
    loop = Loop()
    with loop.queues.hurry(True), loop.queues.hurry(False):
        loop.join(loop.queues.background, "a", 3)
        loop.timers.advance(GIVE_WAY * (GIVES_WAY - 0.5))
        assert loop.done == []
        loop.timers.advance(GIVE_WAY)
        assert loop.done == ["a"]
        loop.timers.advance(GIVE_WAY * (GIVES_WAY - 0.5))
        assert loop.done == ["a"]
    loop.timers.advance(GIVE_WAY + SLICE)
    assert loop.done == ["a", "a", "a"]
    with loop.queues.hurry(False):
        loop.join(loop.queues.background, "b", 1)
        loop.timers.advance(SLICE / 10)
        assert loop.done[3:] == ["b"]
