"""What is written in one turn of the event loop leaves as one packet."""

import asyncio
from typing import Final

_FULL: Final = 4096
"""Bytes that are not kept waiting for more."""


class WriteCoalescer:
    """Stands before a transport, once there is one."""

    def __init__(self) -> None:
        self._loop: Final = asyncio.get_running_loop()
        self._unsent: Final = bytearray()
        self.line: asyncio.Transport | None = None
        """Where it goes; without, nothing is kept."""

    def write(self, data: bytes) -> None:
        """Send ``data``, in a moment."""
        if self.line is None:
            return
        if not self._unsent:
            self._loop.call_soon(self.flush)
        self._unsent.extend(data)
        if len(self._unsent) >= _FULL:
            self.flush()

    def flush(self) -> None:
        """Send now what there is."""
        if self._unsent and self.line is not None and not self.line.is_closing():
            self.line.write(bytes(self._unsent))
        self._unsent.clear()

    @property
    def waiting(self) -> int:
        """Bytes that the system has not taken yet."""
        below = self.line.get_write_buffer_size() if self.line is not None else 0
        return below + len(self._unsent)
