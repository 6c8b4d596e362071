"""When Python looks for garbage that refers to itself. By itself it would look at what is new as soon as it
is much: with a thousand players, twenty milliseconds each second, and all of it is in use. A look at
everything stops everybody for as long as it takes (a third of a second for a thousand players). So both wait
until there is something to find: what ended connections leave behind.
"""

import gc
from collections.abc import Callable
from typing import Final

import structlog

from server.coordinator.clock import Clock

log = structlog.get_logger("server")

LEAST: Final = 250
"""Ended connections that are worth a look at everything: some 6 MB, and a twentieth of a second."""
GROWN: Final = 100_000
"""So many more objects than at the last look are, too, whatever they come from: some 10 MB, and a look
that is soon over where there is little else ..."""
EACH: Final = 2_000
"""... without those that belong to people who have come since: so many at most for each."""
CHECK_SECONDS: Final = 2.0
"""A flood of logins leaves much within half a minute, and a look at it all stops everybody for seconds."""


def settle() -> None:
    """Nothing made so far will ever be garbage: never look at it again, and at the rest when told to.

    What little of it is garbage may stay: to find those few objects among a thousand tables would stop
    everybody who comes back to one for a quarter of a second.
    """
    gc.freeze()
    gc.disable()


def grown() -> int:
    """By how many objects there are more now than at the last look."""
    return gc.get_count()[0]


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
    collect: Callable[[], int] = look,
) -> None:
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
        if gone - looked >= max(LEAST, here()) or more() - theirs >= max(GROWN, left // 2):
            looked, people = gone, here()
            begin = clock.time()
            left = collect()
            log.info("cleaned", seconds=round(clock.time() - begin, 3), sessions=here())
