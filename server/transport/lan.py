"""Servers on the local network, announced and found by multicast DNS (RFC 6762, 6763).

Anybody on the network may announce anything, under any name. What is found is cleaned and checked here, and
proves nothing: only the fingerprint of its key, which ``ssh`` shows, identifies a server.
"""

import asyncio
import ipaddress
import logging
import re
import socket
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from typing import Final, NamedTuple

import ifaddr
import structlog
from zeroconf import DNSQuestionType, Error, ServiceStateChange, Zeroconf
from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

from server.cleaning import clean_text
from server.timers import Clock

LABEL: Final = 63
"""Maximum octets of a DNS label (RFC 1035)."""

# Networks within this machine: of containers and virtual machines.
_WITHIN: Final = re.compile(
    r"(docker|br-|veth|virbr|vnet|lxc|lxd|incus|cni|podman|flannel|cali|vmnet|vboxnet|dummy)"
)

# Private networks between machines (WireGuard, Tailscale, ZeroTier and others): people in the same room are
# usually not in them.
_TUNNEL: Final = re.compile(r"(tun|tap|wg|tailscale|zt|ppp|utun|ipsec|nebula)")

_BEYOND: Final = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}
"""Addresses for documentation (RFC 5737, 3849)."""


def own_addresses(
    adapters: Iterable[ifaddr.Adapter] | None = None, preferred: frozenset[str] | None = None
) -> list[str]:
    """Return the addresses of this machine that players may type, the likeliest first.

    No loopback, no networks of containers; tunnels after real networks; one IPv6 address for each network;
    link-local ones of IPv4 only if there is nothing else. ``preferred`` are the source addresses that the
    system chooses (the default).
    """
    found = list(_usable(ifaddr.get_adapters() if adapters is None else adapters))
    first = frozenset(_outward()) if preferred is None else preferred
    found.sort(key=lambda one: (one[0].version, one[1], str(one[0]) not in first))
    by_network: dict[object, _Address] = {}
    for address, _ in found:
        by_network.setdefault(_network(address), address)
    kept = by_network.values()
    routed = [str(address) for address in kept if not address.is_link_local]
    # These work without a router and DHCP (a cable between two laptops); a link-local IPv6 address would have
    # to be typed with the name of the other machine's interface.
    return routed or [str(address) for address in kept if address.version == 4]


def host_name() -> str:
    """Return this machine's name as a DNS label; ``host`` if it has none that fits."""
    name = socket.gethostname().split(".", maxsplit=1)[0]
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:40].strip("-") or "host"


_Address = ipaddress.IPv4Address | ipaddress.IPv6Address


def _usable(adapters: Iterable[ifaddr.Adapter]) -> Iterator[tuple[_Address, bool]]:
    """Yield addresses, each with whether it is a tunnel's."""
    for adapter in adapters:
        if _WITHIN.match(adapter.name):
            continue
        for entry in adapter.ips:
            address = ipaddress.ip_address(entry.ip if isinstance(entry.ip, str) else entry.ip[0])
            if not (address.is_loopback or address.is_unspecified or address.is_multicast):
                yield address, bool(_TUNNEL.match(adapter.name))


def _network(address: _Address) -> object:
    """Return the network of which one address is enough: a machine has several IPv6 addresses in a /64."""
    if isinstance(address, ipaddress.IPv6Address):
        return ipaddress.ip_network((address, 64), strict=False)
    return address


def _outward() -> Iterator[str]:
    """Yield this machine's source addresses for other networks, without sending anything."""
    for family, beyond in _BEYOND.items():
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((beyond, 9))
            yield probe.getsockname()[0]


log = structlog.get_logger("server")

SERVICE: Final = "_turn-the-tide._tcp.local."
NAME_WIDTH: Final = 40
"""Maximum columns of a server's name."""
TOLD_SECONDS: Final = 10.0
"""Minimum seconds between two announcements of changes."""
MOST: Final = 64
"""Maximum servers that are looked at."""

_ANSWER_SECONDS: Final = 3.0
_TO_ALL: Final = DNSQuestionType.QM
"""Ask for multicast answers: a unicast one reaches only one of the programs that listen on this machine."""
_FINGERPRINT: Final = re.compile(r"SHA256:[A-Za-z0-9+/]{43}")
_INTERFACE: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,15}")
_MOST_ADDRESSES: Final = 8


