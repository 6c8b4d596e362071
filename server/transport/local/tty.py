"""The terminal this process was started in, for playing without a network."""

import asyncio
import os
import shutil
import signal
import termios
import tty
from collections.abc import Mapping
from types import TracebackType
from typing import Final, Protocol, Self

from typing_extensions import override

from server.terminal.capabilities import ByteStream, Capabilities, ConnectionStats, Size
from server.terminal.output_budget import Budget
from server.transport.access.sanitize import clean_word
from server.transport.net.capabilities import abilities_of, clamp
from server.transport.net.charset import Charset, told_by

_READ: Final = 4096
_SIGNALS: Final = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)


class TtyListener(Protocol):
    """Who gets to know what happens at the terminal."""

    def feed(self, text: str) -> None:
        """Somebody typed."""

    def resized(self) -> None:
        """It has another size."""

    def hang_up(self) -> None:
        """It is gone."""


class LocalTerminal(ByteStream):
    """The terminal of this process. As a context manager it takes the terminal over,
    and gives it back as it was, however that ends.
    """

    def __init__(self, environment: Mapping[str, str], stdin: int = 0, stdout: int = 1) -> None:
        self._stdin: Final = stdin
        self._stdout: Final = stdout
        self._term: Final = clean_word(environment.get("TERM", ""))
        self._abilities: Final = abilities_of(self._term, environment)
        self._sent = self._received = 0
        known = told_by(self._term, environment)
        charset = known or ("utf-8" if self._abilities.unicode else "ascii")
        self._charset: Final = Charset(charset, self._term)
        self._lines = False
        self._before: list[int | list[bytes | int]] | None = None
        self._open = True
        self._session: TtyListener | None = None

    @property
    @override
    def size(self) -> Size:
        try:
            found = os.get_terminal_size(self._stdout)
        except OSError:
            found = shutil.get_terminal_size()
        return clamp(found.columns, found.lines)

    @property
    @override
    def abilities(self) -> Capabilities:
        return self._abilities

    @property
    @override
    def writable(self) -> bool:
        return self._open

    @override
    def write(self, text: str) -> None:
        data = self._charset.encoded(text, cells=not self._lines)
        self._sent += len(data)
        try:
            while data and self._open:
                data = data[os.write(self._stdout, data) :]
        except OSError:
            self._open = False
            self._hang_up()

    @property
    @override
    def budget(self) -> Budget:
        """Nobody else has to wait for this terminal."""
        return Budget()

    @property
    @override
    def facts(self) -> ConnectionStats:
        return ConnectionStats(self._sent, self._received, self._term)

    @override
    def expect(self, *, lines: bool) -> None:
        """It is a matter of this process alone."""
        self._lines = lines

    @override
    def close(self) -> None:
        self._open = False

    def __enter__(self) -> Self:
        self._before = termios.tcgetattr(self._stdin)
        tty.setraw(self._stdin, termios.TCSANOW)
        return self

    def attach(self, session: TtyListener) -> None:
        """From now on ``session`` gets what is typed."""
        self._session = session
        loop = asyncio.get_running_loop()
        loop.add_reader(self._stdin, self._read)
        loop.add_signal_handler(signal.SIGWINCH, session.resized)
        for one in _SIGNALS:
            loop.add_signal_handler(one, session.hang_up)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        loop = asyncio.get_running_loop()
        loop.remove_reader(self._stdin)
        for one in (signal.SIGWINCH, *_SIGNALS):
            loop.remove_signal_handler(one)
        if self._before is not None:
            termios.tcsetattr(self._stdin, termios.TCSADRAIN, self._before)

    def _read(self) -> None:
        try:
            data = os.read(self._stdin, _READ)
        except OSError:
            data = b""
        self._received += len(data)
        if data and self._session is not None:
            self._session.feed(self._charset.typed(data))
        else:
            asyncio.get_running_loop().remove_reader(self._stdin)
            self._hang_up()

    def _hang_up(self) -> None:
        if self._session is not None:
            self._session.hang_up()
