"""Terminals as they are detected: their abilities and their character sets."""

import codecs
import re
from collections.abc import Mapping
from typing import Final

from server.cleaning import CODECS, clean_word, encoded
from server.i18n.lookup import SOURCE, words_for
from server.terminal.capabilities import Capabilities, Colours, Copying, Size

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
    """One session's characters.

    ``name`` is a codec of ``CHARSETS``; empty while that is not known. ``term`` is the terminal's type.
    A ``program`` is not guessed at: it sends UTF-8, and what is none becomes lone surrogates.
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


ENVIRONMENT: Final = frozenset(
    {
        *("COLORTERM", "NO_COLOR", "COLORFGBG", "TERM_PROGRAM", "LC_TERMINAL"),
        *("LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "LC_MESSAGES"),
    }
)
"""The variables that are looked at; a client may send others, which are forgotten at once."""

LARGEST: Final = Size(300, 100)

# Terminals with all colours that hold a frame back until it is complete (DEC private mode 2026), and how they
# show notifications on the desktop, as their manuals say.
_MODERN: Final = {
    **dict.fromkeys(("xterm-kitty", "xterm-ghostty", "wezterm", "iterm2"), "osc9"),
    **dict.fromkeys(("foot", "contour"), "osc777"),
    "alacritty": "",
}
_OSC_9_PROGRAMS: Final = frozenset({"iterm.app", "iterm2", "wezterm", "ghostty"})
# https://gitlab.gnome.org/GNOME/vte/-/issues/2495 says why GNOME's does not; the others have nothing like it.
_NEVER_COPY: Final = re.compile(r"^(putty|gnome|vte|linux$|nsterm|apple_terminal)")
_INDEXED: Final = re.compile(r"256col|^(xterm$|putty|mintty|konsole|gnome|vte|tmux|st-|kitty)")
_MONOCHROME: Final = re.compile(r"^(dumb|unknown|network|vt\d|tty|hurd-m|.*-mono?$|.*-m$)")
_OLD_CHARSET: Final = re.compile(r"^(dumb|vt\d|ansi|cons25|pcansi|scoansi|sun|network|unknown)")
_LIGHT_GROUNDS: Final = frozenset({"7", *map(str, range(9, 16))})
# Families that place the cursor as ECMA-48 has it, with "ESC [", by what their names begin with. All others
# get lines without any sequence: VT52, ADM-3A, Wyse, HP, Tektronix ... have sequences of their own.
_ANSI_FAMILIES: Final = """
    xterm nxterm aixterm color_xterm rxvt mrxvt urxvt kterm aterm eterm mlterm dtterm hterm tkterm domterm
    bterm beterm jfbterm fbterm yaft gnome vte konsole kvt xfce terminator terminology termite tilix tilda
    lxterminal cool st stterm simpleterm kitty alacritty foot ghostty rio wezterm contour warp tabby hyper
    vscode zutty ptyxis guake termux iterm nsterm apple_terminal blink mintty cygwin msys ms interix vtnt
    screen tmux zellij byobu dvtm mosh linux kmscon cons con pccon pccons pcvt wsvt teken netbsd sun hurd mach
    minix djgpp darwin hft lft putty pterm teraterm securecrt scrt mobaxterm zoc syncterm netrunner qodem
    icyterm magiterm
