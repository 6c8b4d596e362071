"""Who may not come in: which ban is meant for whom, and what those hear who come."""

import asyncio
import ipaddress
from collections import ChainMap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.coordinator.contract import Bans, address_matched, network_of_ban
from server.storage.moderation import BanRow
from server.transport.access.limiter import Reason
from tests.support.connections import ban, open_server
from tests.support.patience import PATIENCE
from tests.support.telnet_caller import open_telnet

ADDRESSES = st.one_of(st.ip_addresses(v=4), st.ip_addresses(v=6))


def index(*bans: dict[tuple[str, str], BanRow], now: float = 100.0) -> Bans:
    made = Bans(lambda: now)
    made.fill(dict(ChainMap(*bans)))
    return made


@given(ADDRESSES, st.lists(st.tuples(ADDRESSES, st.integers(0, 128)), max_size=6))
def test_an_address_is_banned_as_the_networks_say(
    address: ipaddress.IPv4Address | ipaddress.IPv6Address,
    around: list[tuple[ipaddress.IPv4Address | ipaddress.IPv6Address, int]],
) -> None:
    networks = [
        ipaddress.ip_network((one, min(length, one.max_prefixlen)), strict=False)
        for one, length in around
    ]
    bans = index(*(ban("network", str(network)) for network in networks))
    mapped = getattr(address, "ipv4_mapped", None)
    meant = mapped or address
    expected = any(network.version == meant.version and meant in network for network in networks)
    assert (bans.at(str(address)) is not None) == expected


@pytest.mark.parametrize(
    ("matched", "address", "banned"),
    [
        (address_matched("192.0.2.7"), "192.0.2.7", True),
        (address_matched("192.0.2.7"), "::ffff:192.0.2.7", True),
        (address_matched("192.0.2.7"), "192.0.2.8", False),
        (address_matched("2001:db8::7"), "2001:db8::9", True),
        (address_matched("2001:db8::7"), "2001:db8:0:1::7", False),
        (str(network_of_ban("192.0.2.77/24")), "192.0.2.1", True),
        (str(network_of_ban("::ffff:192.0.2.0/120")), "192.0.2.1", True),
        (str(network_of_ban("fe80::/10")), "fe80::1%eth0", True),
        (str(network_of_ban("192.0.2.0/24")), "nowhere", False),
    ],
)
def test_which_addresses_are_meant(matched: str, address: str, banned: bool) -> None:
    assert (index(ban("network", matched)).at(address) is not None) == banned


def test_keys_and_names() -> None:
    bans = index(ban("key", "SHA256:a"), ban("name", "bo"))
    assert bans.find("SHA256:a", "", "") is not None
    assert bans.find("SHA256:b", "", "") is None
    assert bans.find("", "", "") is None
    assert bans.find("", "B0", "") is not None
    assert bans.find("", "bob", "") is None


def test_a_ban_ends() -> None:
    for kind, matched in (("key", "SHA256:a"), ("name", "bo"), ("network", "192.0.2.0/24")):
        for until, banned in ((100.0, False), (101.0, True), (0.0, True)):
            bans = index(ban(kind, matched, until))
            found = bans.find(matched, matched, "192.0.2.1")
            assert (found is not None) == banned


async def test_a_banned_address_is_told_why_before_anything_else() -> None:
    async with open_server() as here:
        here.server.bans.fill(ban("network", "127.0.0.0/8", 2e9, "too many"))
        reader, writer = await asyncio.open_connection("127.0.0.1", here.line.listening.port)
        async with asyncio.timeout(PATIENCE):
            told = (await reader.read()).decode()
        writer.close()
        assert (
            "You are banned from this server until 2033-05-18 03:33 UTC. The reason: too many"
            in told
        )
        assert "gesperrt" in told
        assert "bloqueado" in told
        assert "SSH-2.0" not in told
        assert here.server.limiter.counts == {Reason.BANNED: 1}
        here.server.bans.fill({})
        async with here.connect("ada"):
            assert here.here == 1


async def test_over_telnet_as_well() -> None:
    async with open_telnet() as here:
        here.opened.server.bans.fill(ban("network", "127.0.0.0/8"))
        reader, writer = await asyncio.open_connection("127.0.0.1", here.line.listening.port)
        async with asyncio.timeout(PATIENCE):
            told = (await reader.read()).decode()
        writer.close()
        assert told.splitlines()[0] == "You are banned from this server."
        assert here.opened.server.limiter.counts == {Reason.BANNED: 1}
