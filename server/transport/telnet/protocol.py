"""The telnet protocol without I/O: parser, option negotiation (RFC 854; the Q method, RFC 1143), options."""

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
"""Options that only MUD clients have: also MSDP, MCCP, MSP, MXP, ZMP, and two of particular MUDs."""

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
"""Maximum bytes of a subnegotiation; a longer one is dropped as a whole."""


class Text(NamedTuple):
    """Data bytes."""

    data: bytes


class Command(NamedTuple):
    """A command of one byte."""

    code: bytes


class Negotiation(NamedTuple):
    """DO, DONT, WILL or WONT."""

    verb: bytes
    option: bytes


class Subnegotiation(NamedTuple):
    """Data of an option that both ends have agreed on."""

    option: bytes
    payload: bytes


class Parser:
    """Parses a client's bytes, wherever they are split."""

    def __init__(self) -> None:
        self._command = b""
        """An IAC, or the verb behind it, of a command that is not complete."""
        self._sub: bytearray | None = None
        """The subnegotiation that is not complete."""

    def feed(self, data: bytes) -> Iterator[Text | Command | Negotiation | Subnegotiation]:
        """Parse more bytes."""
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
                # Any command but SE within a subnegotiation means that its end is missing.
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
    """The options of one end of a connection (RFC 1143).

    Both ends may request changes at any time, also at once: nothing is answered twice, and no answer is taken
    for a request.
    """

    def __init__(self, yes: bytes, no: bytes) -> None:
        """``yes`` and ``no`` are the verbs to send: WILL and WONT for this end, DO and DONT for the other."""
        self.enabled: Final[set[bytes]] = set()
        self._say: Final = {True: IAC + yes, False: IAC + no}
        self._asked: Final[dict[bytes, bool]] = {}
        """Requests without an answer yet, by option."""
        self._reversed: Final[set[bytes]] = set()
        """Options of which the opposite is to be requested once the answer has come."""

    @property
    def settled(self) -> bool:
        """Whether every request has been answered."""
        return not self._asked

    def ask(self, option: bytes, wanted: bool) -> bytes:
        """Return what to send to enable or disable an option."""
        if option in self._asked:
            change = self._reversed.discard if self._asked[option] == wanted else self._reversed.add
            change(option)
        elif (option in self.enabled) != wanted:
            self._asked[option] = wanted
            return self._say[wanted] + option
        return b""

    def hear(self, option: bytes, wanted: bool, *, acceptable: bool) -> bytes:
        """Take a request or an answer of the other end; return what to send.

        ``acceptable`` tells whether a request to enable the option is granted.
        """
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
"""Maximum terminal types that are requested: the third answer of MUD clients has the MTTS bits."""

_MTTS: Final = re.compile(r"MTTS (\d{1,6})", re.IGNORECASE)
# Names of MUD clients, which may not know MTTS.
_MUD: Final = re.compile(
    r"mud|mush|muck|\bmoo|tinyfugue|^tf\d*$|tintin|^tt\+\+|kbtin|lyntin|^mcl\b|atlantis|beip|blowtorch|kildclient|"
    r"potato|savitar|trebuchet",
    re.IGNORECASE,
)


class Mtts(IntFlag):
    """Bits of the Mud Terminal Type Standard that are used here."""

    ANSI = 1
    VT100 = 2
    UTF8 = 4
    INDEXED = 8
    SCREEN_READER = 64
    TRUE_COLOUR = 256


