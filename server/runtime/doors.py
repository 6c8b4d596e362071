"""A server in several processes: a coordinator, a spare one, and doors, started by their parent."""

import asyncio
import os
import signal
import sys
import time
from collections.abc import Callable, Coroutine, Sequence
from contextlib import AsyncExitStack, suppress
from functools import partial
from pathlib import Path
from typing import Any, Final

import structlog
from typing_extensions import override

from server.coordinator.events.seasons import Seasons
from server.coordinator.messages.operator_orders import OperatorReply
from server.link.coordinator_side import DoorSocket
from server.link.door_side import RemoteCoordinator
from server.problem import Problem
from server.runtime import gc_policy
from server.runtime.banner import join_lines
from server.runtime.coordination import GOODBYE_SECONDS, Coordination, take_up
from server.runtime.figures import figures_from, figures_of_all, tell_figures
from server.runtime.front import Front, Ports
from server.runtime.health import OPEN, STARTING, Health, measure_lag
from server.runtime.metrics_port import Figures, MetricsServer, figures_of
from server.runtime.process import ORDERED, READY, SdNotify, Shutdown
from server.runtime.reloader import Reloader
from server.runtime.server import proxies_of, raise_descriptor_limit, wanted_ports
from server.runtime.supervisor import WAITING, Program, Supervisor
from server.settings.addresses import database_url
from server.settings.settings import Settings
from server.storage.databases.database import DAMAGED, Database
from server.storage.events import EventStore
from server.storage.history_store import HistoryStore
from server.storage.leaderboard_store import SeasonStore
from server.storage.statedir import DOORS, FIGURES, Lock, backend_of, hold, make_private
from server.transport.access.authorized_keys import AuthorizedKeys
from server.transport.access.policy import OPERATORS
from server.transport.net.shared_port import can_share, inherited, share
from server.transport.net.sockets import Listening, listen
from server.transport.ssh.host_keys import load_or_make

log = structlog.get_logger("server")

COORDINATOR: Final = "coordinator"
_ASK_SECONDS: Final = 1.0
_SILENT_SECONDS: Final = 6.0
"""How often the parent asks the coordinator for its figures, and how long it waits for an answer."""
_LOOK_AGAIN: Final = 0.1
"""Seconds between two looks at whether anybody is left in a door."""

Read = Callable[[], Settings]


def door_name(number: int) -> str:
    """What a door is called."""
    return f"door {number}"


class CoordinatorProcess(Coordination):
    """The coordinator, in a process of its own."""

    async def serve(self) -> int:
        """Wait for the lock of the state directory, then serve until told to stop; the exit status. Raises
        ``Problem`` or ``StoreError``.
        """
        shutdown, service = self._shutdown, SdNotify()
        shutdown.handle_signals()
        end_with_parent(shutdown)
        async with self._stack:
            service.tell(WAITING)
            opening = asyncio.create_task(self._open_stores(in_turn=True))
            await first_of(asyncio.wait([opening]), shutdown.asked())
            if not opening.done():
                opening.cancel()
                return 0
            opening.result()
            await self._open_lobby()
            self._health = Health(self._database, None, self._lobby)
            self._reloader = Reloader(self._settings, self._read, self._lobby, self._people)
            await self._open_operators(self._reload_all)
            term = time.clock_gettime_ns(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))
            self._doors = DoorSocket(self._arrivals, self._settings.state, term)
            tables = await take_up(self._lobby, lambda: None)
            await self._doors.open()
            self._stack.callback(self._doors.close)
            self._stack.push_async_callback(self._arrivals.close, GOODBYE_SECONDS)
            self._stack.push_async_callback(self._doors.until_told, GOODBYE_SECONDS)
            self._stack.push_async_callback(self._lobby.close)
            asyncio.get_running_loop().add_signal_handler(signal.SIGHUP, self._reloader.reload)
            figures = await tell_figures(
                self._settings.state, COORDINATOR, partial(figures_of, self._health)
            )
            self._stack.callback(figures.close)
            self._health.status = OPEN
            service.tell(READY)
            log.info("coordinator_open", tables=tables)
            gc_policy.settle()
            self._run_beside(self._work())
            await self._until_told()
        return ORDERED if shutdown.ordered else 0

    def _reload_all(self) -> OperatorReply:
        told = self._reloader.reload()
        os.kill(os.getppid(), signal.SIGHUP)  # for the doors
        return told

    @override
    async def _say_goodbye(self, problem: Problem) -> None:
        """Where the next one would find no database either, that is the end for everybody."""
        if problem.status == DAMAGED and self._health.status != STARTING:
            self._lobby.send_away("lost")
            await self._doors.until_told(GOODBYE_SECONDS)

    @property
    @override
    def _settings_now(self) -> Settings:
        return self._reloader.settings


