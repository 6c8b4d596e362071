"""Names and rejoin codes: names that look alike or are reserved, and codes that let guests back in."""

import hashlib
import re
import secrets
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Final

from wcwidth import wcswidth

from engine.bots.manners import NAMES as BOT_NAMES
from server.cleaning import CODECS, NAME_WIDTH, encoded
from server.storage.people import Claim

LETTERS: Final = "23456789bcdfghjkmnpqrstvwxyz"
LENGTH: Final = 12
GROUP: Final = 4
"""Group length of rejoin and link codes: 57 bits; no vowels, so that a code is never a word nor a table's
code, and nothing that is easily misread.
"""


def new_code() -> str:
    """A code as it is shown: ``k7m2-p9xq-3dhw``."""
    code = "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
    return "-".join(code[start : start + GROUP] for start in range(0, LENGTH, GROUP))


def plain_code(typed: str) -> str:
    """A code without what people put between its groups; empty when ``typed`` cannot be one."""
    code = "".join(char for char in typed.lower() if char not in "- _.")
    return code if len(code) == LENGTH and set(code) <= set(LETTERS) else ""


def digest(code: str) -> str:
    """What is kept of a code. With 57 bits of chance in it, a plain hash cannot be turned around."""
    return hashlib.sha256(f"rejoin {plain_code(code)}".encode("ascii")).hexdigest()


_LOOKALIKES: Final = {
    "2": "ƧƨϨꙄ",
    "3": "ЗзӠӡƷʒȜꞫ",
    "5": "Ƽ",
    "6": "бⳒᏮ",
    "8": "Ȣȣ",
    "9": "ⳊꝮ",
    "a": "ΑАᎪꓮαаɑᴀ",
    "b": "ΒВᏴꓐꞴвβьЬʙƀƅƄᏏ",
    "c": "СⲤᏟꓚςсⲥᴄꮯ",
    "d": "ᎠꓓĐƉÐԁđðɖᴅꓒᏧ",
    "e": "ΕЕᎬꓰƐΣеєεҽɛᴇꬲ",
    "f": "ϜꓝꞘƑƒꬵꞙքẝ",
    "g": "ԌᏀᏳꓖƓɡցƍᶃɢ",
    "h": "ΗНⲎᎻꓧĦһհħʜᏂн",
    "i": "ΙІӀⲒꓲƖƗіıɩɪιɨӏꙇꭵᎥ",
    "j": "ͿЈᎫꓙјϳᴊʝ",
    "k": "ΚКⲔᏦꓗƘкκᴋƙ",
    "l": "ⳐᏞꓡŁɭłʟƚǀ",
    "m": "ΜϺМⲘᎷꓟмᴍɱ",
    "n": "ΝⲚꓠИηпոռɴŋ",
    "o": "ΟОⲞՕꓳØƟοоօⲟσᴏᴑøɵꬽჿ",
    "p": "ΡРⲢᏢꓑрρⲣᴘþ",
    "q": "ⵕԚԛգզ",
    "r": "ƦᎡᏒꓣЯгᴦⲅʀꭇꭈяꮁ",
    "s": "ЅՏᏕᏚꓢѕꜱƽꮪ",
    "t": "ΤТⲦᎢꓔŦтτᴛŧ",
    "u": "ՍꓴЦυսᴜʋꞟꭎꭒц",
    "v": "ѴᏙꓦνѵᴠꮩ",
    "w": "ԜᎳᏔꓪωшԝѡաᴡɯꮃ",
    "x": "ΧХⲬꓫꞳхχ",
    "y": "ΥУҮⲨᎩᎽꓬуγүყʏɣᶌꭚỿ",
    "z": "ΖᏃꓜƵᴢʐƶꮓ",
}
"""Letters that pass for Latin ones in a terminal's font. Capitals and small letters apart, because they
resemble different ones: a Greek Eta looks like H, but its small form like n. Letters of whole styles (wide,
bold, circled) are not here: NFKC makes them plain. Compare Unicode Technical Standard 39, whose full table is
far larger than what a name can be made of."""

