"""Servers on the same network; multicast stays on this machine's loopback."""

import asyncio
import secrets
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from zeroconf._services.info import AddressResolverIPv4
from zeroconf.asyncio import AsyncServiceInfo, AsyncZeroconf

from server.transport.lan import (
    SERVICE,
    TOLD_SECONDS,
    Announcement,
    CannotMulticast,
    Neighbour,
    _ask,
    host_name,
    look_around,
    neighbour,
    own_addresses,
)
from tests.support.fake_clock import FakeClock
from tests.support.network import needs_multicast

pytestmark = pytest.mark.slow

FINGERPRINT = "SHA256:" + "x" * 43
LOOPBACK = ["127.0.0.1"]
RUN = secrets.token_hex(3)
"""Other runs of these tests on this machine announce their own servers, and hear ours."""
NOWHERE = ["203.0.113.7"]
"""An address of documentation: this machine is not in its network."""


def announcement(host: str, port: int) -> Announcement:
    return Announcement(named(host), port, lambda: LOOPBACK, FINGERPRINT, "1.2", lambda: (0, 0))


def named(host: str) -> str:
    """What a host is called in this run."""
    return f"{host}-{RUN}"


@asynccontextmanager
async def announced(*announcements: Announcement) -> AsyncIterator[None]:
    try:
        await asyncio.gather(*(one.open() for one in announcements))
        yield
    finally:
        await asyncio.gather(*(one.close() for one in announcements))


async def around(wanted: int, hosts: set[str]) -> list[Neighbour]:
    """Look until so many servers of these hosts have answered."""
    found: list[Neighbour] = []
    for _ in range(20):
        found = await look_for(hosts, 0.5)
        if len(found) == wanted:
            return found
    raise AssertionError(found)


async def anybody() -> list[Neighbour]:
    """Look until somebody has answered."""
    for _ in range(20):
        if found := await look_around(LOOPBACK, 0.5):
            return found
    raise AssertionError("nobody is there")


async def look_for(hosts: set[str], seconds: float) -> list[Neighbour]:
    """What these hosts announce; others may be about on this machine."""
    return [one for one in await look_around(LOOPBACK, seconds) if one.name in map(named, hosts)]


