"""Signals to stop, with or without time for running games, or to reload; and the service manager."""

import asyncio
import os
import signal
import socket
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

import structlog

from server.coordinator.lobby.lobby import Lobby
from server.timers import Clock

log = structlog.get_logger("server")

INTERRUPTED: Final = 130
ORDERED: Final = 3
"""Exit status of a server that an operator has stopped: the service manager must not restart it."""
_LOOK_AGAIN: Final = 0.25
"""Seconds between two checks whether anybody still plays."""

READY: Final = "READY=1"
STOPPING: Final = "STOPPING=1"
ALIVE: Final = "WATCHDOG=1"


class Shutdown:
    """Requests to stop.

    SIGTERM allows no new games and leaves time for the running ones; any signal after that, or Ctrl-C, shuts
    down at once, but cleanly; one more ends the process with ``abandon``.
    """

    def __init__(self, abandon: Callable[[int], Any] = os._exit) -> None:
        self.ordered = False
        """Whether an operator has asked for it."""
        self._abandon: Final = abandon
        self._asked: Final = asyncio.Event()
        self._now: Final = asyncio.Event()

    def handle_signals(self) -> None:
        """Handle SIGTERM and Ctrl-C from now on."""
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGTERM, self.politely)
        loop.add_signal_handler(signal.SIGINT, self.at_once)

    def politely(self) -> None:
        """Handle SIGTERM."""
        if self._asked.is_set():
            self.at_once()
        self._asked.set()

    def order(self) -> None:
        """Stop for an operator, however often that is asked for."""
        self.ordered = True
        self._asked.set()

    def at_once(self) -> None:
        """Handle Ctrl-C."""
        if self._now.is_set():
            # What was acknowledged is on the disk; terminals stay as they are.
            self._abandon(INTERRUPTED)
        self._now.set()
        self._asked.set()

    @property
    def at_once_now(self) -> bool:
        """Whether the server is to stop without waiting for games."""
        return self._now.is_set()

    async def asked(self) -> None:
        """Wait until the server is to stop."""
        await self._asked.wait()

    async def last_call(self, lobby: Lobby, clock: Clock, seconds: float) -> None:
        """Announce the end, and wait for ``seconds``, until no game is running, or until a signal."""
        if self._now.is_set() or not seconds:
            return
        end = clock.time() + seconds
        lobby.announce_closing(end)
        log.info("last_call", seconds=seconds, games=lobby.in_play())
        while not self._now.is_set() and lobby.in_play() and clock.time() < end:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._now.wait(), min(_LOOK_AGAIN, end - clock.time()))


def handle_hang_up(
    shutdown: Shutdown,
    terminals: Iterable[int],
    reload: Callable[[], object],
    earlier: Sequence[int],
) -> None:
    """Have SIGHUP reload, or stop the server if the window in which it was started has been closed.

    That is so when the descriptors ``terminals`` are none any more. ``earlier`` has the SIGHUPs so far.
    """

    def hang_up() -> None:
        if all(map(os.isatty, terminals)):
            reload()
        else:
            shutdown.at_once()

    asyncio.get_running_loop().add_signal_handler(signal.SIGHUP, hang_up)
    if earlier:
        hang_up()


class SdNotify:
    """Messages to the service manager, by systemd's protocol, which others use as well.

    Datagrams go to the socket that ``NOTIFY_SOCKET`` names, see sd_notify(3); without one, nothing is sent.
    """

    def __init__(self, environ: Mapping[str, str] = os.environ) -> None:
        self._address: Final = environ.get("NOTIFY_SOCKET", "")
        mine = environ.get("WATCHDOG_PID") in {None, "", str(os.getpid())}
        patience = environ.get("WATCHDOG_USEC", "") if mine else ""
        self.patience: Final = int(patience) / 1_000_000 if patience.isdecimal() else 0.0
        """Seconds without a message after which the server is considered dead; 0 is never."""

    def tell(self, word: str) -> None:
        """Send ``word``; it does not matter if nobody listens."""
        if self._address[:1] not in {"/", "@"}:
            return
        address = self._address.replace("@", "\0", 1)  # names a socket that is in no directory
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
            line.setblocking(False)
            line.sendto(word.encode("ascii"), address)

    async def keep_telling(self, clock: Clock) -> None:
        """Report that the event loop is alive, until cancelled; return at once if not asked to."""
        while self.patience:
            self.tell(ALIVE)
            await clock.sleep_until(clock.time() + self.patience / 3)
