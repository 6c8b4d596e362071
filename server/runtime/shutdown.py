"""Signals: stopping, with or without time for running games, and reloading."""

import asyncio
import os
import signal
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any, Final

import structlog

from server.coordinator.clock import Clock
from server.coordinator.lobby.lobby import Lobby

log = structlog.get_logger("server")

INTERRUPTED: Final = 130
_LOOK_AGAIN: Final = 0.25
"""Seconds between two looks at whether anybody still plays."""


class Shutdown:
    """What signals have asked for so far.

    SIGTERM allows no new games and leaves time for the running ones; any signal after that, or Ctrl-C, shuts
    down at once, but cleanly; one more ends the process with ``abandon``.
    """

    def __init__(self, abandon: Callable[[int], Any] = os._exit) -> None:
        self._abandon: Final = abandon
        self._asked: Final = asyncio.Event()
        self._now: Final = asyncio.Event()

    def politely(self) -> None:
        """SIGTERM."""
        if self._asked.is_set():
            self.at_once()
        self._asked.set()

    def at_once(self) -> None:
        """Ctrl-C."""
        if self._now.is_set():
            # What was acknowledged is on the disk; terminals stay as they are.
            self._abandon(INTERRUPTED)
        self._now.set()
        self._asked.set()

    async def asked(self) -> None:
        """Wait until the server is to stop."""
        await self._asked.wait()

    async def last_call(self, lobby: Lobby, clock: Clock, seconds: float) -> None:
        """Announce the end and wait for it: ``seconds``, or until nobody is in the middle of a game, or
        until it is to be now.
        """
        if self._now.is_set() or not seconds:
            return
        end = clock.time() + seconds
        lobby.announce_closing(end)
        log.info("last call", seconds=seconds, games=lobby.in_play())
        while not self._now.is_set() and lobby.in_play() and clock.time() < end:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._now.wait(), min(_LOOK_AGAIN, end - clock.time()))


def handle_stop_signals(shutdown: Shutdown) -> None:
    """From now on SIGTERM and Ctrl-C are requests to ``shutdown``."""
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGTERM, shutdown.politely)
    loop.add_signal_handler(signal.SIGINT, shutdown.at_once)


def handle_hang_up(
    shutdown: Shutdown,
    terminals: Iterable[int],
    reload: Callable[[], object],
    earlier: Sequence[int],
) -> None:
    """From now on SIGHUP reloads, or stops the server if the window in which it was started has been closed,
    so that ``terminals``, the descriptors that were some, are none any more. ``earlier`` has the SIGHUPs that
    have come before.
    """

    def hang_up() -> None:
        if all(map(os.isatty, terminals)):
            reload()
        else:
            shutdown.at_once()

    asyncio.get_running_loop().add_signal_handler(signal.SIGHUP, hang_up)
    if earlier:
        hang_up()
