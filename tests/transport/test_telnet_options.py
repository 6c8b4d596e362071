"""What is negotiated, and that nothing a client says gets further than it should."""

import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.transport.telnet import protocol as t
from server.transport.telnet.protocol import MOST_TYPES, TelnetOptions

STATUS, LINEMODE, MCCP2, MCCP3 = b"\x05", b"\x22", b"\x56", b"\x57"


class Listener:
    """Notes what it is told."""

    def __init__(self) -> None:
        self.heard: list[str] = []
        self.text = b""
        self.sent = b""
        self.options = TelnetOptions(self, self.send)

    def send(self, data: bytes) -> None:
        self.sent += data

    def typed(self, data: bytes) -> None:
        self.text += data

    def take(self, data: bytes) -> bytes:
        """What is sent in answer to ``data``."""
        self.sent = b""
        self.options.take(data)
        return self.sent

    def learnt(self) -> None: ...

    def resized(self) -> None:
        self.heard.append("resized")

    def are_you_there(self) -> None:
        self.heard.append("ayt")

    def marked(self) -> None:
        self.heard.append("marked")

    def hang_up(self) -> None:
        self.heard.append("leaves")

    def wants(self, option: bytes) -> None:
        self.heard.append(f"wants {option[0]}")


def sub(payload: bytes) -> bytes:
    return t.IAC + t.SB + payload.replace(t.IAC, t.IAC + t.IAC) + t.IAC + t.SE


@pytest.fixture
def listener() -> Listener:
    return Listener()


def test_it_begins_with_as_little_as_possible(listener: Listener) -> None:
    listener.options.begin()
    assert listener.sent == t.IAC + t.DO + t.TTYPE
    answers = listener.take(t.IAC + t.WONT + t.TTYPE)
    assert t.IAC + t.DO + t.NAWS in answers
    assert t.IAC + t.WILL + t.MSSP in answers
    assert t.IAC + t.WILL + t.ECHO not in answers


def test_commands_and_text_keep_their_order(listener: Listener) -> None:
    listener.take(
        b"a" + t.IAC + t.IP + b"b" + t.IAC + t.IAC + b"c" + t.IAC + b"\xf1" + b"d" + t.IAC + t.SE
    )
    assert listener.text == b"a\x03b\xffcd"


@pytest.mark.parametrize("option", [STATUS, LINEMODE, MCCP2, MCCP3, b"\x7e"])
def test_what_we_do_not_do_is_refused(listener: Listener, option: bytes) -> None:
    assert listener.take(t.IAC + t.DO + option).startswith(t.IAC + t.WONT + option)
    assert listener.take(t.IAC + t.WILL + option) == t.IAC + t.DONT + option


def test_compression_cannot_be_smuggled_in(listener: Listener) -> None:
    listener.take(sub(MCCP3) + sub(MCCP2) + b"plain")
    assert listener.text == b"plain"


def test_echo_is_ours_only_for_the_screen(listener: Listener) -> None:
    def said(command: bytes) -> bytes:
        return b"".join(t.IAC + command + option for option in (t.ECHO, t.SGA, t.BINARY))

    listener.take(t.IAC + t.DO + t.ECHO + t.IAC + t.DO + t.SGA)
    assert t.IAC + t.WONT + t.ECHO in listener.sent
    listener.sent = b""
    listener.options.keys_at_once(True)
    assert listener.sent == said(t.WILL)
    assert listener.take(said(t.DO)) == b""
    listener.options.keys_at_once(False)
    assert listener.sent == said(t.WONT)


def test_three_types_are_asked_for_and_no_more(listener: Listener) -> None:
    listener.options.begin()
    listener.take(t.IAC + t.WILL + t.TTYPE)
    asked = 1
    for number in range(10):
        asked += t.TTYPE + t.SEND in listener.take(sub(t.TTYPE + t.IS + b"type%d" % number))
    assert asked == MOST_TYPES
    assert listener.options.about.types == ["type0", "type1", "type2"]


def test_a_subnegotiation_without_end_is_forgotten(listener: Listener) -> None:
    listener.take(t.IAC + t.SB + t.TTYPE + t.IS)
    tracemalloc.start()
    try:
        listener.take(b"x" * 50_000)
        assert tracemalloc.get_traced_memory()[0] < 20_000
    finally:
        tracemalloc.stop()
    listener.take(t.IAC + t.SE + b"typed")
    assert listener.text == b"typed"
    assert not listener.options.about.types


def test_a_timing_mark_comes_back_either_way(listener: Listener) -> None:
    assert listener.options.mark()
    listener.take(t.IAC + t.WILL + t.TM)
    assert listener.options.mark()
    listener.take(t.IAC + t.WONT + t.TM)
    listener.take(t.IAC + t.WONT + t.TM)
    assert listener.heard == ["marked", "marked"]
    assert listener.take(t.IAC + t.DO + t.TM) == t.IAC + t.WILL + t.TM


