"""A server in one process: its parts, built one upon the other and closed in the opposite order."""

import asyncio
import os
import resource
from collections.abc import Coroutine, Sequence
from contextlib import ExitStack, closing, suppress
from functools import partial
from typing import TYPE_CHECKING

import structlog
from typing_extensions import override

from server import Problem, version
from server.runtime import gc_policy
from server.runtime.banner import join_lines, places_of
from server.runtime.coordination import GOODBYE_SECONDS, Coordination, take_up
from server.runtime.front import Front, Ports
from server.runtime.health import (
    OPEN,
    STARTING,
    Health,
)
from server.runtime.process import ORDERED, READY, SdNotify, handle_hang_up
from server.runtime.reloader import Reloader
from server.settings.settings import ConfigError, Settings
from server.storage.events import EventStore
from server.transport.net.sockets import Listening, Networks, listen, networks

if TYPE_CHECKING:
    from server.transport.lan import Announcement

log = structlog.get_logger("server")


class RunningServer(Coordination):
    """A server in one process: each of its parts is built of those before it."""

    async def serve(self, hung_up: Sequence[int]) -> int:
        """Build everything from the bottom up, serve until told to stop, and close it in the opposite order.

        Returns the exit status. Raises ``Problem`` or ``StoreError``.
        """
        shutdown, terminals = self._shutdown, tuple(filter(os.isatty, (0, 1, 2)))
        shutdown.handle_signals()
        raise_descriptor_limit()
        async with self._stack:
            await self._open_stores()
            self._ports = self._stack.enter_context(closing(bound(self._settings)))
            await self._open_lobby()
            await self._open_front()
            tables = await take_up(self._lobby, self._front.open)
            handle_hang_up(shutdown, terminals, self._reloader.reload, hung_up)
            self._tell_open(tables)
            self._health.status = OPEN
            supervisor = SdNotify()
            supervisor.tell(READY)
            gc_policy.settle()
            self._run_beside([*self._work(), supervisor.keep_telling(self._clock)])
            await self._until_told()
            log.info("closing", sessions=len(self._front.server.sessions))
        log.info("closed")
        return ORDERED if shutdown.ordered else 0

    @override
    async def _say_goodbye(self, problem: Problem) -> None:
        """Tell every player that the server has to stop, and restore their terminals."""
        if self._health.status != STARTING:
            self._arrivals.closing_down = True
            self._lobby.send_away("lost")
            await self._front.server.close(GOODBYE_SECONDS)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._front.close(), GOODBYE_SECONDS)

    async def _open_front(self) -> None:
        """Build the front, which accepts no connections yet. Raises ``Problem`` or ``StoreError``."""
        settings, stack = self._settings, self._stack
        self._front = front = Front(
            settings,
            self._ports,
            self._arrivals,
            self._history,
            EventStore(self._database),
            self._seasons.page,
            self._operators,
        )
        self._health = Health(self._database, front.server, self._lobby, front.key_to_frame)
        self._metrics_port = self._open_metrics()
        stack.push_async_callback(front.close)
        self._announcement = self._announced()
        self._reloader = Reloader(
            settings, self._read, self._lobby, self._people, front, self._announcement
        )
        await self._open_operators(self._reloader.reload)
        # From here on in the order in which it ends: no more connections, no more tables, nobody inside.
        stack.push_async_callback(self._arrivals.close, GOODBYE_SECONDS)
        stack.push_async_callback(front.server.close)
        stack.push_async_callback(self._lobby.close)
        stack.callback(self._ports.close)

    def _open_metrics(self) -> int | None:
        """Serve metrics if configured, and return the port."""
        settings = self._settings
        if settings.metrics_port is None:
            return None
        from server.runtime.metrics_port import MetricsServer, figures_of

        gather = partial(figures_of, self._health)
        metrics = MetricsServer(gather, settings.metrics_host, settings.metrics_port)
        self._stack.push_async_callback(metrics.close)
        return metrics.port

    def _announced(self) -> "Announcement | None":
        if not self._settings.lan:
            return None
        from server.transport.lan import Announcement, host_name

        def addresses() -> list[str]:
            places = places_of(self._settings.host, self._ports.ssh.addresses)
            return [place for place in places if place != "localhost"] or ["127.0.0.1"]

        return Announcement(
            host_name(),
            self._ports.ssh.port,
            addresses,
            self._front.key.fingerprint,
            version(),
            lambda: (len(self._lobby.feed.snapshot().players), len(self._lobby.known)),
            lambda: self._front.server.settings.access,
        )

    # ------------------------------------------------------------ while it runs

    def _tell_open(self, tables: int) -> None:
        """Print and log how to connect."""
        ssh_port, telnet_port, tls_port = self._ports
        lan = self._announcement.place if self._announcement is not None else ""
        told = join_lines(
            self._settings,
            ssh_port,
            telnet_port,
            self._front.key,
            lan=lan,
            metrics_port=self._metrics_port,
        )
        with suppress(OSError, AttributeError, UnicodeError):  # nobody reads it
            print("\n".join(told), flush=True)
        log.info(
            "open",
            host=self._settings.host,
            ssh_port=ssh_port.port,
            telnet_port=telnet_port.port if telnet_port is not None else None,
            telnet_tls_port=tls_port.port if tls_port is not None else None,
            tables=tables,
            database="new database" if self._database.backend.new else "known",
            metrics_port=self._metrics_port,
        )

    @override
    def _work(self) -> list[Coroutine[None, None, None]]:
        work = super()._work()
        if self._announcement is not None:
            work.append(self._announcement.keep_telling(self._clock))
        return work


def bound(settings: Settings) -> Ports:
    """Bind the ports of a server. Raises ``BindProblem`` or ``ConfigError``."""
    proxies = proxies_of(settings)
    made: list[Listening | None] = []
    with ExitStack() as opened:
        for port in wanted_ports(settings):
            one = None if port is None else Listening(listen(settings.host, port), proxies)
            made.append(one and opened.enter_context(closing(one)))
        opened.pop_all()
    ssh, telnet, tls = made
    assert ssh is not None
    return Ports(ssh, telnet, tls)


def proxies_of(settings: Settings) -> Networks:
    """Return the networks of load balancers. Raises ``ConfigError``."""
    try:
        return networks(settings.proxies)
    except ValueError as problem:
        raise ConfigError(f"proxies: {problem}") from None


def wanted_ports(settings: Settings) -> tuple[int | None, int | None, int | None]:
    """Return the ports of SSH, telnet, and telnet over TLS."""
    if not settings.telnet:
        return settings.ssh_port, None, None
    tls = settings.telnet_tls_port if settings.tls_cert else None
    return settings.ssh_port, settings.telnet_port, tls


def raise_descriptor_limit() -> None:
    """Allow as many connections as the system does."""
    with suppress(OSError, ValueError):
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
