"""Listening sockets, IPv4 and IPv6, shared or behind a load balancer; and admission before login.

The header of a load balancer is that of PROXY protocol, version 2
(https://www.haproxy.org/download/2.8/doc/proxy-protocol.txt, 2.2).
"""

import asyncio
import ctypes
import errno
import ipaddress
import os
import socket
import struct
import sys
from collections.abc import Awaitable, Callable, Iterable
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import partial
from typing import Final, cast

import structlog
from typing_extensions import override

from server import Problem
from server.cleaning import clean_word
from server.coordinator.contract import Bans
from server.networks import LogThrottle, Network, parsed_address
from server.text.server_messages import FULL, ban_in_all_languages, in_all_languages
from server.timers import OneTimer, Tasks
from server.transport.access.limiter import ConnectionLimiter, Reason, Ticket

SIGNATURE: Final = b"\r\n\r\n\0\r\nQUIT\n"
LONGEST: Final = 4096
"""Maximum bytes after the fixed part: addresses, and other data such as certificates."""

_FIXED: Final = struct.Struct("!12sBBH")
_LOCAL, _PROXY = 0x20, 0x21
_ADDRESS_BYTES: Final = {0x11: 4, 0x21: 16}
"""Length of the addresses in a PROXY header, by its byte for TCP over IPv4 or over IPv6."""

Networks = tuple[Network, ...]


class NoHeader(Exception):
    """There is no valid PROXY header, for the reason in the message."""


def networks(text: str) -> Networks:
    """Parse networks and addresses, separated by spaces or commas. Raises ``ValueError``."""
    return tuple(map(ipaddress.ip_network, text.replace(",", " ").split()))


def contains(trusted: Networks, address: str) -> bool:
    """Return whether the address is in one of these networks."""
    ip = parsed_address(address) if trusted else None
    return ip is not None and any(ip in network for network in trusted)


async def source(receive: Callable[[int], Awaitable[bytes]]) -> str:
    """Read a PROXY header, and return the client's address.

    It is empty for a connection of the load balancer itself (a health check), or of a kind without addresses.
    ``receive`` returns at most so many bytes, none at the end. Not a byte after the header is read.

    Raises ``NoHeader``, or ``EOFError`` if the connection ends first.
    """
    signature, command, family, size = _FIXED.unpack(await _exactly(receive, _FIXED.size))
    if signature != SIGNATURE:
        raise NoHeader("another protocol")
    if command not in (_LOCAL, _PROXY):
        raise NoHeader("another version or command")
    if size > LONGEST:
        raise NoHeader("too long")
    rest = await _exactly(receive, size)
    length = _ADDRESS_BYTES.get(family, 0)
    if command == _LOCAL or not length:
        return ""
    if size < 2 * length + 4:  # both addresses and both ports
        raise NoHeader("too short")
    return str(parsed_address(str(ipaddress.ip_address(rest[:length]))))


async def _exactly(receive: Callable[[int], Awaitable[bytes]], size: int) -> bytes:
    found = b""
    while len(found) < size:
        if not (more := await receive(size - len(found))):
            raise EOFError
        found += more
    return found


_ATTACH_FILTER: Final = 51
"""SO_ATTACH_REUSEPORT_CBPF, which Python has no name for (Linux 4.5)."""
_NETWORK_HEADER: Final = 0xFFF00000
"""SKF_NET_OFF: offsets from here count from the IP header."""
_LOAD, _TO_X, _XOR_X, _MODULO, _RETURN = 0x20, 0x07, 0xAC, 0x94, 0x16
"""Opcodes of classic BPF."""
_SOURCE: Final = {socket.AF_INET: (12,), socket.AF_INET6: (8, 12)}
"""Where in the header the source address stands, in words of 32 bits; of IPv6 its /64."""


def can_share() -> bool:
    """Return whether this system can distribute connections by address."""
    return sys.platform == "linux"


def share(host: str, port: int, count: int) -> list[list[socket.socket]]:
    """Return sockets that listen at ``host`` on one port (0 is a free one), for each of ``count`` processes.

    The filter picks a socket by its index among those of a port, so all must stay open, in this process or
    another one, while any process accepts connections. Raises ``BindProblem``.
    """
    # With SO_REUSEPORT alone, a second server of the same user could share our port.
    taken = listen(host, port)
    at = [(one.family, *one.getsockname()[:2]) for one in taken]
    for one in taken:
        one.close()
    with ExitStack() as opened:
        try:
            shares = [
                [opened.enter_context(listen_at(*where, shared=True)) for where in at]
                for _ in range(count)
            ]
            for one in shares[0]:
                _attach(one, count)
        except OSError as problem:
            reason = problem.strerror or problem
            raise BindProblem(f"{host}: port {at[0][2]} cannot be shared: {reason}") from None
        opened.pop_all()
    return shares


def inherited(descriptors: Iterable[int]) -> list[socket.socket]:
    """Return the sockets that a parent has left open for this process. Raises ``BindProblem``."""
    try:
        found = [socket.socket(fileno=number) for number in descriptors]
    except OSError as problem:
        raise BindProblem(f"no socket was left open: {problem.strerror or problem}") from None
    for one in found:
        one.setblocking(False)
    return found