def test_what_ctrl_c_is_answered_with_comes_after_the_mark(listener: Listener) -> None:
    listener.typed = lambda data: listener.send(b"asks " + data)  # type: ignore[method-assign]
    mark = t.IAC + t.WILL + t.TM
    told = listener.take(t.IAC + t.IP + t.IAC + t.DO + t.TM + t.IAC + b"\xf2")
    assert told.endswith(mark + b"asks \x03")
    told = listener.take(t.IAC + t.IP + b"yes\r" + t.IAC + t.DO + t.TM)
    assert told == b"asks \x03asks yes\r" + mark


def test_a_character_set_is_agreed_from_either_side(listener: Listener) -> None:
    offered = listener.take(t.IAC + t.WILL + t.CHARSET)
    assert t.CHARSET + t.REQUEST + b" UTF-8 " in offered
    listener.take(sub(t.CHARSET + t.ACCEPTED + b"UTF-8"))
    assert listener.options.about.charset == "utf-8"
    assert listener.take(sub(t.CHARSET + t.REQUEST + b";KOI8-R;iso-8859-1")) == sub(
        t.CHARSET + t.ACCEPTED + b"iso-8859-1"
    )
    assert listener.take(sub(t.CHARSET + t.REQUEST + b";KOI8-R")) == sub(t.CHARSET + t.REJECTED)


@pytest.mark.parametrize(
    "payload",
    [
        t.NAWS + b"\x00",
        t.NAWS + b"\x00" * 40,
        t.TTYPE,
        t.TTYPE + t.IS + b"\xe4\xf6",
        t.TTYPE + t.SEND,
        t.TSPEED + t.IS + b"fast,faster",
        t.TSPEED + t.SEND,
        t.NEW_ENVIRON + t.IS + t.VAR * 300,
        t.NEW_ENVIRON + t.SEND + t.VAR,
        t.CHARSET + t.REQUEST,
        t.CHARSET + t.ACCEPTED + b"\xff\xfe",
        t.CHARSET + b"\x04",
        t.GMCP + b"Core.Hello {",
        t.GMCP + b"x " + b"[" * 900,
        STATUS + t.SEND,
        LINEMODE + b"\x01\x00",
        b"",
        b"\x00",
    ],
)
def test_malformed_subnegotiations_do_nothing(listener: Listener, payload: bytes) -> None:
    listener.take(t.IAC + t.WILL + t.TTYPE + t.IAC + t.WILL + t.NAWS)
    listener.take(sub(payload) + b"typed")
    assert listener.text == b"typed"
    assert listener.options.about.size is None


PIECES = st.one_of(
    st.binary(max_size=8),
    st.builds(
        lambda command, option: t.IAC + command + option,
        st.sampled_from([t.DO, t.DONT, t.WILL, t.WONT]),
        st.binary(min_size=1, max_size=1),
    ),
    st.builds(sub, st.binary(max_size=24)),
    st.builds(lambda payload: t.IAC + t.SB + payload, st.binary(max_size=24)),
    st.builds(lambda command: t.IAC + command, st.binary(max_size=1)),
)


@given(pieces=st.lists(PIECES, max_size=30), cut=st.integers(1, 7))
def test_whatever_comes_it_goes_on(pieces: list[bytes], cut: int) -> None:
    data = b"".join(pieces)
    whole, split = Listener(), Listener()
    for listener in (whole, split):
        listener.options.begin()
    whole.options.take(data)
    for start in range(0, len(data), cut):
        split.options.take(data[start : start + cut])
    assert (whole.text, whole.sent, whole.heard) == (split.text, split.sent, split.heard)
    # An answer is about as long as what it answers, and there is no more than one to anything.
    assert len(whole.sent) <= 600 + 3 * len(data)
    # However deep in rubbish it has got: the end of a subnegotiation leads out of it.
    whole.options.take(t.SE + t.IAC + t.SE + t.IAC + t.SE)
    whole.text = b""
    whole.options.take(b"typed")
    assert whole.text == b"typed"


def test_a_return_alone_is_marked_except_on_a_binary_line(listener: Listener) -> None:
    assert listener.options.escaped(b"a\rb\r\n\r\xff") == b"a\r\0b\r\n\r\0\xff\xff"
    listener.options.keys_at_once(True)
    listener.take(t.IAC + t.DO + t.BINARY)
    assert listener.options.escaped(b"a\rb\r\n\r") == b"a\rb\r\n\r"


def test_an_environment_that_is_offered_is_asked_for_once_it_is_known_who_offers_it(
    listener: Listener,
) -> None:
    offer = t.IAC + t.WILL + t.NEW_ENVIRON
    listener.options.begin()
    assert t.NEW_ENVIRON not in listener.take(offer)
    asked = listener.take(t.IAC + t.WONT + t.TTYPE)
    assert t.IAC + t.DO + t.NEW_ENVIRON + t.IAC + t.SB + t.NEW_ENVIRON + t.SEND in asked
    # Nobody is asked again, however often it is taken back: the question is longer than that.
    for _ in range(3):
        assert t.SB not in listener.take(t.IAC + t.WONT + t.NEW_ENVIRON + offer)
    listener.take(sub(t.NEW_ENVIRON + t.IS + b"\x03LANG\x01d\x02\x01e\x00LC_ALL\x00COLORTERM\x01x"))
    assert listener.options.about.environment == {"LANG": "de", "COLORTERM": "x"}
