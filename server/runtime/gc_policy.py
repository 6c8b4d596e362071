"""When Python's cyclic garbage collector runs.

Seldom, since all that a thousand players have is in use, and looking at it stops everybody for a third of a
second.
"""

import gc
from typing import Final

import structlog

from server.timers import Clock

log = structlog.get_logger("server")

GROWN: Final = 250_000
"""New objects since the last collection that justify another one: some 25 MB."""
CHECK_SECONDS: Final = 2.0


def settle() -> None:
    """Exempt all present objects from collection, and leave others to ``keep_clean``."""
    gc.freeze()
    gc.disable()


async def keep_clean(clock: Clock) -> None:
    """Collect garbage whenever there is half as much again of everything, until cancelled."""
    left = 0
    while True:
        await clock.sleep_until(clock.time() + CHECK_SECONDS)
        if gc.get_count()[0] >= max(GROWN, left // 2):
            begin = clock.time()
            gc.collect()
            left = len(gc.get_objects())
            log.info("garbage_collected", seconds=round(clock.time() - begin, 3), objects=left)
