"""The telnet protocol without a connection: bytes, events, the Q method (RFC 854, 1143), and options."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import IntFlag
from typing import Any, Final, NamedTuple, Protocol

from msgspec.structs import replace

from server.cleaning import clean_word
from server.playback import ScreenMotion
from server.terminal.capabilities import Capabilities, Colours
from server.transport.net.bandwidth import SLOW_LINE_SPEED
from server.transport.net.terminal_detection import (
    ENVIRONMENT,
    OFFERED,
    abilities_of,
    charset_of,
    told_by,
)

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


MOST_TYPES: Final = 3
"""Terminal types that are asked for: the third answer of MUD clients has the MTTS bits."""

_MTTS: Final = re.compile(r"MTTS (\d{1,6})", re.IGNORECASE)
# MUD clients that call themselves by their own names, and may not know MTTS: most say that they are one.
_MUD: Final = re.compile(
    r"mud|mush|muck|\bmoo|tinyfugue|^tf\d*$|tintin|^tt\+\+|kbtin|lyntin|^mcl\b|atlantis|beip|blowtorch|kildclient|"
    r"potato|savitar|trebuchet",
    re.IGNORECASE,
)


class Mtts(IntFlag):
    """Bits of the Mud Terminal Type Standard, those that mean something here."""

    ANSI = 1
    VT100 = 2
    UTF8 = 4
    INDEXED = 8
    SCREEN_READER = 64
    TRUE_COLOUR = 256


@dataclass(slots=True)
class Client:
    """What is known so far."""

    answered: bool = False
    """It understands telnet commands; otherwise it is a bare connection, such as ``nc`` makes."""
    types: list[str] = field(default_factory=list)
    """Terminal types as they came, cleaned, the first one first."""
    size: tuple[int, int] | None = None
    """Columns and rows."""
    charset: str = ""
    """A codec; agreed with CHARSET (RFC 2066)."""
    environment: dict[str, str] = field(default_factory=dict)
    mud_options: bool = False
    """It has options that no terminal has, such as GMCP."""
    speed: int = 0
    """Bits a second towards the terminal; 0 when it does not say."""

    def add_type(self, name: str) -> bool:
        """Note an answer to TTYPE. Returns whether another one may be asked for."""
        shown = " ".join(map(clean_word, name[:64].split()))
        if shown in self.types or len(self.types) >= MOST_TYPES:
            return False
        self.types.append(shown)
        return bool(shown) and len(self.types) < MOST_TYPES

    def add_environment(self, values: Mapping[str, str]) -> None:
        """Note the variables that mean something here, and none of the rest."""
        for name, value in values.items():
            if value and (known := name.upper()) in ENVIRONMENT:
                self.environment[known] = clean_word(value, 128)

    @property
    def mtts(self) -> Mtts | None:
        """The bits of a MUD client; ``None`` for terminals."""
        answers = map(_MTTS.fullmatch, self.types[1:])
        return next((Mtts(int(found[1])) for found in answers if found), None)

    @property
    def is_mud(self) -> bool:
        """Whether it is a MUD client: it can do more, but is used for lines."""
        return self._has_muds_name or self.mud_options or self.mtts is not None

    @property
    def _has_muds_name(self) -> bool:
        return any(map(_MUD.search, self.types))

    @property
    def term(self) -> str:
        """The terminal's type; a MUD client's first answer is its own name, its second the terminal."""
        return self.types[0 if self.mtts is None else 1] if self.types else ""

    @property
    def is_microsoft(self) -> bool:
        """Whether it may be Windows' own client, with which one has to be careful."""
        return bool(self.types) and self.types[0].upper() == "ANSI"

    @property
    def known_charset(self) -> str:
        """The codec its user sees; empty when nothing tells."""
        if self.charset or (mtts := self.mtts) is None:
            # It has no UTF-8, and nothing in what it says would tell.
            old = "ascii" if self.types[:1] == ["TINYFUGUE"] else ""
            return self.charset or told_by(self.term, self.environment) or old
        return "utf-8" if mtts & Mtts.UTF8 else "ascii"

    def abilities(self, language: str = "", *, plain: bool = False) -> Capabilities:
        """What to assume of the terminal; ``plain`` when its user asked for lines."""
        mtts, charset, is_mud = self.mtts, self.known_charset, self.is_mud
        found = abilities_of(self.term, self.environment, language)
        cursor = found.cursor and not self._has_muds_name
        if mtts is not None:
            cursor = bool(mtts & Mtts.VT100)
        reader = mtts is not None and bool(mtts & Mtts.SCREEN_READER)
        return replace(
            found,
            colours=found.colours if mtts is None else _colours(mtts),
            # Without a terminal's type it is a program on a machine of today.
            unicode=charset == "utf-8" if charset else found.unicode or is_mud or not self.types,
            lines=plain or not cursor or is_mud or self.size is None,
            cursor=cursor,
            echoes=True,
            wraps=is_mud or self.size is None,
            thin=0 < self.speed <= SLOW_LINE_SPEED,
            reader=reader,
            motion=ScreenMotion.LESS.value if reader else found.motion,
        )