class DoorProcess:
    """One door."""

    def __init__(
        self, settings: Settings, read: Read, number: int, descriptors: Sequence[Sequence[int]]
    ) -> None:
        """``descriptors`` are those of the sockets that the parent has left open, for each of its ports."""
        self._settings: Final = settings
        self._read: Final = read
        self._name: Final = door_name(number)
        self._descriptors: Final = descriptors
        self._shutdown: Final = Shutdown()
        self._coordinator: Final = RemoteCoordinator(settings.state / DOORS, self._name)

    async def serve(self) -> int:
        """Let people in as soon as there is a coordinator, until told to stop and nobody is left; the exit
        status. Raises ``Problem``.
        """
        self._shutdown.handle_signals()
        end_with_parent(self._shutdown)
        raise_descriptor_limit()
        async with AsyncExitStack() as stack:
            loop, coordinator = asyncio.get_running_loop(), self._coordinator
            linked = loop.create_task(coordinator.keep_connected())
            stack.callback(linked.cancel)
            await first_of(coordinator.connected.wait(), self._shutdown.asked())
            if self._shutdown.told:
                return 0
            await self._open(stack)
            SdNotify().tell(READY)
            gc_policy.settle()
            for work in self._work():
                stack.callback(loop.create_task(work).cancel)
            await self._shutdown.asked()
            log.info("door_closing", sessions=len(self._front.server.sessions))
            self._ports.close()
            while self._front.server.sessions and not self._shutdown.at_once_now:  # noqa: ASYNC110
                await asyncio.sleep(_LOOK_AGAIN)
            coordinator.send_away("shutdown")
            await self._front.server.close()
            await self._front.close()
        return 0

    async def _open(self, stack: AsyncExitStack) -> None:
        settings, coordinator = self._settings, self._coordinator
        database = Database(backend_of(settings.state, database_url(settings)))
        stack.push_async_callback(database.close)
        await database.open(migrate=False)
        lines = [Listening(inherited(each), proxies_of(settings)) for each in self._descriptors]
        ssh, telnet, tls, *_ = [*lines, None, None]
        assert ssh is not None
        self._ports = Ports(ssh, telnet, tls)
        self._front = Front(
            settings,
            self._ports,
            coordinator,
            HistoryStore(database),
            EventStore(database),
            Seasons(SeasonStore(database), coordinator.clock).page,
            AuthorizedKeys(settings.keys / OPERATORS, coordinator.clock.time),
        )
        front = self._front
        self._health = Health(database, front.server, None, front.key_to_frame, status=OPEN)
        figures = await tell_figures(settings.state, self._name, self._figures)
        stack.callback(figures.close)
        reloader = Reloader(settings, self._read, None, None, front.server, front.ssh, front.telnet)
        asyncio.get_running_loop().add_signal_handler(signal.SIGHUP, reloader.reload)
        front.open()

    async def _figures(self) -> Figures:
        self._health.status = OPEN if self._coordinator.connected.is_set() else "no coordinator"
        return await figures_of(self._health)

    def _work(self) -> list[Coroutine[None, None, None]]:
        return [
            gc_policy.keep_clean(self._coordinator.clock),
            measure_lag(self._health, asyncio.get_running_loop().time),
        ]


