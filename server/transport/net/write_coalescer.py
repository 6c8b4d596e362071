"""What is written in one turn of the event loop leaves as one packet."""

import asyncio
from typing import Any, Final

from typing_extensions import override

_FULL: Final = 4096
"""Bytes that are not kept waiting for more."""


class CoalescingTransport(asyncio.WriteTransport):
    """Stands before a transport, which does everything but write."""

    __slots__ = ("_loop", "_transport", "_unsent", "coalesces")

    def __init__(self, transport: asyncio.Transport) -> None:
        self._loop: Final = asyncio.get_running_loop()
        self._transport: Final = transport
        self._unsent: Final = bytearray()
        self.coalesces = True
        """Otherwise each write is sent at once, for those who put a frame into one."""

    @override
    def write(self, data: bytes | bytearray | memoryview) -> None:
        if self.coalesces and not self._unsent:
            self._loop.call_soon(self.flush)
        self._unsent.extend(data)
        if not self.coalesces or len(self._unsent) >= _FULL:
            self.flush()

    def flush(self) -> None:
        """Send now what there is."""
        if self._unsent and not self._transport.is_closing():
            self._transport.write(bytes(self._unsent))
        self._unsent.clear()

    @property
    def unsent(self) -> int:
        """Bytes that have not been sent in this turn."""
        return len(self._unsent)

    @property
    def waiting(self) -> int:
        """Bytes that the system has not taken yet."""
        return self._transport.get_write_buffer_size() + len(self._unsent)

    @override
    def abort(self) -> None:
        self.flush()  # a reason to hang up is still told
        self._transport.abort()

    @override
    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return self._transport.get_extra_info(name, default)
