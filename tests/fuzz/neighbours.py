"""What comes from the same machine or the same local network: orders on the operators' socket, and
servers that announce themselves.
"""

import json

import msgspec
from hypothesis import strategies as st

from server.operators.admin_socket import LONGEST, understood
from server.terminal.drawing.frame import text_width
from server.transport.lan import NAME_WIDTH, neighbour
from tests.fuzz.harness import Harness
from tests.fuzz.inputs import NASTY, decoded, text
from tests.fuzz.ours import strange_in


def check_admin(line: bytes) -> None:
    """Any line on the operators' socket is an order, or a ``DecodeError`` that says what is wrong with
    it; an order that was understood is written as it was read.
    """
    try:
        action = understood(line[:LONGEST])
    except msgspec.DecodeError:
        return
    assert understood(msgspec.json.encode(action)) == action


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
    if found.standing is not None:
        assert found.standing.people >= 0
        assert found.standing.tables >= 0


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
ANNOUNCED = Harness(
    "announced",
    st.lists(
        text(40) | st.sampled_from(["127.0.0.1", "::1", "999999999", "-1", "SHA256:" + "A" * 43])
    ),
    check_announced,
    tuple([name, name, name, name, name, name] for name in NASTY),
    lambda data: decoded(data).split("|"),
)