@dataclass(slots=True)
class Client:
    """What is known of a client so far."""

    answered: bool = False
    """Whether it understands telnet commands; otherwise it is a bare connection, such as ``nc`` makes."""
    types: list[str] = field(default_factory=list)
    """Terminal types, cleaned, in the order of the answers."""
    size: tuple[int, int] | None = None
    """Columns and rows."""
    charset: str = ""
    """The codec agreed on with CHARSET (RFC 2066); empty if none."""
    environment: dict[str, str] = field(default_factory=dict)
    mud_options: bool = False
    """Whether it has options that no terminal has, such as GMCP."""
    speed: int = 0
    """Bits a second towards the terminal; 0 if unknown."""

    def add_type(self, name: str) -> bool:
        """Add an answer to TTYPE, and return whether another one may be requested."""
        shown = " ".join(map(clean_word, name[:64].split()))
        if shown in self.types or len(self.types) >= MOST_TYPES:
            return False
        self.types.append(shown)
        return bool(shown) and len(self.types) < MOST_TYPES

    def add_environment(self, values: Mapping[str, str]) -> None:
        """Add the environment variables that are used here."""
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
        """Whether it is a MUD client, which gets line mode whatever it can do."""
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
        """Whether it may be Microsoft's client, which crashes on some options."""
        return bool(self.types) and self.types[0].upper() == "ANSI"

    @property
    def known_charset(self) -> str:
        """The codec of its user's terminal; empty if unknown."""
        if self.charset or (mtts := self.mtts) is None:
            # TinyFugue has no UTF-8, and does not say so.
            old = "ascii" if self.types[:1] == ["TINYFUGUE"] else ""
            return self.charset or told_by(self.term, self.environment) or old
        return "utf-8" if mtts & Mtts.UTF8 else "ascii"

    def abilities(self, language: str = "", *, plain: bool = False) -> Capabilities:
        """Return what to assume of the terminal; ``plain`` is for users who asked for line mode."""
        mtts, charset, is_mud = self.mtts, self.known_charset, self.is_mud
        found = abilities_of(self.term, self.environment, language)
        cursor = found.cursor and not self._has_muds_name
        if mtts is not None:
            cursor = bool(mtts & Mtts.VT100)
        reader = mtts is not None and bool(mtts & Mtts.SCREEN_READER)
        return replace(
            found,
            colours=found.colours if mtts is None else _colours(mtts),
            # Without a terminal type it is a modern program.
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
"""Options of this end that are enabled whenever the client wants them."""
_SCREEN: Final = (ECHO, SGA, BINARY)
"""Options of this end that are enabled only in full-screen mode. (BINARY, too: the usual client then does not
echo a return for Enter.)"""
_THEIRS: Final = frozenset({BINARY, CHARSET, GMCP, NAWS, NEW_ENVIRON, SGA, TSPEED, TTYPE})
"""Options that the client may enable."""
_REQUESTS: Final = {
    CHARSET: REQUEST + b"".join(b" " + name.encode() for name in OFFERED),
    # The usual client has a buffer of 256 bytes.
    NEW_ENVIRON: SEND + b"".join(VAR + name.encode() for name in sorted(ENVIRONMENT)),
    TSPEED: SEND,
    TTYPE: SEND,
}
"""Subnegotiations to send once an option is agreed on."""
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
    """Receiver of a client's input and requests."""

    def typed(self, data: bytes) -> None:
        """Take typed data, or the key that a command stands for; a CR ends a line."""

    def learnt(self) -> None:
        """Note that more may be known of the client."""

    def resized(self) -> None:
        """Note that the client's window has a new size."""

    def are_you_there(self) -> None:
        """Answer Are You There."""

    def marked(self) -> None:
        """Note that the client has reached the timing mark."""

    def hang_up(self) -> None:
        """Log the client out."""

    def wants(self, option: bytes) -> None:
        """Note that GMCP or MSSP has been agreed on."""


class TelnetOptions:
    """Negotiation with one client. ``send`` takes bytes as they go over the connection."""

    def __init__(self, listener: OptionListener, send: Callable[[bytes], None]) -> None:
        self.about: Final = Client()
        self._listener = listener
        self._send = send
        self._parser: Final = Parser()
        self._us: Final = Options(WILL, WONT)
        self._them: Final = Options(DO, DONT)
        self._answered: Final[dict[bytes, bool]] = {}
        """Whether the subnegotiation that was requested has come, by option."""
        self._went_on = self._knows_who = self._environment_offered = self._marking = False
        self._after_return = False
        self._keys = b""
        """Keys of commands that wait until the commands beside them have been answered: with Ctrl-C the
        usual client requests a timing mark, and shows nothing before that.
        """

    # -------------------------------------------------------------- requests and output

    def begin(self) -> None:
        """Send the least that detects a telnet client: a bare connection shows it as rubbish."""
        self._ask_them(TTYPE)

    def _go_on(self) -> None:
        """Request the options that every telnet client can be asked for."""
        if not self._went_on:
            self._went_on = True
            self._ask_them(NAWS, BINARY)

    def ask_for_more(self) -> None:
        """Request the other options, once the client's name is known or will not come.

        Microsoft's client, which says that it is an ANSI terminal, has only the options above, and crashes
        when it is asked for its environment.
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
        """Whether all requests have been made and answered."""
        answered = self._us.settled and self._them.settled and all(self._answered.values())
        return self._knows_who and answered

    def escaped(self, text: bytes) -> bytes:
        """Return ``text`` as sent: a CR alone becomes CR NUL (RFC 854), except with BINARY (RFC 856)."""
        if BINARY not in self._us.enabled:
            text = _BARE_RETURN.sub(b"\r\0", text)
        return text.replace(IAC, IAC + IAC)

    def keys_at_once(self, wanted: bool) -> None:
        """Have the client send each key, which we echo; or lines, which the client edits and echoes."""
        for option in _SCREEN:
            self._send(self._us.ask(option, wanted))

    def end_of_text(self) -> None:
        """Mark the end of a paragraph or a prompt (RFC 885, or RFC 854)."""
        if EOR in self._us.enabled:
            self._send(IAC + CMD_EOR)
        elif SGA not in self._us.enabled:
            self._send(IAC + GA)

    def mark(self) -> bool:
        """Request a timing mark (RFC 860), and return whether that was possible."""
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
        """Send MSSP variables."""
        parts = []
        for name, value in variables.items():
            values = [value] if isinstance(value, str) else value
            parts += [MSSP_VAR + name.encode(), *(MSSP_VAL + one.encode() for one in values)]
        self._tell(MSSP, b"".join(parts))

    def _tell(self, option: bytes, payload: bytes) -> None:
        escaped = payload.replace(IAC, IAC + IAC)
        self._send(IAC + SB + option + escaped + IAC + SE)

    def forget(self) -> None:
        """Drop all references to the connection, which has ended: they would be a cycle."""
        del self._listener  # there is no more input
        self._send = lambda _data: None

    # -------------------------------------------------------------- input

    def take(self, data: bytes) -> None:
        """Interpret ``data``: text and commands in their order."""
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
        """Pass on text; an end of line, CR LF, CR NUL or CR alone, becomes one CR."""
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
            self._environment_offered = True  # answered once the client's name is known
        else:
            end, known = (self._us, _OURS) if about_us else (self._them, _THEIRS)
            before = option in end.enabled
            self._send(end.hear(option, wanted, acceptable=option in known))
            if option in end.enabled and not before:
                self._agreed(option, about_us)
            elif verb == WONT and option == TTYPE:
                self.ask_for_more()

    def _mark_told(self, about_us: bool, wanted: bool) -> None:
        """Answer a timing mark, or take the answer to ours; it is no option that could be enabled."""
        if about_us and wanted:
            self._send(IAC + WILL + TM)
        elif not about_us and self._marking:
            self._marking = False
            self._listener.marked()

    def _agreed(self, option: bytes, about_us: bool) -> None:
        if option in (GMCP, MSSP):
            self._listener.wants(option)
        elif not about_us and option not in self._answered:
            # Wait for what the client sends by itself, too.
            if option in _REQUESTS:
                self._request(option)
            elif option == NAWS:
                self._answered[option] = False
            if option == CHARSET:
                self._send(self._us.ask(option, True))

    def _request(self, option: bytes) -> None:
        self._answered[option] = False
        self._tell(option, _REQUESTS[option])

    # -------------------------------------------------------------- subnegotiations

    def _told(self, option: bytes, payload: bytes) -> None:
        """Take a client's data; of its requests only those for a character set."""
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
