"""A server in several processes: a coordinator, a spare one, and doors, started by their parent."""

import asyncio
import os
import signal
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack, suppress
from functools import partial
from socket import socket
from typing import Final

import structlog
from typing_extensions import override

from server import Problem
from server.coordinator.events.today import Seasons
from server.coordinator.messages.operator_orders import OperatorReply
from server.link.coordinator_side import DoorSocket
from server.link.door_side import RemoteCoordinator, reach_in
from server.link.elsewhere import encryption, reach_elsewhere
from server.runtime import gc_policy
from server.runtime.banner import join_lines
from server.runtime.coordination import GOODBYE_SECONDS, Coordination, take_up
from server.runtime.figures import Told, ask_all, merged, socket_of, tell
from server.runtime.front import Front, Ports
from server.runtime.health import OPEN, STARTING, Health, measure_lag
from server.runtime.metrics_port import Figures, MetricsServer, figures_of
from server.runtime.process import ORDERED, READY, SdNotify, Shutdown
from server.runtime.reloader import Reloader
from server.runtime.server import proxies_of, raise_descriptor_limit, wanted_ports
from server.runtime.supervisor import WAITING, Program, Supervisor
from server.settings.loading import database_url, host_and_port, places_in
from server.settings.settings import ConfigError, Settings
from server.storage.databases.database import DAMAGED, Database
from server.storage.events import EventStore
from server.storage.history_store import HistoryStore
from server.storage.ratings import SeasonStore
from server.storage.statedir import FIGURES, Lock, backend_of, hold, make_private
from server.transport.access.login import OPERATORS, AuthorizedKeys
from server.transport.net.sockets import Listening, can_share, inherited, listen, share
from server.transport.ssh.server import load_or_make

log = structlog.get_logger("server")

COORDINATOR: Final = "coordinator"
_LOOK_AGAIN: Final = 0.1
"""Seconds between two checks whether a door has sessions left."""

Read = Callable[[], Settings]


class CoordinatorProcess(Coordination):
    """The coordinator, in a process of its own."""

    async def serve(self) -> int:
        """Wait for the lock of the state directory, serve until told to stop, and return the exit status.

        Raises ``Problem`` or ``StoreError``.
        """
        shutdown, service = self._shutdown, SdNotify()
        end_with_parent(_at_once)
        async with self._stack:
            service.tell(WAITING)
            await self._open_stores(in_turn=True)
            shutdown.handle_signals()
            end_with_parent(shutdown.at_once)
            await self._open_lobby()
            self._health = Health(self._database, None, self._lobby)
            self._reloader = Reloader(self._settings, self._read, self._lobby, self._people)
            await self._open_operators(self._reload_all)
            since = time.clock_gettime_ns(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))
            term = self._database.backend.term or since
            self._doors = DoorSocket(self._arrivals, self._settings.state, term)
            tables = await take_up(self._lobby, lambda: None)
            await self._doors.open(_listening_elsewhere(self._settings), self._settings.keys)
            self._stack.callback(self._doors.close)
            self._stack.push_async_callback(self._arrivals.close, GOODBYE_SECONDS)
            self._stack.push_async_callback(self._lobby.close)
            asyncio.get_running_loop().add_signal_handler(signal.SIGHUP, self._reloader.reload)
            figures = await tell(self._settings.state, partial(figures_of, self._health))
            self._stack.callback(figures.close)
            self._health.status = OPEN
            service.tell(READY)
            log.info("coordinator_open", tables=tables)
            gc_policy.settle()
            self._run_beside([*self._work(), service.keep_telling(self._clock)])
            await self._until_told()
        return ORDERED if shutdown.ordered else 0

    def _reload_all(self) -> OperatorReply:
        told = self._reloader.reload()
        os.kill(os.getppid(), signal.SIGHUP)  # for the doors
        return told

    @override
    async def _say_goodbye(self, problem: Problem) -> None:
        """End all sessions if the next coordinator would find no database either."""
        if problem.status == DAMAGED and self._health.status != STARTING:
            self._lobby.send_away("lost")
            self._doors.close()


