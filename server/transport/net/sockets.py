"""Listening sockets, IPv4 and IPv6; and who may go on to log in, decided before anything else is done."""

import asyncio
import errno
import os
import socket
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Final, cast

import structlog
from typing_extensions import override

from server.cleaning import clean_word
from server.coordinator.people.bans import Bans
from server.problem import Problem
from server.rate_limiter import LogThrottle
from server.tasks import Tasks
from server.text.server_messages import FULL, ban_in_all_languages, in_all_languages
from server.timers import OneTimer
from server.transport.access.limiter import ConnectionLimiter, Reason, Ticket
from server.transport.net.asyncio_hooks import let_go
from server.transport.net.proxy_protocol import Networks, NoHeader, contains, source

log = structlog.get_logger("server")

_AT_ONCE: Final = 32
"""So many connections are taken at a time: with all of them everybody inside would have to wait, and with
fewer each login costs more.
"""
_SHORT: Final = {errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM}
_SHORT_SECONDS: Final = 1.0
"""So long nobody is let in when the system has no descriptor left, or no memory."""
_HEADER_SECONDS: Final = 5.0
"""So long a load balancer may take to say where a connection comes from."""
_TRIES: Final = 20
# The kernel keeps no more than this unsent for each connection, so that we notice soon that a line is slow.
_UNSENT: Final = 16_384
_ABSENT: Final = {errno.EAFNOSUPPORT, errno.EADDRNOTAVAIL, errno.EPROTONOSUPPORT}

# Whoever has gone without a word, with the power or the network, is noticed after so many seconds and tries.
_KEEPALIVE: Final = {"TCP_KEEPIDLE": 60, "TCP_KEEPINTVL": 30, "TCP_KEEPCNT": 3}

Address = tuple[socket.AddressFamily, str]

MakeProtocol = Callable[[str], asyncio.Protocol]
"""For a connection from this address, as one harmless word: behind a link-local IPv6 address stands the name
of an interface, which may have any sign in it."""


class BindProblem(Problem):
    """There is no listening there."""


