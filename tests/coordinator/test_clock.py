"""The clock that tests move, and the one that moves by itself."""

import asyncio
import gc
import runpy
import time
from collections.abc import Callable, Coroutine
from contextvars import ContextVar
from typing import Any

import pytest

from server import timers
from server.timers import SystemClock
from tests.fuzz.harness import in_a_hurry


def awake(main: Callable[["SleepyMachine"], Coroutine[Any, Any, None]]) -> None:
    async def run() -> None:
        await main(SleepyMachine())

    in_a_hurry(run)


class SleepyMachine:
    """The event loop's time stands still while it sleeps, the time since boot does not."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._slept = 0.0
        self.clock = SystemClock(lambda: self._loop.time() + self._slept)

    def sleep(self, seconds: float) -> None:
        self._slept += seconds

    async def awake_for(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


@pytest.mark.parametrize("hours", [1, 7])
def test_what_came_due_meanwhile_happens_within_half_a_minute(hours: int) -> None:
    async def main(machine: SleepyMachine) -> None:
        woken = asyncio.Event()
        midnight = machine.clock.time() + 3600 * hours - 50
        machine.clock.call_at(midnight, woken.set)
        dropped = machine.clock.call_at(midnight, lambda: pytest.fail("it was cancelled"))
        await machine.awake_for(40)
        dropped.cancel()
        assert not woken.is_set()
        machine.sleep(3600 * hours)
        await machine.awake_for(31)
        assert woken.is_set()

    awake(main)


def test_a_call_in_a_week_takes_no_more_room_as_time_goes_by() -> None:
    async def main(machine: SleepyMachine) -> None:
        call = machine.clock.call_at(machine.clock.time() + 7 * 24 * 3600, pytest.fail)
        gc.collect()
        before = sum(type(each) is type(call) for each in gc.get_objects())
        await machine.awake_for(3600)
        assert sum(type(each) is type(call) for each in gc.get_objects()) <= before
        call.cancel()

    awake(main)


def test_without_sleep_it_happens_in_time() -> None:
    async def main(machine: SleepyMachine) -> None:
        before = machine.clock.time()
        await machine.clock.sleep_until(before + 100)
        assert machine.clock.time() == pytest.approx(before + 100)

    awake(main)


def test_what_is_due_at_once_is_called_apart() -> None:
    """Calls that are due in the same moment share a timer, and nothing else."""

    async def main(machine: SleepyMachine) -> None:
        said, told = list[str](), list[str]()
        who = ContextVar("who", default="nobody")
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda _, what: told.append(str(what["exception"])))
        when = machine.clock.time() + 1

        def fail() -> None:
            raise ValueError("one of them")

        for name, call in (("ada", fail), ("bo", lambda: said.append(who.get()))):
            who.set(name)
            machine.clock.call_at(when, call)
        machine.clock.call_at(when, lambda: pytest.fail("it was cancelled")).cancel()
        await machine.awake_for(0.99)
        assert not said
        await machine.awake_for(0.03)
        assert (said, told) == (["bo"], ["one of them"])

    awake(main)


@pytest.mark.parametrize("there", [True, False])
def test_the_system_clock_counts_from_boot_where_it_can(
    there: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(time, "clock_gettime", float)
    monkeypatch.setattr(time, "CLOCK_BOOTTIME", 77, raising=False)
    if not there:
        monkeypatch.delattr(time, "CLOCK_BOOTTIME")
    since_boot = runpy.run_path(timers.__file__)["since_boot"]
    assert since_boot() == (77 if there else time.CLOCK_MONOTONIC)