def _attach(line: socket.socket, count: int) -> None:
    """Have the kernel choose one of ``count`` sockets by the source address of a connection."""
    first, *rest = _SOURCE[line.family]
    code = [(_LOAD, _NETWORK_HEADER + first)]
    for more in rest:
        code += [(_TO_X, 0), (_LOAD, _NETWORK_HEADER + more), (_XOR_X, 0)]
    code += [(_MODULO, count), (_RETURN, 0)]
    filters = b"".join(struct.pack("HBBI", each, 0, 0, value) for each, value in code)
    kept = ctypes.create_string_buffer(filters, len(filters))
    program = struct.pack("HL", len(code), ctypes.addressof(kept))
    line.setsockopt(socket.SOL_SOCKET, _ATTACH_FILTER, program)


log = structlog.get_logger("server")

_AT_ONCE: Final = 3
"""Maximum connections accepted in a turn of the event loop: a bid, which takes several turns, would wait."""
_SHORT: Final = {errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM}
_SHORT_SECONDS: Final = 1.0
"""Seconds without accepting when the system has no descriptor left, or no memory."""
_HEADER_SECONDS: Final = 5.0
"""Seconds that a load balancer may take to send the PROXY header."""
_TRIES: Final = 20
# Maximum unsent bytes of a connection in the kernel, so that a slow line is noticed soon.
_UNSENT: Final = 16_384
_ABSENT: Final = {errno.EAFNOSUPPORT, errno.EADDRNOTAVAIL, errno.EPROTONOSUPPORT}

# Seconds and probes after which a client that has vanished, with its power or its network, is noticed.
_KEEPALIVE: Final = {"TCP_KEEPIDLE": 60, "TCP_KEEPINTVL": 30, "TCP_KEEPCNT": 3}

Address = tuple[socket.AddressFamily, str]

MakeProtocol = Callable[[str], asyncio.Protocol | bytes]
"""A maker of the protocol for a connection from an address, or of the text to send before closing it.

The address is cleaned: a link-local one of IPv6 ends with an interface's name, which may have any character.
"""


class BindProblem(Problem):
    """An address or port cannot be listened on."""


def addresses(host: str) -> list[Address]:
    """Return the addresses of ``host``: ``localhost`` has both loopbacks, ``*`` is every address."""
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
    """Return sockets that listen at ``host``, all on the same port (0 is a free one).

    Raises ``BindProblem``.
    """
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
    """Listening sockets; connections wait until ``accept``.

    asyncio's own server fails without descriptors: it tries a hundred times at a time, each with a traceback,
    and more often every second.
    """

    def __init__(self, sockets: list[socket.socket], proxies: Networks = ()) -> None:
        """``proxies`` are load balancers, which send PROXY headers."""
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
        """Accept connections; ``make`` is called for each one."""
        for one in self._sockets:
            self._loop.add_reader(one, self._take, one, make)

    def close(self) -> None:
        """Accept no more connections."""
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
            protocol = make(clean_word(address))
            if isinstance(protocol, bytes):
                line.setblocking(False)
                line.send(protocol)
            else:
                await self._loop.connect_accepted_socket(lambda: protocol, line)
                taken = True
        except NoHeader as problem:
            self._without_header(address, str(problem))
        except TimeoutError:
            self._without_header(address, f"none within {_HEADER_SECONDS:g} s")
        except (OSError, EOFError):
            pass  # the client has gone already
        finally:
            if not taken:
                line.close()

    def _without_header(self, address: str, reason: str) -> None:
        if (also := self._no_header.left_out(self._loop.time())) is not None:
            log.warning("no_proxy_header", address=address, reason=reason, also=also)


@dataclass(slots=True, eq=False)
class PreAuth(asyncio.Protocol):
    """The protocol of a new connection, until ``make`` has made that of SSH or telnet from its ticket."""

    limiter: ConnectionLimiter
    make: Callable[[Ticket], asyncio.BaseProtocol]
    address: str

    @override
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        line = cast(asyncio.Transport, transport)
        protocol = self.make(self.limiter.admit(self.address, line.abort))
        line.set_protocol(protocol)
        protocol.connection_made(line)


def pre_auth(
    bans: Bans,
    limiter: ConnectionLimiter,
    make: Callable[[Ticket], asyncio.BaseProtocol],
    address: str,
) -> PreAuth | bytes:
    """Return the protocol for a connection from ``address``, or the text of a refusal.

    RFC 4253, 4.2 allows such a line before SSH's version.
    """
    if (ban := bans.at(address)) is not None:
        limiter.refuse(Reason.BANNED, address)
        return ban_in_all_languages(ban.reason, ban.until).encode()
    if not limiter.attempts_again(address):
        return in_all_languages(FULL).encode()
    return PreAuth(limiter, make, address)


def watch_over(line: socket.socket | None) -> None:
    """Have the system ask now and then whether the peer of a connection is still there."""
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
