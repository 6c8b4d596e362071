"""When Python looks for garbage that refers to itself. A look at everything stops everybody for as long as it
takes (a third of a second for a thousand players), so that is done seldom, and only when there is
something to find: what an ended session leaves behind.
"""

import gc
from collections.abc import Callable
from typing import Final

import structlog

from server.coordinator.clock import Clock

log = structlog.get_logger("server")

YOUNG: Final = 5_000
"""So many new objects, and the youngest are looked at: a few milliseconds."""
MIDDLING: Final = 10
"""So many times that, and those are looked at that have outlived it."""
NEVER: Final = 1 << 30
LEAST: Final = 1_000
"""Ended sessions that are worth a look at everything: some 25 MB."""
CHECK_SECONDS: Final = 60.0


def settle() -> None:
    """Nothing made so far will ever be garbage: never look at it again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, MIDDLING, NEVER)


async def keep_clean(
    clock: Clock,
    ended: Callable[[], int],
    here: Callable[[], int],
    collect: Callable[[], object] = gc.collect,
) -> None:
    """Until cancelled: look at everything once more sessions have ended since the last time than are
    ``here``, so that the more there is to look at, the seldomer it happens. ``ended`` counts from the start.
    """
    looked = 0
    while True:
        await clock.sleep_until(clock.time() + CHECK_SECONDS)
        gone = ended()
        if gone - looked >= max(LEAST, here()):
            looked = gone
            begin = clock.time()
            collect()
            log.info("cleaned", seconds=round(clock.time() - begin, 3), sessions=here())
