"""Networks as they are counted among people who come from somewhere."""

import hashlib
import ipaddress
import secrets
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import Final

Network = ipaddress.IPv4Network | ipaddress.IPv6Network

_SITE: Final = 48
"""Bits of what a provider gives one customer."""
_PRIVATE: Final[Sequence[Network]] = tuple(
    map(
        ipaddress.ip_network,
        (
            *("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "127.0.0.0/8"),
            *("fc00::/7", "fe80::/10", "::/64"),
        ),
    )
)
"""A local network, or the machine itself, also as a /64."""


@lru_cache(4096)
def network_of(address: str) -> str:
    """What counts as one source: an IPv4 address, or the /64 that an IPv6 address belongs to."""
    found = parsed_address(address)
    if isinstance(found, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((found, 64), strict=False))
    return str(found) if found else address[:64]


def parsed_address(address: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """An address, perhaps with an interface; IPv4 written as IPv6 is IPv4. ``None`` for what is none."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return None
    return getattr(found, "ipv4_mapped", None) or found


def site_of(source: str) -> str:
    """What one customer of a provider has: an IPv4 address as it is, the /48 around an address or network of
    IPv6. What is neither stays as it is.
    """
    found = _network(source)
    if isinstance(found, ipaddress.IPv6Network) and found.prefixlen > _SITE:
        return str(found.supernet(new_prefix=_SITE))
    return source


def is_private(source: str) -> bool:
    """Whether an address or network is of the local network or of this machine."""
    found = _network(source)
    return found is not None and any(found.network_address in each for each in _PRIVATE)


def mark(source: str, salt: str) -> str:
    """What is kept of where somebody came from: enough to count by, and shared by so many addresses that none
    can be told from it. Empty for an empty ``source``, which does not count.
    """
    if not source:
        return ""
    return f"{salt}-{hashlib.blake2s(f'{salt} {source}'.encode()).hexdigest()[:4]}"


def salt_of(marks: Collection[str]) -> str:
    """The salt that these have, or a new one."""
    return next((one.partition("-")[0] for one in marks if one), "") or secrets.token_hex(8)


def _network(source: str) -> Network | None:
    try:
        return ipaddress.ip_network(source, strict=False)
    except ValueError:
        return None
