"""A terminal that is only paper: what was written on it, line by line."""

import asyncio
import re
from abc import ABC
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, Self

from server.coordinator.contract import Visit
from server.jsonapi.session import ApiSession
from server.linemode.session import LineSession
from server.session.account import Account
from server.session.client import Visitor
from server.terminal.capabilities import Capabilities, ConnectionStats, Size
from server.terminal.meter import unlimited
from tests.support.fake_clock import FakeClock
from tests.support.patience import PATIENCE
from tests.support.regular import Regular
from tests.support.tables import World


class Paper:
    """See ``server.terminal.capabilities.Terminal``."""

    def __init__(self, **abilities: Any) -> None:
        self.meter = unlimited()
        wanted = {"lines": True, "cursor": False, "echoes": True} | abilities
        self.abilities = Capabilities(**{"wraps": wanted["echoes"]} | wanted)
        self.size = Size(80, 24)
        self.writable = True
        self.written = ""
        self.writes: list[str] = []
        self.closed = False
        self.facts = ConnectionStats()
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

    def expect(self, *, lines: bool) -> None:
        """All that comes is shown."""

    @property
    def lines(self) -> list[str]:
        return self.written.split("\r\n")


class OnPaper(ABC):
    """A session on paper; use as an asynchronous context manager."""

    paper: Paper
    clock: FakeClock
    session: LineSession | ApiSession
    _task: asyncio.Task[object] | None = None

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self.session.run())
        await self.clock.advance(0)
        return self

    async def __aexit__(self, *error: object) -> None:
        assert self._task is not None
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task

    @property
    def ended(self) -> bool:
        return self._task is not None and self._task.done()


class Reader(OnPaper):
    """Somebody at a line terminal: types lines, reads what has come since."""

    session: LineSession

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
        facts = partial(ConnectionStats, way_in=way_in)
        who = Visitor(visit.player, clock, self.paper.abilities, account or Regular(), visit, facts)
        self.session = LineSession(self.paper, who)
        self._read = 0

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


def reader(place: World, name: str = "ada", **abilities: Any) -> Reader:
    return Reader(place.enter(name).visit, place.clock, **abilities)


def cards_in(lines: list[str]) -> list[int]:
    """The hand, as it was said last."""
    said = [line for line in lines if line.startswith("Your hand: ")]
    return [int(card) for card in re.findall(r"\d+", said[-1].split(".")[0])]


async def play_by_sentences(player: Reader) -> list[str]:
    """Bids the lowest card of the hand until the game is over; everything that was said."""
    heard: list[str] = []
    while not any(line.startswith("The game is over.") for line in heard):
        heard += (answer := await player.say("hand"))
        hand = [line for line in answer if line.startswith("Your hand: ")]
        if hand and not any("is sealed" in line for line in answer):
            heard += await player.say(f"{cards_in(hand)[0]}")
        heard += player.new()
        if not any(line.startswith("The game is over.") for line in heard):
            await player.clock.next()
            heard += player.new()
    return heard
