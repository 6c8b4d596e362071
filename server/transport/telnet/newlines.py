"""Text on a telnet line: its ends of lines (RFC 854), in both directions."""

import re
from typing import Final

from server.transport.net.charset import Charset

_CR, _LF, _NUL = 0x0D, 0x0A, 0x00
_BARE_RETURN: Final = re.compile(rb"\r(?!\n)")


class Returns:
    """Takes the ends of lines of what comes in, CR LF, CR NUL or LF alone, for what they are: one return."""

    __slots__ = ("_after",)

    def __init__(self) -> None:
        self._after = False

    def of(self, data: bytes) -> bytes:
        """``data`` with a CR for each end of a line that began with one, and without NULs."""
        if self._after and data and data[0] in (_LF, _NUL):
            data = data[1:]
            self._after = False
        if data:
            self._after = data[-1] == _CR
        return data.replace(b"\r\n", b"\r").replace(b"\0", b"")


class Text(Charset):
    """One session's characters on such a line."""

    def bytes_of(self, text: str, *, binary: bool, cells: bool) -> bytes:
        """What is to be sent. A return alone is marked as that (RFC 854), except on a ``binary`` line.
        With ``cells`` see ``Charset``.
        """
        data = self.encoded(text, cells=cells)
        if not binary and b"\r" in data:
            data = _BARE_RETURN.sub(b"\r\0", data)
        return data
