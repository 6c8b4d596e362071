"""A transport that sends everything written in one turn of the event loop as one packet."""

import asyncio
from dataclasses import dataclass, field
from typing import Any, Final

from typing_extensions import override

_FULL: Final = 4096
"""Bytes from which on output is sent at once."""


@dataclass(slots=True, eq=False)
class CoalescingTransport(asyncio.WriteTransport):
    """A wrapper of a transport, for writing."""

    transport: asyncio.Transport
    at_once: bool = False
    """Whether each write is sent by itself, as those of whole frames."""
    _unsent: bytearray = field(default_factory=bytearray, init=False)

    @override
    def write(self, data: bytes | bytearray | memoryview) -> None:
        if not self._unsent:
            if self.at_once:
                self.transport.write(data)
                return
            asyncio.get_running_loop().call_soon(self.flush)
        self._unsent += data
        if len(self._unsent) >= _FULL:
            self.flush()

    def flush(self) -> None:
        """Send the output so far."""
        if self._unsent and not self.transport.is_closing():
            self.transport.write(bytes(self._unsent))
        self._unsent.clear()

    @property
    def waiting(self) -> int:
        """Number of bytes that the system has not taken yet."""
        return self.transport.get_write_buffer_size() + len(self._unsent)

    @override
    def abort(self) -> None:
        self.flush()  # a reason to hang up is still told
        self.transport.abort()

    @override
    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return self.transport.get_extra_info(name, default)
