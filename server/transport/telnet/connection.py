"""One telnet connection: finding out who is there, the name, and the bytes of both directions."""

import asyncio
from contextlib import suppress
from dataclasses import replace
from typing import Final, cast

from telnetlib3.telopt import GMCP, IAC, MSSP

from server.i18n.catalogues import words_for
from server.terminal.capabilities import Capabilities, ConnectionStats, Size
from server.terminal.output_budget import Budget
from server.terminal.timers import LoopTimers
from server.transport.access.limiter import RateLimiter, Reason, Refused, Ticket
from server.transport.access.login_name import Login
from server.transport.net.admission import FULL
from server.transport.net.capabilities import clamp
from server.transport.net.input_throttle import InputThrottle
from server.transport.net.output_buffer import OutputBuffer
from server.transport.net.resize_limiter import ResizeLimiter
from server.transport.net.sockets import let_go, watch_over
from server.transport.net.timers import ConnectionTimers
from server.transport.net.write_coalescer import CoalescingTransport
from server.transport.session.session import Caller, Session
from server.transport.telnet.context import TelnetContext
from server.transport.telnet.gmcp import GmcpPublisher
from server.transport.telnet.login import TelnetLogin
from server.transport.telnet.newlines import Returns, Text
from server.transport.telnet.options import TelnetOptions

QUIET: Final = 0.8
"""Seconds of silence after which somebody is taken for a bare connection, or has nothing more to say."""
LONGEST: Final = 5.0
"""Seconds for which a client that keeps negotiating is listened to before it is asked for a name."""
_AHEAD: Final = 1024
"""Bytes typed before the name is asked for that are kept."""
_CALM: Final = 2.0
"""Seconds after which a flood is over, when nothing more has come too fast."""
_THERE: Final = 1.0
"""Seconds between two answers to whoever asks whether we are there."""
_LINGER: Final = 2.0
"""Seconds for the far end to hang up once everything has been said, or to read the rest once it has."""
# A view, as asyncio's TLS reads into slices of it.
_BUFFER: Final = memoryview(bytearray(2048))
"""For all connections: what has been read is taken out before anything else is."""
_OVER: Final = "\b\b\b   \b\b\b"
"""Blanks over our question, which a bare connection (``nc``) has shown as two odd signs."""


