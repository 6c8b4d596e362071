"""The terminal this process was started in, for playing without a network."""

import asyncio
import os
import shutil
import signal
import termios
import tty
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from server.cleaning import clean_word
from server.terminal.capabilities import ConnectionStats, Size
from server.terminal.meter import unlimited
from server.transport.net.terminal_detection import Charset, abilities_of, clamp, told_by

_STDIN, _STDOUT = 0, 1
_SIGNALS: Final = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)


class LocalTerminal:
    """The terminal of this process, as a ``ByteStream``. Nobody else has to wait for it."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._term: Final = clean_word(environment.get("TERM", ""))
        self.abilities: Final = abilities_of(self._term, environment)
        self.meter = unlimited()
        self.writable = True
        self._sent = self._received = 0
        usual = "utf-8" if self.abilities.unicode else "ascii"
        self._charset: Final = Charset(told_by(self._term, environment) or usual, self._term)
        self._lines = False
        self._gone: Callable[[], object] = self.close

    @contextmanager
    def taken_over(
        self,
        feed: Callable[[str], object],
        resized: Callable[[], object],
        hang_up: Callable[[], object],
    ) -> Iterator[None]:
        """Take the terminal over, and give it back as it was, however that ends.

        What is typed goes to ``feed``; ``resized`` and ``hang_up`` tell that it has another size,
        or is gone.
        """
        loop, before = asyncio.get_running_loop(), termios.tcgetattr(_STDIN)
        self._gone = hang_up

        def read() -> None:
            try:
                data = os.read(_STDIN, 4096)
            except OSError:
                data = b""
            self._received += len(data)
            if data:
                feed(self._charset.typed(data))
            else:
                loop.remove_reader(_STDIN)
                hang_up()

        tty.setraw(_STDIN, termios.TCSANOW)
        try:
            loop.add_reader(_STDIN, read)
            loop.add_signal_handler(signal.SIGWINCH, resized)
            for one in _SIGNALS:
                loop.add_signal_handler(one, hang_up)
            yield
        finally:
            loop.remove_reader(_STDIN)
            for one in (signal.SIGWINCH, *_SIGNALS):
                loop.remove_signal_handler(one)
            termios.tcsetattr(_STDIN, termios.TCSADRAIN, before)

    # -------------------------------------------------------------- server.terminal.capabilities.ByteStream

    @property
    def size(self) -> Size:
        try:
            found = os.get_terminal_size(_STDOUT)
        except OSError:
            found = shutil.get_terminal_size()
        return clamp(found.columns, found.lines)

    def write(self, text: str) -> None:
        data = self._charset.encoded(text, cells=not self._lines)
        self._sent += len(data)
        try:
            while data and self.writable:
                data = data[os.write(_STDOUT, data) :]
        except OSError:
            self.writable = False
            self._gone()

    @property
    def facts(self) -> ConnectionStats:
        return ConnectionStats(self._sent, self._received, self._term)

    def expect(self, *, lines: bool) -> None:
        """It is a matter of this process alone."""
        self._lines = lines

    def close(self) -> None:
        self.writable = False
