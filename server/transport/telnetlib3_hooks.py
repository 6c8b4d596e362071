"""Where we override or reach into telnetlib3's private parts (seen in 5.0.1), each with its reason.

``tests/transport/test_telnetlib3_hooks.py`` fails when the library renames one of them; ``pyproject.toml``
leaves the next minor version out.
"""

import asyncio
import logging
import struct
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final, cast

from telnetlib3 import TelnetWriter
from telnetlib3 import telopt as t
from typing_extensions import override

# It warns of everything that a client may do wrong; what there is to tell, we tell ourselves.
logging.getLogger("telnetlib3").setLevel(logging.CRITICAL)

LONGEST: Final = 1024
"""Bytes of a subnegotiation that are kept; a longer one is dropped as a whole."""
ALWAYS: Final = frozenset({t.TM, t.LOGOUT})
"""Not options in the usual sense: each is answered whenever it comes."""
_MALFORMED: Final = (ValueError, LookupError, NotImplementedError, RecursionError, struct.error)


class _Sender:
    """All that the interpreter needs of a transport."""

    def __init__(self, send: Callable[[bytes], None]) -> None:
        self.write = send

    def close(self) -> None:
        """There is nothing to close."""

    def is_closing(self) -> bool:
        return False

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return default


class HookedWriter(TelnetWriter):
    """telnetlib3's interpreter of telnet commands, held to a list of options and to small sizes; it does not
    raise for what a client sends. The methods of the first part are those that a subclass overrides.
    """

    slc_simulated = False

    def __init__(self, send: Callable[[bytes], None]) -> None:
        """``send`` takes bytes as they go over the connection."""
        self._sender: Final = _Sender(send)
        super().__init__(cast(asyncio.Transport, self._sender), None, server=True)

    # -------------------------------------------------------------- for the subclass

    def accepts_do(self, option: bytes) -> bool:
        """Whether this end will do it, if the client wants that."""
        return False

    def accepts_will(self, option: bytes) -> bool | None:
        """Whether the client may do what it offers; ``None`` when that is answered later."""
        return False

    def accepts_answer(self, option: bytes, command: bytes) -> bool:
        """Whether to read a subnegotiation that begins with these."""
        return False

    def agreed(self, option: bytes) -> None:
        """Something new is done by either end."""

    def refused(self, option: bytes, *, asked: bool) -> None:
        """The client will not do it; ``asked``: it had been asked to."""

    # -------------------------------------------------------------- what is asked of telnetlib3

    @property
    def within_command(self) -> bool:
        """Whether the next byte belongs to a command."""
        return bool(self.iac_received) or self.cmd_received in (t.SB, t.DO, t.DONT, t.WILL, t.WONT)

    def interpret(self, byte: bytes) -> bool:
        """Take a byte; whether it belongs to the text. (An IAC does, when two have come; what follows an IAC
        and is no command does not.)
        """
        after_iac = self.iac_received
        with suppress(*_MALFORMED):
            return bool(self.feed_byte(byte)) and (not after_iac or byte == t.IAC)
        return False

    def answer_will(self, option: bytes) -> None:
        """Take an offer that was not answered when it came."""
        self.pending_option[t.DO + option] = False
        super().handle_will(option)

    def forget(self) -> None:
        """The connection is gone: let go of what it holds, or only the garbage collector would find it."""
        self.close()
        for options in (self.pending_option, self.local_option, self.remote_option):
            options._on_change = None
        self._sender.write = lambda _data: None

    # -------------------------------------------------------------- overridden

    @override
    def feed_byte(self, byte: bytes) -> bool:
        """Its own limit for a subnegotiation is a megabyte."""
        if self.cmd_received == t.SB and len(self._sb_buffer) >= LONGEST:
            self._sb_buffer.clear()
            self._sb_overflow = True
        return bool(super().feed_byte(byte))

    @override
    def handle_do(self, opt: bytes) -> bool:
        """It does whatever it knows."""
        if opt not in ALWAYS and not self.accepts_do(opt):
            self.iac(t.WONT, opt)
            return False
        had = self.local_option.enabled(opt)
        wanted = bool(super().handle_do(opt))
        if wanted and not had:
            if opt in (t.GMCP, t.MSSP):
                self.local_option[opt] = True  # it forgets to
            self.agreed(opt)
        return wanted

    @override
    def handle_will(self, opt: bytes) -> None:
        """It takes whatever it knows, refuses an option only once, and does not answer an offer that comes
        before the question.
        """
        if opt in ALWAYS:
            super().handle_will(opt)
            return
        accepted = self.accepts_will(opt)
        if accepted:
            self.iac(t.DO, opt)
            had = self.remote_option.enabled(opt)
            super().handle_will(opt)
            if not had:
                self.agreed(opt)
        elif accepted is not None:
            self.remote_option[opt] = True  # or it would not be refused again
            self.iac(t.DONT, opt)

    @override
    def handle_wont(self, opt: bytes) -> None:
        """It tells nobody."""
        asked = self.pending_option.enabled(t.DO + opt)
        super().handle_wont(opt)
        self.refused(opt, asked=asked)

    @override
    def handle_subnegotiation(self, buf: deque[bytes]) -> None:
        """It answers whatever is asked, and raises for what is malformed."""
        if len(buf) < 2 or not self.accepts_answer(buf[0], buf[1]):
            return
        self.environ_encoding = "ascii"  # a client's word for it may be anything
        with suppress(*_MALFORMED):
            super().handle_subnegotiation(buf)
