"""The coordinator's end of the link: a socket in the state directory, and each door that connects to it."""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from pathlib import Path
from socket import socket
from typing import Any, Final

import msgspec
import structlog
from msgspec.structs import replace

from server import StoreError
from server.coordinator import messages as m
from server.coordinator.arrivals import Arrivals
from server.coordinator.contract import NOTHING, Arrival, Banned, Visit
from server.link import frames as f
from server.link.elsewhere import DoorPort
from server.private_files import short_path
from server.storage.statedir import DOORS
from server.timers import Tasks

_log = structlog.get_logger("link")


class Door:
    """One door, as the coordinator sees it: its visits are like any others, and their feeds are taken when a
    frame can leave.
    """

    def __init__(
        self,
        arrivals: Arrivals,
        term: int,
        gone: Callable[["Door"], object] = lambda _: None,
        machine: str = "",
    ) -> None:
        self._arrivals: Final = arrivals
        self._term: Final = term
        self._gone: Final = gone
        self.line: Final = f.LinkConnection(f.decode_up, self._heard, self.lost, self.gather)
        self._machine: Final = machine
        self._name = ""
        self._visits: Final[dict[int, Visit]] = {}
        self._news: dict[int, None] = {}
        """Numbers of visits whose feeds have updates, in order."""
        self._lobby: m.LobbySnapshot | None = None
        self._tasks: Final = Tasks()
        self._work: Final[dict[int, asyncio.Task[None]]] = {}
        """Requests that are being carried out, by number."""

    # ------------------------------------------------------------ from the door

    def _heard(self, message: f.Up) -> None:
        match message:
            case f.Hello(version, name):
                if version != f.VERSION:
                    _log.error("door_of_another_release", door=name, version=version)
                    self.line.close()
                    return
                self._name = f"{name} at {self._machine}" if self._machine else name
                _log.info("door_came", door=self._name)
                self.line.send(f.Welcome(f.VERSION, self._term, self._arrivals.clock.time()))
                self._arrivals.bans.when_changed.append(self._tell_bans)
                self._tell_bans()
            case f.Arrive(visit, arrival, None):
                self._begin(visit, self._answer(visit, self._arrive, visit, arrival))
            case f.Arrive(visit, _, again) if again is not None:
                self._begin(visit, self._arrive_again(message, again))
            case f.Leave(visit):
                if work := self._work.get(visit):
                    work.cancel()
                if made := self._visits.pop(visit, None):
                    made.close()
                self._news.pop(visit, None)
            case f.Submit(number, visit, command):
                self._begin(number, self._answer(number, self._submit, visit, command))
            case f.Call(number, method, arguments):
                self._begin(number, self._answer(number, self._call, method, arguments))

    def _begin(self, number: int, work: Coroutine[Any, Any, object]) -> None:
        task = self._work[number] = self._tasks.spawn(work)
        task.add_done_callback(lambda _: self._work.pop(number, None))

    def lost(self) -> None:
        """End all visits by a door whose connection has ended."""
        if self._tell_bans in self._arrivals.bans.when_changed:
            self._arrivals.bans.when_changed.remove(self._tell_bans)
            _log.info("door_gone", door=self._name, visits=len(self._visits))
        self._tasks.cancel()
        for visit in self._visits.values():
            visit.close()
        self._visits.clear()
        self._gone(self)

    def _tell_bans(self) -> None:
        rows = self._arrivals.bans.rows.items()
        self.line.send(f.BansNow(tuple((kind, value, ban) for (kind, value), ban in rows)))

    async def _answer(
        self, number: int, work: Callable[..., Coroutine[Any, Any, object]], *given: object
    ) -> None:
        try:
            self.line.send(f.Result(number, await work(*given)))
        except Banned as banned:
            self.line.send(f.Failed(number, "banned", banned.ban))
        except StoreError as error:
            self.line.send(f.Failed(number, error.code))
        except Exception:  # a bug, which must not keep the visitor waiting
            _log.exception("call_failed")
            self.line.send(f.Failed(number, "failed"))

    async def _arrive(self, number: int, arrival: Arrival) -> f.Came:
        visit, arrived = await self._arrivals.arrive(arrival)
        self.listen(number, visit)
        return visit.player, self._arrivals.clock.time(), arrived

    async def _arrive_again(self, message: f.Arrive, again: f.Again) -> None:
        made = self._arrivals.enter_again(
            message.arrival, again.player, again.blocked, again.muted, again.since
        )
        if isinstance(made, str):
            self.line.send(f.VisitUpdate(message.visit, replace(NOTHING, closed=made), False))
            return
        self._visits[message.visit] = made
        if again.goal is not None:
            await made.submit(again.goal)
        if message.visit in self._visits:
            self.listen(message.visit, made)

    def listen(self, number: int, visit: Visit) -> None:
        """Send the door the updates of a visit from now on."""
        self._visits[number] = visit
        visit.feed.listen(partial(self._has_news, number))

    def _has_news(self, visit: int) -> None:
        self._news[visit] = None
        self.line.wake()

    async def _submit(self, visit: int, command: m.Command) -> m.Reply:
        made = self._visits.get(visit)
        return await made.submit(command) if made else m.Reply(m.Refusal.GONE)

    async def _call(self, method: str, arguments: tuple[Any, ...]) -> object:
        kinds = f.METHODS[method].values()
        given = [msgspec.convert(*each) for each in zip(arguments, kinds, strict=False)]
        return await getattr(self._arrivals, method)(*given)

    # ------------------------------------------------------------ to the door

    def gather(self, out: list[f.LinkFrame]) -> None:
        """Add the updates of visits."""
        news, self._news = self._news, {}
        for number in news:
            visit = self._visits.get(number)
            update = visit.feed.take() if visit else None
            if update is not None:
                if update.lobby is not None:
                    self._show_lobby(out, update.lobby)
                out.append(
                    f.VisitUpdate(number, replace(update, lobby=None), update.lobby is not None)
                )

    def _show_lobby(self, out: list[f.LinkFrame], lobby: m.LobbySnapshot) -> None:
        if lobby is self._lobby:
            return
        before = {row.id: row for row in self._lobby.tables} if self._lobby else {}
        changed = tuple(row for row in lobby.tables if before.get(row.id) is not row)
        order = tuple(row.id for row in lobby.tables)
        out.append(f.LobbyNow(changed, order, replace(lobby, tables=())))
        self._lobby = lobby


