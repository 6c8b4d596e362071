"""Under which addresses others on the network reach this machine."""

import ipaddress
import re
import socket
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Final

import ifaddr

LABEL: Final = 63
"""Octets that one part of a DNS name may have."""

# Networks that exist within this machine alone: of containers and of virtual machines.
_WITHIN: Final = re.compile(
    r"(docker|br-|veth|virbr|vnet|lxc|lxd|incus|cni|podman|flannel|cali|vmnet|vboxnet|dummy)"
)

# Private networks between machines (WireGuard, Tailscale, ZeroTier and others). Friends meet there, too, but
# whoever sits in the same room is not in them.
_TUNNEL: Final = re.compile(r"(tun|tap|wg|tailscale|zt|ppp|utun|ipsec|nebula)")

_BEYOND: Final = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}
"""Addresses of documentation: those of nobody."""


def own_addresses(
    adapters: Iterable[ifaddr.Adapter] | None = None, preferred: frozenset[str] | None = None
) -> list[str]:
    """Those of this machine that players may type, the likeliest first: no loopback, no network of
    containers, tunnels after real networks, of IPv6 one for each network, and link-local ones of IPv4 only
    where there is nothing else.

    ``preferred`` are those that the machine itself uses towards others; by default it is asked.
    """
    found = list(_usable(ifaddr.get_adapters() if adapters is None else adapters))
    first = frozenset(_outward()) if preferred is None else preferred
    found.sort(key=lambda one: (one[0].version, one[1], str(one[0]) not in first))
    by_network: dict[object, _Address] = {}
    for address, _ in found:
        by_network.setdefault(_network(address), address)
    kept = by_network.values()
    routed = [str(address) for address in kept if not address.is_link_local]
    # Without a router and DHCP (one cable between two laptops) these work; a link-local one of IPv6 would
    # need to be typed with the name of the other machine's interface.
    return routed or [str(address) for address in kept if address.version == 4]


def host_name() -> str:
    """This machine's name as one part of a DNS name; ``host`` when it has none that would do."""
    name = socket.gethostname().split(".", maxsplit=1)[0]
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:40].strip("-") or "host"


_Address = ipaddress.IPv4Address | ipaddress.IPv6Address


def _usable(adapters: Iterable[ifaddr.Adapter]) -> Iterator[tuple[_Address, bool]]:
    """Each with whether it is that of a tunnel."""
    for adapter in adapters:
        if _WITHIN.match(adapter.name):
            continue
        for entry in adapter.ips:
            address = ipaddress.ip_address(entry.ip if isinstance(entry.ip, str) else entry.ip[0])
            if not (address.is_loopback or address.is_unspecified or address.is_multicast):
                yield address, bool(_TUNNEL.match(adapter.name))


def _network(address: _Address) -> object:
    """What makes a second address superfluous: of IPv6 a machine has several in one /64."""
    if isinstance(address, ipaddress.IPv6Address):
        return ipaddress.ip_network((address, 64), strict=False)
    return address


def _outward() -> Iterator[str]:
    """The addresses that this machine uses towards others; nothing is sent to find out."""
    for family, beyond in _BEYOND.items():
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((beyond, 9))
            yield probe.getsockname()[0]
