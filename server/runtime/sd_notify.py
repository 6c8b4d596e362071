"""Tell the service manager how the server is: systemd's protocol, which others use as well.

Datagrams go to the socket that ``NOTIFY_SOCKET`` names, see sd_notify(3); without one, nothing is sent.
"""

import os
import socket
from collections.abc import Mapping
from contextlib import suppress
from typing import Final

from server.coordinator.clock import Clock

READY: Final = "READY=1"
STOPPING: Final = "STOPPING=1"
ALIVE: Final = "WATCHDOG=1"
_MICROSECONDS: Final = 1_000_000


class SdNotify:
    """The service manager, if there is one."""

    def __init__(self, environ: Mapping[str, str] = os.environ) -> None:
        self._address: Final = environ.get("NOTIFY_SOCKET", "")
        mine = environ.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        patience = environ.get("WATCHDOG_USEC", "") if mine else ""
        self.patience: Final = int(patience) / _MICROSECONDS if patience.isdecimal() else 0.0
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
