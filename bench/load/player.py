"""One scripted player: a session on a line, what came in on it, and how to be a nuisance."""

import asyncio
import re
from collections.abc import Callable
from typing import Final

import pyte

from bench.load.lines import COLUMNS, ROWS, Clients, Line

PATIENCE: Final = 30.0  # seconds after which what does not happen is given up


class Player:
    """Somebody with a terminal."""

    def __init__(self, number: int) -> None:
        self.number: Final = number
        self.line: Line | None = None
        self.payload = self.frames = 0
        """Bytes that the terminal was sent so far, and in how many pieces."""
        self.drawn = False
        """The first frame has come."""
        self.bad = ""
        """What kind of nuisance this one is; empty for honest players."""
        self.lost = False
        self.heard: Callable[[Player, bytes], None] = lambda _player, _data: None
        """Is called with everything that comes in."""
        self._screen: pyte.Screen | None = None
        self._stream = pyte.ByteStream()
        self._news: Final = asyncio.Event()
        self._tricks: asyncio.Task[None] | None = None

    async def come(self, clients: Clients, suffix: str = "", *, small: bool = False) -> None:
        """Connect and wait for the first frame; ``small`` keeps little unread at this end."""
        self.line = await clients.connect(
            f"p{self.number}{suffix}", self.number, self._heard, small=small
        )
        async with asyncio.timeout(PATIENCE):
            while not self.drawn and not self.lost:
                await self._more()

    def _heard(self, data: bytes) -> None:
        self.lost = not data
        self.payload += len(data)
        self.frames += 1
        self.heard(self, data)
        if self._screen is not None:
            self._stream.feed(data)
        self.drawn = self.drawn or len(data) > COLUMNS
        self._news.set()

    @property
    def arrived(self) -> float:
        """When the last bytes came in."""
        return self.line.arrived if self.line is not None else 0.0

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

    def look(self, *, on: bool) -> None:
        """Have a screen from now on, or none any more: it is dear."""
        self._screen = pyte.Screen(COLUMNS, ROWS) if on else None
        if self._screen is not None:
            self._stream = pyte.ByteStream(self._screen)

    @property
    def text(self) -> str:
        """What is on the screen."""
        assert self._screen is not None
        return "\n".join(row.rstrip() for row in self._screen.display)

    async def through(self, keys: str, seen: str) -> re.Match[str]:
        """Press ``keys``, and wait until ``seen`` is on the screen. Raises ``TimeoutError``."""
        self.press(keys)
        async with asyncio.timeout(PATIENCE):
            while not (found := re.search(seen, self.text, re.MULTILINE)):
                await self._more()
        return found

    async def _more(self) -> None:
        await self._news.wait()
        self._news.clear()

    # ------------------------------------------------------------ nuisances

    def turn_bad(self, how: str) -> None:
        """Become one of ``NUISANCES``."""
        self.bad = how
        self._tricks = asyncio.get_running_loop().create_task(NUISANCES[how](self))

    async def _deaf(self) -> None:
        assert self.line is not None
        self.line.stop_listening()
        while not self.lost:
            self.press("\x0c")  # paint everything anew
            await asyncio.sleep(0.1)

    async def _resize(self) -> None:
        assert self.line is not None
        size = 0
        while not self.lost:
            size += 1
            self.line.resize(COLUMNS + size % 40, ROWS + size % 20)
            await asyncio.sleep(0.02)

    async def _flood(self) -> None:
        while not self.lost:
            # A bid among it: this player's own ones are far behind, and a round needs them all.
            self.press("\r" + "\x1b[C\x1b[D\x0c" * 16)
            await asyncio.sleep(0.02)


NUISANCES: Final = {
    "deaf": Player._deaf,
    "resizing": Player._resize,
    "flooding": Player._flood,
}
"""Read nothing any more, and ask for more; change the terminal's size, or type, without end. Flooding comes
last: the server goes on pressing what has piled up of it."""
