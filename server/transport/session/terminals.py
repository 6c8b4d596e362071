"""Terminals of players: those of clients, which may not read their output, and this process's own."""

import asyncio
import os
import shutil
import signal
import termios
import tty
from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from msgspec.structs import replace
from typing_extensions import override

from server.cleaning import clean_word
from server.terminal.capabilities import ByteStream, Capabilities, ConnectionStats, Size
from server.terminal.meter import unlimited
from server.timers import NamedTimers
from server.transport.access.limiter import ConnectionLimiter, Reason
from server.transport.net.bandwidth import LEAST, BandwidthMeter
from server.transport.net.terminal_detection import Charset, abilities_of, clamp, told_by
from server.transport.session.server import Frontend, Session

_CHECKS: Final = 4
"""Number of checks within ``stuck_seconds`` whether anything has been read."""
LINGER: Final = 2.0
"""Seconds for a client to close the connection after the last output, or to read the rest after its end."""


class RemoteTerminal(ByteStream):
    """Base of an SSH session and a telnet connection.

    With more than ``pause_bytes`` unread it is not ``writable`` until the connection has drained; with more
    than ``unread_bytes``, or if nothing has been read for ``stuck_seconds``, it is cut off.
    """

    size = clamp(0, 0)
    abilities = Capabilities()
    _paused_by: frozenset[str] = frozenset()
    _sending_ended = False

    def __init__(self, limiter: ConnectionLimiter, address: str) -> None:
        """Needs a running event loop."""
        loop = asyncio.get_running_loop()
        self._limiter: Final = limiter
        self._limits: Final = limiter.limits
        self._address: Final = address
        # All attributes that sessions change are set here: so they share one table of names.
        self.size = clamp(0, 0)
        self.abilities = Capabilities()
        self._session: Session | None = None
        self._received = self._sent = 0
        """Bytes of payload; of ``_sent``, those that were handed to the connection."""
        self._lines = False
        self._charset = Charset()
        self._timers: Final = NamedTimers()
        self._bandwidth: Final = BandwidthMeter(loop.time, self.ask_for_sign, self._slow)

    # -------------------------------------------------------------- the connection

    @abstractmethod
    def send(self, data: bytes) -> None:
        """Hand bytes to the connection."""

    @property
    @abstractmethod
    def unsent(self) -> int:
        """Unsent bytes in this process, in all layers."""

    @abstractmethod
    def ask_for_sign(self) -> bool:
        """Request a keepalive for the bandwidth meter, and return whether that was possible."""

    @abstractmethod
    def abort(self) -> None:
        """End the connection at once."""

    # -------------------------------------------------------------- the session

    @property
    def _frontend(self) -> Frontend | None:
        return self._session.frontend if self._session is not None else None

    @override
    def expect(self, *, lines: bool) -> None:
        self._lines = lines

    def limit(self, reason: Reason, **more: object) -> None:
        """Count and log that a limit has been reached."""
        self._limiter.refuse(reason, self._address, **more)

    def end(self, reason: str) -> None:
        """End the session, which shows the reason."""
        if self._session is not None:
            self._session.end(reason)

    def drained(self) -> None:
        """Redraw: the terminal is writable again."""
        if self._frontend is not None:
            self._frontend.drained()

    def _slow(self) -> None:
        self.abilities = replace(self.abilities, thin=True)
        if self._frontend is not None:
            self._frontend.slow()

    def _sized(self, columns: int, rows: int) -> None:
        """Take a new size."""
        size = clamp(columns, rows)
        if size != self.size:
            self.size = size
            if self._frontend is not None:
                self._frontend.resized()

    # -------------------------------------------------------------- output

    @property
    @override
    def writable(self) -> bool:
        return not self._sending_ended and not self._paused_by

    def put(self, data: bytes) -> None:
        """Send ``data`` in one piece, whether writable or not; drop it after the end."""
        if self._sending_ended or not data:
            return
        try:
            if self._bandwidth.wants(len(data)):
                # A stutter makes one half late, a slow line both. The cut is before an escape sequence: never
                # within a character.
                half = max(data.find(b"\x1b", len(data) // 2), 0)
                self.send(data[:half])
                self._bandwidth.begin(max(self.unsent, half), len(data) - half)
                self.send(data[half:])
            else:
                self.send(data)
                self._bandwidth.wrote(len(data))
        except OSError:
            # The connection has dropped, and asyncio does not know yet.
            self.end_sending()
            return
        self._sent += len(data)
        self.meter.sent(len(data))
        if len(data) < LEAST and not self._paused_by:
            return  # such pieces alone pause the terminal before they reach the limit
        if self.unsent > self._limits.unread_bytes:
            self._give_up(Reason.UNREAD)

    def pause(self, layer: str) -> None:
        """Stop drawing: ``layer`` of the connection holds too much unread output."""
        if self._sending_ended:
            return
        if not self._paused_by:
            self.limit(Reason.PAUSE)
        self._paused_by |= {layer}
        if "stuck" not in self._timers:
            self._least = self.unsent
            self._idle_checks = 0
            self._check_later()

    def resume(self, layer: str) -> None:
        """Note that ``layer`` has drained, and draw again if all have."""
        if layer not in self._paused_by:
            return
        self._paused_by -= {layer}
        if not self._paused_by and not self._sending_ended:
            self._timers.stop("stuck")
            self.drained()

    def end_sending(self) -> None:
        """Send and measure nothing more."""
        if not self._sending_ended:
            self._sending_ended = True
            self._timers.stop("stuck")
            self._bandwidth.forget()

    def _check_later(self) -> None:
        self._timers.later("stuck", self._limits.stuck_seconds / _CHECKS, self._check)

    def _check(self) -> None:
        # Only progress counts: a slow line may take minutes for what a fast one takes at once.
        waiting = self.unsent
        self._idle_checks = 0 if waiting < self._least else self._idle_checks + 1
        self._least = min(self._least, waiting)
        if self._idle_checks >= _CHECKS:
            self._give_up(Reason.STUCK)
        else:
            self._check_later()

    def _give_up(self, reason: Reason) -> None:
        """Cut the connection off because of a limit: the unsent output will never be read."""
        self.end_sending()
        self.limit(reason)
        self.abort()


_STDIN, _STDOUT = 0, 1
_SIGNALS: Final = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)


class LocalTerminal:
    """The terminal of this process, as a ``ByteStream``."""

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
        """Take the terminal over, and restore it, however that ends.

        Typed text goes to ``feed``; ``resized`` tells of a new size, ``hang_up`` that the terminal is gone.
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
        """The current size."""
        try:
            found = os.get_terminal_size(_STDOUT)
        except OSError:
            found = shutil.get_terminal_size()
        return clamp(found.columns, found.lines)

    def write(self, text: str) -> None:
        """Write to standard output, in its character set."""
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
        """Bytes in both directions, and the terminal's name."""
        return ConnectionStats(self._sent, self._received, self._term)

    def expect(self, *, lines: bool) -> None:
        """Take note of the mode, of which no client has to be told."""
        self._lines = lines

    def close(self) -> None:
        """Write nothing more."""
        self.writable = False
