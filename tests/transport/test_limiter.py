from functools import partial
from typing import Any

import pytest

from server.networks import network_of
from server.settings.settings import ServerLimits
from server.transport.access.limiter import ConnectionLimiter, Reason, Ticket
from tests.support.fake_clock import FakeTimers


class Door:
    """Whoever comes here has to go when the limiter says so."""

    def __init__(self, **limits: Any) -> None:
        self.clock, chosen = FakeTimers(), {"attempts": 10_000, **limits}
        self.limiter = ConnectionLimiter(ServerLimits(**chosen), self.clock.time)
        self.gone, self.tickets = list[str](), list[Ticket]()

    def comes(self, address: str, name: str = "") -> bool:
        """Return whether somebody from there may wait to come in."""
        if not self.limiter.attempts_again(address):
            return False
        gone = partial(self.gone.append, name or address)
        self.tickets.append(self.limiter.admit(address, gone))
        return True


@pytest.mark.parametrize(
    ("region", "elsewhere"), [("192.0.2.{}", "192.0.3.1"), ("2001:db8:1:{}::1", "2001:db8:2::1")]
)
def test_many_addresses_of_one_region_have_ten_addresses_attempts(
    region: str, elsewhere: str
) -> None:
    door = Door(attempts=3, attempts_seconds=7.5)
    assert sum(door.comes(region.format(number)) for number in range(120)) == 30
    assert door.limiter.counts == {Reason.ATTEMPTS: 90}
    assert door.comes(elsewhere)
    door.clock.now += 0.25
    assert [door.comes(region.format(number)) for number in (200, 201)] == [True, False]
    door.clock.now += 60.0
    assert all(door.comes(region.format(200)) for _ in range(3))
    door.limiter.adjust(ServerLimits(attempts=1, attempts_seconds=7.5))
    door.clock.now += 60.0
    assert sum(door.comes(region.format(number)) for number in range(12)) == 10


def test_who_has_the_most_waiting_makes_room_for_whoever_comes() -> None:
    door = Door(waiting=200, waiting_per_address=64)
    door.comes("198.51.100.7", "honest")
    for turn in range(50):
        for number in range(20):
            door.comes(f"192.0.2.{number}", f"{turn}")
    door.comes("203.0.113.9", "newcomer")
    assert door.limiter.waiting == 200
    assert not {"honest", "newcomer"} & set(door.gone)
    assert door.gone == sorted(door.gone, key=int), "each time it was one of those who came first"
    assert door.limiter.counts == {Reason.WAITING: 802}
    for ticket in door.tickets:
        ticket.leave()
    guard = door.limiter
    assert not any((guard.waiting, guard._places, guard._waiting, guard._regions))


@pytest.mark.parametrize("spread", ["192.0.2.{}", "2001:db8:7:{}::1"])
def test_who_has_many_addresses_of_one_network_has_no_more_room(spread: str) -> None:
    door = Door(waiting=100)
    door.comes("198.51.100.7", "honest")
    door.comes("2001:db8:8::1", "honest")
    for number in range(250):
        door.comes(spread.format(number))
    assert "honest" not in door.gone
    assert len(door.gone) == 152


def test_forty_who_log_in_keep_their_places_while_there_are_those_who_only_wait() -> None:
    door = Door(waiting=200)
    for number in range(200):
        door.comes(f"10.{number}.0.1")
    door.clock.now += 5.0
    for _ in range(40):
        door.comes("198.51.100.7")
    for number in range(100):
        door.comes(f"10.{number}.1.1")
    assert door.gone == [f"10.{number}.0.1" for number in range(140)]


def test_sessions_are_capped_overall_and_by_network() -> None:
    door = Door(sessions=3, sessions_per_address=2)
    counts, tickets = door.limiter.counts, door.tickets
    for number, network in enumerate((1, 1, 1, 2, 3)):
        door.comes(f"2001:db8:1:{network}::{number}")
    assert [ticket.come_in() for ticket in tickets[:3]] == [True, True, False]
    assert counts == {Reason.SESSIONS_HERE: 1}
    assert [ticket.come_in() for ticket in tickets[3:]] == [True, False]
    assert counts == {Reason.SESSIONS_HERE: 1, Reason.SESSIONS: 1}
    tickets[0].leave()
    assert tickets[4].come_in()
    for ticket in tickets:
        ticket.leave()
        ticket.leave()
    assert (door.limiter.waiting, door.limiter.inside) == (0, 0)


def test_a_whole_ipv6_network_is_one_source() -> None:
    assert (
        network_of("2001:db8:1:2:3:4:5:6") == network_of("2001:db8:1:2::1") == "2001:db8:1:2::/64"
    )
    assert network_of("2001:db8:1:3::1") != network_of("2001:db8:1:2::1")
    assert network_of("::ffff:192.0.2.1") == network_of("192.0.2.1") == "192.0.2.1"
    assert network_of("fe80::1%eth0") == "fe80::/64"
    assert network_of("a path") == "a path"


def test_a_flood_of_refusals_is_logged_once_a_second(capsys: pytest.CaptureFixture[str]) -> None:
    door = Door(attempts=1, attempts_seconds=86_400)
    for _ in range(1001):
        door.comes("192.0.2.1")
    door.clock.now += 1.0
    door.comes("192.0.2.1")
    lines = [line for line in capsys.readouterr().out.splitlines() if "limit" in line]
    assert len(lines) == 2
    assert "999" in lines[1]
    assert door.limiter.counts[Reason.ATTEMPTS] == 1001
