"""Frames: whatever comes, and whatever has to go."""

import asyncio
from typing import Any
from unittest.mock import Mock

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.coordinator import messages as m
from server.link import frames as f
from tests.support.link_frames import ARRIVE, DOWN, UP


class Ends:
    """A line, what it has heard, and whether it was broken."""

    def __init__(self, decode: Any) -> None:
        self.heard: list[Any] = []
        self.line = f.LinkConnection(decode, self.heard.append, lambda: None)
        self.broken = False
        self.line.close = self._break  # type: ignore[method-assign]

    def _break(self) -> None:
        self.broken = True


@pytest.mark.parametrize(("decode", "sent"), [(f.decode_up, UP), (f.decode_down, DOWN)])
@pytest.mark.parametrize("size", [1, 3, 1000])
async def test_messages_come_in_their_order_however_they_are_cut(
    decode: Any, sent: list[f.LinkFrame], size: int
) -> None:
    ends, data = Ends(decode), f.framed(sent[:2]) + f.framed(sent[2:])
    for start in range(0, len(data), size):
        ends.line.data_received(data[start : start + size])
    assert ends.heard == sent
    assert not ends.broken


@given(
    st.sampled_from([f.decode_up, f.decode_down]),
    st.binary(max_size=300)
    | st.recursive(
        st.none() | st.integers(-(2**63), 2**63) | st.text() | st.floats(),
        lambda each: st.lists(each) | st.dictionaries(st.text(), each),
    ).map(lambda it: msgspec.msgpack.encode([["Submit", 1, 2, it]])),
)
def test_what_is_no_frame_breaks_the_line_and_nothing_else(decode: Any, data: bytes) -> None:
    async def hear() -> None:
        ends = Ends(decode)
        ends.line.data_received(len(data).to_bytes(4, "big") + data)
        assert ends.broken or ends.heard == decode(data)

    asyncio.run(hear())


async def test_what_did_not_fit_leaves_as_soon_as_there_is_room() -> None:
    line, transport = Ends(f.decode_up).line, Mock(asyncio.Transport)
    transport.is_closing.return_value = False
    line.connection_made(transport)
    line.pause_writing()
    line.send(ARRIVE)
    await asyncio.sleep(0)
    transport.write.reset_mock()
    line.send(ARRIVE)
    await asyncio.sleep(0)
    transport.write.assert_not_called()
    line.resume_writing()
    await asyncio.sleep(0)
    transport.write.assert_called_once_with(f.framed([ARRIVE]))


async def test_a_frame_that_is_too_long_is_not_waited_for() -> None:
    ends = Ends(f.decode_up)
    ends.line.data_received((f.LONGEST + 1).to_bytes(4, "big"))
    assert ends.broken


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (m.JoinTable("\ud800"), m.JoinTable("?")),
        (m.JoinTable("kudidoro", 2**70), m.JoinTable("kudidoro", 2**63 - 1)),
        (m.PlaceBid(-(2**70), 0, 0), m.PlaceBid(-(2**63), 0, 0)),
        (m.AtTable("\udfff", m.Touch()), m.AtTable("?", m.Touch())),
    ],
)
async def test_what_messagepack_cannot_carry_is_sent_as_something_that_is_not_there_either(
    command: m.Command, told: m.Command
) -> None:
    ends = Ends(f.decode_up)
    ends.line.data_received(f.framed([f.Submit(1, 1, command), ARRIVE]))
    assert ends.heard == [f.Submit(1, 1, told), ARRIVE]
