"""What a telnet client has told about itself, and what follows for the game."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntFlag
from typing import Final

from msgspec.structs import replace

from server.cleaning import clean_word
from server.terminal.capabilities import Capabilities, Colours
from server.transport.net.bandwidth import SLOW_LINE_SPEED
from server.transport.net.terminal_detection import ENVIRONMENT, abilities_of, told_by
from server.viewmodels.reveal_timing import ScreenMotion

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