class CannotMulticast(Exception):
    """Multicast does not work on this network or machine, for the reason in the message."""


class Neighbour(NamedTuple):
    """A server that was found; safe to show on a terminal."""

    name: str
    addresses: tuple[str, ...]
    """At least one, the likeliest first; link-local IPv6 addresses with their interface."""
    port: int
    fingerprint: str
    """As ``ssh`` shows it; empty if unknown."""
    people: int | None
    """Number of connected people; ``None`` if unknown."""
    tables: int | None
    access: str = ""
    """Its setting ``access``: ``open``, ``password`` or ``keys``; empty if unknown."""


@dataclass(eq=False)
class Announcement:
    """This server's announcement on the network."""

    host: str
    """This machine's name."""
    port: int
    addresses: Callable[[], list[str]]
    """Returns the current addresses, at which they are announced."""
    fingerprint: str
    """May change, which is announced."""
    version: str
    busy: Callable[[], tuple[int, int]]
    """Counts people and tables."""
    access: Callable[[], str] = lambda: "open"
    """As in ``Neighbour``."""

    def __post_init__(self) -> None:
        self.place = f"tide-{self.host}"[:LABEL] + ".local"
        """The machine's name in mDNS."""
        # Keys are unique: servers of one host name that start at the same moment need no other name.
        key = sha256(self.fingerprint.encode()).hexdigest()[:8]
        self._name = f"{self.host}-{key}.{SERVICE}"
        self._announced: list[str] = []
        self._service: AsyncServiceInfo | None = None
        self._multicast: AsyncZeroconf | None = None

    async def open(self) -> None:
        """Announce the server, after two seconds of probing for its name. Raises ``CannotMulticast``."""
        self._announced = self.addresses()
        self._multicast = _multicast(self._announced)
        self._service = self._info(self._name)
        try:
            told = await self._multicast.async_register_service(
                self._service, allow_name_change=True
            )
            await told
        except (Error, OSError) as problem:
            await self.close()
            raise CannotMulticast(_words(problem)) from None

    async def keep_telling(self, clock: Clock) -> None:
        """Announce and update until cancelled, then say goodbye.

        Announces anew when the machine is in other networks than before. What goes wrong is logged once.
        """
        trouble = ""
        while True:
            try:
                await self.open()
                trouble = ""
                log.info("announced", place=self.place, addresses=self._announced)
                while self.addresses() == self._announced:
                    await clock.sleep_until(clock.time() + TOLD_SECONDS)
                    await self._update()
            except CannotMulticast as problem:
                if trouble != str(problem):
                    trouble = str(problem)
                    log.warning("not_announced", reason=trouble)
                await clock.sleep_until(clock.time() + TOLD_SECONDS)
            finally:
                await self.close()

    async def _update(self) -> None:
        assert self._multicast is not None
        assert self._service is not None
        service = self._info(self._service.name)
        if service.properties != self._service.properties:
            self._service = service
            with suppress(Error, OSError):  # the network may be down
                await (await self._multicast.async_update_service(service))

    async def close(self) -> None:
        """Withdraw the announcement."""
        if self._multicast is not None:
            with suppress(Error, OSError):
                await self._multicast.async_close()
        self._multicast = None

    def _info(self, name: str) -> AsyncServiceInfo:
        people, tables = self.busy()
        return AsyncServiceInfo(
            SERVICE,
            name,
            port=self.port,
            properties={
                "txtvers": "1",
                "name": self.host,
                "version": self.version,
                "fp": self.fingerprint,
                "people": str(people),
                "tables": str(tables),
                "access": self.access(),
            },
            server=f"{self.place}.",
            parsed_addresses=self._announced,
        )


