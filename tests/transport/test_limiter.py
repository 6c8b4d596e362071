import json
from collections.abc import Callable

import pytest

from server import logs
from server.networks import network_of
from server.settings.settings import ServerLimits
from server.transport.access.limiter import ConnectionLimiter, Reason, Ticket


class Now:
    def __init__(self) -> None:
        self.time = 1000.0

    def __call__(self) -> float:
        return self.time


def nothing() -> None:
    return


def attempt(
    guard: ConnectionLimiter, address: str, give_up: Callable[[], object] = nothing
) -> Ticket | None:
    return guard.admit(address, give_up) if guard.attempts_again(address) else None


def refused(guard: ConnectionLimiter, address: str) -> Reason:
    before = guard.counts.copy()
    assert attempt(guard, address) is None
    (reason,) = guard.counts - before
    return Reason(reason)


def admitted(
    guard: ConnectionLimiter, address: str, give_up: Callable[[], object] = nothing
) -> Ticket:
    ticket = attempt(guard, address, give_up)
    assert ticket is not None
    return ticket


@pytest.mark.parametrize(
    ("region", "elsewhere"), [("192.0.2.{}", "192.0.3.1"), ("2001:db8:1:{}::1", "2001:db8:2::1")]
)
def test_many_addresses_of_one_region_have_ten_addresses_attempts(
    region: str, elsewhere: str
) -> None:
    now = Now()
    guard = ConnectionLimiter(ServerLimits(attempts=3, attempts_seconds=7.5), now)
    for number in range(120):
        if ticket := attempt(guard, region.format(number)):
            ticket.leave()
    assert guard.counts[Reason.ATTEMPTS] == 120 - 30
    admitted(guard, elsewhere)
    now.time += 0.25
    admitted(guard, region.format(200))
    assert refused(guard, region.format(201)) is Reason.ATTEMPTS
    now.time += 60.0
    for _ in range(3):
        admitted(guard, region.format(200))
    guard.adjust(ServerLimits(attempts=1, attempts_seconds=7.5))
    now.time += 60.0
    for number in range(10):
        admitted(guard, region.format(number))
    assert refused(guard, region.format(11)) is Reason.ATTEMPTS


class Door:
    """Whoever comes here has to go when the guard says so."""

    def __init__(self, **limits: int) -> None:
        self.limiter = ConnectionLimiter(ServerLimits(attempts=10_000, **limits), Now())
        self.gone: list[str] = []
        self.tickets: list[Ticket] = []

    def comes(self, address: str, name: str = "") -> Ticket:
        ticket = admitted(self.limiter, address, lambda: self.gone.append(name or address))
        self.tickets.append(ticket)
        return ticket


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
    now = Now()
    guard, gone = ConnectionLimiter(ServerLimits(waiting=200), now), list[str]()

    def comes(address: str) -> None:
        attempt(guard, address, lambda: gone.append(address))

    for number in range(200):
        comes(f"10.{number}.0.1")
    now.time += 5.0
    for _ in range(40):
        comes("198.51.100.7")
    for number in range(100):
        comes(f"10.{number}.1.1")
    assert gone == [f"10.{number}.0.1" for number in range(140)]


def test_sessions_are_capped_overall_and_by_network() -> None:
    guard = ConnectionLimiter(ServerLimits(sessions=3, sessions_per_address=2), Now())
    tickets = [admitted(guard, f"2001:db8:1:{n}::{n + i}") for i, n in enumerate((1, 1, 1, 2, 3))]
    tickets[0].come_in()
    tickets[1].come_in()
    assert not tickets[2].come_in()
    assert guard.counts == {Reason.SESSIONS_HERE: 1}
    assert tickets[3].come_in()
    assert not tickets[4].come_in()
    assert guard.counts == {Reason.SESSIONS_HERE: 1, Reason.SESSIONS: 1}
    tickets[0].leave()
    tickets[4].come_in()
    for ticket in tickets:
        ticket.leave()
        ticket.leave()
    assert (guard.waiting, guard.inside) == (0, 0)


def test_a_whole_ipv6_network_is_one_source() -> None:
    assert (
        network_of("2001:db8:1:2:3:4:5:6") == network_of("2001:db8:1:2::1") == "2001:db8:1:2::/64"
    )
    assert network_of("2001:db8:1:3::1") != network_of("2001:db8:1:2::1")
    assert network_of("::ffff:192.0.2.1") == network_of("192.0.2.1") == "192.0.2.1"
    assert network_of("fe80::1%eth0") == "fe80::/64"
    assert network_of("a path") == "a path"


def test_a_flood_of_refusals_is_logged_once_a_second(capsys: pytest.CaptureFixture[str]) -> None:
    now = Now()
    guard = ConnectionLimiter(ServerLimits(attempts=1, attempts_seconds=86_400), now)
    attempt(guard, "192.0.2.1")
    for _ in range(1000):
        refused(guard, "192.0.2.1")
    now.time += 1.0
    refused(guard, "192.0.2.1")
    lines = [line for line in capsys.readouterr().out.splitlines() if "limit" in line]
    assert len(lines) == 2
    assert "999" in lines[1]
    assert guard.counts[Reason.ATTEMPTS] == 1001


def test_every_limit_is_counted_under_its_name_in_the_settings() -> None:
    """But for those that are the other half of one: how long, and how much a second."""
    halves = {"attempts_seconds", "wire_bytes_per_second"}
    named = {reason.value for reason in Reason}
    assert set(ServerLimits.__struct_fields__) - halves <= named


def test_what_happens_on_any_slow_line_is_no_warning(capfd: pytest.CaptureFixture[str]) -> None:
    logs.set_up("json")
    guard = ConnectionLimiter(ServerLimits(), lambda: 0.0)
    guard.refuse(Reason.PAUSE, "203.0.113.5")
    guard.refuse(Reason.STUCK, "203.0.113.5")
    logs.drain()
    levels = [json.loads(line)["level"] for line in capfd.readouterr().err.splitlines()]
    assert levels == ["info", "warning"]
