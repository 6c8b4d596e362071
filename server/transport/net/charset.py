"""Character sets: what each terminal gets for what it cannot show, and what it sends."""

import codecs
import re
from collections.abc import Mapping
from typing import Final

from server.cleaning import CODECS, encoded

# Box drawing and block elements are only ever drawn for a player who said that they are shown.
_DRAWN: Final = re.compile("[\u2500-\u259f]")

_BBS: Final = re.compile(r"^(syncterm|ansi-bbs|netrunner|qodem|icyterm|magiterm|ansi$)")

CHARSETS: Final = {
    **dict.fromkeys(("utf-8", "utf8"), "utf-8"),
    **{codec: codec for codec in CODECS},
    **dict.fromkeys(("us-ascii", "ansi_x3.4-1968", "c", "posix"), "ascii"),
    **dict.fromkeys(("iso-8859-1", "iso8859-1", "latin1"), "latin-1"),
    "iso-8859-15": "iso8859-15",
    "windows-1252": "cp1252",
    "ibm437": "cp437",
    "ibm850": "cp850",
}
"""Names of character sets, in lower case, and what Python calls those that are understood here."""

OFFERED: Final = ("UTF-8", "ISO-8859-1", "US-ASCII")
"""What a client is offered that negotiates its character set (RFC 2066), the best first."""


def charset_of(name: str) -> str:
    """The codec for a character set, or for a locale such as ``de_DE.ISO-8859-1``; empty if unknown."""
    name = name.strip().lower()
    return CHARSETS.get(name) or CHARSETS.get(name.rpartition(".")[2].partition("@")[0], "")


def _as_latin(problem: UnicodeError) -> tuple[str, int]:
    assert isinstance(problem, UnicodeDecodeError)
    return problem.object[problem.start : problem.end].decode("latin-1"), problem.end


codecs.register_error("tide-as-latin", _as_latin)


def told_by(term: str, environment: Mapping[str, str]) -> str:
    """The codec that a terminal's type or its user's locale tells of; empty when neither does."""
    for name in ("LC_ALL", "LC_CTYPE", "LANG"):
        if value := environment.get(name, ""):
            return charset_of(value) or "ascii"
    return "cp437" if _BBS.search(term.lower()) else ""


# The fonts of the Linux console have what CP437 has: no blocks of an eighth, no long dashes.
_CONSOLE: Final = str.maketrans("▁▂▃▅▆▇▔○…–—“”„", '__▄▄██▀o~--"""')


class Charset:
    """One session's characters. ``name`` is a codec of ``CHARSETS``; empty while that is not known.
    ``term`` is the terminal's type. A ``program`` is not guessed at: it sends UTF-8, and what is none becomes
    lone surrogates.
    """

    def __init__(self, name: str = "", term: str = "", *, program: bool = False) -> None:
        self.name: Final = name
        self._console: Final = term.lower().startswith("linux")
        self._out = name or "utf-8"
        # Who does not know UTF-8 is understood all the same: what is no UTF-8 is taken for Latin-1.
        errors = "tide-as-latin" if self._out in {"utf-8", "ascii"} else "replace"
        if program:
            errors = "surrogateescape"
        decoder = codecs.getincrementaldecoder("utf-8" if self._out == "ascii" else self._out)
        self._decode: Final = decoder(errors).decode

    def typed(self, data: bytes) -> str:
        """What has come in; a character may be split between two calls."""
        return self._decode(data)

    def encoded(self, text: str, *, cells: bool) -> bytes:
        """What is to be sent. With ``cells`` every character keeps its width, whatever it becomes."""
        if self._console and not text.isascii():
            text = text.translate(_CONSOLE)
        if self._out != "utf-8" and _DRAWN.search(text):
            # The player has asked for them inside, and so knows better than what the client said.
            self._out = "utf-8"
        return encoded(text, self._out, cells=cells)