class TelnetConnection(asyncio.BufferedProtocol):
    """A player's terminal, once there is a name. Also a ``server.terminal.capabilities.ByteStream``."""

    def __init__(
        self, around: TelnetContext, ticket: Ticket, address: str, *, encrypted: bool
    ) -> None:
        house = around.house
        self._around: Final = around
        self._house: Final = house
        self._ticket: Final = ticket
        self._address: Final = address
        self._encrypted: Final = encrypted
        self._limits: Final = house.settings.limits
        self._line: asyncio.Transport | None = None
        self._output: CoalescingTransport | None = None
        self._options: Final = TelnetOptions(self, self._send)
        self._returns: Final = Returns()
        self._text = Text()
        self._ahead = bytearray()
        self._reception: TelnetLogin | None = None
        self._session: Session | None = None
        self._settled = self._closed = self._input_ended = self._told_status = False
        self._lines = True
        self._received = 0
        self._abilities = Capabilities()
        self._size = self._wanted_size = clamp(0, 0)
        loop = asyncio.get_running_loop()
        self._resizing: Final = ResizeLimiter(
            self._limits.resize_seconds, loop.time, loop.call_later, self._resize
        )
        self._timers: Final = ConnectionTimers()
        self.budget: Final = Budget(LoopTimers(loop))
        """See ``Line``."""
        self._teller: Final = GmcpPublisher(
            self._can_tell,
            self._options.send_gmcp,
            lambda: words_for(self._abilities.language),
            LoopTimers(loop),
        )
        self._outlet: Final = OutputBuffer(
            self._limits,
            write=self._write,
            pending=lambda: self._output.waiting if self._output is not None else 0,
            drained=self._drained,
            end=self._give_up,
            ask=self._ask_for_sign,
            slow=self._slow,
            paused=lambda: self._bitten(Reason.PAUSE),
        )
        self._valve: Final = InputThrottle(
            RateLimiter(self._limits.keys, self._limits.keys_per_second, house.guard.now()),
            house.guard.now,
            deliver=self._deliver,
            pause=self._pause_reading,
            resume=self._resume_reading,
            on_limit=self._too_fast,
            # What came encrypted has had its turn when it was taken apart.
            share=None if encrypted else house.newcomers.of(ticket.network),
        )

    # -------------------------------------------------------------- server.terminal.capabilities.ByteStream

    @property
    def size(self) -> Size:
        """See ``Terminal``."""
        return self._size

    @property
    def abilities(self) -> Capabilities:
        """See ``Terminal``."""
        return self._abilities

    @property
    def writable(self) -> bool:
        """See ``Terminal``."""
        return self._outlet.writable

    def write(self, text: str) -> None:
        """See ``Terminal``."""
        data = self._text.bytes_of(text, binary=self._options.binary, cells=not self._lines)
        self._outlet.write(data.replace(IAC, IAC + IAC))
        if self._lines and self._options.about.answered:
            self._options.end_of_text()

    @property
    def facts(self) -> ConnectionStats:
        """See ``Line``."""
        about = self._options.about
        sent = self._outlet.bytes_sent
        return ConnectionStats(sent, self._received, about.term, about.speed, line="telnet")

    def expect(self, *, lines: bool) -> None:
        """See ``Line``."""
        if lines != self._lines:
            self._lines = lines
            self._options.keys_at_once(not lines)

    def close(self) -> None:
        """See ``Terminal``: what was written is still sent, and the far end gets to read it."""
        line = self._line
        if line is None or self._closed:
            return
        self._closed = True
        self._timers.stop_all()
        self._resizing.stop()
        self._valve.close()
        if self._output is not None:
            self._output.flush()
        self._outlet.close()
        if line.can_write_eof() and not self._input_ended:
            # Closing while something unread has come in would be a reset, and could cost the last words.
            with suppress(OSError):  # the far end has cut the line, and nobody has been told yet
                line.write_eof()
            self._timers.later("linger", _LINGER, line.close)
        else:
            line.close()
        self._timers.later("cut", self._limits.stuck_seconds, self.abort)

    # -------------------------------------------------------------- asyncio.BufferedProtocol

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """See ``asyncio.BufferedProtocol``."""
        self._line = cast(asyncio.Transport, transport)
        self._output = CoalescingTransport(self._line)
        high = self._limits.pause_bytes
        self._line.set_write_buffer_limits(high=high, low=high // 4)
        watch_over(transport.get_extra_info("socket"))
        self._around.came(self)
        self._timers.later("name", self._limits.login_seconds, self._too_slow)
        self._timers.later("quiet", QUIET, self._settle)
        self._timers.later("settle", LONGEST, self._settle)
        self._options.begin()

    def get_buffer(self, sizehint: int) -> memoryview:
        """See ``asyncio.BufferedProtocol``: little is taken at a time, the rest waits outside."""
        return _BUFFER

    def buffer_updated(self, nbytes: int) -> None:
        """See ``asyncio.BufferedProtocol``; interprets no faster than the limits allow."""
        self._received += nbytes
        self._valve.push(bytes(_BUFFER[:nbytes]))

    def eof_received(self) -> bool:
        """See ``asyncio.BufferedProtocol``: who can type no more has left, but may still read the answers."""
        self._input_ended = True
        if not self._closed:
            self._timers.later("ended", _LINGER, self._hang_up)
        return not self._closed and not self._encrypted

    def pause_writing(self) -> None:
        """See ``asyncio.BufferedProtocol``."""
        self._outlet.pause("line")

    def resume_writing(self) -> None:
        """See ``asyncio.BufferedProtocol``."""
        self._outlet.resume("line")

    def connection_lost(self, exc: Exception | None) -> None:
        """See ``asyncio.BufferedProtocol``."""
        self._ticket.leave()
        self._around.went(self)
        self._valve.close()
        self._outlet.forget()
        self.budget.forget()
        self._timers.stop_all()
        self._teller.forget()
        self._resizing.stop()
        if self._reception is not None:
            self._reception.forget()
        let_go(self._line)
        self._line = self._output = self._reception = None
        self._hang_up()
        self._session = None
        self._options.forget()

    def abort(self) -> None:
        """End the connection at once."""
        if self._line is not None:
            self._line.abort()

    # -------------------------------------------------------------- telnet_options.Listener

    def learnt(self) -> None:
        """See ``Listener``."""
        if self._settled:
            return
        self._timers.later("quiet", QUIET, self._settle)
        if self._options.settled:
            self._timers.later("quiet", 0.0, self._settle)

    def resized(self) -> None:
        """See ``Listener``. Of a flurry of sizes the first, some, and the last are drawn."""
        self._wanted_size = clamp(*(self._options.about.size or (0, 0)))
        if self._resizing.changed():
            self._bitten(Reason.RESIZE)

    def pressed(self, keys: str) -> None:
        """See ``Listener``."""
        if self._settled:
            self._typed(keys)
        else:
            self._ahead += keys.encode()

    def are_you_there(self) -> None:
        """See ``Listener``."""
        if not self._settled or "there" in self._timers:
            return  # the one answer is for all who ask so soon again
        self._timers.later("there", _THERE, lambda: None)
        words = words_for(self._abilities.language)
        self.write(f"\r\n[{words.t('Turn the Tide is here.')}]\r\n")
        if not self._lines and self._session is not None:
            self._session.drained()  # which paints everything anew, over that line

    def marked(self) -> None:
        """See ``Listener``."""
        self._outlet.sign()

    def leaves(self) -> None:
        """See ``Listener``."""
        self._hang_up()

    def wants(self, option: bytes) -> None:
        """See ``Listener``."""
        if option == MSSP and not self._told_status:
            self._told_status = True  # once: whoever takes it back and asks again knows it
            self._options.send_mssp(self._around.status())
        elif option == GMCP:
            self._teller.catch_up()

    # -------------------------------------------------------------- finding out, and the name

    def _settle(self) -> None:
        """Everything is known that there will be; ask for the name."""
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
        self._reception = TelnetLogin(
            self._around,
            self._address,
            words_for(self._abilities.language),
            width=self._size.columns if self._options.about.size else 0,
            write=self.write,
            come_in=self._come_in,
            leave=self.close,
        )
        # Who says that it will show what is typed, and does not, keeps it from the screen.
        hide = self._options.keys_at_once if answered else None
        self._reception.begin(encrypted=self._encrypted, hide=hide, typed=self._typed)
        ahead, self._ahead = bytes(self._ahead), bytearray()
        self._typed(self._text.typed(ahead))

    def _look(self, login: Login | None = None) -> None:
        """What is known of the terminal by now."""
        about = self._options.about
        login = login or Login("")
        self._abilities = about.abilities(login.language, plain=login.plain)
        charset = about.known_charset or ("utf-8" if self._abilities.unicode else "ascii")
        if charset != self._text.name:
            self._text = Text(charset, about.term)

    def _come_in(self, login: Login) -> None:
        self._reception = None
        self._timers.stop("name")
        try:
            self._ticket.come_in()
        except Refused:
            self.write(FULL)
            self.close()
            return
        if not self._encrypted:
            self._valve.share = self._house.players.of(self._ticket.network)
        self._look(login)  # a slow client may have told more in the meantime
        caller = Caller(login, "", self._address, "telnet", tap=self._teller.heard)
        self._session = Session(self._house, self, caller)

    def _too_slow(self) -> None:
        self._bitten(Reason.LOGIN)
        self.close()

    # -------------------------------------------------------------- what comes in

    def _deliver(self, data: bytes) -> None:
        self._options.text_of(data, self._characters)

    def _characters(self, data: bytes) -> None:
        data = self._returns.of(data)
        if self._settled:
            self._typed(self._text.typed(data))
        elif len(self._ahead) < _AHEAD:
            self._ahead += data[:_AHEAD]

    def _typed(self, text: str) -> None:
        if self._reception is not None:
            text = self._reception.feed(text)
        if text and self._session is not None:
            self._session.feed(text)

    def _resize(self) -> None:
        if self._wanted_size == self._size:
            return
        self._size = self._wanted_size
        if self._session is not None:
            self._session.resized()

    def _pause_reading(self) -> None:
        if self._line is not None and not self._line.is_closing():
            self._line.pause_reading()

    def _too_fast(self) -> None:
        self._bitten(Reason.KEYS)
        # Nobody types for so long, and while nothing is read, nobody notices that the far end has gone.
        self._timers.stop("calm")
        if "flood" not in self._timers:
            seconds = self._limits.stuck_seconds
            self._timers.later("flood", seconds, lambda: self._give_up(Reason.FLOOD))

    def _resume_reading(self) -> None:
        # More of the same flood may wait outside, and comes in at once.
        self._timers.later("calm", _CALM, lambda: self._timers.stop("flood"))
        if self._line is not None and not self._line.is_closing():
            self._line.resume_reading()

    # -------------------------------------------------------------- what goes out

    def _write(self, data: bytes) -> None:
        if self._output is not None:
            self._output.write(data)

    def _send(self, data: bytes) -> None:
        """Telnet commands; they count, and stop, like everything else."""
        self._outlet.write(data)

    def _drained(self) -> None:
        if self._session is not None:
            self._session.drained()
        self._teller.catch_up()

    def _can_tell(self) -> bool:
        return self._options.has_gmcp and self._outlet.writable

    def _ask_for_sign(self) -> bool:
        # A bare connection would take the question for text.
        return self._options.about.answered and self._options.mark()

    def _slow(self) -> None:
        self._abilities = replace(self._abilities, thin=True)
        if self._session is not None:
            self._session.slow()

    # -------------------------------------------------------------- the end

    def _hang_up(self) -> None:
        """Nobody is there any more. A session closes the line when it has ended."""
        if self._session is not None:
            self._session.hang_up()
        else:
            self.close()

    def _bitten(self, reason: Reason) -> None:
        self._house.guard.refuse(reason, self._address)

    def _give_up(self, reason: Reason) -> None:
        self._bitten(reason)
        self.abort()