async def serve_with_doors(settings: Settings, command: Callable[..., Sequence[str]]) -> int:
    """Start a coordinator, a spare and doors, and keep them running until told to stop; the exit status of
    the coordinator. ``command`` has the words that start a child. Raises ``Problem``.
    """
    count = settings.doors if can_share() else 1
    if count < settings.doors:
        log.warning("one_door", reason="this system cannot share a port by address")
    state = settings.state
    make_private(state, settings.keys)
    async with AsyncExitStack() as stack:
        stack.callback(os.close, hold(state))
        Lock(state).release()  # a server without doors may be running
        for earlier in state.glob(f"*{FIGURES}"):  # of a server that had more doors
            earlier.unlink()
        key = load_or_make(settings.keys)
        ports = [
            share(settings.host, port, count) if can_share() else [listen(settings.host, port)]
            for port in wanted_ports(settings)
            if port is not None
        ]
        names = [door_name(number) for number in range(1, count + 1)]
        doors = []
        for number, (name, *each) in enumerate(zip(names, *ports, strict=True), 1):
            sockets = [[one.fileno() for one in lines] for lines in each]
            words = "/".join(",".join(map(str, port)) for port in sockets)
            child = command("door", str(number), words)
            doors.append(Program(name, child, [one for port in sockets for one in port]))
        supervisor = Supervisor(Program(COORDINATOR, command(COORDINATOR, "0")), doors)
        metrics_port = None
        if settings.metrics_port is not None:
            gather = partial(figures_of_all, state, [COORDINATOR, *names])
            metrics = MetricsServer(gather, settings.metrics_host, settings.metrics_port)
            stack.push_async_callback(metrics.close)
            metrics_port = metrics.port
        ssh, telnet, *_ = [*(Listening(shares[0]) for shares in ports), None]
        assert ssh is not None
        lines = join_lines(settings, ssh, telnet, key, metrics_port=metrics_port)

        async def tell_open() -> None:
            await supervisor.until(lambda: supervisor.serving)
            with suppress(OSError, AttributeError, UnicodeError):  # nobody reads it
                print("\n".join(lines), flush=True)
            log.info("open", host=settings.host, ssh_port=ssh.port, doors=count)

        for work in (tell_open(), _watch(supervisor, state)):
            stack.callback(asyncio.create_task(work).cancel)
        return await supervisor.run()


async def _watch(supervisor: Supervisor, state: Path) -> None:
    """End a coordinator that says nothing any more, so that the spare one takes over."""
    loop = asyncio.get_running_loop()
    heard = loop.time()
    while True:
        await asyncio.sleep(_ASK_SECONDS)
        if not supervisor.serving or await figures_from(state, COORDINATOR) is not None:
            heard = loop.time()
        elif loop.time() - heard > _SILENT_SECONDS:
            log.error("coordinator_silent", seconds=round(loop.time() - heard))
            heard = loop.time()
            for child in supervisor.children:
                if child.program.name == COORDINATOR and child.told == READY:
                    child.send(signal.SIGKILL)


def end_with_parent(shutdown: Shutdown) -> None:
    """Stop at once when the parent is no more, whose pipe standard input is."""
    loop = asyncio.get_running_loop()
    stdin = sys.stdin.fileno()

    def heard() -> None:
        if not os.read(stdin, 1024):
            loop.remove_reader(stdin)
            shutdown.at_once()

    loop.add_reader(stdin, heard)


async def first_of(*waited_for: Coroutine[Any, Any, object]) -> None:
    """Wait for one of these, and for no other any more."""
    tasks = [asyncio.ensure_future(each) for each in waited_for]
    await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    for task in tasks:
        task.cancel()
