"""Where a connection comes from that a load balancer hands on: the header of PROXY protocol, version 2
(https://www.haproxy.org/download/2.8/doc/proxy-protocol.txt, 2.2).
"""

import ipaddress
import struct
from collections.abc import Awaitable, Callable
from typing import Final

from server.networks import Network, parsed_address

SIGNATURE: Final = b"\r\n\r\n\0\r\nQUIT\n"
LONGEST: Final = 4096
"""Bytes after the fixed part: addresses, and what else a load balancer may tell, such as certificates."""

_FIXED: Final = struct.Struct("!12sBBH")
_LOCAL, _PROXY = 0x20, 0x21
_ADDRESS_BYTES: Final = {0x11: 4, 0x21: 16}
"""Of TCP over IPv4 and over IPv6, by the byte that says so."""

Networks = tuple[Network, ...]


class NoHeader(Exception):
    """Something else came instead; the message says what, without quoting it."""


def networks(text: str) -> Networks:
    """The networks and addresses in ``text``, separated by spaces or commas. Raises ``ValueError``."""
    return tuple(map(ipaddress.ip_network, text.replace(",", " ").split()))


def contains(trusted: Networks, address: str) -> bool:
    """Whether the address is in one of these networks."""
    ip = parsed_address(address) if trusted else None
    return ip is not None and any(ip in network for network in trusted)


async def source(receive: Callable[[int], Awaitable[bytes]]) -> str:
    """Read a header; the address it names, empty where the sender speaks for itself (a health check), or of
    a kind of connection that has none. ``receive`` returns at most so many bytes, none at the end.

    Not a byte after the header is read. Raises ``NoHeader``, and ``EOFError`` when the connection ends first.
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
