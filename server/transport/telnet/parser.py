"""Telnet without a connection: bytes in, events out (RFC 854), and the Q method of RFC 1143."""

from collections.abc import Iterator
from typing import Final, NamedTuple

IAC: Final = b"\xff"
DONT: Final = b"\xfe"
DO: Final = b"\xfd"
WONT: Final = b"\xfc"
WILL: Final = b"\xfb"
SB: Final = b"\xfa"
SE: Final = b"\xf0"
VERBS: Final = frozenset({DO, DONT, WILL, WONT})

GA: Final = b"\xf9"
EL: Final = b"\xf8"
EC: Final = b"\xf7"
AYT: Final = b"\xf6"
IP: Final = b"\xf4"
BRK: Final = b"\xf3"
CMD_EOR: Final = b"\xef"
ABORT: Final = b"\xee"
EOF: Final = b"\xec"

BINARY: Final = b"\x00"
ECHO: Final = b"\x01"
SGA: Final = b"\x03"
TM: Final = b"\x06"
LOGOUT: Final = b"\x12"
TTYPE: Final = b"\x18"
EOR: Final = b"\x19"
NAWS: Final = b"\x1f"
TSPEED: Final = b"\x20"
NEW_ENVIRON: Final = b"\x27"
CHARSET: Final = b"\x2a"
MSSP: Final = b"\x46"
GMCP: Final = b"\xc9"
OF_MUDS: Final = frozenset(
    {MSSP, GMCP, *(bytes([n]) for n in (69, 85, 86, 87, 90, 91, 93, 102, 200))}
)
"""Options that only MUD clients have: also MSDP, MCCP, MSP, MXP, ZMP, and two of single MUDs."""

IS: Final = b"\x00"
SEND: Final = b"\x01"
INFO: Final = b"\x02"
"""Subcommands of NEW_ENVIRON, TSPEED and TTYPE."""
VAR: Final = b"\x00"
VALUE: Final = b"\x01"
"""Subcommands of NEW_ENVIRON (RFC 1572)."""
REQUEST: Final = b"\x01"
ACCEPTED: Final = b"\x02"
REJECTED: Final = b"\x03"
"""Subcommands of CHARSET (RFC 2066)."""
MSSP_VAR: Final = b"\x01"
MSSP_VAL: Final = b"\x02"


LONGEST: Final = 1024
"""Bytes of a subnegotiation that are kept; a longer one is dropped as a whole."""


class Text(NamedTuple):
    """Bytes that are no command."""

    data: bytes


class Command(NamedTuple):
    """A command of one byte."""

    code: bytes


class Negotiation(NamedTuple):
    """DO, DONT, WILL or WONT."""

    verb: bytes
    option: bytes


class Subnegotiation(NamedTuple):
    """What is said about an option that both ends have agreed on."""

    option: bytes
    payload: bytes


class Parser:
    """Takes a client's bytes apart, wherever they are split."""

    def __init__(self) -> None:
        self._command = b""
        """An IAC, or the verb behind it, whose rest has not come."""
        self._sub: bytearray | None = None
        """The subnegotiation that has not ended."""

    def feed(self, data: bytes) -> Iterator[Text | Command | Negotiation | Subnegotiation]:
        """Take more bytes."""
        at = 0
        while at < len(data):
            if not self._command:
                found = data.find(IAC, at)
                end = len(data) if found < 0 else found
                if end > at:
                    yield from self._plain(data[at:end])
                if found >= 0:
                    self._command = IAC
                at = end + 1
                continue
            byte = data[at : at + 1]
            at += 1
            command, self._command = self._command, b""
            if command != IAC:
                yield Negotiation(command, byte)
            elif byte == IAC:
                yield from self._plain(IAC)
            else:
                # Within a subnegotiation any other command than SE means that its end is missing.
                sub, self._sub = self._sub, None
                if byte in VERBS:
                    self._command = byte
                elif byte == SB:
                    self._sub = bytearray()
                elif byte != SE:
                    yield Command(byte)
                elif sub and len(sub) <= LONGEST:
                    yield Subnegotiation(bytes(sub[:1]), bytes(sub[1:]))

    def _plain(self, data: bytes) -> Iterator[Text]:
        if self._sub is None:
            yield Text(data)
        else:
            self._sub += data[: LONGEST + 1 - len(self._sub)]


class Options:
    """The options of one end of a connection.

    Both ends may ask for changes at any time, also at once: nothing is answered twice, and no answer is
    taken for a question.
    """

    def __init__(self, yes: bytes, no: bytes) -> None:
        """``yes`` and ``no`` are what is sent: WILL and WONT for this end, DO and DONT for the other one."""
        self.enabled: Final[set[bytes]] = set()
        self._say: Final = {True: IAC + yes, False: IAC + no}
        self._asked: Final[dict[bytes, bool]] = {}
        """What has been asked for and not been answered."""
        self._reversed: Final[set[bytes]] = set()
        """Options for which the opposite is asked once the answer has come."""

    @property
    def settled(self) -> bool:
        """Whether everything that was asked has been answered."""
        return not self._asked

    def ask(self, option: bytes, wanted: bool) -> bytes:
        """Return what to send to have an option enabled or disabled."""
        if option in self._asked:
            change = self._reversed.discard if self._asked[option] == wanted else self._reversed.add
            change(option)
        elif (option in self.enabled) != wanted:
            self._asked[option] = wanted
            return self._say[wanted] + option
        return b""

    def hear(self, option: bytes, wanted: bool, *, acceptable: bool) -> bytes:
        """Take the other end's wish or answer; return what to send. ``acceptable``: it may be enabled."""
        asked, opposite = self._asked.pop(option, None), option in self._reversed
        self._reversed.discard(option)
        answer = b""
        if asked is None:
            if wanted == (option in self.enabled):
                return b""
            wanted = wanted and acceptable
            answer = self._say[wanted] + option
        elif not asked:
            wanted = wanted and opposite  # a refusal to disable, which RFC 854 forbids
        (self.enabled.add if wanted else self.enabled.discard)(option)
        return self.ask(option, not asked) if opposite and wanted == asked else answer
