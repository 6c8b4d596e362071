"""Writes that come together leave together, and nothing overtakes anything."""

import asyncio
from typing import Any

from server.transport.net.write_coalescer import CoalescingTransport


class Line:
    """An open line that keeps what is written on it."""

    def __init__(self) -> None:
        self.packets: list[bytes] = []

    def write(self, data: bytes) -> None:
        self.packets.append(data)

    def is_closing(self) -> bool:
        return False


def a_line() -> tuple[Any, list[bytes]]:
    line: Any = Line()
    return CoalescingTransport(line), line.packets


async def test_a_frame_leaves_at_once_and_behind_what_waits() -> None:
    output, packets = a_line()
    output.at_once = True
    output.write(b"frame")
    assert packets == [b"frame"]

    output.at_once = False
    output.write(b"screen")
    output.at_once = True
    output.write(b"sign of life")
    await asyncio.sleep(0)
    assert packets == [b"frame", b"screensign of life"]
