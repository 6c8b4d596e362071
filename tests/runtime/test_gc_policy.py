"""Garbage is collected seldom, and is collected."""

import asyncio
import gc
import weakref
from collections.abc import Iterator
from contextlib import suppress
from functools import partial

import pytest

from server.runtime import gc_policy
from tests.support.fake_clock import FakeClock


@pytest.fixture(autouse=True)
def collected_by_nobody_else() -> Iterator[None]:
    was_on = gc.isenabled()
    gc.disable()
    gc.collect()
    yield
    if was_on:
        gc.enable()


def lost() -> "weakref.ref[type]":
    """Make garbage: a class refers to itself."""
    return weakref.ref(type("Lost", (), {}))


async def test_garbage_goes_once_there_is_much_of_everything() -> None:
    clock, gone = FakeClock(), lost()
    task = asyncio.create_task(gc_policy.keep_clean(clock))
    await clock.advance(3 * gc_policy.CHECK_SECONDS)
    assert gone() is not None, "everybody was stopped for a little garbage"
    kept: list[object] = [[number] for number in range(3 * gc_policy.GROWN)]
    await clock.advance(gc_policy.CHECK_SECONDS)
    assert gone() is None
    gone, half = lost(), len(gc.get_objects()) // 2
    kept += [[number] for number in range(half - 10_000)]
    await clock.advance(3 * gc_policy.CHECK_SECONDS)
    assert gone() is not None, "the more there is to look at, the seldomer it happens"
    kept += [[number] for number in range(20_000)]
    await clock.advance(gc_policy.CHECK_SECONDS)
    assert gone() is None
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task


def test_what_is_there_at_the_start_is_never_looked_at_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    called: list[str] = []
    for name in ("freeze", "collect", "disable"):
        monkeypatch.setattr(gc, name, partial(called.append, name))
    gc_policy.settle()
    assert called == ["freeze", "disable"]
