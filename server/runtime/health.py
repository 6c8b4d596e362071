"""The state of a running server, and whether it is healthy."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Final

import structlog

from server import StoreError
from server.coordinator.lobby.lobby import Lobby
from server.counters import Histogram
from server.storage.databases.database import Database, Unknown
from server.timers import Clock
from server.transport.session.server import GameServer

OPEN: Final = "open"
STARTING: Final = "starting"
DRAINING: Final = "draining: no new games"
PATIENCE: Final = 2.0
"""Seconds in which event loop and store have to answer."""
PROBE_SECONDS: Final = 10.0
"""Minimum time between two test writes to a store that could not be written."""
STUCK_SECONDS: Final = 5.0
"""A write that has been waiting for longer means that the disk hangs."""
LAG_SECONDS: Final = 0.5
"""How often the lag of the event loop is measured."""
LOOK_SECONDS: Final = 1.0
"""How often that is checked."""
CLOCK_SECONDS: Final = 60.0
"""How often the server's clock is compared with the machine's, and by how much they may differ."""


_RESTART: Final = "See whether the machine's clock is right, and restart the server."

_log = structlog.get_logger("server")


@dataclass(eq=False)
class Health:
    """Where metrics come from. Use it on the event loop's thread only."""

    database: Database
    server: GameServer | None = None
    """Where people connect to this process."""
    lobby: Lobby | None = None
    """Where this process has the tables."""
    key_to_frame: Histogram = field(default_factory=Histogram)
    """Seconds from a key press to the change on the screen."""
    lag: Histogram = field(default_factory=Histogram)
    """Lag of the event loop, in seconds."""
    probe_from: float = 0.0
    """When the next test write is due, on the event loop's clock."""
    status: str = STARTING
    """``OPEN``, or why players should not connect now."""
    notes: tuple[str, ...] = ()
    """What an operator should see to although players can connect."""

    @property
    def trouble(self) -> str:
        """Why players should not connect now; empty if there is no reason. Does not touch the disk."""
        if self.status != OPEN:
            return self.status
        if self.lobby is not None and self.lobby.shared.closing:
            return DRAINING
        if self.stuck:
            return f"store: a write has been waiting for {self.database.oldest:.0f} s"
        return f"store: {self.database.trouble}" if self.database.trouble else ""

    @property
    def stuck(self) -> bool:
        """A write has been waiting for too long."""
        return self.database.oldest > STUCK_SECONDS


async def measure_lag(
    watch: Health,
    now: Callable[[], float],
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> None:
    """Measure the lag of the loop by its own clock ``now``, until cancelled.

    The common clock goes on while the machine sleeps.
    """
    while True:
        due = now() + LAG_SECONDS
        await sleep(LAG_SECONDS)
        watch.lag.add(max(0.0, now() - due))


async def watch_writes(watch: Health, clock: Clock) -> None:
    """Log when writes get stuck, and when they no longer are, until cancelled.

    What fails by now is no longer stuck, but does not move either: that is told as trouble, and so is
    its end. What a database does not answer at all in the end ends the process.
    """
    stuck = False
    while True:
        await clock.sleep_until(clock.time() + LOOK_SECONDS)
        if watch.stuck and not stuck:
            advice = watch.database.backend.advice("stuck")
            _log.error("storage_stuck", seconds=round(watch.database.oldest, 1), advice=advice)
        elif stuck and not watch.stuck and not watch.database.trouble:
            _log.info("storage_moves_again")
        stuck = watch.stuck
        if watch.database.oldest > watch.database.backend.patience:
            advice = watch.database.backend.advice("unknown")
            watch.database.end(Unknown(f"The database does not answer. {advice}"))


async def watch_clock(
    watch: Health, clock: Clock, machine: Callable[[], float] = time.time
) -> None:
    """Log when this clock and the machine's no longer agree, until cancelled.

    The machine's is read at the start alone: it was wrong then, or is now.
    """
    while True:
        seconds = round(machine() - clock.time())
        if abs(seconds) <= CLOCK_SECONDS:
            watch.notes = ()
        else:
            if not watch.notes:
                _log.warning("clock_differs", seconds=seconds, advice=_RESTART)
            way = "behind" if seconds > 0 else "ahead of"
            watch.notes = (f"clock: {abs(seconds)} s {way} the machine's. {_RESTART}",)
        await clock.sleep_until(clock.time() + CLOCK_SECONDS)


async def health(watch: Health) -> str:
    """Why the server cannot be used now; empty if it can."""
    now = asyncio.get_running_loop().time()
    try:
        async with asyncio.timeout(PATIENCE):
            if watch.database.trouble and now >= watch.probe_from:
                # On a quiet server nothing else would write, and notice that there is room again.
                watch.probe_from = now + PROBE_SECONDS
                await watch.database.probe()
            if watch.trouble:
                return watch.trouble
            await watch.database.read(lambda connection: connection.execute("SELECT 1").fetchone())
    except StoreError as problem:
        return f"store: {problem.code}"
    except TimeoutError:
        return "store: no answer"
    return ""
