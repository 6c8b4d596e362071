"""What can wait gives way, and keeps no loop. How much is done in a turn, attacks show (``guards.toml``)."""

import asyncio
import gc
import weakref

from server.terminal.fair_queue import GIVE_WAY, GIVES_WAY, SLICE, FairQueue, Queues, queues_of
from tests.support.fake_clock import FakeTimers


class Loop:
    """A clock, and the queues on it."""

    def __init__(self) -> None:
        self.timers = FakeTimers()
        self.queues = Queues(self.timers)
        self.done: list[str] = []

    def join(self, queue: FairQueue, name: str, jobs: int) -> None:
        """Join ``jobs`` times; each job takes a turn."""

        def job() -> None:
            self.timers.now += SLICE
            self.done.append(name)

        for _ in range(jobs):
            queue.join(job)


def test_what_is_beyond_ones_share_rests_longer_while_others_keep_the_loop_busy() -> None:
    loop = Loop()

    def others() -> None:
        loop.timers.now += 5 * SLICE
        loop.timers.call_at(loop.timers.now + SLICE, others)

    others()
    loop.join(loop.queues.traffic, "a", 100)
    start = loop.timers.now
    while len(loop.done) < 20:
        loop.timers.advance(SLICE / 10)
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