def _colours(mtts: Mtts) -> Colours:
    if mtts & Mtts.TRUE_COLOUR:
        return Colours.TRUE
    if mtts & Mtts.INDEXED:
        return Colours.INDEXED
    return Colours.SIXTEEN if mtts & Mtts.ANSI else Colours.NONE


_OURS: Final = frozenset({CHARSET, EOR, GMCP, MSSP})
"""What this end does whenever the client wants it."""
_SCREEN: Final = (ECHO, SGA, BINARY)
"""What this end does only while the full screen is shown. (BINARY as well: the usual client then leaves out
the return when it shows that Enter was pressed.)"""
_THEIRS: Final = frozenset({BINARY, CHARSET, GMCP, NAWS, NEW_ENVIRON, SGA, TSPEED, TTYPE})
"""What the client may do."""
_REQUESTS: Final = {
    CHARSET: REQUEST + b"".join(b" " + name.encode() for name in OFFERED),
    # The usual client has room for 256 bytes.
    NEW_ENVIRON: SEND + b"".join(VAR + name.encode() for name in sorted(ENVIRONMENT)),
    TSPEED: SEND,
    TTYPE: SEND,
}
"""What is asked once an option is agreed on."""
_AS_KEYS: Final = {
    IP: b"\x03",
    BRK: b"\x03",
    ABORT: b"\x03",
    EOF: b"\x04",
    EC: b"\x7f",
    EL: b"\x15",
}
_BARE_RETURN: Final = re.compile(rb"\r(?!\n)")
_SPEEDS: Final = re.compile(rb"\d{1,9},(\d{1,9})")
# RFC 1572: VAR or USERVAR, a name, VALUE, a value; ESC before a byte that would mean one of these.
_VARIABLE: Final = re.compile(
    rb"[\x00\x03]((?:[^\x00-\x03]|\x02.)*)\x01((?:[^\x00-\x03]|\x02.)*)", re.DOTALL
)
_ESCAPED: Final = re.compile(rb"\x02(.)", re.DOTALL)


class OptionListener(Protocol):
    """The connection, which is told what a client says."""

    def typed(self, data: bytes) -> None:
        """This is no command, or a key that one stands for; a CR ends a line."""

    def learnt(self) -> None:
        """A command has come, and may have told something about the client."""

    def resized(self) -> None:
        """The client's window has a size, or another one."""

    def are_you_there(self) -> None:
        """The client wants to see a keepalive."""

    def marked(self) -> None:
        """The client has come to a timing mark."""

    def hang_up(self) -> None:
        """The client asks to be logged out."""

    def wants(self, option: bytes) -> None:
        """The client has agreed to be told GMCP or MSSP."""


