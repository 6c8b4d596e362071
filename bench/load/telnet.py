"""A telnet client with a terminal, as much of one as the game asks for (RFC 854, 856, 1073, 1091, 2066)."""

import asyncio
import re
import time
from typing import Final, cast

from telnetlib3.telopt import (
    ACCEPTED,
    BINARY,
    CHARSET,
    DO,
    DONT,
    ECHO,
    IAC,
    IS,
    NAWS,
    REQUEST,
    SB,
    SE,
    SEND,
    SGA,
    TM,
    TTYPE,
    WILL,
    WONT,
)

from bench.load.line import HOST, Far, Wish, address_of

PATIENCE: Final = 30.0
"""Seconds until the name is asked for."""
_COMMAND: Final = re.compile(rb"\xff(?:\xfa(.*?)\xff\xf0|([\xfb-\xfe])(.)|[^\xfa-\xff])", re.DOTALL)
_OURS: Final = (TTYPE, NAWS, BINARY, CHARSET, TM)
_THEIRS: Final = (ECHO, SGA, BINARY)
_QUESTION: Final = b": "


class TelnetLine(asyncio.Protocol):
    """See ``Line``."""

    def __init__(self, far: Far, wish: Wish) -> None:
        self.arrived = 0.0
        self.received = 0
        self.asked: Final = asyncio.get_running_loop().create_future()
        """Is done when the name is asked for."""
        self._far: Final = far
        self._wish: Final = wish
        self._line: asyncio.Transport | None = None
        self._rest = b""

    # -------------------------------------------------------------- asyncio.Protocol

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """See ``asyncio.Protocol``."""
        self._line = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        """See ``asyncio.Protocol``."""
        self.arrived = time.perf_counter()
        self.received += len(data)
        if self._rest or IAC in data:
            data = _COMMAND.sub(self._command, self._rest + data)
            text, command, rest = data.partition(IAC)
            self._rest = command + rest
            data = text
        if not data:
            return
        if self.asked.done():
            self._far.came(self, data)
        elif data.endswith(_QUESTION):
            self.asked.set_result(None)

    def connection_lost(self, exc: Exception | None) -> None:
        """See ``asyncio.Protocol``."""
        self._line = None
        if not self.asked.done():
            self.asked.set_exception(ConnectionResetError("hung up at the door"))
        self._far.dropped()

    def _command(self, found: re.Match[bytes]) -> bytes:
        """Answer one; nothing of it is text."""
        about, verb, option = found.groups()
        if about is not None:
            self._answer(about)
        elif verb == DO:
            self.write(IAC + (WILL if option in _OURS else WONT) + option)
            if option == NAWS:
                self.resize(*self._wish.size)
        elif verb == WILL:
            self.write(IAC + (DO if option in _THEIRS else DONT) + option)
        return b""

    def _answer(self, about: bytes) -> None:
        if about.startswith(TTYPE + SEND):
            self._tell(TTYPE + IS + self._wish.term.encode())
        elif about.startswith(CHARSET + REQUEST):
            self._tell(CHARSET + ACCEPTED + b"UTF-8")

    def _tell(self, about: bytes) -> None:
        self.write(IAC + SB + about + IAC + SE)

    # -------------------------------------------------------------- Line

    def write(self, data: bytes) -> None:
        """See ``Line``."""
        if self._line is not None:
            self._line.write(data)

    def resize(self, columns: int, rows: int) -> None:
        """See ``Line``. Neither number has a byte that would have to be doubled."""
        self._tell(NAWS + columns.to_bytes(2, "big") + rows.to_bytes(2, "big"))

    def listen(self, *, on: bool) -> None:
        """See ``Line``."""
        if self._line is not None and on:
            self._line.resume_reading()
        elif self._line is not None:
            self._line.pause_reading()

    def abort(self) -> None:
        """See ``Line``."""
        if self._line is not None:
            self._line.abort()


async def dial(port: int, far: Far, wish: Wish) -> TelnetLine:
    """Connect, and give the name. Raises ``OSError`` or ``TimeoutError``."""
    _, line = await asyncio.get_running_loop().create_connection(
        lambda: TelnetLine(far, wish), HOST, port, local_addr=(address_of(wish.number), 0)
    )
    async with asyncio.timeout(PATIENCE):
        await line.asked
    line.write(f"{wish.name}\r\n".encode())
    return line
