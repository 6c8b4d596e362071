"""Text from a client as one harmless line, and as ASCII where a character set lacks characters.

Every reader is shown the same for the same text, so that a name can be typed as it is shown
(``server.coordinator.people.names.looks``).

Clean text stays as written (normalised by NFC, never NFKC, which changes what was meant: 10² would be 102),
without control, bidirectional, zero-width and private characters, with no more marks on a letter than scripts
need, and cut to a width in columns. Whoever takes text from outside calls this; chat does so in the
coordinator, so that no frontend can forget it.
"""

import codecs
import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from wcwidth import wcswidth, wcwidth

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


TEXT_WIDTH: Final = 400
"""Columns of a chat line."""
REPORT_WIDTH: Final = 300
"""Columns of a report, and of what an operator writes."""
NAME_WIDTH: Final = 12
"""Columns of a player's name: what a basin of the narrowest table shows in full."""
NOTICE_LINES: Final = 6
_NAME_SIGNS: Final = "-_.'~*!"
_NO_WORD: Final = re.compile("[^!-~]+")

_ACCENTS: Final = 2
"""Marks for any script (U+0301 and the like) on one letter, beside those that are part of it; and any
other mark so many times ..."""
_MARKS: Final = 8
"""... and marks altogether: Tibetan and Burmese syllables have six."""
_MOST_PASSES: Final = 8
# Invisible although Unicode calls them letters, marks or symbols: Hangul fillers, the grapheme joiner, Khmer
# inherent vowels, Mongolian and other variation selectors, the blank Braille pattern, object replacement.
_INVISIBLE: Final = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0\ufffc"
) | {chr(code) for code in (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))}
# Join with their neighbours to something whose width nobody agrees on: flags and skin tones.
_JOINING: Final = frozenset(map(chr, (*range(0x1F1E6, 0x1F200), *range(0x1F3FB, 0x1F400))))
_DROPPED: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Me"})


def clean_text(raw: str, width: int = TEXT_WIDTH) -> str:
    """``raw`` as one harmless line of at most ``width`` columns; runs of blanks become one."""
    if len(raw) <= width and raw.isascii() and raw.isprintable():
        return " ".join(raw.split())  # the same, and quicker
    # Cut first, so that the work is bounded as well.
    return _settled(raw[: 4 * width + 64], lambda text: _shown(text, width))


def is_cut(raw: str, width: int = TEXT_WIDTH) -> bool:
    """Whether ``clean_text`` leaves out the end of ``raw``, and not only what nobody would see."""
    # The next character may be a wide one, after a blank.
    return clean_text(raw, width) != clean_text(raw, width + 3)


def _settled(text: str, clean: Callable[[str], str]) -> str:
    """``text`` cleaned until cleaning changes nothing more.

    What is taken out brings others together, which then may have another order or become one. Two names
    that look the same must be the same.
    """
    for _ in range(_MOST_PASSES):
        before, text = text, clean(text)
        if text == before:
            break
    return text


def _shown(text: str, width: int) -> str:
    text = unicodedata.normalize("NFC", text)
    kept: list[str] = []
    marks: list[str] = []
    used = 0
    for char in text:
        category = unicodedata.category(char)
        if category[0] == "Z" or char in "\t\n\r\v\f":
            if not kept or kept[-1] == " ":
                continue
            shown = " "
        elif category in _DROPPED or char in _INVISIBLE or char in _JOINING:
            continue
        else:
            shown = char
        if category[0] != "M":
            marks.clear()
        elif not kept or kept[-1] == " " or _is_flood(char, marks):
            continue
        else:
            marks.append(char)
        # Beside a letter, a spacing mark (Devanagari, Tamil ...) has a column of its own.
        columns = 1 if category == "Mc" else wcwidth(shown)
        if columns < 0 or (columns == 0 and category[0] != "M"):
            continue
        if used + columns > width:
            break
        used += columns
        kept.append(shown)
    return "".join(kept).strip()


def shortened(raw: str, width: int = 24) -> str:
    """Return ``raw`` cleaned, with an ellipsis at the end where it is cut."""
    return clean_text(raw, width - 1) + "…" if is_cut(raw, width) else clean_text(raw, width)


def _is_flood(mark: str, marks: Sequence[str]) -> bool:
    """Whether no script has one more mark on a letter that has these."""
    accents = sum(map(_is_accent, marks)) if _is_accent(mark) else marks.count(mark)
    return accents >= _ACCENTS or len(marks) >= _MARKS


def _is_accent(mark: str) -> bool:
    return unicodedata.name(mark, "").startswith("COMBINING ")


def notice_lines(raw: str) -> tuple[str, ...]:
    """What an operator has to say to everybody, as a few harmless lines; none when it is nothing."""
    lines = [clean_text(line) for line in raw.splitlines()[: 4 * NOTICE_LINES]]
    return tuple(line for line in lines if line)[:NOTICE_LINES]


def clean_name(raw: str) -> str:
    """``raw`` as a player's name: letters, digits and a few signs; empty when nothing of it is left."""
    if len(raw) <= NAME_WIDTH and raw.isascii() and raw.isalnum():
        return raw  # the same, and quicker
    return _settled(clean_text(raw[:256], 256), _named)


def _named(text: str) -> str:
    name = "".join(
        "_" if char == " " else char
        for char in text
        if char == " " or char in _NAME_SIGNS or unicodedata.category(char)[0] in "LMN"
    )
    marks = "".join(char for char in name if unicodedata.category(char)[0] == "M")
    return clean_text(name.lstrip(f"_{marks}"), NAME_WIDTH).rstrip("_")


def clean_word(raw: str, length: int = 64) -> str:
    """``raw`` as a technical word (a terminal's type, a locale): visible ASCII only, cut to ``length``."""
    return _NO_WORD.sub("", raw[:length])