def addresses(host: str) -> list[Address]:
    """Where to listen for ``host``: loopback is both loopbacks, ``*`` every address of this machine."""
    if host == "localhost":
        return [(socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")]
    if host in {"*", ""}:
        return [(socket.AF_INET, "0.0.0.0"), (socket.AF_INET6, "::")]
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError) as problem:
        reason = getattr(problem, "strerror", None) or problem
        raise BindProblem(f"{host}: no such address: {reason}") from None
    both = {socket.AF_INET, socket.AF_INET6}
    return list(dict.fromkeys((kind, str(at[0])) for kind, *_, at in found if kind in both))


def listen(host: str, port: int) -> list[socket.socket]:
    """Sockets that listen at ``host``, all on the same port (0 is a free one). Raises ``BindProblem``."""
    wanted = addresses(host)
    for _ in range(_TRIES):
        try:
            return _listen(wanted, port)
        except OSError as problem:
            # A port that was free for IPv4 may be taken for IPv6: draw another.
            if problem.errno != errno.EADDRINUSE or port != 0:
                raise BindProblem(f"{host}: {_words(problem, port)}") from None
    raise BindProblem(f"{host}: no port is free")


class Listening:
    """Sockets that listen: who connects waits until ``accept``.

    asyncio's own server would be in trouble without descriptors: it tries a hundred times at a time, each
    with a traceback, and more often every second.
    """

    def __init__(self, sockets: list[socket.socket], proxies: Networks = ()) -> None:
        """``proxies`` tell by ``proxy_protocol`` for whom they connect."""
        self._sockets: Final = sockets
        self._loop: Final = asyncio.get_running_loop()
        self._coming: Final = Tasks()
        self._proxies: Final = proxies
        self._no_header: Final = LogThrottle()
        self._short = False
        self._retry: Final = OneTimer(self._loop)
        self.port: Final[int] = self._sockets[0].getsockname()[1]
        self.addresses: Final = [str(one.getsockname()[0]) for one in self._sockets]

    def accept(self, make: MakeProtocol) -> None:
        """From now on let in who connects; ``make`` is called for each connection."""
        for one in self._sockets:
            self._loop.add_reader(one, self._take, one, make)

    def close(self) -> None:
        """Take no new connections."""
        self._stop()
        self._coming.cancel()
        for one in self._sockets:
            one.close()
        self._sockets.clear()

    def _stop(self) -> None:
        self._retry.cancel()
        for one in self._sockets:
            self._loop.remove_reader(one)

    def _take(self, listening: socket.socket, make: MakeProtocol) -> None:
        for _ in range(_AT_ONCE):
            try:
                line, (address, *_) = listening.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return
            except OSError as problem:
                if problem.errno not in _SHORT:
                    raise
                self._wait(problem, make)
                return
            self._short = False
            self._coming.spawn(self._connect(line, address, make))

    def _wait(self, problem: OSError, make: MakeProtocol) -> None:
        if not self._short:
            log.error("cannot_accept_connections", reason=problem.strerror, port=self.port)
        self._short = True
        self._stop()
        self._retry.after(_SHORT_SECONDS, partial(self.accept, make))

    async def _connect(self, line: socket.socket, address: str, make: MakeProtocol) -> None:
        taken = False
        try:
            if contains(self._proxies, address):
                line.setblocking(False)
                async with asyncio.timeout(_HEADER_SECONDS):
                    address = await source(partial(self._loop.sock_recv, line)) or address
            await self._loop.connect_accepted_socket(partial(make, clean_word(address)), line)
            taken = True
        except NoHeader as problem:
            self._without_header(address, str(problem))
        except TimeoutError:
            self._without_header(address, f"none within {_HEADER_SECONDS:g} s")
        except (OSError, EOFError):
            pass  # it has gone already
        finally:
            if not taken:
                line.close()

    def _without_header(self, address: str, reason: str) -> None:
        if (also := self._no_header.left_out(self._loop.time())) is not None:
            log.warning("no_proxy_header", address=address, reason=reason, also=also)


@dataclass(slots=True, eq=False)
class PreAuth(asyncio.Protocol):
    """Hands a connection on to the protocol that ``make`` makes of its ticket, or tells it why not and closes
    it: that costs no more than this object and one line, which RFC 4253, 4.2 allows before SSH's version.
    """

    bans: Bans
    limiter: ConnectionLimiter
    make: Callable[[Ticket], asyncio.BaseProtocol]
    address: str
    _refused: asyncio.Transport | None = field(default=None, init=False)

    @override
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        line = cast(asyncio.Transport, transport)
        if (ticket := self._admit(line)) is None:
            self._refused = line
            return
        protocol = self.make(ticket)
        line.set_protocol(protocol)
        protocol.connection_made(line)

    @override
    def connection_lost(self, exc: Exception | None) -> None:
        let_go(self._refused)
        self._refused = None

    def _admit(self, line: asyncio.Transport) -> Ticket | None:
        if (ban := self.bans.at(self.address)) is not None:
            self.limiter.refuse(Reason.BANNED, self.address)
            line.write(ban_in_all_languages(ban.reason, ban.until).encode())
        elif ticket := self.limiter.admit(self.address, line.abort):
            return ticket
        else:
            line.write(in_all_languages(FULL).encode())
        line.close()
        return None


def watch_over(line: socket.socket | None) -> None:
    """Have the system ask now and then whether the far end of a connection is still there."""
    if line is None:
        return
    with suppress(OSError):
        line.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for name, value in _KEEPALIVE.items():
            if option := getattr(socket, name, None):
                line.setsockopt(socket.IPPROTO_TCP, option, value)


def _listen(wanted: list[Address], port: int) -> list[socket.socket]:
    made: list[socket.socket] = []
    absent = OSError(errno.EADDRNOTAVAIL, os.strerror(errno.EADDRNOTAVAIL))
    with ExitStack() as opened:
        for family, address in wanted:
            try:
                made.append(opened.enter_context(listen_at(family, address, port)))
            except OSError as problem:
                if problem.errno not in _ABSENT:
                    raise
                absent = problem
            else:
                port = made[0].getsockname()[1]
        if not made:
            raise absent
        opened.pop_all()
    return made


def listen_at(
    family: socket.AddressFamily, address: str, port: int, *, shared: bool = False
) -> socket.socket:
    """Listen at one address; with ``shared``, others may listen on the same port. Raises ``OSError``."""
    made = socket.create_server((address, port), family=family, backlog=1024, reuse_port=shared)
    if lowat := getattr(socket, "TCP_NOTSENT_LOWAT", None):
        made.setsockopt(socket.IPPROTO_TCP, lowat, _UNSENT)
    made.setblocking(False)
    return made


def _words(problem: OSError, port: int) -> str:
    if problem.errno == errno.EADDRINUSE:
        return f"port {port} is in use; is a server running already?"
    if problem.errno in {errno.EACCES, errno.EPERM}:
        return (
            f"port {port} may not be used by this user; docs/hosting.md tells how to allow it "
            "(with systemd: deploy/port22.conf)"
        )
    if problem.errno in _ABSENT:
        return "this machine has no such address"
    return f"port {port}: {problem.strerror or problem}"
