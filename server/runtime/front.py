"""The front of a server: SSH, telnet and the sessions."""

import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final, NamedTuple

from server.coordinator.contract import Coordinator
from server.coordinator.events.days import DayPages
from server.counters import Histogram
from server.runtime.banner import ssh_command, way_in
from server.settings.settings import Settings
from server.storage.events import EventStore
from server.storage.history_store import HistoryStore
from server.storage.ratings import SeasonTable
from server.transport.access.login import AuthorizedKeys
from server.transport.net.sockets import Listening
from server.transport.session.frontends import frontend_for
from server.transport.session.server import GameServer
from server.transport.ssh.server import COMING, SshServer, load, load_or_make
from server.transport.telnet.server import TelnetServer, load_certificate


class Ports(NamedTuple):
    """Listening sockets; connections wait until the front accepts them."""

    ssh: Listening
    telnet: Listening | None
    tls: Listening | None

    def close(self) -> None:
        """Accept no more connections."""
        for listening in filter(None, self):
            listening.close()


class Front:
    """SSH and telnet before a coordinator, which is in this process or in another one.

    Raises ``KeyProblem``, ``CertificateProblem`` or ``PasswordProblem``.
    """

    def __init__(
        self,
        settings: Settings,
        ports: Ports,
        coordinator: Coordinator,
        history: HistoryStore,
        events: EventStore,
        season: Callable[[int], Awaitable[SeasonTable]],
        operators: AuthorizedKeys,
    ) -> None:
        self.key: Final = load_or_make(settings.keys)
        certificate = load_certificate(settings.tls_cert, settings.tls_key)
        self.key_to_frame: Final = Histogram()
        clock, way = coordinator.clock, way_in(settings, ports.ssh)
        self.server: Final = GameServer(
            settings,
            coordinator,
            partial(frontend_for, clock, drawn=self.key_to_frame.add, way_in=way),
            history=history,
            days=DayPages(events, clock, coordinator.plays_today),
            season=season,
            operators=operators,
            now=time.monotonic,  # the event loop's, without a call of Python's
        )
        self.server.access.check()
        self.ssh: Final = SshServer(self.server, ports.ssh, self.key, load(settings.keys, COMING))
        self.telnet: TelnetServer | None = None
        if ports.telnet is not None:
            advice = f"ssh {way}" if way else ssh_command("HOST", ports.ssh.port)
            tls = ports.tls if certificate else None
            self.telnet = TelnetServer(self.server, ports.telnet, certificate, tls, advice)

    def open(self) -> None:
        """Accept connections."""
        self.ssh.open()
        if self.telnet is not None:
            self.telnet.open()

    async def close(self) -> None:
        """Close every connection."""
        if self.telnet is not None:
            await self.telnet.close()
        await self.ssh.close()
