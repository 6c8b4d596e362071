"""A player with a real SSH client and a terminal in memory."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, Self

import asyncssh
import pyte

from tests.support.connections import Open
from tests.support.patience import PATIENCE


class Seat(asyncssh.SSHClientSession[bytes]):
    """One session. What the server sends is shown on the screen; ``text`` is what a player would see."""

    def __init__(self, columns: int, rows: int) -> None:
        self.screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self.screen)
        self._news = asyncio.Event()
        self._channel: asyncssh.SSHClientChannel[bytes] | None = None
        self.received = 0
        self.closed = False
        self.exit_status: int | None = None

    def connection_made(self, chan: asyncssh.SSHClientChannel[bytes]) -> None:
        self._channel = chan

    def data_received(self, data: bytes, datatype: int | None) -> None:
        self.received += len(data)
        self._stream.feed(data)
        self._news.set()

    def exit_status_received(self, status: int) -> None:
        self.exit_status = status

    def connection_lost(self, exc: Exception | None) -> None:
        self.closed = True
        self._news.set()

    @property
    def text(self) -> str:
        return "\n".join(row.rstrip() for row in self.screen.display)

    def press(self, keys: str) -> None:
        assert self._channel is not None
        self._channel.write(keys.encode())

    def resize(self, columns: int, rows: int) -> None:
        assert self._channel is not None
        self.screen.resize(rows, columns)
        self._channel.change_terminal_size(columns, rows)

    async def news(self) -> None:
        """Wait until something has come."""
        await self._news.wait()
        self._news.clear()

    async def until(self, happened: Callable[[Self], object]) -> None:
        """Wait until ``happened`` is true of what is on the screen."""
        try:
            async with asyncio.timeout(PATIENCE):
                while not happened(self):
                    await self.news()
        except TimeoutError:
            raise AssertionError(f"waited in vain; the screen:\n{self.text}") from None

    async def sees(self, *texts: str) -> None:
        """Wait until all of the texts are on the screen at once."""
        await self.until(lambda seat: all(text in seat.text for text in texts))


@asynccontextmanager
async def seated(
    opened: Open, name: str, *, columns: int = 80, rows: int = 24, **options: Any
) -> AsyncIterator[Seat]:
    """A player who has connected as ``name``."""
    async with opened.connect(name, **options) as client:
        _, seat = await client.create_session(
            lambda: Seat(columns, rows),
            term_type="xterm-256color",
            term_size=(columns, rows),
            encoding=None,
        )
        yield seat
