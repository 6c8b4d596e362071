"""Ada at a full screen in a house, with others whom the test lets talk."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from server.coordinator.messages import Player, Room, Say, WatchTable
from server.fullscreen.router import Router
from server.session.account import Account
from server.terminal.capabilities import Capabilities, Size
from tests.support.fakes import router_for
from tests.support.pilot import NORMAL, Pilot
from tests.support.tables import Guest, World
from tests.support.through_frames import enter


class Sitting:
    """Ada at a full screen in a house, with others whom the test lets talk."""

    def __init__(self, server: World, pilot: Pilot, controller: Router) -> None:
        self.server = server
        self.pilot = pilot
        self.controller = controller

    async def wait(self) -> None:
        await self.server.clock.advance(1)
        self.pilot.timers.advance(1)

    async def press(self, *names: str) -> None:
        for name in names:
            self.pilot.press(name)
            await self.wait()

    async def type(self, text: str) -> None:
        self.pilot.type(text)
        await self.wait()

    async def say(self, guest: Guest, text: str = "", **more: Any) -> None:
        room = Room.DIRECT if "to" in more else Room.TABLE if guest.last.table else Room.LOBBY
        await guest.ok(Say(room, text, **more))
        await self.wait()

    @property
    def text(self) -> str:
        return self.pilot.text

    @property
    def keys(self) -> str:
        """The footer."""
        return self.pilot.screen()[self.pilot.terminal.size.rows - 1]


@asynccontextmanager
async def sitting(
    server: World,
    size: Size = NORMAL,
    *,
    name: str = "ada",
    play: bool = False,
    account: Account | None = None,
    **abilities: Any,
) -> AsyncIterator[Sitting]:
    visit = enter(server.lobby, Player(f"id-{name}", name, True))
    controller = router_for(visit, server.clock, Capabilities(**abilities), account)
    controller.context.greeted = True
    async with Pilot(controller, size, **abilities) as pilot:
        ada = Sitting(server, pilot, controller)
        await ada.wait()
        if play:
            await ada.press("b", "enter")
        yield ada
    controller.close()


def heard(guest: Guest) -> list[str]:
    guest.read()
    return [line.text or line.phrase for update in guest.updates for line in update.chat]


async def watcher(server: World, ada: Sitting, name: str = "bo") -> Guest:
    guest = server.enter(name)
    table = ada.controller.context.table
    assert table is not None
    await guest.ok(WatchTable(table.info.id))
    await ada.wait()
    return guest
