"""Telnet options (RFC 854 and others): what we offer, what we ask, and no more."""

import re
from collections.abc import Callable
from typing import Final, Protocol

from telnetlib3 import telopt as t
from typing_extensions import override

from server.transport.net.charset import OFFERED, charset_of
from server.transport.net.terminal_detection import ENVIRONMENT
from server.transport.telnet.client_info import Client
from server.transport.telnetlib3_hooks import HookedWriter

_OURS: Final = frozenset({t.CHARSET, t.EOR, t.GMCP, t.MSSP})
"""What this end does whenever the client wants it."""
_SCREEN: Final = (t.ECHO, t.SGA, t.BINARY)
"""What this end does only while the full screen is shown. (BINARY as well: the usual client then leaves out
the return when it shows that Enter was pressed.)"""
_THEIRS: Final = frozenset(
    {t.BINARY, t.CHARSET, t.GMCP, t.NAWS, t.NEW_ENVIRON, t.SGA, t.TSPEED, t.TTYPE}
)
"""What the client may do."""
_SUBNEGOTIATIONS: Final = frozenset({t.CHARSET, t.GMCP, t.NAWS, t.NEW_ENVIRON, t.TSPEED, t.TTYPE})
_ANSWERS: Final = frozenset({t.NEW_ENVIRON, t.TSPEED, t.TTYPE})
_AS_KEYS: Final = {
    t.IP: b"\x03",
    t.BRK: b"\x03",
    t.ABORT: b"\x03",
    t.EOF: b"\x04",
    t.EC: b"\x7f",
    t.EL: b"\x15",
}
_BARE_RETURN: Final = re.compile(rb"\r(?!\n)")
_BYTES: Final = tuple(bytes([one]) for one in range(256))


class OptionListener(Protocol):
    """Who is told what a client says."""

    def typed(self, data: bytes) -> None:
        """This is no command, or a key that one stands for; a CR ends a line."""

    def learnt(self) -> None:
        """A command has come, and may have told something about the client."""

    def resized(self) -> None:
        """The client's window has a size, or another one."""

    def are_you_there(self) -> None:
        """The client wants to see a sign of life."""

    def marked(self) -> None:
        """The client has come to a timing mark."""

    def hang_up(self) -> None:
        """The client asks to be logged out."""

    def wants(self, option: bytes) -> None:
        """The client has agreed to be told GMCP or MSSP, for the first time."""


