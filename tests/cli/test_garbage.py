"""Looking at everything is rare, and happens."""

import asyncio
import gc
from contextlib import suppress

import pytest

from server.cli import garbage
from server.coordinator.clock import FakeClock


async def looks(ended: list[int], here: int) -> list[int]:
    """In which of the minutes everything was looked at, with so many sessions ended by then."""
    clock, minute, found = FakeClock(), [0], list[int]()
    task = asyncio.create_task(
        garbage.keep_clean(
            clock, lambda: ended[minute[0]], lambda: here, lambda: found.append(minute[0])
        )
    )
    for number in range(len(ended)):
        minute[0] = number
        await clock.advance(garbage.CHECK_SECONDS)
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task
    return found


async def test_nobody_is_stopped_for_nothing() -> None:
    assert await looks([0, 1, 5, garbage.LEAST - 1], 10) == []


async def test_once_for_enough_ended_sessions() -> None:
    most = garbage.LEAST
    assert await looks([most - 1, most, most + 1, 2 * most - 1, 2 * most], 10) == [1, 4]


async def test_the_fuller_the_house_the_seldomer() -> None:
    most = garbage.LEAST
    assert await looks([most, 2 * most, 3 * most, 5 * most], 3 * most) == [2]


def test_what_is_there_at_the_start_is_never_looked_at_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    called: list[object] = []
    monkeypatch.setattr(gc, "freeze", lambda: called.append("freeze"))
    monkeypatch.setattr(gc, "collect", lambda: called.append("collect"))
    monkeypatch.setattr(gc, "set_threshold", lambda *given: called.append(given))
    garbage.settle()
    assert called == [
        "collect",
        "freeze",
        (garbage.YOUNG, garbage.MIDDLING, garbage.NEVER),
    ]