# What is left of Unicode's own table: letters and digits of scripts that few people write.
# A digit is what it looks like here, not what it counts.
_OTHER_SCRIPTS: Final = {
    "2": "ᒿꛯꝚ",
    "3": "ⳌꝪ𑣊𖼻",
    "4": "Ꮞ𑢯",
    "5": "𑢻",
    "6": "𑣕",
    "7": "𐓒𑣆",
    "8": "৪੪𐌚",
    "9": "৭੧୨൭𑢬𑣌𑣖",
    "a": "ᗅ𐊠𖽀",
    "b": "ᗷ𐊂𐊡𐌁ᑲᖯ",
    "c": "𐊢𐌂𐐕𐔜𑣩𑣲𐐽",
    "d": "ᗞᗪᑯ",
    "e": "ⴹ𐊆𑢦𑢮",
    "f": "ᖴ𐊇𐊥𐔥𑢢𑣂",
    "h": "ᕼ𐋏",
    "i": "𑣃",
    "j": "ᒍ",
    "k": "ᛕ𐔘",
    "l": "ᒪ𐐛𐔦𑢣𑢲𖼖ᛁⵏ𐊊𐌉𐌠𖼨",
    "m": "ᗰᛖ𐊰𐌑",
    "n": "𐔓",
    "o": "ଠዐⵔ〇𐊒𐊫𐐄𐓂𐔖𑢵۵ഠဝ𐐬𐓪𑣈𑣗",
    "p": "ᑭ𐊕",
    "r": "ᖇ𐒴𖼵",
    "s": "𐊖𐐠𖼺𐑈𑣁",
    "t": "𐊗𐊱𐌕𑢼𖼊",
    "u": "ሀᑌ𐓎𑢸𖽂𐓶𑣘",
    "v": "۷ᐯⴸꛟ𐔝𑢠𖼈𑜆𑣀",
    "w": "𑣦𑣯𑜊𑜎𑜏",
    "x": "ᚷⵝ𐊐𐊴𐌗𐌢𐔧𑣬ᕁᕽ",
    "y": "𐊲𑢤𖽃𑣜",
    "z": "𐋵𑢩𑣥𑣄",
}


OTHER_SCRIPTS: Final = {ord(char): like for like, chars in _OTHER_SCRIPTS.items() for char in chars}
"""To be taken before capitals become small, or digits those of ASCII."""
LOOKALIKES: Final = {ord(char): like for like, chars in _LOOKALIKES.items() for char in chars}
SAME: Final = str.maketrans({"i": "l", "1": "l", "0": "o"})
"""Within ASCII, once there are no capitals any more: I and l and 1, O and 0."""


GUEST: Final = "guest"
"""For who gives no name."""

TODAY: Final = "today"
"""The login name that leads straight to today's tide."""

OFFICES: Final = (
    *("system", "server", "admin", "administrator", "operator", "moderator", "staff"),
    *("aufsicht", "sistema", "servidor", "administrador", "operador", "moderador"),
)
"""Words that, between signs, make a name seem to speak for the server."""
SPEAKERS: Final = (*OFFICES, "tide", "host", "house", "bot")
"""Names under which the server itself speaks: with a number behind them, too, or several in a row."""
_ARTICLES: Final = ("the", "der", "die", "das")
RESERVED: Final = (
    *SPEAKERS,
    *("lobby", "table", "seat", "spectator", "bots", "substitute", "anonymous"),
    *("you", "all", "nobody", "everybody", "everyone", TODAY),
)
"""These, and names that would read as one of its words."""

MACHINE_NAMES: Final = frozenset(
    (
        *("root", "user", "ubuntu", "debian", "fedora", "pi", "vagrant", "ec2-user", "opc", "core"),
        *("azureuser", "centos", "codespace", "deck", "jovyan", "kali", "owner", "vscode"),
    )
)
_MACHINE_NAME: Final = re.compile(r"u\d+_a\d+")
"""That of an app on Android, such as Termux."""

_TRIES: Final = 4
_MOST_DIGITS: Final = 6


def is_machine_name(name: str) -> bool:
    """Whether a machine calls whoever works at it like that, and ``ssh`` logs in so.

    Nobody's own choice, as a rule.
    """
    folded = name.casefold()
    return folded in MACHINE_NAMES or bool(_MACHINE_NAME.fullmatch(folded))


@lru_cache(4096)
def skeleton(name: str) -> str:
    """What names that look alike have in common; empty only for the empty name.

    It is stored: a change of what this answers needs a migration.
    """
    plain = unicodedata.normalize("NFKC", name)
    # Folding turns capitals into letters that look like something else again: so once before, once after.
    folded = _plain(_plain(plain).casefold()).casefold().translate(SAME)
    # A name of nothing but signs is itself.
    return "".join(char for char in folded if char.isalnum()) or plain


def looks(name: str) -> tuple[str, ...]:
    """Skeletons of what terminals show for a name, its own first: *Jörg* is Joerg or Jorg on some.

    No two people share one, so that each can be called as any reader sees them.
    """
    return tuple(dict.fromkeys(map(skeleton, shown_forms(name))))