@needs_multicast
async def test_two_servers_are_found_and_are_gone_when_they_close(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with announced(announcement("marta", 2201), announcement("sven", 2202)):
        marta, sven = await around(2, {"marta", "sven"})
        assert marta == Neighbour(named("marta"), ("127.0.0.1",), 2201, FINGERPRINT, 0, 0, "open")
        assert (sven.name, sven.port) == (named("sven"), 2202)
        with monkeypatch.context() as patch:  # whoever announces too many is cut off
            patch.setattr("server.transport.lan.MOST", 1)
            assert len(await anybody()) == 1
    assert await around(0, {"marta", "sven"}) == []


@needs_multicast
@pytest.mark.parametrize(
    "name", [f"\x1b[2J.{SERVICE}", "x._other._tcp.local.", f"x--.{SERVICE[1:]}"]
)
async def test_who_announces_what_is_no_name_hides_nobody_else(name: str) -> None:
    async with announced(announcement("calm", 2211)), AsyncZeroconf(interfaces=LOOPBACK) as other:
        evil = AsyncServiceInfo(SERVICE, f"evil.{SERVICE}", port=1, server="evil.local.")
        evil.name = name
        other.zeroconf.registry.async_add(evil)
        assert [one.port for one in await around(1, {"calm"})] == [2211]


@needs_multicast
async def test_a_machine_whose_name_cannot_be_asked_for_is_left_out() -> None:
    # What is no UTF-8 on the wire is longer once it has been read.
    evil = AsyncServiceInfo(SERVICE, f"evil.{SERVICE}", server="\ufffd" * 63 + ".local.")
    async with AsyncZeroconf(interfaces=LOOPBACK) as other:
        assert await _ask(other.zeroconf, evil) is None


@needs_multicast
async def test_the_machine_has_a_name_that_others_may_type() -> None:
    one = announcement("box", 2209)
    assert one.place == f"tide-{named('box')}.local"
    async with announced(one), AsyncZeroconf(interfaces=LOOPBACK) as other:
        name = AddressResolverIPv4(f"{one.place}.")
        assert await name.async_request(other.zeroconf, 10_000)
        assert name.parsed_addresses() == LOOPBACK


@needs_multicast
async def test_two_servers_of_one_name_that_begin_at_once_are_both_found() -> None:
    other = announcement("twin", 2204)
    other = replace(other, fingerprint=FINGERPRINT.replace("x", "y"))
    async with announced(announcement("twin", 2203), other):
        found = await around(2, {"twin"})
        assert [(one.name, one.port) for one in found] == [
            (named("twin"), 2203),
            (named("twin"), 2204),
        ]


@needs_multicast
async def test_what_changes_is_told() -> None:
    busy = [(1, 0)]
    clock = FakeClock()
    doors = ["open"]
    one = replace(announcement("busy", 2205), busy=lambda: busy[0], access=lambda: doors[0])
    task = asyncio.create_task(one.keep_telling(clock))
    try:
        (seen,) = await around(1, {"busy"})
        assert (seen.people, seen.tables) == (1, 0)
        busy[0], doors[0] = (3, 2), "password"
        one.fingerprint = FINGERPRINT.replace("x", "y")
        wanted = seen._replace(people=3, tables=2, fingerprint=one.fingerprint, access="password")
        while await around(1, {"busy"}) != [wanted]:
            await clock.advance(TOLD_SECONDS)
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    assert await around(0, {"busy"}) == []


@needs_multicast
async def test_a_server_that_comes_into_a_network_is_announced_there() -> None:
    networks = [NOWHERE]
    clock = FakeClock()
    one = replace(announcement("mover", 2208), addresses=lambda: networks[0])
    task = asyncio.create_task(one.keep_telling(clock))
    try:
        await clock.advance(3 * TOLD_SECONDS)
        assert await look_for({"mover"}, 0.1) == []
        networks[0] = LOOPBACK
        await clock.advance(TOLD_SECONDS)
        await around(1, {"mover"})
        networks[0] = NOWHERE
        await clock.advance(TOLD_SECONDS)
        await around(0, {"mover"})
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def test_a_network_that_cannot_be_searched_is_said() -> None:
    with pytest.raises(CannotMulticast):
        await look_around(NOWHERE, 0.1)
    with pytest.raises(CannotMulticast):
        await replace(announcement("here", 1), addresses=lambda: NOWHERE).open()


def made(**changes: Any) -> Neighbour | None:
    values: dict[str, Any] = {
        "name": "marta",
        "port": 2222,
        "addresses": ["192.168.1.5"],
        "properties": {"fp": FINGERPRINT, "people": "3", "tables": "1"},
    }
    return neighbour(**(values | changes))


def test_what_was_announced_is_made_harmless() -> None:
    evil = made(properties={"name": "\x1b[2Jbo", "fp": "SHA256:\x1b[2J", "access": "\x1b[2J"})
    assert evil is not None
    assert (evil.name, evil.fingerprint, evil.access) == ("[2Jbo", "", "")
    nameless = made(name="\u200b", properties={"fp": None})
    assert nameless is not None
    assert (nameless.name, nameless.fingerprint) == ("?", "")
    many = made(properties={"people": "999999", "tables": "0"})
    assert many is not None
    assert (many.people, many.tables) == (100_000, 0)


@pytest.mark.parametrize(
    "addresses",
    [
        [],
        ["0.0.0.0"],
        ["224.0.0.1"],
        ["-oProxyCommand=x"],
        ["example.com"],
        ["fe80::1"],
        ["fe80::1%-oProxyCommand=x"],
        ["fe80::1%a b"],
    ],
)
def test_nobody_goes_to_what_is_no_address_of_a_machine(addresses: list[str]) -> None:
    assert made(addresses=addresses) is None


@pytest.mark.parametrize("port", [None, 0, -1, 65536])
def test_nobody_goes_to_what_is_no_port(port: int | None) -> None:
    assert made(port=port) is None


def test_the_likeliest_address_comes_first() -> None:
    found = made(
        addresses=[
            "127.0.0.1", "fe80::1%eth0", "169.254.3.4", "fd00::5%eth0", "10.0.0.5", "10.0.0.5",
        ]
    )  # fmt: skip
    assert found is not None
    assert found.addresses == (
        "10.0.0.5", "fd00::5", "169.254.3.4", "fe80::1%eth0", "127.0.0.1",
    )  # fmt: skip
    crowd = made(addresses=[f"10.0.0.{last}" for last in range(1, 200)])
    assert crowd is not None
    assert len(crowd.addresses) == 8


def adapter(name: str, *addresses: str) -> Any:
    ips = [
        SimpleNamespace(ip=(text, 0, 2) if ":" in text else text, network_prefix=64)
        for text in addresses
    ]
    return SimpleNamespace(name=name, ips=ips)


def test_own_addresses_are_those_that_others_may_type() -> None:
    adapters = [
        adapter("lo", "127.0.0.1", "::1"),
        adapter("docker0", "172.17.0.1"),
        adapter("br-0123456789ab", "172.18.0.1"),
        adapter("eth0", "fe80::1", "2001:db8:1:2::3", "2001:db8:1:2::4", "169.254.1.1"),
        adapter("wlan0", "192.168.1.20", "fd00::2"),
        adapter("wg0", "10.8.0.2"),
    ]
    # What leads out of the house may be a tunnel, and those in the same room are not in it.
    assert own_addresses(adapters, frozenset({"10.8.0.2", "fd00::2"})) == [
        "192.168.1.20", "10.8.0.2", "fd00::2", "2001:db8:1:2::3",
    ]  # fmt: skip
    adapters.append(adapter("eth1", "10.1.1.1"))
    assert own_addresses(adapters, frozenset({"10.1.1.1"}))[0] == "10.1.1.1"


def test_of_several_addresses_in_a_network_the_one_in_use_is_kept() -> None:
    adapters = [adapter("eth0", "2001:db8:1:2::3", "2001:db8:1:2::4")]
    assert own_addresses(adapters, frozenset({"2001:db8:1:2::4"})) == ["2001:db8:1:2::4"]


def test_without_a_router_link_local_addresses_do() -> None:
    adapters = [adapter("eth0", "fe80::1", "169.254.1.1")]
    assert own_addresses(adapters, frozenset()) == ["169.254.1.1"]
    assert own_addresses([], frozenset()) == []


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("Marta's-MacBook.local", "marta-s-macbook"),
        ("box.example.org", "box"),
        ("", "host"),
        ("...", "host"),
        ("x" * 70, "x" * 40),
    ],
)
def test_a_host_name_becomes_a_part_of_a_dns_name(
    monkeypatch: pytest.MonkeyPatch, name: str, label: str
) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: name)
    assert host_name() == label


def test_this_machine_has_addresses_that_are_none_of_its_loopback() -> None:
    assert not {"127.0.0.1", "::1"} & set(own_addresses())
