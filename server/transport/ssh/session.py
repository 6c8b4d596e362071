"""One session within an SSH connection: what is asked for, the terminal, and the bytes of both directions."""

import asyncio
from collections.abc import Mapping
from typing import Final, cast

import asyncssh
from msgspec.structs import replace
from typing_extensions import override

from server.cleaning import clean_word
from server.terminal.capabilities import ConnectionStats
from server.transport.asyncssh_hooks import BoundedChannel
from server.transport.net.bandwidth import SLOW_LINE_SPEED
from server.transport.net.terminal_detection import Charset, abilities_of, clamp, told_by
from server.transport.session.remote_terminal import RemoteTerminal
from server.transport.session.server import Session
from server.transport.ssh.connection import SshConnection
from server.transport.ssh.exec_commands import ExecAnswer, ReplaySession, TurnsSession, answer


class SshSession(RemoteTerminal, asyncssh.SSHServerSession[bytes]):
    """A channel; a player's terminal once one is asked for. Requests not overridden here are refused."""

    def __init__(self, connection: SshConnection) -> None:
        super().__init__(connection.server.limiter, connection.caller.address)
        self._connection: Final = connection
        self.meter = connection.meter
        self._pty, self._term, self._speed = False, "", 0
        self._command: str | None = None

    # -------------------------------------------------------------- RemoteTerminal

    @override
    def write(self, text: str) -> None:
        self.put(self._charset.encoded(text, cells=not self._lines))

    @property
    @override
    def facts(self) -> ConnectionStats:
        return ConnectionStats(self._sent, self._received, self._term, self._speed, line="ssh")

    @override
    def close(self) -> None:
        self._exit(self._session.status if self._session is not None else 0)

    @override
    def send(self, data: bytes) -> None:
        self._channel.write(data)

    @property
    @override
    def unsent(self) -> int:
        return self._channel.get_write_buffer_size() + self._connection.unsent

    @override
    def ask_for_sign(self) -> bool:
        if self._channel.is_closing() or self._session is None:
            return False
        self._channel.ask_for_answer(self._signed)
        return True

    @override
    def abort(self) -> None:
        self._connection.abort()

    # -------------------------------------------------------------- asyncssh.SSHServerSession

    @override
    def connection_made(self, chan: asyncssh.SSHServerChannel[bytes]) -> None:
        self._channel = cast(BoundedChannel, chan)
        high = self._limits.pause_bytes
        chan.set_write_buffer_limits(high=high, low=high // 4)
        self._connection.opened(self)
        # A channel on which nothing is started is like a connection without one.
        self._timers.later("idle", self._limits.idle_connection_seconds, chan.abort)

    @override
    def connection_lost(self, exc: Exception | None) -> None:
        self._timers.stop_all()
        self.end_sending()
        if self._session is not None:
            self._session.hang_up()
            self._session = None
        self._connection.closed(self)

    @override
    def pty_requested(
        self, term_type: str, term_size: tuple[int, int, int, int], term_modes: Mapping[int, int]
    ) -> bool:
        self._pty, self._term = True, clean_word(term_type)
        self.size = clamp(*term_size[:2])
        # Bits a second towards the terminal (RFC 4254, 8), of which not every client tells.
        told = term_modes.get(asyncssh.PTY_OP_OSPEED) or term_modes.get(asyncssh.PTY_OP_ISPEED)
        self._speed = told or 0
        return True

    @override
    def terminal_size_changed(self, width: int, height: int, pixwidth: int, pixheight: int) -> None:
        self._sized(width, height)

    @override
    def shell_requested(self) -> bool:
        """There is no shell, there is the game."""
        return True

    @override
    def exec_requested(self, command: str) -> bool:
        self._command = command
        return True

    @override
    def session_started(self) -> None:
        self._timers.stop("idle")
        self._connection.start()
        environment, login = self._channel.get_environment(), self._connection.caller.login
        found = abilities_of(self._term, environment, login.language)
        self.abilities = replace(
            found,
            lines=login.plain or found.lines,
            echoes=not self._pty,
            wraps=not self._pty,
            reader=login.reader,
            thin=0 < self._speed <= SLOW_LINE_SPEED,
        )
        usual = "utf-8" if self.abilities.unicode else "ascii"
        self._charset = Charset(told_by(self._term, environment) or usual, self._term)
        outcome = answer(self._command, login, self.abilities.language)
        if isinstance(outcome, ExecAnswer):
            self._say(outcome)
            return
        if outcome.program:
            self.abilities = replace(self.abilities, program=True)
            self._charset = Charset("utf-8", program=True)
        caller = replace(self._connection.caller, login=outcome)
        kind = ReplaySession if outcome.replay else TurnsSession if outcome.turns else Session
        self._session = kind(self._connection.server, self, caller)

    @override
    def data_received(self, data: bytes, datatype: int | None) -> None:
        self._received += len(data)
        self._typed(data)

    @override
    def eof_received(self) -> bool:
        """Handle a half-close.

        The client has left, in line mode after the answers, also where the game goes on.
        """
        if self.abilities.lines or self.abilities.program:
            self._typed(b"\x04\x04")
        elif self._session is not None:
            self._session.hang_up()
        return True

    @override
    def signal_received(self, signal: str) -> None:
        if self._session is None:
            return
        if signal == "INT":
            self._session.feed("\x03")
        elif signal in {"HUP", "TERM", "KILL", "QUIT"}:
            self._session.hang_up()

    @override
    def pause_writing(self) -> None:
        """The client's window is full."""
        self.pause("channel")

    @override
    def resume_writing(self) -> None:
        self.resume("channel")

    # -------------------------------------------------------------- inside

    def _typed(self, data: bytes) -> None:
        if self._session is not None and (text := self._charset.typed(data)):
            self._session.feed(text)

    def _signed(self, answer: asyncio.Future[bool]) -> None:
        if answer.exception() is None:  # otherwise the channel has been closed instead
            self._bandwidth.sign()

    def _say(self, said: ExecAnswer) -> None:
        text = said.text.replace("\n", "\r\n") if self._pty else said.text
        if said.status:
            self._channel.write_stderr(text.encode())
        else:
            self.put(text.encode())
        self._exit(said.status)

    def _exit(self, status: int) -> None:
        if not self._channel.is_closing():
            self._channel.exit(status)
            # Whoever does not let us close in good order is cut off.
            self._timers.later("cut", self._limits.stuck_seconds, self.abort)
