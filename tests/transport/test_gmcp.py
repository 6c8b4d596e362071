"""How often a MUD client is told how things stand."""

from typing import Any

from server.coordinator.messages import LobbySnapshot, Update
from server.i18n.lookup import words_for
from server.transport.telnet.gmcp import GmcpPublisher
from tests.support.fake_clock import FakeTimers


def crowd(number: int) -> Update:
    names = tuple(f"{'x' * 100}{one}" for one in range(number))
    return Update(LobbySnapshot((), names), None, (), False, "")


def crowds(told: list[dict[str, Any]]) -> tuple[GmcpPublisher, FakeTimers]:
    """A client that has been told of a hundred crowds, one right after the other."""
    timers = FakeTimers()
    teller = GmcpPublisher(
        lambda: True, lambda _, state: told.append(state), lambda: words_for("en"), timers
    )
    for number in range(100, 200):
        teller.heard(crowd(number))
    return teller, timers


def test_what_changes_all_the_time_is_told_now_and_then_and_the_last_of_it_always() -> None:
    told: list[dict[str, Any]] = []
    _, timers = crowds(told)
    assert 1 <= len(told) < 10
    timers.advance(60.0)
    assert told[-1]["players_here"] == 199
    assert len(told) < 10


def test_who_has_gone_is_told_nothing_more() -> None:
    teller, timers = crowds([])
    teller.forget()
    assert not timers.pending
