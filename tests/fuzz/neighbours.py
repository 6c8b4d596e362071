"""What comes from the same machine or the same local network: orders on the operators' socket, frames of a
link, and servers that announce themselves.
"""

import json
from typing import Any

import msgspec
from hypothesis import strategies as st

from server.link import frames
from server.operators.admin_socket import LONGEST, understood
from server.terminal.drawing.frame import text_width
from server.transport.lan import NAME_WIDTH, neighbour
from tests.fuzz.harness import Harness
from tests.fuzz.inputs import NASTY, decoded, text
from tests.fuzz.ours import strange_in
from tests.support.link_frames import DOWN, UP


def check_admin(line: bytes) -> None:
    """Any line on the operators' socket is an order, or a ``DecodeError`` that says what is wrong with
    it; an order that was understood is written as it was read.
    """
    try:
        action = understood(line[:LONGEST])
    except msgspec.DecodeError:
        return
    assert understood(msgspec.json.encode(action)) == action


def check_frame(data: bytes) -> None:
    """Whatever comes over a link, either way, is a list of messages, which are the same when they are sent
    on, or one of the errors for which the line is broken.
    """
    for decode in (frames.decode_up, frames.decode_down):
        try:
            messages: list[Any] = decode(data)
        except (msgspec.DecodeError, ValueError, RecursionError):
            continue
        sent = frames.framed(messages)
        again: list[Any] = decode(sent[4:])
        assert frames.framed(again) == sent


def check_announced(said: list[str]) -> None:
    """Whatever a server on the local network says of itself: its name is short and clean, its addresses are
    addresses, its fingerprint is one, and nothing in it is anything that a terminal or a shell obeys.
    """
    name, address, fingerprint, people, tables, own = (said + [""] * 6)[:6]
    found = neighbour(
        name,
        len(name) * 7919,
        [address, "192.0.2.7", "fe80::1%eth0;reboot", "::"],
        {"name": own or None, "fp": fingerprint, "people": people, "tables": tables},
    )
    if found is None:
        return
    assert 0 < found.port < 65536
    assert found.name
    assert text_width(found.name) <= NAME_WIDTH
    assert not strange_in(found.name)
    assert not found.fingerprint or found.fingerprint.startswith("SHA256:")
    for place in found.addresses:
        assert not set(place) & set(" ;|&$`\"'\\\n\x1b")
    assert found.people is None or found.people >= 0
    assert found.tables is None or found.tables >= 0


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | text(12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(text(8), inner, max_size=3),
    max_leaves=6,
)
_ORDERS = st.builds(
    lambda kind, fields: json.dumps({"action": kind} | fields).encode(),
    st.sampled_from(
        ["people", "tables", "reports", "bans", "audit", "mute", "kick", "ban", "drain", "say", "x"]
    ),
    st.dictionaries(st.sampled_from(["who", "value", "number", "text", "seconds"]), _JSON),
)

ADMIN = Harness(
    "admin",
    _ORDERS | st.binary(max_size=60),
    check_admin,
    (b'{"x":' + b"[" * 20_000, b"[" * 20_000, b"\xff\xfe", b'{"type": "\\ud800"}'),
    lambda data: data,
)
_SENT = tuple(frames.framed(each)[4:] for each in (UP, DOWN, UP[2:4], DOWN[2:3]))
FRAME = Harness(
    "frame",
    st.binary(max_size=60)
    | st.builds(
        lambda sent, at, new: sent[: at % len(sent)] + new + sent[at % len(sent) + len(new) :],
        st.sampled_from(_SENT),
        st.integers(0, 10_000),
        st.binary(max_size=4),
    ),
    check_frame,
    (*_SENT, b"\x91" * 20_000, b"\xdd\xff\xff\xff\xff", b"\x81\xa4type\xa6Submit", b""),
    lambda data: data,
)
ANNOUNCED = Harness(
    "announced",
    st.lists(
        text(40) | st.sampled_from(["127.0.0.1", "::1", "999999999", "-1", "SHA256:" + "A" * 43])
    ),
    check_announced,
    tuple([name, name, name, name, name, name] for name in NASTY),
    lambda data: decoded(data).split("|"),
)
