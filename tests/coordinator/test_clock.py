"""The clock that tests move, and the one that moves by itself."""

import asyncio

from server.coordinator.clock import SystemClock
from tests.support.fake_clock import FakeClock


async def test_what_comes_due_happens_in_order() -> None:
    clock, said = FakeClock(0.0), list[tuple[str, float]]()
    for name, when in (("late", 3.0), ("soon", 1.0), ("never", 9.0)):
        clock.call_at(when, lambda name=name: said.append((name, clock.time())))  # type: ignore[misc]
    clock.call_at(2.0, lambda: said.append(("cancelled", 0.0))).cancel()
    await clock.advance(5)
    assert said == [("soon", 1.0), ("late", 3.0)]
    assert clock.time() == 5.0


async def test_tasks_woken_on_the_way_run_before_time_goes_on() -> None:
    clock, said = FakeClock(0.0), list[float]()

    async def walk() -> None:
        for when in (1.0, 2.0, 2.0, 7.0):
            await clock.sleep_until(when)
            await asyncio.sleep(0)
            said.append(clock.time())

    task = asyncio.create_task(walk())
    await clock.advance(10)
    assert said == [1.0, 2.0, 2.0, 7.0]
    assert task.done()


async def test_next_goes_to_the_next_thing_due() -> None:
    clock = FakeClock(0.0)
    assert [clock.due, await clock.next()] == [None, False]
    clock.call_at(4.0, lambda: None)
    assert [clock.due] == [4.0]
    assert await clock.next()
    assert clock.time() == 4.0


async def test_the_system_clock_runs_and_calls() -> None:
    clock, called = SystemClock(), asyncio.Event()
    before = clock.time()
    clock.call_at(before - 5, called.set)
    await called.wait()
    await clock.sleep_until(before)
    assert clock.time() >= before
