"""One session within an SSH connection: what is asked for, the terminal, and the bytes of both directions."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

import asyncssh
from typing_extensions import override

from server.rate_limiter import TokenBucket
from server.terminal.capabilities import ByteStream, Capabilities, ConnectionStats, Size
from server.terminal.output_budget import Budget
from server.transport.access.limiter import Reason
from server.transport.access.login_name import Login
from server.transport.access.sanitize import clean_word
from server.transport.asyncssh_hooks import ask_for_reply
from server.transport.net.bandwidth import LEAST, THIN_SPEED, BandwidthMeter
from server.transport.net.capabilities import abilities_of, can_place_cursor, clamp
from server.transport.net.charset import Charset, told_by
from server.transport.net.input_throttle import InputThrottle
from server.transport.net.output_buffer import OutputBuffer
from server.transport.net.resize_limiter import ResizeLimiter
from server.transport.session.ports import Caller
from server.transport.session.session import Session
from server.transport.ssh.auth import SshAuth
from server.transport.ssh.connection import Channel, SshConnection
from server.transport.ssh.exec_commands import ExecAnswer, answer


def _speed_of(modes: Mapping[int, int]) -> int:
    """Bits a second towards the terminal, as its client says (RFC 4254, 8); 0 when it does not."""
    return modes.get(asyncssh.PTY_OP_OSPEED, 0) or modes.get(asyncssh.PTY_OP_ISPEED, 0)


class SshSession(asyncssh.SSHServerSession[bytes], ByteStream, Channel):
    """A channel that a client has opened; a player's terminal once a screen is asked for."""

    def __init__(self, connection: SshConnection, auth: SshAuth) -> None:
        self._connection: Final = connection
        self._auth: Final = auth
        self._limits: Final = connection.server.settings.limits
        self._channel: asyncssh.SSHServerChannel[bytes] | None = None
        self._term: str | None = None
        self._size = self._wanted_size = clamp(0, 0)
        self._command: str | None = None
        self._abilities = Capabilities()
        self._charset = Charset("utf-8")
        self._lines = False
        self._speed = 0
        self._session: Session | None = None
        self._asking: asyncio.Future[bool] | None = None
        self._received = 0
        self._output: OutputBuffer | None = None
        self._keys: InputThrottle | None = None
        loop = asyncio.get_running_loop()
        self._resizing: Final = ResizeLimiter(self._limits.resize_seconds, loop, self._resize)
        self._timer: asyncio.TimerHandle | None = None

    # -------------------------------------------------------------- server.terminal.capabilities.Terminal

    @property
    @override
    def size(self) -> Size:
        return self._size

    @property
    @override
    def abilities(self) -> Capabilities:
        return self._abilities

    @property
    @override
    def writable(self) -> bool:
        return self._output is not None and self._output.writable

    @override
    def write(self, text: str) -> None:
        if self._output is not None:
            data = self._charset.encoded(text, cells=not self._lines)
            self._output.write(data)
            if len(data) >= LEAST:
                self._connection.playing()

    @property
    @override
    def budget(self) -> Budget:
        return self._connection.budget

    @property
    @override
    def facts(self) -> ConnectionStats:
        sent = self._output.bytes_sent if self._output is not None else 0
        return ConnectionStats(sent, self._received, self._term or "", self._speed, line="ssh")

    @override
    def expect(self, *, lines: bool) -> None:
        """Terminals here always send single keys, and show none by themselves."""
        self._lines = lines

    @override
    def close(self) -> None:
        self._exit(0)

    # -------------------------------------------------------------- asyncssh.SSHServerSession

    @override
    def connection_made(self, chan: asyncssh.SSHServerChannel[bytes]) -> None:
        self._channel = chan
        self._connection.opened(self)
        high = self._limits.pause_bytes
        chan.set_write_buffer_limits(high=high, low=high // 4)
        self._output = OutputBuffer(
            self._limits,
            send=chan.write,
            pending=lambda: chan.get_write_buffer_size() + self._connection.unsent,
            drained=self._drained,
            end=self._give_up,
            paused=lambda: self._connection.limit(Reason.PAUSE),
            meter=BandwidthMeter(asyncio.get_running_loop().time, self._ask_for_sign, self._slow),
        )
        if self._connection.fast:
            self._output.meter.rest()
        # A channel on which nothing is started is like a connection without one.
        seconds = self._limits.idle_connection_seconds
        self._timer = asyncio.get_running_loop().call_later(seconds, chan.abort)

    @override
    def connection_lost(self, exc: Exception | None) -> None:
        self._resizing.stop()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._keys is not None:
            self._keys.close()
        if self._output is not None:
            self._output.close()
        if self._session is not None:
            self._session.hang_up()
            self._session = None
        if self._asking is not None:
            self._asking.cancel()
            self._asking = None
        self._channel = None
        self._connection.closed(self)

    @override
    def pty_requested(
        self,
        term_type: str,
        term_size: tuple[int, int, int, int],
        term_modes: Mapping[int, int],
    ) -> bool:
        self._term = clean_word(term_type)
        self._size = self._wanted_size = clamp(term_size[0], term_size[1])
        self._speed = _speed_of(term_modes)
        return True

    @override
    def terminal_size_changed(self, width: int, height: int, pixwidth: int, pixheight: int) -> None:
        """Of a flurry of sizes the first, some, and the last are drawn."""
        self._wanted_size = clamp(width, height)
        if self._resizing.changed():
            self._connection.limit(Reason.RESIZE)

    @override
    def shell_requested(self) -> bool:
        """There is no shell, there is the game."""
        return True

    @override
    def exec_requested(self, command: str) -> bool:
        self._command = command
        return True

    @override
    def subsystem_requested(self, subsystem: str) -> bool:
        """No SFTP, nor anything else."""
        return False

    @override
    def session_started(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._connection.started()
        assert self._channel is not None
        environment = self._channel.get_environment()
        login = self._auth.login
        cursor = self._term is not None and can_place_cursor(self._term)
        self._abilities = replace(
            abilities_of(self._term or "", environment, login.language),
            lines=login.plain or not cursor,
            cursor=cursor,
            echoes=self._term is None,
            thin=0 < self._speed <= THIN_SPEED,
        )
        term = self._term or ""
        charset = told_by(term, environment)
        self._charset = Charset(charset or ("utf-8" if self._abilities.unicode else "ascii"), term)
        outcome = answer(self._command, login, self._abilities.language)
        if isinstance(outcome, ExecAnswer):
            self._say(outcome)
        else:
            if outcome.program:
                self._abilities = replace(self._abilities, program=True)
                self._charset = Charset("utf-8", program=True)
            self._play(outcome)

    @override
    def data_received(self, data: bytes, datatype: int | None) -> None:
        self._received += len(data)
        if self._keys is not None:
            self._keys.push(data)

    @override
    def eof_received(self) -> bool:
        """Who can type no more has left; a program, after its answers."""
        if self._abilities.program and self._keys is not None:
            self._keys.push(b"\x04")
        elif self._session is not None:
            self._session.hang_up()
        return True

    @override
    def break_received(self, msec: int) -> bool:
        return False

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
        if self._output is not None:
            self._output.pause("channel")

    @override
    def resume_writing(self) -> None:
        if self._output is not None:
            self._output.resume("channel")

    # -------------------------------------------------------------- called by the connection

    @override
    def transport_full(self) -> None:
        if self._output is not None:
            self._output.pause("line")

    @override
    def transport_drained(self) -> None:
        if self._output is not None:
            self._output.resume("line")

    # -------------------------------------------------------------- inside

    def _play(self, login: Login) -> None:
        now = self._connection.server.limiter.now
        assert self._channel is not None
        self._keys = InputThrottle(
            TokenBucket(self._limits.keys, self._limits.keys_per_second, now()),
            now,
            deliver=self._typed,
            pause=self._channel.pause_reading,
            resume=self._channel.resume_reading,
            on_limit=lambda: self._connection.limit(Reason.KEYS),
        )
        auth, address = self._auth, self._connection.address
        caller = Caller(login, auth.identity, address, "ssh", word=auth.password, key=auth.key)
        self._session = Session(self._connection.server, self, caller)

    def _typed(self, data: bytes) -> None:
        if self._session is not None and (text := self._charset.typed(data)):
            self._session.feed(text)

    def _resize(self) -> None:
        if self._wanted_size == self._size:
            return
        self._size = self._wanted_size
        if self._session is not None:
            self._session.resized()

    def _ask_for_sign(self) -> bool:
        if self._channel is None or self._channel.is_closing() or self._session is None:
            return False
        self._asking = ask_for_reply(self._channel)
        self._asking.add_done_callback(self._signed)
        return True

    def _signed(self, asking: asyncio.Future[bool]) -> None:
        if asking.cancelled() or asking.exception() is not None:
            return  # the channel has been closed instead
        if self._output is not None:
            self._output.sign()

    def _slow(self) -> None:
        self._abilities = replace(self._abilities, thin=True)
        if self._session is not None:
            self._session.slow()

    def _drained(self) -> None:
        if self._session is not None:
            self._session.drained()

    def _say(self, said: ExecAnswer) -> None:
        text = said.text if self._term is None else said.text.replace("\n", "\r\n")
        data = text.encode()
        if self._channel is not None and said.status:
            self._channel.write_stderr(data)
        elif self._output is not None:
            self._output.write(data)
        self._exit(said.status)

    def _exit(self, status: int) -> None:
        if self._channel is not None and not self._channel.is_closing():
            self._channel.exit(status)
            # Whoever does not let us close in good order is cut off.
            seconds = self._limits.stuck_seconds
            self._timer = asyncio.get_running_loop().call_later(seconds, self._connection.abort)

    def _give_up(self, reason: Reason) -> None:
        # What waits will never be read: closing in good order would wait for it.
        self._connection.limit(reason)
        self._connection.abort()
