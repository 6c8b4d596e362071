"""One scripted player: a session on a connection, what came in on it, and how to be a nuisance."""

import asyncio
import socket
import time
from collections import Counter
from collections.abc import Callable
from typing import Final

import asyncssh

from bench.load.client import Client, Clients
from bench.load.screen import COLUMNS, ROWS, Screen

TERM: Final = "xterm-16color"
PATIENCE: Final = 30.0
"""Seconds after which what does not happen is given up."""
_SMALL_WINDOW: Final = 32_768


class Player(asyncssh.SSHClientSession[bytes]):
    """A seat at a table."""

    def __init__(self, number: int, *, looked_at: bool = False) -> None:
        """``looked_at`` players have a terminal."""
        self.number: Final = number
        self.name: Final = f"p{number}"
        self.screen = Screen() if looked_at else None
        self.client: Client | None = None
        self.payload = 0
        """Bytes that the terminal was sent so far."""
        self.packets = 0
        self.kinds: Final[Counter[str]] = Counter()
        """Bytes of payload by the kind of frame."""
        self.frames: Final[Counter[str]] = Counter()
        """How many frames of each kind."""
        self.first_frame = 0.0
        """Seconds from connecting to the first frame."""
        self.bad = ""
        """What kind of nuisance this one is; empty for honest players."""
        self.lost = False
        self.heard: Callable[[Player, bytes], None] | None = None
        """Is called with everything that comes in."""
        self._channel: asyncssh.SSHClientChannel[bytes] | None = None
        self._unseen = bytearray()
        self._news = asyncio.Event()
        self._began = 0.0
        self._tricks: asyncio.Task[None] | None = None

    # ------------------------------------------------------------ the line

    async def come(self, clients: Clients, suffix: str = "", *, small: bool = False) -> None:
        """Connect and wait for the first frame; ``small`` keeps little unread at this end."""
        self._began = time.perf_counter()
        self.client = await clients.connect(self.name + suffix, self.number)
        if small:
            sock: socket.socket = self.client.get_extra_info("socket")
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        await self.client.create_session(
            lambda: self,
            term_type=TERM,
            term_size=(COLUMNS, ROWS),
            encoding=None,
            window=_SMALL_WINDOW if small else 1 << 30,
        )
        async with asyncio.timeout(PATIENCE):
            while not self.first_frame and not self.lost:
                await self.news()

    def connection_made(self, chan: asyncssh.SSHClientChannel[bytes]) -> None:
        """See ``asyncssh.SSHClientSession``."""
        self._channel = chan

    def data_received(self, data: bytes, datatype: int | None) -> None:
        """See ``asyncssh.SSHClientSession``."""
        self.payload += len(data)
        self.packets += 1
        if self.heard is not None:
            self.heard(self, data)
        if self.screen is not None:
            self._unseen += data
        if not self.first_frame and len(data) > COLUMNS:
            self.first_frame = self.arrived - self._began
        self._news.set()

    def connection_lost(self, exc: Exception | None) -> None:
        """See ``asyncssh.SSHClientSession``."""
        self.lost = True
        self._news.set()

    @property
    def arrived(self) -> float:
        """When the last bytes came in."""
        return self.client.arrived if self.client is not None else 0.0

    @property
    def wire(self) -> int:
        """Bytes of the TCP stream so far, in this direction."""
        return self.client.received if self.client is not None else 0

    def press(self, keys: str) -> None:
        """Type."""
        if self._channel is not None and not self.lost:
            self._channel.write(keys.encode())

    def leave(self) -> None:
        """Hang up."""
        if self._tricks is not None:
            self._tricks.cancel()
        if self.client is not None:
            self.client.abort()

    # ------------------------------------------------------------ the screen

    async def news(self) -> None:
        """Wait until something has come."""
        await self._news.wait()
        self._news.clear()

    def look(self) -> Screen:
        """The screen with everything on it that has come; only for those that are looked at."""
        assert self.screen is not None
        self.screen.feed(bytes(self._unseen))
        self._unseen.clear()
        return self.screen

    async def sees(self, seen: Callable[[str], object]) -> None:
        """Wait until ``seen`` is true of the text on the screen. Raises ``TimeoutError``."""
        async with asyncio.timeout(PATIENCE):
            while not seen(self.look().text):
                await self.news()

    # ------------------------------------------------------------ nuisances

    def turn_bad(self, how: str) -> None:
        """``deaf``: read nothing any more, and ask for more. ``flooding``: type without end.
        ``resizing``: change the terminal's size without end.
        """
        self.bad = how
        tricks = {"deaf": self._deaf, "flooding": self._flood, "resizing": self._resize}
        self._tricks = asyncio.get_running_loop().create_task(tricks[how]())

    async def _deaf(self) -> None:
        assert self.client is not None
        self.client.line.pause_reading()
        while not self.lost:
            self.press("\x0c")  # paint everything anew
            await asyncio.sleep(0.1)

    async def _flood(self) -> None:
        while not self.lost:
            self.press("\x1b[C\x1b[D\x0c" * 16)
            await asyncio.sleep(0.02)

    async def _resize(self) -> None:
        assert self._channel is not None
        size = 0
        while not self.lost:
            size += 1
            self._channel.change_terminal_size(COLUMNS + size % 40, ROWS + size % 20)
            await asyncio.sleep(0.02)
