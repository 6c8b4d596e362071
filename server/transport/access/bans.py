"""Who may not come in, as it is looked up for everybody who does: in memory, filled by whoever keeps it."""

import ipaddress
from collections.abc import Callable, Iterable
from typing import Final

from server.coordinator.people.names import skeleton
from server.storage.moderation import StoredBan
from server.transport.access.limiter import network_of

_Network = ipaddress.IPv4Network | ipaddress.IPv6Network


class Bans:
    """``now`` is the time in seconds since 1970. Bans that have ended count for nothing."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now: Final = now
        self._plain: dict[tuple[str, str], StoredBan] = {}
        self._networks: dict[tuple[int, int], dict[int, StoredBan]] = {}
        """By version and length of the prefix, then by what comes before it: as many look-ups an address as
        there are lengths."""

    def fill(self, bans: Iterable[StoredBan]) -> None:
        """These there are, and no others."""
        self._plain, self._networks = {}, {}
        for ban in bans:
            if ban.row.kind in {"key", "name"}:
                self._plain[ban.row.kind, ban.matched] = ban
            else:
                network = ipaddress.ip_network(ban.matched)
                same = self._networks.setdefault((network.version, network.prefixlen), {})
                same[int(network.network_address)] = ban

    def at(self, address: str) -> StoredBan | None:
        """Who comes from there may not come in, because of this."""
        if not self._networks:
            return None
        try:
            found = ipaddress.ip_address(address.partition("%")[0])
        except ValueError:
            return None
        if isinstance(found, ipaddress.IPv6Address) and found.ipv4_mapped:
            found = found.ipv4_mapped
        for (version, length), same in self._networks.items():
            if version == found.version:
                beyond = found.max_prefixlen - length
                ban = same.get(int(found) >> beyond << beyond)
                if ban is not None and self._counts(ban):
                    return ban
        return None

    def of_key(self, fingerprint: str) -> StoredBan | None:
        """Who has this key may not come in, because of this."""
        return self._one("key", fingerprint)

    def of_name(self, name: str) -> StoredBan | None:
        """Who is called so, or like that, may not come in, because of this."""
        return self._one("name", skeleton(name)) if name and self._plain else None

    def _one(self, kind: str, matched: str) -> StoredBan | None:
        ban = self._plain.get((kind, matched))
        return ban if ban is not None and self._counts(ban) else None

    def _counts(self, ban: StoredBan) -> bool:
        return not ban.row.until or self._now() < ban.row.until


def address_matched(address: str) -> str:
    """What a ban of an address is about: the address, or the /64 that an IPv6 address belongs to.

    Raises ``ValueError``.
    """
    return str(ipaddress.ip_network(network_of(str(ipaddress.ip_address(address)))))


def network_of_ban(typed: str) -> _Network:
    """What a ban of a network is about; bits beyond the prefix do not matter. Raises ``ValueError``."""
    network = ipaddress.ip_network(typed, strict=False)
    if isinstance(network, ipaddress.IPv6Network):
        mapped = network.network_address.ipv4_mapped
        if mapped is not None and network.prefixlen >= 96:
            return ipaddress.IPv4Network((int(mapped), network.prefixlen - 96))
    return network