class TelnetOptions:
    """One client's options. ``send`` takes bytes as they go over the connection."""

    def __init__(self, listener: OptionListener, send: Callable[[bytes], None]) -> None:
        self.about: Final = Client()
        self._listener = listener
        self._send = send
        self._parser: Final = Parser()
        self._us: Final = Options(WILL, WONT)
        self._them: Final = Options(DO, DONT)
        self._answered: Final[dict[bytes, bool]] = {}
        """The options about which something was asked that is told by a subnegotiation."""
        self._went_on = self._knows_who = self._environment_offered = self._marking = False
        self._after_return = False
        self._keys = b""
        """Keys for which commands stand, until the commands beside them have been answered: with Ctrl-C
        the usual client asks for a timing mark, and shows nothing before that.
        """

    # -------------------------------------------------------------- what is done with them

    def begin(self) -> None:
        """Say as little as finds out whether anybody understands it: it is rubbish on a bare connection."""
        self._ask_them(TTYPE)

    def _go_on(self) -> None:
        """Ask what every client can be asked, of one that understands telnet."""
        if not self._went_on:
            self._went_on = True
            self._ask_them(NAWS, BINARY)

    def ask_for_more(self) -> None:
        """Ask the rest, now that the client is known, or never will be.

        Microsoft's client, which says that it is an ANSI terminal, has only the options above, and
        crashes when it is asked for its environment.
        """
        if self._knows_who:
            return
        self._knows_who = True
        self._go_on()
        if self.about.is_microsoft:
            return
        if self._environment_offered:
            self._negotiated(WILL, NEW_ENVIRON)
        self._ask_them(CHARSET, TSPEED, NEW_ENVIRON)
        for option in (EOR, GMCP, MSSP):
            self._send(self._us.ask(option, True))

    def _ask_them(self, *options: bytes) -> None:
        for option in options:
            self._send(self._them.ask(option, True))

    @property
    def settled(self) -> bool:
        """Whether everything that there is to ask has been answered."""
        answered = self._us.settled and self._them.settled and all(self._answered.values())
        return self._knows_who and answered

    def escaped(self, text: bytes) -> bytes:
        """Return ``text`` as it is sent.

        A return alone is marked (RFC 854), except on a binary line (RFC 856).
        """
        if BINARY not in self._us.enabled:
            text = _BARE_RETURN.sub(b"\r\0", text)
        return text.replace(IAC, IAC + IAC)

    def keys_at_once(self, wanted: bool) -> None:
        """Every key is to be sent at once and shown by us; or lines, edited and shown by the client."""
        for option in _SCREEN:
            self._send(self._us.ask(option, wanted))

    def end_of_text(self) -> None:
        """A paragraph or a prompt is complete (RFC 885, or RFC 854)."""
        if EOR in self._us.enabled:
            self._send(IAC + CMD_EOR)
        elif SGA not in self._us.enabled:
            self._send(IAC + GA)

    def mark(self) -> bool:
        """Ask for a sign once the client has come to this place; whether it could be asked for (RFC 860)."""
        if self._marking:
            return False
        self._marking = True
        self._send(IAC + DO + TM)
        return True

    @property
    def has_gmcp(self) -> bool:
        """Whether GMCP messages are wanted."""
        return GMCP in self._us.enabled | self._them.enabled

    def send_gmcp(self, package: str, data: Mapping[str, Any]) -> None:
        """Send a GMCP message."""
        self._tell(GMCP, f"{package} {json.dumps(data, separators=(',', ':'))}".encode())

    def send_mssp(self, variables: Mapping[str, str | list[str]]) -> None:
        """Send the status of the server, MSSP."""
        parts = []
        for name, value in variables.items():
            values = [value] if isinstance(value, str) else value
            parts += [MSSP_VAR + name.encode(), *(MSSP_VAL + one.encode() for one in values)]
        self._tell(MSSP, b"".join(parts))

    def _tell(self, option: bytes, payload: bytes) -> None:
        escaped = payload.replace(IAC, IAC + IAC)
        self._send(IAC + SB + option + escaped + IAC + SE)

    def forget(self) -> None:
        """Let go of the connection, which is gone: or only the garbage collector would find it."""
        del self._listener  # nothing more comes in that it could be told
        self._send = lambda _data: None

    # -------------------------------------------------------------- what comes in

    def take(self, data: bytes) -> None:
        """Interpret ``data``: text and commands are told in their order."""
        for event in self._parser.feed(data):
            if isinstance(event, Text):
                self._typed(event.data)
                continue
            if isinstance(event, Command):
                if event.code == AYT:
                    self._listener.are_you_there()
                else:
                    self._keys += _AS_KEYS.get(event.code, b"")
            elif isinstance(event, Negotiation):
                self._negotiated(event.verb, event.option)
            else:
                self._told(event.option, event.payload)
            self.about.answered = True
            self._go_on()
            self._listener.learnt()
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

    def _press_keys(self) -> None:
        keys, self._keys = self._keys, b""
        if keys:
            self._listener.typed(keys)

    def _negotiated(self, verb: bytes, option: bytes) -> None:
        about_us, wanted = verb in (DO, DONT), verb in (DO, WILL)
        self.about.mud_options |= wanted and option in OF_MUDS
        if option == TM:
            self._mark_told(about_us, wanted)
        elif option == LOGOUT:
            if verb == DO:
                self._listener.hang_up()
        elif verb == WILL and option == NEW_ENVIRON and not self._knows_who:
            self._environment_offered = True  # answered when it is known who that is
        else:
            end, known = (self._us, _OURS) if about_us else (self._them, _THEIRS)
            before = option in end.enabled
            self._send(end.hear(option, wanted, acceptable=option in known))
            if option in end.enabled and not before:
                self._agreed(option, about_us)
            elif verb == WONT and option == TTYPE:
                self.ask_for_more()

    def _mark_told(self, about_us: bool, wanted: bool) -> None:
        """A timing mark is no option: it is answered whenever it comes, also by those who know none."""
        if about_us and wanted:
            self._send(IAC + WILL + TM)
        elif not about_us and self._marking:
            self._marking = False
            self._listener.marked()

    def _agreed(self, option: bytes, about_us: bool) -> None:
        if option in (GMCP, MSSP):
            self._listener.wants(option)
        elif not about_us and option not in self._answered:
            # What it tells by itself is waited for as well.
            if option in _REQUESTS:
                self._request(option)
            elif option == NAWS:
                self._answered[option] = False
            if option == CHARSET:
                self._send(self._us.ask(option, True))

    def _request(self, option: bytes) -> None:
        self._answered[option] = False
        self._tell(option, _REQUESTS[option])

    # -------------------------------------------------------------- what it tells

    def _told(self, option: bytes, payload: bytes) -> None:
        """Take what a client tells, and nothing that it asks: but for a character set."""
        kind, rest = payload[:1], payload[1:]
        if option == NAWS and len(payload) == 4:
            self.about.size = int.from_bytes(payload[:2]), int.from_bytes(payload[2:])
            self._listener.resized()
        elif option == CHARSET:
            self._charset(kind, rest)
        elif option == TTYPE and kind == IS:
            if self.about.add_type(rest.decode("ascii", "replace")):
                self._request(option)
                return
            self.ask_for_more()
        elif option == TSPEED and kind == IS:
            found = _SPEEDS.fullmatch(rest)
            self.about.speed = int(found[1]) if found else 0
        elif option == NEW_ENVIRON and kind in (IS, INFO):
            found_all = _VARIABLE.finditer(rest)
            self.about.add_environment({_plain(one[1]): _plain(one[2]) for one in found_all})
        else:
            return
        if option in self._answered:
            self._answered[option] = True

    def _charset(self, kind: bytes, rest: bytes) -> None:
        if kind == ACCEPTED:
            self.about.charset = charset_of(rest.decode("ascii", "replace"))
        elif kind == REQUEST:
            names = rest[1:].split(rest[:1]) if rest else []
            known = {charset_of(name.decode("ascii", "replace")): name for name in reversed(names)}
            chosen = next((codec for codec in map(charset_of, OFFERED) if codec in known), "")
            if chosen:
                self.about.charset = chosen
                self._tell(CHARSET, ACCEPTED + known[chosen])
            else:
                self._tell(CHARSET, REJECTED)


def _plain(escaped: bytes) -> str:
    return _ESCAPED.sub(rb"\1", escaped).decode("ascii", "replace")