def shown_forms(name: str) -> Iterator[str]:
    """What terminals show for a name, some of it more than once."""
    yield name
    if not name.isascii():
        for codec, cells in product(CODECS, (False, True)):
            yield encoded(name, codec, cells=cells).decode(codec)


def is_called(name: str, typed: str) -> bool:
    """Whether ``typed`` is how some terminal shows ``name``."""
    return skeleton(typed) in looks(name)


def called(names: Sequence[str], typed: str) -> int:
    """Place of the name that is shown as ``typed``, or -1."""
    return next((at for at, name in enumerate(names) if is_called(name, typed)), -1)


def _plain(text: str) -> str:
    """Without marks (in a terminal an accent is a speck), and in letters and digits of ASCII if possible."""
    bare = "".join(
        str(unicodedata.decimal(char, char))
        for char in unicodedata.normalize("NFKD", text.translate(OTHER_SCRIPTS))
        if not unicodedata.combining(char)
    )
    return bare.translate(LOOKALIKES)


_NUMBER: Final = "".join(sorted({skeleton(digit) for digit in "0123456789"}))
"""What digits look like: a letter, some of them."""
_SIGNS: Final = re.compile(r"[\W_]+")
_MISREAD: Final = str.maketrans({"3": "e", "4": "a", "5": "s", "7": "t", "8": "b"})


def _read(part: str) -> str:
    """A part of a name as it may be read at a glance. What it is compared with has no ``rn`` and no digit."""
    plain = skeleton(part).rstrip(_NUMBER)
    return plain.translate(_MISREAD).replace("rn", "m").replace("vv", "w")


_RESERVED: Final = frozenset(map(skeleton, (*RESERVED, *BOT_NAMES)))
# Those that are too long for a name: cut as well.
_OFFICES: Final = frozenset(_read(each[:cut]) for each in OFFICES for cut in (NAME_WIDTH, None))
_ALL_SPEAKERS: Final = re.compile(
    f"(?:{'|'.join(map(skeleton, _ARTICLES))})*(?:{'|'.join(map(skeleton, SPEAKERS))})+"
)


def forbidden_words(listed: str) -> tuple[str, ...]:
    """What ``Claims`` leaves out, of a host's list of words between commas or spaces."""
    return tuple(filter(None, map(_bare, re.split(r"[\s,]+", listed))))


def _bare(name: str) -> str:
    """A name without signs, its digits read as letters."""
    return skeleton(name).translate(_MISREAD)


def is_reserved(name: str) -> bool:
    """Whether nobody may have this name, or one that looks like it."""
    return not _RESERVED.isdisjoint(looks(name)) or any(map(_speaks, shown_forms(name)))


def _speaks(name: str) -> bool:
    parts = [_read(part) for part in _SIGNS.split(name)]
    whole = (_read(name), "".join(parts))
    return not _OFFICES.isdisjoint(parts) or any(map(_ALL_SPEAKERS.fullmatch, whole))


@dataclass(frozen=True)
class Claims:
    """What somebody who wants to be called ``wanted`` (clean) could be called, the best first.

    A store may go through them more than once.

    With ``exact``, at most the name itself. Reserved names are left out, and those that contain one of the
    ``forbidden_words``. Later ones have more digits, drawn
    by chance: so many people may want the same name that counting up to them would take for ever.
    """

    wanted: str
    exact: bool = False
    forbidden: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[Claim]:
        bare = set(map(_bare, shown_forms(self.wanted)))
        forbidden = any(word in name for word in self.forbidden for name in bare)
        if self.exact:
            names: Iterable[str] = filter(None, [] if forbidden else [self.wanted])
        else:
            nobodys = forbidden or any(map(_speaks, shown_forms(self.wanted)))
            names = _variants(GUEST if nobodys else self.wanted or GUEST)
        for name in names:
            if not is_reserved(name):
                own, *others = looks(name)
                yield Claim(name, own, tuple(others))


def _variants(name: str) -> Iterator[str]:
    yield name
    for number in range(2, 10):
        yield _numbered(name, number)
    for digits in range(2, _MOST_DIGITS + 1):
        for _ in range(_TRIES):
            low = 10 ** (digits - 1)
            yield _numbered(name, low + secrets.randbelow(9 * low))


def _numbered(name: str, number: int) -> str:
    tail = str(number)
    # The sum of the characters' widths is not always the width of all together: some marks take a column.
    while name and wcswidth(name + tail) > NAME_WIDTH:
        name = name[:-1]
    return name + tail