"""
# DEC's from the VT100 on, and names that say it; none of those others has its number of colours in its name.
_ANSI_TOO: Final = re.compile(r"(?<!q)vt[1-5]\d\d|vt-utf8|ansi|\d+color|truecolor|-direct$")
_NEVER_ANSI: Final = re.compile(r"^dumb|[stv]t52(?!\d)")


def can_place_cursor(term: str) -> bool:
    """Return whether a terminal of that type can show full screens at all."""
    term = clean_word(term).lower()
    family = re.split(r"[^a-z_]", term, maxsplit=1)[0]
    known = family in _ANSI_FAMILIES.split() or _ANSI_TOO.search(term) is not None
    return known and not _NEVER_ANSI.search(term)


def clamp(columns: int, rows: int) -> Size:
    """A size that can be drawn: 0 means that the client does not know, and counts as 80x24.

    What is too small to play on stays so, and the screen says it.
    """
    return Size(min(max(columns or 80, 1), LARGEST.columns), min(max(rows or 24, 1), LARGEST.rows))


def abilities_of(term: str, environment: Mapping[str, str], language: str = "") -> Capabilities:
    """What to assume of a terminal. ``language`` is what the player asked for by name, if anything."""
    term = clean_word(term).lower()
    cursor, modern = can_place_cursor(term), _modern(term)
    return Capabilities(
        colours=_colours(term, environment, modern),
        unicode=_unicode(term, environment, cursor),
        language=language or _language(environment),
        synchronized=modern is not None or term.startswith("mintty"),
        notifies=_notifies(term, environment, modern),
        copies=_copies(term, environment, modern),
        light=_light(term, environment),
        lines=not cursor,
        cursor=cursor,
    )


def _modern(term: str) -> str | None:
    """How one of the modern terminals shows notifications; ``None`` for all others."""
    return next((way for name, way in _MODERN.items() if term.startswith(name)), None)


def _notifies(term: str, environment: Mapping[str, str], modern: str | None) -> str:
    if term.startswith(("tmux", "screen")):
        return ""  # they pass none on
    return "osc9" if _programs(environment) & _OSC_9_PROGRAMS else modern or ""


def _programs(environment: Mapping[str, str]) -> set[str]:
    # iTerm2 sends its name as LC_TERMINAL because servers accept that.
    return {environment.get(name, "").lower() for name in ("TERM_PROGRAM", "LC_TERMINAL")}


def _copies(term: str, environment: Mapping[str, str], modern: str | None) -> Copying:
    """Whether it takes texts for the clipboard, as its manual says."""
    names = {term, *_programs(environment)}
    if any(name.startswith("tmux") for name in names):
        return Copying.TMUX
    if term.startswith("screen"):
        return Copying.UNKNOWN  # tmux of old, or GNU's, which passes nothing on
    if any(name.startswith("iterm") for name in names):
        return Copying.ITERM2
    if modern is not None or names & {"wezterm", "ghostty", "vscode"}:
        return Copying.KNOWN
    never = any(map(_NEVER_COPY.match, names)) or _MONOCHROME.search(term)
    return Copying.NEVER if never or _OLD_CHARSET.match(term) else Copying.UNKNOWN


def _colours(term: str, environment: Mapping[str, str], modern: str | None) -> Colours:
    # https://no-color.org: present and not empty, whatever its value.
    if environment.get("NO_COLOR") or _MONOCHROME.search(term):
        return Colours.NONE
    told = environment.get("COLORTERM", "").lower() in {"truecolor", "24bit"}
    if told or term.endswith("-direct") or modern is not None:
        return Colours.TRUE
    return Colours.INDEXED if _INDEXED.search(term) else Colours.SIXTEEN


def _light(term: str, environment: Mapping[str, str]) -> bool | None:
    """Whether its background is light; ``None`` where it can be asked."""
    # rxvt, Konsole: the numbers of its two colours, such as "15;0" or "0;default;15".
    ground = environment.get("COLORFGBG", "").rpartition(";")[2]
    if ground.isdecimal():
        return ground in _LIGHT_GROUNDS
    return False if term == "linux" or _OLD_CHARSET.match(term) else None


def _locale(environment: Mapping[str, str], *names: str) -> str:
    """The first of these variables that is set, as POSIX has it."""
    return next((found for name in names if (found := environment.get(name, ""))), "")


def _unicode(term: str, environment: Mapping[str, str], cursor: bool) -> bool:
    locale = _locale(environment, "LC_ALL", "LC_CTYPE", "LANG").lower()
    if locale:
        return "utf-8" in locale or "utf8" in locale
    # Without a terminal it is a program that reads.
    return not term or (cursor and not _OLD_CHARSET.search(term))


def _language(environment: Mapping[str, str]) -> str:
    locale = _locale(environment, "LC_ALL", "LC_MESSAGES", "LANG")
    if not locale or locale.split(".")[0] in {"C", "POSIX"}:
        return SOURCE
    # GNU's LANGUAGE is a list, and counts before the locale unless that is C.
    wishes = [wish for wish in environment.get("LANGUAGE", "").split(":") if wish][:8]
    for wish in [*wishes, locale]:
        found = words_for(wish).language
        if found != SOURCE or wish.lower().startswith(SOURCE):
            return found
    return SOURCE