class DoorSocket:
    """The listener for doors: a socket for this user alone, and a port for other machines if configured."""

    def __init__(self, arrivals: Arrivals, state: Path, term: int) -> None:
        self._arrivals: Final = arrivals
        self._state: Final = state
        self._term: Final = term
        self._doors: Final[set[Door]] = set()
        self._server: asyncio.Server | None = None
        self._port: DoorPort | None = None

    async def open(self, elsewhere: Sequence[socket] = (), keys: Path = Path()) -> None:
        """Listen, in place of any coordinator before, and at these sockets for doors ``elsewhere``.

        Raises ``OSError``.
        """
        loop = asyncio.get_running_loop()
        with short_path(self._state / DOORS) as path:
            path.unlink(missing_ok=True)
            # Other users cannot enter the directory, also before the mode is set.
            self._server = await loop.create_unix_server(self._came, path)
            path.chmod(0o600)
        if elsewhere:
            self._port = DoorPort(elsewhere, keys, self._came)

    def close(self) -> None:
        """Send the last frames, and stop listening."""
        if self._server is not None:
            self._server.close()
        if self._port is not None:
            self._port.close()
        for door in tuple(self._doors):
            door.line.finish()

    def _came(self, machine: str = "") -> asyncio.Protocol:
        door = Door(self._arrivals, self._term, self._doors.discard, machine)
        self._doors.add(door)
        return door.line