async def look_around(addresses: list[str], seconds: float) -> list[Neighbour]:
    """Return servers that answer within ``seconds`` at these addresses. Raises ``CannotMulticast``."""
    multicast = _multicast(addresses)
    found: dict[str, asyncio.Task[Neighbour | None]] = {}

    def changed(
        zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange
    ) -> None:
        if state_change is ServiceStateChange.Removed:
            if gone := found.pop(name, None):
                gone.cancel()
        elif name not in found and len(found) < MOST:
            with suppress(Error):  # not a valid name
                service = AsyncServiceInfo(SERVICE, name)
                found[name] = asyncio.create_task(_ask(zeroconf, service))

    browser = None
    try:
        browser = AsyncServiceBrowser(
            multicast.zeroconf, [SERVICE], handlers=[changed], question_type=_TO_ALL
        )
        await asyncio.sleep(seconds)
        await browser.async_cancel()
        tasks = list(found.values())
        if tasks:
            await asyncio.wait(tasks, timeout=_ANSWER_SECONDS)
        answers = [task.result() for task in tasks if task.done() and not task.cancelled()]
        return sorted(answer for answer in answers if answer is not None)
    except (Error, OSError) as problem:
        raise CannotMulticast(_words(problem)) from None
    finally:
        for task in found.values():
            task.cancel()
        with suppress(Error, OSError):
            await multicast.async_close()


async def _ask(zeroconf: Zeroconf, service: AsyncServiceInfo) -> Neighbour | None:
    try:
        answered = await service.async_request(zeroconf, _ANSWER_SECONDS * 1000, _TO_ALL)
    except Error:  # its host name is not valid
        return None
    if not answered:
        return None
    return neighbour(
        service.name.removesuffix(f".{SERVICE}"),
        service.port,
        service.parsed_scoped_addresses(),
        service.decoded_properties,
    )


def neighbour(
    name: str, port: int | None, addresses: Iterable[str], properties: dict[str, str | None]
) -> Neighbour | None:
    """Clean what was announced; ``None`` without an address or a port."""
    places = [place for address in addresses if (place := _place(address))]
    if not places or port is None or not 0 < port < 65536:
        return None
    places.sort(key=_likelihood)
    fingerprint, access = properties.get("fp") or "", properties.get("access") or ""
    return Neighbour(
        name=clean_text(properties.get("name") or name, NAME_WIDTH) or "?",
        addresses=tuple(dict.fromkeys(places))[:_MOST_ADDRESSES],
        port=port,
        fingerprint=fingerprint if _FINGERPRINT.fullmatch(fingerprint) else "",
        people=_count(properties.get("people")),
        tables=_count(properties.get("tables")),
        access=access if access in {"open", "password", "keys"} else "",
    )


def _count(told: str | None) -> int | None:
    return min(int(told), 100_000) if told and re.fullmatch(r"[0-9]{1,6}", told) else None


def _place(text: str) -> str:
    """Return a valid address, with an interface only if it needs one; empty for any other text."""
    bare, _, interface = text.partition("%")
    try:
        address = ipaddress.ip_address(bare)
    except ValueError:
        return ""
    if address.is_unspecified or address.is_multicast:
        return ""
    if address.version == 6 and address.is_link_local:
        return f"{address}%{interface}" if _INTERFACE.fullmatch(interface) else ""
    return str(address)


def _likelihood(place: str) -> tuple[bool, bool, int]:
    address = ipaddress.ip_address(place.partition("%")[0])
    return address.is_loopback, address.is_link_local, address.version


def _multicast(addresses: list[str]) -> AsyncZeroconf:
    # It logs every packet that cannot be sent.
    logging.getLogger("zeroconf").setLevel(logging.ERROR)
    # Multicast does not work on ::1, and is not needed there beside 127.0.0.1.
    wanted = [one for one in addresses if one != "::1"] or ["127.0.0.1"]
    here = [one for one in wanted if _is_here(one)]
    if not here:
        raise CannotMulticast(f"this machine has no address {' or '.join(wanted)}")
    reason = ""
    for interfaces in (here, [one for one in here if ":" not in one]):
        try:
            if interfaces:
                return AsyncZeroconf(interfaces=list(interfaces))
        except (Error, OSError, RuntimeError) as problem:
            reason = _words(problem)
    raise CannotMulticast(reason)


def _is_here(address: str) -> bool:
    """Return whether this machine still has the address."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.bind((address, 0))
    except OSError:
        return False
    return True


def _words(problem: Exception) -> str:
    return getattr(problem, "strerror", None) or str(problem) or type(problem).__name__
