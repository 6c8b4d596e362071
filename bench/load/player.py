"""One scripted player: a session on a line, what came in on it, and how to be a nuisance."""

import asyncio
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from bench.load.client import Clients
from bench.load.line import Line, Wish
from bench.load.screen import COLUMNS, ROWS, Screen

TERM: Final = "xterm-16color"
_QUIET: Final = 1.5
"""Seconds without anything new after which nothing is on its way ..."""
_LONGEST_QUIET: Final = 8.0
"""... and how long that is waited for."""
PATIENCE: Final = 30.0
"""Seconds after which what does not happen is given up."""


class Player:
    """A seat at a table. See ``line.Far``."""

    def __init__(self, number: int, *, looked_at: bool = False, telnet: bool = False) -> None:
        """``looked_at`` players have a terminal; ``telnet`` ones come in by telnet, where they can."""
        self.number: Final = number
        self.name: Final = f"p{number}"
        self.screen = Screen() if looked_at else None
        self.telnet: Final = telnet
        self.line: Line | None = None
        self.payload = 0
        """Bytes that the terminal was sent so far."""
        self.packets = 0
        self.kinds: Final[Counter[str]] = Counter()
        """Bytes of payload by the kind of frame."""
        self.wires: Final[Counter[str]] = Counter()
        """The same as TCP carries them."""
        self.frames: Final[Counter[str]] = Counter()
        """How many frames of each kind."""
        self.first_frame = 0.0
        """Seconds from connecting to the first frame."""
        self.bad = ""
        """What kind of nuisance this one is; empty for honest players."""
        self.lost = False
        self.heard: Callable[[Player, bytes], None] | None = None
        """Is called with everything that comes in."""
        self._counted = 0
        self._unseen = bytearray()
        self._news = asyncio.Event()
        self._began = 0.0
        self._tricks: asyncio.Task[None] | None = None

    # ------------------------------------------------------------ the line

    async def come(self, clients: Clients, suffix: str = "", *, small: bool = False) -> None:
        """Connect and wait for the first frame; ``small`` keeps little unread at this end."""
        self._began = time.perf_counter()
        wish = Wish(self.name + suffix, self.number, TERM, (COLUMNS, ROWS), small)
        self.line = await clients.connect(self, wish, telnet=self.telnet)
        async with asyncio.timeout(PATIENCE):
            while not self.first_frame and not self.lost:
                await self.news()

    def came(self, line: Line, data: bytes) -> None:
        """See ``line.Far``."""
        self.payload += len(data)
        self.packets += 1
        if self.heard is not None:
            self.heard(self, data)
        if self.screen is not None:
            self._unseen += data
        if not self.first_frame and len(data) > COLUMNS:
            self.first_frame = line.arrived - self._began
        self._news.set()

    def dropped(self) -> None:
        """See ``line.Far``."""
        self.lost = True
        self._news.set()

    @property
    def arrived(self) -> float:
        """When the last bytes came in."""
        return self.line.arrived if self.line is not None else 0.0

    @property
    def wire(self) -> int:
        """Bytes of the TCP stream so far, in this direction."""
        return self.line.received if self.line is not None else 0

    def count(self, kind: str, data: bytes) -> None:
        """What has just come in was of this kind."""
        self.kinds[kind] += len(data)
        self.frames[kind] += 1
        wire = self.wire
        self.wires[kind] += wire - self._counted
        self._counted = wire

    def press(self, keys: str) -> None:
        """Type."""
        if self.line is not None and not self.lost:
            self.line.write(keys.encode())

    def leave(self) -> None:
        """Hang up."""
        if self._tricks is not None:
            self._tricks.cancel()
        if self.line is not None:
            self.line.abort()

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

    async def turn_good(self) -> None:
        """Stop that. Whom the server lets go for it is not honest again."""
        assert self.line is not None
        if self._tricks is not None:
            self._tricks.cancel()
            with suppress(asyncio.CancelledError):
                await self._tricks
        if not self.lost:
            if self.bad == "deaf":
                self.line.listen(on=True)
            elif self.bad == "resizing":
                self.line.resize(COLUMNS, ROWS)
            await self._quiet()
        if not self.lost:
            self.bad = ""

    async def _quiet(self) -> None:
        """Until what has piled up has come: with so little room at this end that takes a while."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_LONGEST_QUIET):
                while True:
                    self._news.clear()
                    try:
                        async with asyncio.timeout(_QUIET):
                            await self._news.wait()
                    except TimeoutError:
                        return

    async def _deaf(self) -> None:
        assert self.line is not None
        self.line.listen(on=False)
        while not self.lost:
            self.press("\x0c")  # paint everything anew
            await asyncio.sleep(0.1)

    async def _flood(self) -> None:
        while not self.lost:
            # A bid among it: this player's own ones are far behind, and a round needs them all.
            self.press("\r" + "\x1b[C\x1b[D\x0c" * 16)
            await asyncio.sleep(0.02)

    async def _resize(self) -> None:
        assert self.line is not None
        size = 0
        while not self.lost:
            size += 1
            self.line.resize(COLUMNS + size % 40, ROWS + size % 20)
            await asyncio.sleep(0.02)
