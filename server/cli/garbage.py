"""When Python looks for garbage that refers to itself. By itself it would look at what is new as soon as it
is a little: with a thousand players, twenty milliseconds each second, and all of it is in use. A look at
everything stops everybody for as long as it takes (a third of a second for a thousand players).

So what is new is looked at once it is some thousands of objects, a few milliseconds at a time, and then
left alone; everything, when many connections have ended, for that is where such garbage comes from.
"""

import gc
from collections.abc import Callable
from typing import Final

import structlog

from server.coordinator.clock import Clock

log = structlog.get_logger("server")

LEAST: Final = 1_000
"""Ended connections that are worth a look at everything: some 25 MB."""
YOUNG: Final = 20_000
"""So many new objects are looked at together: a few milliseconds."""
GROWN: Final = 5_000_000
"""So many more objects since the last look at everything are worth one too, whatever they come from."""
YOUNG_SECONDS: Final = 0.5
CHECK_SECONDS: Final = 30.0


def settle() -> None:
    """Nothing made so far will ever be garbage: never look at it again, and at the rest when told to."""
    gc.collect()
    gc.freeze()
    gc.disable()


def grown() -> int:
    """By how many objects there are more now than at the last look of either kind."""
    return gc.get_count()[0]


def look_at_new() -> None:
    """Look at what has been made since the last look, and let the garbage of that go."""
    gc.collect(0)


def look() -> int:
    """Look at everything, and let the garbage go; how many objects are left."""
    gc.collect()
    return len(gc.get_objects())


async def keep_clean(
    clock: Clock,
    ended: Callable[[], int],
    here: Callable[[], int],
    *,
    more: Callable[[], int] = grown,
    collect_new: Callable[[], None] = look_at_new,
    collect: Callable[[], int] = look,
) -> None:
    """Until cancelled: look at what is new as soon as it is much, and at everything once more connections
    have ended since the last time than are ``here``, or there is twice as much of everything; so that the
    more there is to look at, the seldomer it happens. ``ended`` counts from the start.
    """
    looked = left = since = 0
    check = clock.time() + CHECK_SECONDS
    while True:
        await clock.sleep_until(clock.time() + YOUNG_SECONDS)
        new = more()
        if new >= YOUNG:
            since += new
            collect_new()
        if clock.time() < check:
            continue
        check = clock.time() + CHECK_SECONDS
        gone = ended()
        if gone - looked >= max(LEAST, here()) or since >= max(GROWN, left):
            looked, since = gone, 0
            begin = clock.time()
            left = collect()
            log.info("cleaned", seconds=round(clock.time() - begin, 3), sessions=here())
