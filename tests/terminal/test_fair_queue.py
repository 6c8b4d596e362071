"""What can wait gives way, and keeps no loop. How much is done in a turn, attacks show (``guards.toml``)."""

import asyncio
import gc
import weakref

from server.terminal.fair_queue import GIVE_WAY, GIVES_WAY, SLICE, Queues, queues_of
from tests.support.fake_clock import FakeTimers


def test_all_sessions_of_a_loop_share_their_queues_and_do_not_keep_the_loop() -> None:
    async def own() -> Queues:
        queues, done = queues_of(asyncio.get_running_loop()), asyncio.Event()
        queues.traffic.join(done.set)
        await done.wait()
        assert queues is queues_of(asyncio.get_running_loop())
        return queues

    first, second = asyncio.new_event_loop(), asyncio.new_event_loop()
    assert first.run_until_complete(own()) is not second.run_until_complete(own())
    gone = weakref.ref(first)
    first.close()
    second.close()
    del first, second
    gc.collect()
    assert gone() is None


def test_what_moves_by_itself_gives_way_while_a_bid_is_on_its_way_but_not_for_good() -> None:
    timers, done = FakeTimers(), list[float]()
    queues = Queues(timers)

    def job() -> None:  # which takes a turn
        timers.now += SLICE
        done.append(timers.now)

    with queues.hurry(True), queues.hurry(False):
        for _ in range(3):
            queues.background.join(job)
        for drawn in (0, 1):
            timers.advance(GIVE_WAY * (GIVES_WAY - 0.5))
            assert len(done) == drawn
            timers.advance(GIVE_WAY * (1 - drawn))
            assert len(done) == 1
    timers.advance(GIVE_WAY + SLICE)
    assert len(done) == 3
    with queues.hurry(False):
        queues.background.join(job)
        timers.advance(SLICE / 10)
        assert len(done) == 4