class TelnetOptions(HookedWriter):
    """One client's options. ``send`` takes bytes as they go over the connection."""

    def __init__(self, listener: OptionListener, send: Callable[[bytes], None]) -> None:
        super().__init__(send)
        self.about: Final = Client()
        self._listener = listener
        self._went_on = self._knows_who = self._environment_offered = False
        self._after_return = False
        self._keys = b""
        """Those that commands stand for, until the commands beside them have been answered: with Ctrl-C the
        usual client asks for a timing mark, and shows nothing before that.
        """
        for command in _AS_KEYS:
            self.set_iac_callback(command, self._key)
        self.set_iac_callback(t.AYT, lambda _: self._listener.are_you_there())
        self.set_iac_callback(t.TM, self._timing_mark)
        heard: dict[bytes, Callable[..., object]] = {
            t.NAWS: self._naws,
            t.TTYPE: self._ttype,
            t.TSPEED: self._tspeed,
            t.CHARSET: self._charset,
            t.NEW_ENVIRON: self.about.add_environment,
            t.GMCP: lambda *_: None,  # there is nothing that a client could tell us
            t.LOGOUT: self._logout,
        }
        for option, callback in heard.items():
            self.set_ext_callback(option, callback)
        self.set_ext_offer_callback(t.CHARSET, lambda: [*OFFERED])
        self.set_ext_offer_callback(t.NEW_ENVIRON, lambda: sorted(ENVIRONMENT))
        self.set_ext_send_callback(t.CHARSET, _chosen)

    # -------------------------------------------------------------- what is done with them

    def begin(self) -> None:
        """Say as little as finds out whether anybody understands it: it is rubbish on a bare connection."""
        self.iac(t.DO, t.TTYPE)

    def _go_on(self) -> None:
        """Somebody does: what every client can be asked."""
        if not self._went_on:
            self._went_on = True
            self.iac(t.DO, t.NAWS)
            self.iac(t.DO, t.BINARY)

    def ask_for_more(self) -> None:
        """It is known who that is, or never will be: the rest. Microsoft's client, which says that it is an
        ANSI terminal, has only the options above, and crashes when it is asked for its environment.
        """
        if self._knows_who:
            return
        self._knows_who = True
        self._go_on()
        if self.about.is_microsoft:
            return
        self.iac(t.DO, t.CHARSET)
        self.iac(t.DO, t.TSPEED)
        self.iac(t.DO, t.NEW_ENVIRON)
        for option in (t.EOR, t.GMCP, t.MSSP):
            self.iac(t.WILL, option)
        if self._environment_offered:
            self.answer_will(t.NEW_ENVIRON)

    @property
    def settled(self) -> bool:
        """Whether everything that there is to ask has been answered."""
        return self._knows_who and not any(self.pending_option.values())

    def escaped(self, text: bytes) -> bytes:
        """``text`` as it is sent: a return alone is marked (RFC 854), except on a binary line (RFC 856)."""
        if not self.outbinary:
            text = _BARE_RETURN.sub(b"\r\0", text)
        return text.replace(t.IAC, t.IAC + t.IAC)

    def keys_at_once(self, wanted: bool) -> None:
        """Every key is to be sent at once and shown by us; or lines, edited and shown by the client."""
        for option in _SCREEN:
            if wanted:
                self.iac(t.WILL, option)
            elif self._offered(option):
                self.iac(t.WONT, option)

    def end_of_text(self) -> None:
        """A paragraph or a prompt is complete (RFC 885, or RFC 854)."""
        if not self.send_eor():
            self.send_ga()

    def mark(self) -> bool:
        """Ask for a sign once the client has come to this place; whether it could be asked for (RFC 860)."""
        return bool(self.iac(t.DO, t.TM))

    @property
    def has_gmcp(self) -> bool:
        """Whether GMCP messages are wanted."""
        return bool(self.local_option.enabled(t.GMCP) or self.remote_option.enabled(t.GMCP))

    @override
    def forget(self) -> None:
        super().forget()
        del self._listener  # nothing more comes in that it could be told

    # -------------------------------------------------------------- what comes in

    def take(self, data: bytes) -> None:
        """Interpret ``data``: text and commands are told in their order."""
        at, end = 0, len(data)
        while at < end:
            if not self.within_command:
                found = data.find(t.IAC, at)
                stop = end if found < 0 else found
                if stop > at:
                    self._typed(data[at:stop])
                    at = stop
                    continue
            if self.interpret(_BYTES[data[at]]):
                self._typed(_BYTES[data[at]])
            elif not self.within_command:
                self.about.answered = True
                self._go_on()
                self._listener.learnt()
            at += 1
        self._press_keys()

    def _typed(self, text: bytes) -> None:
        """An end of a line, CR LF, CR NUL or CR alone, is one return."""
        self._press_keys()
        if self._after_return and text[:1] in (b"\n", b"\0"):
            text = text[1:]
            self._after_return = False
        if text:
            self._after_return = text.endswith(b"\r")
            self._listener.typed(text.replace(b"\r\n", b"\r").replace(b"\0", b""))

    @override
    def accepts_do(self, option: bytes) -> bool:
        return option in _OURS or (option in _SCREEN and self._offered(option))

    @override
    def accepts_will(self, option: bytes) -> bool | None:
        if option == t.NEW_ENVIRON and not self._knows_who:
            self._environment_offered = True  # answered when it is known who that is
            return None
        return option in _THEIRS

    @override
    def agreed(self, option: bytes) -> None:
        if option in (t.GMCP, t.MSSP):
            self.about.gmcp = self.about.gmcp or option == t.GMCP
            self._listener.wants(option)

    @override
    def refused(self, option: bytes, *, asked: bool) -> None:
        if option == t.TM and asked:
            # Who knows no timing marks says so at the same place.
            self._listener.marked()
        elif option == t.TTYPE:
            self.ask_for_more()

    @override
    def accepts_answer(self, option: bytes, command: bytes) -> bool:
        """What it tells; not what it asks of us."""
        is_answer = option not in _ANSWERS or command in (t.IS, t.INFO)
        return option in _SUBNEGOTIATIONS and is_answer

    def _offered(self, opt: bytes) -> bool:
        return bool(self.pending_option.enabled(t.WILL + opt) or self.local_option.enabled(opt))

    # -------------------------------------------------------------- what it tells

    def _naws(self, rows: int, columns: int) -> None:
        self.about.size = (columns, rows)
        self._listener.resized()

    def _ttype(self, name: str) -> None:
        if self.about.add_type(name):
            self.request_ttype()
        self.ask_for_more()

    def _tspeed(self, _towards_us: int, towards_them: int) -> None:
        self.about.speed = max(0, towards_them)

    def _charset(self, name: str) -> None:
        self.about.charset = charset_of(name)

    # -------------------------------------------------------------- commands

    def _key(self, command: bytes) -> None:
        self._keys += _AS_KEYS[command]

    def _press_keys(self) -> None:
        keys, self._keys = self._keys, b""
        if keys:
            self._listener.typed(keys)

    def _timing_mark(self, command: bytes) -> None:
        if command == t.WILL:
            self._listener.marked()

    def _logout(self, command: bytes) -> None:
        if command == t.DO:
            self._listener.hang_up()


def _chosen(offers: list[str]) -> str | None:
    """The character set to take of those that a client offers."""
    known = {charset_of(name): name for name in reversed(offers)}
    return next((known[name] for name in map(charset_of, OFFERED) if name in known), None)
