"""When Python's cyclic garbage collector runs. By default it would examine new objects once there are many:
with a thousand players, twenty milliseconds each second, and all of them are in use. A full collection stops
everyone for as long as it takes (a third of a second for a thousand players). So both wait until there is
garbage: what ended connections leave behind.
"""

import gc
from collections.abc import Callable
from typing import Final

import structlog

from server.coordinator.time_source import Clock

log = structlog.get_logger("server")

LEAST: Final = 250
"""Ended connections that justify a full collection: some 6 MB, and a twentieth of a second."""
GROWN: Final = 100_000
"""So many more objects than after the last one do, too: some 10 MB, and a short collection if there is little
else ..."""
EACH: Final = 2_000
"""... not counting so many for each player who has connected since."""
CHECK_SECONDS: Final = 2.0
"""A flood of logins leaves much garbage in half a minute, and collecting that would take seconds."""


def settle() -> None:
    """Exempt all present objects from collection, and collect others only when told to.

    The little garbage among them stays: finding it among a thousand tables would stop everyone for a quarter
    of a second.
    """
    gc.freeze()
    gc.disable()


def grown() -> int:
    """How many more objects there are than after the last collection."""
    return gc.get_count()[0]


def look() -> int:
    """Collect all garbage; returns the number of objects left."""
    gc.collect()
    return len(gc.get_objects())


async def keep_clean(clock: Clock, ended: Callable[[], int], here: Callable[[], int]) -> None:
    """Until cancelled: look at everything once more connections have ended since the last time than are
    ``here``, or there is half as much again of everything; so that the more there is to look at, the
    seldomer it happens. ``ended`` counts from the start.

    What is new is no smaller thing to look at: a round replaces most of what is on three thousand screens,
    and to look at that alone took a seventh of a second, every other second, and found nothing.
    """
    looked = left = 0
    people = here()
    while True:
        await clock.sleep_until(clock.time() + CHECK_SECONDS)
        gone = ended()
        theirs = EACH * max(0, here() - people)
        if gone - looked >= max(LEAST, here()) or grown() - theirs >= max(GROWN, left // 2):
            looked, people = gone, here()
            begin = clock.time()
            left = look()
            log.info("cleaned", seconds=round(clock.time() - begin, 3), sessions=here())
