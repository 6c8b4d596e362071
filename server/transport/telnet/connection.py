"""One telnet connection: detecting what the client can do, the login, and the bytes of both directions."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final, cast

from msgspec import structs
from typing_extensions import override

from server.i18n.lookup import words_for
from server.terminal.capabilities import ConnectionStats
from server.terminal.meter import Meter
from server.text.server_messages import ENDINGS, FULL
from server.transport.access.limiter import Reason, Ticket
from server.transport.access.login import Login
from server.transport.net.asyncio_hooks import let_go
from server.transport.net.input_throttle import InputThrottle
from server.transport.net.sockets import watch_over
from server.transport.net.terminal_detection import Charset
from server.transport.net.write_coalescer import CoalescingTransport
from server.transport.session.server import Caller, GameServer, Session
from server.transport.session.terminals import LINGER, RemoteTerminal
from server.transport.telnet.gmcp import GmcpPublisher, variables
from server.transport.telnet.login import NO_NAME, LoginTerminal, ScannerWatch, login
from server.transport.telnet.protocol import GMCP, MSSP, OptionListener, TelnetOptions

QUIET: Final = 0.8
"""Seconds of silence after which a client is taken for a bare connection, or to have finished negotiating."""
LONGEST: Final = 5.0
"""Maximum seconds of negotiation before a client is asked for a name."""
TLS_WAIT: Final = 0.25
"""Seconds to let a client send first where TLS has a port of its own: a client that speaks TLS here begins at
once, and understands an alert only if nothing else has been sent."""
_TLS_HELLO: Final = 0x16
"""The first byte of every TLS connection (RFC 8446, 5.1), and of no telnet one."""
_TLS_ALERT: Final = bytes((21, 3, 3, 0, 2, 2, 49))
"""A record with a fatal alert: access denied (RFC 8446, 6)."""
_AHEAD: Final = 8192
"""Maximum bytes of type-ahead that are kept before the name is asked for."""
_THERE: Final = 1.0
"""Minimum seconds between two answers to Are You There."""
# A view, as asyncio's TLS reads into slices of it.
_BUFFER: Final = memoryview(bytearray(2048))
"""Shared by all connections: what has been read is copied before anything else is read."""
_OVER: Final = "\b\b\b   \b\b\b"
"""Blanks over our first request, which a bare connection (``nc``) has shown as two odd characters."""


@dataclass(eq=False)
class TelnetContext:
    """State shared by all telnet connections of a server."""

    server: GameServer
    port: int
    tls_port: int
    """The port for TLS, or 0."""
    advice: str
    """A command for an encrypted connection; empty if there is none."""
    opened: float = 0.0
    """When the server began to accept connections, in seconds since 1970."""
    connections: "set[TelnetConnection]" = field(default_factory=set)
    """Open connections."""
    empty: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when the last connection ends."""

    def went(self, one: "TelnetConnection") -> None:
        """Remove a connection that has ended; may be called again."""
        self.connections.discard(one)
        if not self.connections:
            self.empty.set()


