"""What a terminal shows for characters that its character set lacks: something like them in ASCII.

Every reader is shown the same for the same text, so that a name can be typed as it is shown
(``server.coordinator.people.names.looks``).
"""

import codecs
import re
import unicodedata
from collections.abc import Iterator
from typing import Final

from wcwidth import wcswidth

CODECS: Final = ("ascii", "latin-1", "iso8859-15", "cp1252", "cp437", "cp850")
"""Character sets that lack most of Unicode, as Python calls them."""

_LEGIBLE: Final = {
    **dict(zip("øØłŁđĐð’‘“”„«»–—−·•×↑↓", 'oOlLdDd\'\'"""""----*x^v', strict=True)),
    "ß": "ss",
    "æ": "ae",
    "Æ": "AE",
    "œ": "oe",
    "Œ": "OE",
    "þ": "th",
    "…": "...",
    **{power: f"^{digit}" for digit, power in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")},
    "→": "->",
    "←": "<-",
}
# German does without its dots by writing an e; other languages just leave the marks out.
_GERMAN: Final = {"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue"}

_SPELLED: Final = re.compile(
    r"(?:LETTER|CHARACTER|SYLLABLE|SIGN) (?:(?:SMALL|FINAL|SHORT|DOTLESS|\S*UKRAINIAN) )?"
    r"(?:E(?=[FLMNRS]\b))?(\w+)"
)
"""What Unicode calls a letter begins as it sounds: BETA, BEH, KA; Cyrillic EF, EL, EM after an E."""
_CONSONANTS: Final = "bcdfghjkmnpqrstvwxz"


def encoded(text: str, codec: str, *, cells: bool) -> bytes:
    """``text`` for a terminal; with ``cells`` everything keeps its columns, whatever it becomes."""
    if codec == "utf-8":
        return text.encode("utf-8", "replace")
    return text.encode(codec, "tide-in-cells" if cells else "tide-legible")


def _in_sentences(problem: UnicodeError) -> tuple[str, int]:
    assert isinstance(problem, UnicodeEncodeError)
    chars = problem.object[problem.start : problem.end]
    return "".join(_GERMAN.get(each) or _plain(each) for each in _clusters(chars)), problem.end


def _in_cells(problem: UnicodeError) -> tuple[str, int]:
    assert isinstance(problem, UnicodeEncodeError)
    shown = []
    for cluster in _clusters(problem.object[problem.start : problem.end]):
        width = max(0, wcswidth(cluster))
        plain = _plain(cluster).strip()
        if len(plain) > width and plain[:1].isdecimal():
            plain = ""  # the beginning of a number would be another number
        shown.append(plain[:width].ljust(width, "?"))
    return "".join(shown), problem.end


codecs.register_error("tide-legible", _in_sentences)
codecs.register_error("tide-in-cells", _in_cells)


def _clusters(text: str) -> Iterator[str]:
    """Characters, each with the marks on it."""
    cluster = ""
    for char in text:
        if cluster and unicodedata.category(char)[0] != "M":
            yield cluster
            cluster = ""
        cluster += char
    if cluster:
        yield cluster


def _plain(cluster: str) -> str:
    return "".join(map(_plain_char, cluster))


def _plain_char(char: str) -> str:
    """Something like ``char`` in ASCII; a question mark when there is nothing like it."""
    if char in _LEGIBLE:
        return _LEGIBLE[char]
    parts = unicodedata.normalize("NFKD", char).replace("\N{FRACTION SLASH}", "/")
    plain = parts.encode("ascii", "ignore").decode().strip()
    category = unicodedata.category(char)
    if plain or category == "Mn":
        return f" {plain}" if "/" in plain else plain
    if category[0] not in "LMN":
        return "?"
    return str(unicodedata.decimal(char, "")) or _letters(char)


def _letters(char: str) -> str:
    """As many letters as it has columns: as it sounds, or, of ideographs, some that it shares with few."""
    width = max(1, wcswidth(char))
    if spelled := _SPELLED.search(unicodedata.name(char, "")):
        letters = spelled[1][:width].lower()
        return letters.title() if char.isupper() else letters
    first, second = divmod(ord(char), len(_CONSONANTS))
    return (_CONSONANTS[second] + _CONSONANTS[first % len(_CONSONANTS)])[:width]
