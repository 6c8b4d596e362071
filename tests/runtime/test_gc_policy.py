"""Looking at everything is rare, and happens."""

import asyncio
import gc
import weakref
from contextlib import suppress
from functools import partial

import pytest

from server.runtime import gc_policy
from tests.support.fake_clock import FakeClock


async def looks(
    ended: list[int], here: int, grown: int = 0, left: int = 0, come: int = 0
) -> list[int]:
    """At which of the checks everything was looked at, with so many connections ended by then; between two
    checks there come ``grown`` objects more, ``left`` of which are in use, and ``come`` people.
    """
    clock, check, found, more = FakeClock(), [0], list[int](), [0]

    def collect() -> int:
        found.append(check[0])
        more[0] = 0
        return left

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gc_policy, "grown", lambda: more[0])
        patch.setattr(gc_policy, "look", collect)
        task = asyncio.create_task(
            gc_policy.keep_clean(clock, lambda: ended[check[0]], lambda: here + come * check[0])
        )
        for number in range(len(ended)):
            check[0] = number
            more[0] += grown
            await clock.advance(gc_policy.CHECK_SECONDS)
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
    return found


async def test_nobody_is_stopped_for_nothing() -> None:
    assert await looks([0, 1, 5, gc_policy.LEAST - 1], 10) == []


async def test_once_for_enough_ended_connections() -> None:
    most = gc_policy.LEAST
    assert await looks([most - 1, most, most + 1, 2 * most - 1, 2 * most], 10) == [1, 4]


async def test_the_fuller_the_house_the_seldomer() -> None:
    most = gc_policy.LEAST
    assert await looks([most, 2 * most, 3 * most, 5 * most], 3 * most) == [2]


async def test_what_grows_without_anybody_leaving_is_looked_at_before_it_is_much() -> None:
    tenth = gc_policy.GROWN // 10
    assert await looks([0] * 25, 10, grown=tenth) == [9, 19]
    assert await looks([0] * 35, 10, grown=tenth, left=4 * gc_policy.GROWN) == [9, 29]


async def test_nobody_is_stopped_because_many_come() -> None:
    tenth = gc_policy.GROWN // 10
    assert await looks([0] * 25, 1000, grown=tenth, come=tenth // gc_policy.EACH) == []


def test_what_is_there_at_the_start_is_never_looked_at_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    called: list[str] = []
    for name in ("freeze", "collect", "disable"):
        monkeypatch.setattr(gc, name, partial(called.append, name))
    gc_policy.settle()
    assert called == ["freeze", "disable"]


def test_growth_is_counted_also_while_python_does_not_look_by_itself() -> None:
    was_on = gc.isenabled()
    gc.disable()
    try:
        before = gc_policy.grown()
        kept: list[object] = [[number] for number in range(20_000)]
        assert gc_policy.grown() >= before + 19_000
        loop = type("Loop", (), {})  # a class refers to itself
        gone = weakref.ref(loop)
        del loop
        assert gone() is not None
        assert gc_policy.look() > len(kept)
        assert gone() is None
        assert gc_policy.grown() < 20_000
    finally:
        if was_on:
            gc.enable()
