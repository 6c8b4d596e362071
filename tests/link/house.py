"""A coordinator that can be killed, and doors that come to it."""

import asyncio
from pathlib import Path
from socket import socket

from server.coordinator.arrivals import Arrivals
from server.coordinator.contract import Arrival, Arrived, Visit
from server.coordinator.lobby.lobby import Lobby
from server.coordinator.people.people import People
from server.link.coordinator_side import DoorSocket
from server.link.door_side import RemoteCoordinator, reach_in
from server.link.elsewhere import Reach
from server.storage.moderation import BanRow
from server.timers import SystemClock
from tests.support.connections import AT_ONCE
from tests.support.memory_stores import MemoryPeople, MemoryStore
from tests.support.patience import PATIENCE


class House:
    """One database, one coordinator after the other, and doors."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.store, self.people = MemoryStore(), MemoryPeople()
        self.term = 0
        self.banned: dict[tuple[str, str], BanRow] = {}
        self.doors: list[tuple[RemoteCoordinator, asyncio.Task[None]]] = []
        self.listening: list[socket] = []
        """For doors elsewhere."""

    async def start(self, term: int = 0) -> None:
        """A coordinator, as after a kill: what it knows is what is kept."""
        self.term = term or self.term + 1
        self.lobby = Lobby(self.store, SystemClock(), timing=AT_ONCE)
        people = People(self.people, self.lobby.shared.clock, seated=self.lobby.knows)
        self.arrivals = Arrivals(self.lobby, people)
        self.arrivals.bans.fill(self.banned)
        await self.lobby.recover()
        self.socket = DoorSocket(self.arrivals, self.folder, self.term)
        await self.socket.open(self.listening, self.folder / "keys")

    async def kill(self) -> None:
        """Nothing is told to anybody."""
        self.socket.close()
        await asyncio.sleep(0.01)
        self.lobby.send_away = lambda why: None  # type: ignore[method-assign]
        self.arrivals.closing_down = True
        await self.lobby.close()

    def opening(self, *ways: Reach) -> RemoteCoordinator:
        """A door that is on its way."""
        name = f"door {len(self.doors) + 1}"
        made = RemoteCoordinator(ways or (reach_in(self.folder),), name)
        self.doors.append((made, asyncio.create_task(made.keep_connected())))
        return made

    async def door(self, *ways: Reach) -> RemoteCoordinator:
        made = self.opening(*ways)
        await asyncio.wait_for(made.connected.wait(), PATIENCE)
        return made


async def come(door: RemoteCoordinator, name: str, key: str = "") -> tuple[Visit, Arrived]:
    return await door.arrive(Arrival(name, "192.0.2.1", "ssh", "192.0.2.1", key or f"k-{name}"))
