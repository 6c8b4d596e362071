"""What we override and use of telnetlib3's private parts is there, and is used as we think it is."""

import inspect
import re
from collections import deque
from collections.abc import Iterator

import pytest
from telnetlib3 import TelnetWriter
from telnetlib3 import telopt as t

from server.transport.telnet.options import TelnetOptions
from server.transport.telnetlib3_hooks import LONGEST, HookedWriter

OVERRIDDEN = ("feed_byte", "handle_do", "handle_will", "handle_wont", "handle_subnegotiation")
OURS = (
    *("accepts_do", "accepts_will", "accepts_answer", "agreed", "refused"),
    *("within_command", "interpret", "answer_will", "forget"),
)


class Writer(HookedWriter):
    """Takes everything, and notes it."""

    def __init__(self) -> None:
        self.sent = b""
        self.heard: list[object] = []
        super().__init__(self.send)

    def send(self, data: bytes) -> None:
        self.sent += data

    def accepts_do(self, option: bytes) -> bool:
        return True

    def accepts_will(self, option: bytes) -> bool | None:
        return True

    def accepts_answer(self, option: bytes, command: bytes) -> bool:
        self.heard.append((option, command))
        return False

    def agreed(self, option: bytes) -> None:
        self.heard.append(option)

    def refused(self, option: bytes, *, asked: bool) -> None:
        self.heard.append((option, asked))

    def take(self, data: bytes) -> bytes:
        """What of ``data`` is text."""
        return b"".join(bytes([one]) for one in data if self.interpret(bytes([one])))


@pytest.fixture
def writer() -> Iterator[Writer]:
    one = Writer()
    yield one
    one.forget()


@pytest.mark.parametrize("name", OVERRIDDEN)
def test_what_is_overridden_exists_and_takes_the_same(name: str) -> None:
    theirs, ours = getattr(TelnetWriter, name), vars(HookedWriter)[name]
    assert list(inspect.signature(theirs).parameters) == list(inspect.signature(ours).parameters)


@pytest.mark.parametrize("name", OURS)
def test_what_is_ours_is_not_theirs(name: str) -> None:
    assert not hasattr(TelnetWriter, name)


def test_no_attribute_of_ours_is_one_of_theirs() -> None:
    theirs = set(re.findall(r"\bself\.(_\w+)", inspect.getsource(TelnetWriter)))
    assert "_transport" in theirs
    assert set(re.findall(r"\bself\.(_\w+)", inspect.getsource(TelnetOptions))) & theirs == set()


def test_telnetlib3_calls_what_is_overridden(writer: Writer) -> None:
    assert writer.iac(t.DO, t.TM)
    assert writer.take(b"a\xff\xffb" + t.IAC + t.DO + t.GMCP) == b"a\xffb"
    assert not writer.within_command
    writer.take(t.IAC + t.WILL)
    assert writer.within_command
    writer.take(t.BINARY + t.IAC + t.WONT + t.TM)
    writer.take(t.IAC + t.SB + t.TTYPE + t.IS + b"x" + t.IAC + t.SE)
    assert writer.heard == [t.GMCP, t.BINARY, (t.TM, True), (t.TTYPE, t.IS)]
    assert writer.local_option.enabled(t.GMCP)
    assert writer.remote_option.enabled(t.BINARY)


def test_a_subnegotiation_that_is_too_long_is_dropped_as_a_whole(writer: Writer) -> None:
    assert isinstance(writer._sb_buffer, deque)
    writer.take(t.IAC + t.SB + t.TTYPE + t.IS + bytes(2 * LONGEST))
    assert writer._sb_overflow
    assert len(writer._sb_buffer) <= LONGEST
    writer.take(t.IAC + t.SE)
    assert not writer._sb_overflow
    assert writer.heard == []


def test_an_offer_can_be_answered_later(writer: Writer) -> None:
    writer.iac(t.DO, t.NEW_ENVIRON)
    writer.answer_will(t.NEW_ENVIRON)
    assert not writer.pending_option.enabled(t.DO + t.NEW_ENVIRON)
    assert writer.remote_option.enabled(t.NEW_ENVIRON)


def test_nothing_is_held_on_to_once_the_connection_is_gone(writer: Writer) -> None:
    options = (writer.pending_option, writer.local_option, writer.remote_option)
    assert all(hasattr(one, "_on_change") for one in options)
    writer.set_ext_callback(t.NAWS, writer.send)
    assert writer._ext_callback
    writer.forget()
    assert not any(one._on_change for one in options)
    assert not writer._ext_callback
    writer.iac(t.DO, t.TTYPE)
    assert writer.sent == b""