class TelnetConnection(RemoteTerminal, asyncio.BufferedProtocol, OptionListener):
    """A telnet connection, and the player's terminal after the login."""

    _settled = _closed = _input_ended = _told_status = False

    def __init__(self, context: TelnetContext, ticket: Ticket, *, encrypted: bool) -> None:
        server = context.server
        super().__init__(server.limiter, ticket.address)
        self._lines = True
        self._context: Final = context
        self._server: Final = server
        self._ticket: Final = ticket
        self._encrypted: Final = encrypted
        self._line: CoalescingTransport | None = None
        self._ahead = bytearray()
        self._scanner: Final = ScannerWatch()
        self._login_terminal: LoginTerminal | None = None
        self._login: asyncio.Task[None] | None = None
        loop = asyncio.get_running_loop()
        self.meter = Meter(server.newcomers.of(ticket.network))
        self._options: Final = TelnetOptions(self, self.put)
        self._gmcp: Final = GmcpPublisher(
            lambda: self._options.has_gmcp and self.writable,
            self._options.send_gmcp,
            lambda: words_for(self.abilities.language),
            loop,
        )

    # -------------------------------------------------------------- RemoteTerminal

    @override
    def write(self, text: str) -> None:
        data = self._charset.encoded(text, cells=not self._lines)
        self.put(self._options.escaped(data))
        if self._lines and self._options.about.answered:
            self._options.end_of_text()

    @property
    @override
    def facts(self) -> ConnectionStats:
        about = self._options.about
        return ConnectionStats(self._sent, self._received, about.term, about.speed, line="telnet")

    @override
    def expect(self, *, lines: bool) -> None:
        if lines != self._lines:
            super().expect(lines=lines)
            self._options.keys_at_once(not lines)

    @override
    def close(self) -> None:
        """Close the connection once the client has had time to read what was written."""
        if self._line is None or self._closed:
            return
        self._closed = True
        self._line.flush()
        line = self._line.transport
        self._timers.stop_all()
        self.throttle.close()
        self.end_sending()
        if line.can_write_eof() and not self._input_ended:
            # Closing with unread input would be a reset, and could lose the last output.
            with suppress(OSError):  # reset by the client, which asyncio does not know yet
                line.write_eof()
            self._timers.later("linger", LINGER, line.close)
        else:
            line.close()
        self._timers.later("cut", self._limits.stuck_seconds, self.abort)

    # -------------------------------------------------------------- asyncio.BufferedProtocol

    @override
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        line = cast(asyncio.Transport, transport)
        if self._encrypted:
            self._line = CoalescingTransport(line)
        else:
            self.comes_over(line, self._options.take)
        high = self._limits.pause_bytes
        line.set_write_buffer_limits(high=high, low=high // 4)
        watch_over(transport.get_extra_info("socket"))
        self._timers.later("name", self._limits.login_seconds, self._too_slow)
        self._ticket.give_up = self._give_place
        if self._context.tls_port and not self._encrypted:
            self._timers.later("begin", TLS_WAIT, self._begin)
        else:
            self._begin()

    def comes_over(self, line: asyncio.Transport, deliver: Callable[[bytes], object]) -> None:
        """Use ``line``, on which TLS may still have to begin.

        Input goes to ``deliver``, no faster than the limits allow.
        """
        self._line = CoalescingTransport(line)
        self._context.connections.add(self)
        self.throttle = InputThrottle(
            self._limits,
            asyncio.get_running_loop(),
            self.meter,
            deliver=deliver,
            pause=line.pause_reading,
            resume=line.resume_reading,
            on_limit=lambda: self.limit(Reason.WIRE),
            on_flood=lambda: self._end(Reason.FLOOD, "flood"),
        )

    def _begin(self) -> None:
        self._timers.later("quiet", QUIET, self._settle)
        self._timers.later("settle", LONGEST, self._settle)
        self._options.begin()

    @override
    def get_buffer(self, sizehint: int) -> memoryview:
        """Return a small buffer: the rest of the input waits in the kernel."""
        return _BUFFER

    @override
    def buffer_updated(self, nbytes: int) -> None:
        """Take the input out of the shared buffer."""
        data = bytes(_BUFFER[:nbytes])
        self._received += nbytes
        if "begin" in self._timers:
            self._timers.stop("begin")
            if data[0] == _TLS_HELLO:
                # Say that TLS has a port of its own, to the client in its language, and to the log.
                self.limit(Reason.TLS_PORT, telnet_tls_port=self._context.tls_port)
                self.put(_TLS_ALERT)
                self.close()
                return
            self._begin()
        if self._encrypted:
            self._options.take(data)  # already throttled, before it was decrypted
        else:
            self.throttle.push(data)

    @override
    def eof_received(self) -> bool:
        """Handle a half-close: the client has left, but still receives pending output."""
        self._input_ended = True
        if not self._closed:
            self._timers.later("ended", LINGER, self.hang_up)
        return not self._closed and not self._encrypted

    @override
    def pause_writing(self) -> None:
        self.pause("line")

    @override
    def resume_writing(self) -> None:
        self.resume("line")

    @override
    def connection_lost(self, exc: Exception | None) -> None:
        self._ticket.leave()
        del self._ticket.give_up
        self._context.went(self)
        self.throttle.close()
        self.end_sending()
        self._timers.stop_all()
        self._gmcp.forget()
        if self._login is not None:
            self._login.cancel()
        if self._line is not None:
            let_go(self._line.transport)
        self._line = self._login_terminal = None
        self.hang_up()
        self._session = None
        self._options.forget()

    @override
    def abort(self) -> None:
        if self._line is not None:
            self._line.abort()

    # ------------------------------------------------------------- options.OptionListener

    @override
    def learnt(self) -> None:
        if not self._settled:
            self._timers.later("quiet", 0.0 if self._options.settled else QUIET, self._settle)

    @override
    def resized(self) -> None:
        self._sized(*(self._options.about.size or (0, 0)))

    @override
    def are_you_there(self) -> None:
        if not self._settled or "there" in self._timers:
            return  # one answer for all requests within that time
        self._timers.later("there", _THERE, lambda: None)
        words = words_for(self.abilities.language)
        self.write(f"\r\n[{words.t('This is Turn the Tide.')}]\r\n")
        if not self._lines and self._frontend is not None:
            self._frontend.drained()  # repaints everything, over that line

    @override
    def marked(self) -> None:
        self._bandwidth.sign()

    @override
    def hang_up(self) -> None:
        # A session closes the line when it has ended.
        if self._session is not None:
            self._session.hang_up()
        else:
            self.close()

    @override
    def wants(self, option: bytes) -> None:
        if option == MSSP and not self._told_status:
            self._told_status = True  # once, however often the option is turned off and on
            here = self._context
            told = variables(here.server, here.port, here.tls_port, here.opened)
            self._options.send_mssp(told)
        elif option == GMCP:
            self._gmcp.catch_up()

    # -------------------------------------------------------------- detection and login

    def _settle(self) -> None:
        """End the negotiation and ask for the name."""
        self._timers.stop("quiet")
        self._timers.stop("settle")
        if self._settled or self._closed or self._line is None:
            return
        self._settled = True
        answered = self._options.about.answered
        if answered:
            self._options.ask_for_more()
        self._look()
        if not answered:
            self.write(_OVER)
        # With our WILL ECHO and no echo, what is typed is not shown.
        self._login_terminal = LoginTerminal(
            words_for(self.abilities.language),
            self.write,
            width=self.size.columns if self._options.about.size else 0,
            hide=self._options.keys_at_once if answered else lambda hidden: None,
        )
        self._login = asyncio.get_running_loop().create_task(self._log_in(self._login_terminal))
        ahead, self._ahead = bytes(self._ahead), bytearray()
        self._feed(self._charset.typed(ahead))

    def _look(self, login: Login | None = None) -> None:
        """Update the terminal's abilities and character set from what is known by now."""
        about = self._options.about
        login = login or Login("")
        self.abilities = about.abilities(login.language, plain=login.plain)
        if login.reader:
            self.abilities = structs.replace(self.abilities, reader=True)
        charset = about.known_charset or ("utf-8" if self.abilities.unicode else "ascii")
        if charset != self._charset.name:
            self._charset = Charset(charset, about.term)

    async def _log_in(self, terminal: LoginTerminal) -> None:
        try:
            advice, address = self._context.advice, self._ticket.address
            login_name = await login(
                terminal, self._server, address, advice, encrypted=self._encrypted
            )
        except EOFError:
            self.close()
            return
        self._look(login_name)  # a slow client may have told more in the meantime
        if not self._ticket.come_in():
            self.say_last(FULL)
            return
        self._login_terminal = None
        self._timers.stop("name")
        self.meter.move(self._server.players.of(self._ticket.network))
        caller = Caller(login_name, "", self._ticket.address, "telnet", tap=self._gmcp.heard)
        self._session = Session(self._server, self, caller)
        self._session.feed(terminal.ahead)

    def _too_slow(self) -> None:
        self.limit(Reason.LOGIN)
        self.say_last(NO_NAME)

    def _give_place(self) -> None:
        """Make room for another connection at once, without waiting until this is read."""
        self.say_last(FULL)
        self.abort()

    def _end(self, limit: Reason, reason: str) -> None:
        """Close the connection because of a limit.

        A session shows the reason and restores the screen. Unread input is lost.
        """
        self.limit(limit)
        if self._session is None:
            self.say_last(ENDINGS[reason])
            return
        self.throttle.close()
        self._timers.later("cut", LINGER, self.abort)
        self.end(reason)

    def say_last(self, text: str) -> None:
        """Close the connection; without a session, show the reason in the client's language."""
        if self._session is None and not self._closed:
            said = words_for(self.abilities.language).t(text)
            self.write("\r\n")
            if self._login_terminal is not None:
                self._login_terminal.say(said)
            else:
                self.write(f"{said}\r\n")
        self.close()

    # -------------------------------------------------------------- input

    @override
    def typed(self, data: bytes) -> None:
        if self._settled:
            self._feed(self._charset.typed(data))
        elif len(self._ahead) < _AHEAD:
            self._ahead += data[:_AHEAD]

    def _feed(self, text: str) -> None:
        if self._lines and self._scanner.tries_shells(text):
            self._end(Reason.SHELL, "shell")
        elif self._login_terminal is not None:
            self._login_terminal.feed(text)
        elif text and self._session is not None:
            self._session.feed(text)

    # -------------------------------------------------------------- output

    @override
    def send(self, data: bytes) -> None:
        if self._line is not None:
            self._line.write(data)

    @property
    @override
    def unsent(self) -> int:
        return self._line.waiting if self._line is not None else 0

    @override
    def drained(self) -> None:
        super().drained()
        self._gmcp.catch_up()

    @override
    def ask_for_sign(self) -> bool:
        # A bare connection would show the request as text.
        return self._options.about.answered and self._options.mark()
