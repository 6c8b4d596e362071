"""The index of bans in memory, for logins."""

import ipaddress
from collections.abc import Callable, Mapping
from typing import Final

from server.coordinator.people.names import looks
from server.networks import network_of, parsed_address
from server.storage.moderation import BanRow


class Bans:
    """Bans by what they match; expired ones are ignored. ``now`` returns seconds since 1970."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now: Final = now
        self.rows: Mapping[tuple[str, str], BanRow] = {}
        """As given to ``fill``."""
        self._bans: dict[tuple[str, str], BanRow] = {}
        """By kind (``network`` for addresses, too) and what they match."""
        self._prefixes: set[tuple[int, int]] = set()
        """IP versions and prefix lengths of the networks: an address is looked up once for each."""
        self.when_changed: Final[list[Callable[[], object]]] = []
        """Called after each change."""

    def fill(self, bans: Mapping[tuple[str, str], BanRow]) -> None:
        """Replace all bans by these, by kind and what they match."""
        self.rows = bans
        self._bans, self._prefixes = {}, set()
        for (kind, matched), ban in bans.items():
            if kind in {"key", "name"}:
                self._bans[kind, matched] = ban
            else:
                network = ipaddress.ip_network(matched)
                self._prefixes.add((network.version, network.prefixlen))
                self._bans["network", str(network)] = ban
        for told in self.when_changed:
            told()

    def find(self, key: str, name: str, address: str) -> BanRow | None:
        """Return the ban that matches this key, name or address, if any."""
        if not self._bans:
            return None
        named = filter(None, (self._one("name", it) for it in looks(name)))
        return next(named, None) or self._one("key", key) or self.at(address)

    def at(self, address: str) -> BanRow | None:
        """Return the ban that matches this address, if any."""
        found = parsed_address(address) if self._prefixes else None
        for version, length in self._prefixes:
            if found is not None and version == found.version:
                network = ipaddress.ip_network((found, length), strict=False)
                if ban := self._one("network", str(network)):
                    return ban
        return None

    def _one(self, kind: str, matched: str) -> BanRow | None:
        ban = self._bans.get((kind, matched))
        return ban if ban and (not ban.until or self._now() < ban.until) else None


def address_matched(address: str) -> str:
    """Return the network that a ban of an address matches (for IPv6 its /64). Raises ``ValueError``."""
    return str(ipaddress.ip_network(network_of(str(ipaddress.ip_address(address)))))


def network_of_ban(typed: str) -> ipaddress.IPv4Network | ipaddress.IPv6Network:
    """Parse a network; bits beyond the prefix are ignored. Raises ``ValueError``."""
    network = ipaddress.ip_network(typed, strict=False)
    if isinstance(network, ipaddress.IPv6Network):
        mapped = network.network_address.ipv4_mapped
        if mapped is not None and network.prefixlen >= 96:
            return ipaddress.IPv4Network((int(mapped), network.prefixlen - 96))
    return network
