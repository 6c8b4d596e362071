"""Somebody at a full screen on a real server: frames as they are drawn, without a terminal."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

from server.coordinator.messages import Command
from server.terminal.capabilities import Capabilities, ConnectionStats, Size
from tests.support.accounts import FakeAccount, FakeLibrary
from tests.support.fakes import router_for
from tests.support.keys import look_at, press_keys
from tests.support.pilot import NORMAL
from tests.support.snapshots import plain
from tests.support.tables import World

WAY_IN: Final = "-p 2222 club.example"


class Screen:
    """Somebody with an account and finished games, who has left the title page."""

    pause = 0.1
    """Seconds before and after each key."""

    def __init__(self, server: World, name: str, size: Size = NORMAL, **abilities: Any) -> None:
        self.server, self.size = server, size
        self.visit = server.enter(name).visit
        account = FakeAccount(library=FakeLibrary(server.clock.time()))
        able = Capabilities(**abilities)
        self.controller = router_for(self.visit, server.clock, able, account)
        self.context = self.controller.context
        self.context.facts = lambda: ConnectionStats(way_in=WAY_IN)
        self.context.greeted = True
        self.controller.attach(lambda **_: None)

    async def do(self, command: Command) -> None:
        """Have something done that no key is pressed for."""
        assert (await self.context.submit(command)).ok
        await self.server.clock.advance(0)

    async def press(self, *names: str) -> str:
        """Press keys, or type them where something is being typed; what is on the screen then."""
        for name in names:
            await self.server.clock.advance(self.pause)
            entry = self.controller.entry
            if entry is not None and name not in ("enter", "escape"):
                entry.insert_text(name)
            else:
                press_keys(self.controller, name)
            await self.server.clock.advance(self.pause)
        return self.text

    async def until(self, *said: str, seconds: int = 60) -> None:
        """Wait until all of this is on the screen."""
        for _ in range(seconds):
            if all(each in self.text for each in said):
                return
            await self.server.clock.advance(1)
        raise AssertionError(self.text)

    @property
    def text(self) -> str:
        """What is on the screen."""
        return plain(look_at(self.controller, self.size).rows)

    @property
    def together(self) -> str:
        """The words of it, however its lines are broken."""
        return " ".join(self.text.split())


@asynccontextmanager
async def screen(server: World, name: str, size: Size = NORMAL) -> AsyncIterator[Screen]:
    """Somebody who leaves again."""
    made = Screen(server, name, size)
    try:
        await server.clock.advance(0.1)
        yield made
    finally:
        made.controller.close()
        made.visit.close()
