"""A terminal that is only paper: what was written on it, line by line."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import Any

from server.coordinator.clock import FakeClock
from server.coordinator.ports import Visit
from server.linemode.session import LineSession
from server.session.account import Account
from server.terminal.capabilities import Capabilities, ConnectionStats, Size
from tests.support.patience import PATIENCE


class Paper:
    """See ``server.terminal.capabilities.Terminal``."""

    def __init__(self, **abilities: Any) -> None:
        wanted = {"lines": True, "cursor": False, "echoes": True} | abilities
        self.abilities = Capabilities(**wanted)
        self.size = Size(80, 24)
        self.writable = True
        self.written = ""
        self.writes: list[str] = []
        self.closed = False
        self._wrote = asyncio.Event()

    def write(self, text: str) -> None:
        self.written += text
        self.writes.append(text)
        self._wrote.set()

    async def until(self, seen: Callable[[], object]) -> None:
        """Wait until enough has been written. Raises ``TimeoutError``."""
        async with asyncio.timeout(PATIENCE):
            while not seen():
                self._wrote.clear()
                await self._wrote.wait()

    def close(self) -> None:
        self.closed = True

    @property
    def lines(self) -> list[str]:
        return self.written.split("\r\n")


class Reader:
    """Somebody at a line terminal: types lines, reads what has come since."""

    def __init__(
        self,
        visit: Visit,
        clock: FakeClock,
        account: Account | None = None,
        way_in: str = "",
        **abilities: Any,
    ) -> None:
        self.paper = Paper(**abilities)
        self.clock = clock
        self.visit = visit
        self.session = LineSession(
            self.paper, visit, clock, account=account, facts=lambda: ConnectionStats(way_in=way_in)
        )
        self._read = 0
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> "Reader":
        self._task = asyncio.create_task(self.session.run())
        await self.clock.advance(0)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._task is not None
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task

    @property
    def left(self) -> bool:
        return self._task is not None and self._task.done()

    async def say(self, *lines: str) -> list[str]:
        """Type lines; what is answered at once."""
        self.new()
        for line in lines:
            self.session.feed(f"{line}\n")
        await self.clock.advance(0)
        return self.new()

    def new(self) -> list[str]:
        """Lines written since the last call."""
        lines = self.paper.lines
        fresh = lines[self._read : -1]
        self._read = len(lines) - 1
        return fresh