async def run_door(
    settings: Settings, read: Read, name: str, descriptors: Sequence[Sequence[int]]
) -> int:
    """Run a door until told to stop and nobody is left, and return the exit status.

    It accepts connections once there is a coordinator. ``descriptors`` are those of the sockets that the
    parent has left open, for each of its ports. Raises ``Problem``.
    """
    loop, shutdown = asyncio.get_running_loop(), Shutdown()
    end_with_parent(_at_once)
    raise_descriptor_limit()
    ways = [] if doors_alone(settings) else [reach_in(settings.state)]
    places = places_in(settings.door_of, "door_of") if settings.door_of else ()
    ways += [reach_elsewhere(*place, settings.keys) for place in places]
    coordinator = RemoteCoordinator(ways, name)
    async with AsyncExitStack() as stack:
        stack.callback(loop.create_task(coordinator.keep_connected()).cancel)
        await coordinator.connected.wait()
        shutdown.handle_signals()
        end_with_parent(shutdown.at_once)
        database = Database(backend_of(settings.state, database_url(settings)))
        stack.push_async_callback(database.close)
        await database.open(migrate=False)
        lines = [Listening(inherited(each), proxies_of(settings)) for each in descriptors]
        ssh, telnet, tls, *_ = [*lines, None, None]
        assert ssh is not None
        ports = Ports(ssh, telnet, tls)
        front = Front(
            settings,
            ports,
            coordinator,
            HistoryStore(database),
            EventStore(database),
            Seasons(SeasonStore(database), coordinator.clock).page,
            AuthorizedKeys(settings.keys / OPERATORS, coordinator.clock.time),
        )
        watch = Health(database, front.server, None, front.key_to_frame)

        async def figures() -> Figures:
            watch.status = OPEN if coordinator.connected.is_set() else "no coordinator"
            return await figures_of(watch)

        stack.callback((await tell(settings.state, figures)).close)
        reloader = Reloader(settings, read, front=front)
        loop.add_signal_handler(signal.SIGHUP, reloader.reload)
        front.open()
        SdNotify().tell(READY)
        gc_policy.settle()
        for work in (gc_policy.keep_clean(coordinator.clock), measure_lag(watch, loop.time)):
            stack.callback(loop.create_task(work).cancel)
        await shutdown.asked()
        log.info("door_closing", sessions=len(front.server.sessions))
        ports.close()
        while front.server.sessions and not shutdown.at_once_now:  # noqa: ASYNC110
            await asyncio.sleep(_LOOK_AGAIN)
        coordinator.send_away("shutdown")
        await front.server.close()
        await front.close()
    return 0


async def serve_with_doors(settings: Settings, command: Callable[..., Sequence[str]]) -> int:
    """Keep a coordinator, a spare and doors running until told to stop; return the coordinator's exit status.

    ``command`` returns the command line of a child. Raises ``Problem``.
    """
    count = max(1, settings.doors) if can_share() else 1
    if count < settings.doors:
        log.warning("one_door", reason="this system cannot share a port by address")
    state = settings.state
    make_private(state, settings.keys)
    async with AsyncExitStack() as stack:
        stack.callback(os.close, hold(state))
        Lock(state).release()  # a server without doors may be running
        for earlier in state.glob(f"*{FIGURES}"):  # of a server that was killed
            earlier.unlink()
        key = load_or_make(settings.keys)
        ports = [
            share(settings.host, port, count) if can_share() else [listen(settings.host, port)]
            for port in wanted_ports(settings)
            if port is not None
        ]
        check_elsewhere(settings)
        doors = []
        for number, each in enumerate(zip(*ports, strict=True), 1):
            sockets = [[one.fileno() for one in lines] for lines in each]
            words = "/".join(",".join(map(str, port)) for port in sockets)
            child = command("door", str(number), words)
            doors.append(
                Program(f"door {number}", child, [one for port in sockets for one in port])
            )
        coordinator = Program(COORDINATOR, command(COORDINATOR, "0"))
        supervisor = Supervisor(
            None if doors_alone(settings) else coordinator,
            doors,
            lambda pid: socket_of(state, pid).unlink(missing_ok=True),
        )

        async def told() -> list[Told]:
            return await ask_all(
                state, [(child.name, child.process.pid) for child in supervisor.ready]
            )

        async def figures() -> Figures:
            return merged(await told(), supervisor.names)

        stack.callback((await tell(state, told)).close)
        metrics_port = None
        if settings.metrics_port is not None:
            metrics = MetricsServer(figures, settings.metrics_host, settings.metrics_port)
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

        stack.callback(asyncio.create_task(tell_open()).cancel)
        return await supervisor.run()


def doors_alone(settings: Settings) -> bool:
    """Return whether this machine has no coordinator of its own."""
    return bool(settings.door_of) and not settings.doors_listen


def check_elsewhere(settings: Settings) -> None:
    """Check the settings for doors on other machines. Raises ``Problem``."""
    if settings.door_of:
        if not database_url(settings):
            raise ConfigError("door_of: needs the coordinator's PostgreSQL, see database")
        encryption(settings.keys, of_doors=False)
    if settings.doors_listen:
        encryption(settings.keys, of_doors=True)
        for one in _listening_elsewhere(settings):
            one.close()


def _listening_elsewhere(settings: Settings) -> list[socket]:
    """Return the listening sockets for doors on other machines. Raises ``BindProblem``."""
    at = settings.doors_listen
    return listen(*host_and_port(at, "doors_listen")) if at else []


_at_once: Final = partial(os._exit, 0)
"""Ends the process of a child that has nothing to close yet."""


def end_with_parent(end: Callable[[], object]) -> None:
    """Call ``end`` when the parent has ended: standard input is a pipe of it."""
    loop = asyncio.get_running_loop()
    stdin = sys.stdin.fileno()

    def heard() -> None:
        if not os.read(stdin, 1024):
            loop.remove_reader(stdin)
            end()

    loop.add_reader(stdin, heard)
