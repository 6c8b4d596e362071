"""Telnet's bytes taken apart, and options that both ends ask for at once."""

from collections import deque
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.transport.telnet import protocol as t
from server.transport.telnet.protocol import (
    LONGEST,
    Command,
    Negotiation,
    Options,
    Parser,
    Subnegotiation,
    Text,
)


@pytest.mark.parametrize(
    ("data", "events"),
    [
        (b"abc", [Text(b"abc")]),
        (b"a\xff\xffb", [Text(b"a"), Text(b"\xff"), Text(b"b")]),
        (t.IAC + t.AYT + b"x", [Command(t.AYT), Text(b"x")]),
        (t.IAC + t.DO + t.IAC, [Negotiation(t.DO, t.IAC)]),
        (
            t.IAC + t.SB + t.NAWS + b"\0\xff\xff\0\x18" + t.IAC + t.SE,
            [Subnegotiation(t.NAWS, b"\0\xff\0\x18")],
        ),
        (t.IAC + t.SB + t.TTYPE + t.IAC + t.SE, [Subnegotiation(t.TTYPE, b"")]),
        # Its end is missing.
        (
            t.IAC + t.SB + t.TTYPE + b"x" + t.IAC + t.WILL + t.NAWS + b"typed",
            [Negotiation(t.WILL, t.NAWS), Text(b"typed")],
        ),
        (t.IAC + t.SB + t.IAC + t.SE + b"x", [Text(b"x")]),
        (t.IAC + t.SE + b"x", [Text(b"x")]),
    ],
)
def test_bytes_are_taken_apart_wherever_they_are_split(data: bytes, events: list[object]) -> None:
    for cut in range(len(data) + 1):
        parser = Parser()
        found = [*parser.feed(data[:cut]), *parser.feed(data[cut:])]
        assert _joined(found) == _joined(events)


def _joined(events: Iterable[object]) -> list[object]:
    """Text may come in any number of pieces."""
    joined: list[object] = []
    for one in events:
        if isinstance(one, Text) and joined and isinstance(joined[-1], Text):
            joined[-1] = Text(joined[-1].data + one.data)
        else:
            joined.append(one)
    return joined


@pytest.mark.parametrize("extra", [0, 1, 100_000])
def test_a_subnegotiation_that_is_too_long_is_dropped_as_a_whole(extra: int) -> None:
    payload = b"x" * (LONGEST - 1 + extra)
    found = [*Parser().feed(t.IAC + t.SB + t.TTYPE + payload + t.IAC + t.SE + b"typed")]
    kept: list[object] = [] if extra else [Subnegotiation(t.TTYPE, payload)]
    assert found == [*kept, Text(b"typed")]


def test_an_answer_is_no_question() -> None:
    us = Options(t.WILL, t.WONT)
    assert us.ask(t.ECHO, True) == t.IAC + t.WILL + t.ECHO
    assert us.hear(t.ECHO, True, acceptable=False) == b""
    assert t.ECHO in us.enabled
    assert us.hear(t.ECHO, True, acceptable=False) == b""
    assert us.hear(t.ECHO, False, acceptable=False) == t.IAC + t.WONT + t.ECHO
    assert us.settled


def test_a_wish_that_is_taken_back_waits_for_the_answer() -> None:
    us = Options(t.WILL, t.WONT)
    us.ask(t.ECHO, True)
    assert us.ask(t.ECHO, False) == b""
    assert us.hear(t.ECHO, True, acceptable=False) == t.IAC + t.WONT + t.ECHO
    assert us.ask(t.ECHO, True) == b""
    assert us.hear(t.ECHO, False, acceptable=False) == t.IAC + t.WILL + t.ECHO
    assert us.hear(t.ECHO, False, acceptable=False) == b""
    assert us.settled
    assert not us.enabled


@given(
    st.lists(st.tuples(st.booleans(), st.booleans(), st.integers(0, 4)), max_size=25),
    st.booleans(),
    st.booleans(),
)
def test_two_ends_agree_in_the_end_however_their_wishes_cross(
    wishes: list[tuple[bool, bool, int]], near_accepts: bool, far_accepts: bool
) -> None:
    """One option: the near end performs it (WILL), and the far end wants it performed (DO)."""
    ends = Options(t.WILL, t.WONT), Options(t.DO, t.DONT)
    accepts = near_accepts, far_accepts
    ways: tuple[deque[bytes], deque[bytes]] = deque(), deque()
    sent = 0

    def say(end: int, data: bytes) -> None:
        nonlocal sent
        if data:
            sent += 1
            ways[1 - end].append(data[1:2])

    def deliver(end: int) -> None:
        wanted = ways[end].popleft() in (t.DO, t.WILL)
        say(end, ends[end].hear(t.ECHO, wanted, acceptable=accepts[end]))

    for far, wanted, delivered in wishes:
        say(int(far), ends[far].ask(t.ECHO, wanted))
        for number in range(delivered):
            if ways[number % 2]:
                deliver(number % 2)
    while ways[0] or ways[1]:
        deliver(0 if ways[0] else 1)
        assert sent <= 4 * len(wishes) + 2
    assert ends[0].settled
    assert ends[1].settled
    assert ends[0].enabled == ends[1].enabled
