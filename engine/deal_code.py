"""A deal as a code that can be printed, read out and typed: its rules and its seed (docs/fairness.md).

Instead of such a code a word will do, on which people have agreed: it makes a seed as well.
"""

import hashlib
import re
from typing import Final, NamedTuple

from engine.deal import SEED_BYTES
from engine.editions import Edition, Rules
from engine.errors import BadRules, EngineError

LONGEST_WORD: Final = 40
"""Characters; any code is longer."""

_SYMBOLS: Final = "0123456789abcdefghjkmnpqrstvwxyz"
"""Five bits each: those of Crockford's base 32, in which no two look alike."""
_ALIKE: Final = str.maketrans({"o": "0", "i": "1", "l": "1"})
_BITS: Final = 5
_GROUP: Final = 8
_CHECK_BYTES: Final = 3
_LENGTH: Final = (SEED_BYTES + _CHECK_BYTES) * 8 // _BITS
_EDITIONS: Final = {each.letter: each for each in Edition}
_MODIFIED: Final = "d"
_ASSISTED: Final = "s"
_HEADER: Final = re.compile(rf"([{''.join(_EDITIONS)}])([3-6])([1-6])({_MODIFIED}?)({_ASSISTED}?)")
_WORD: Final = re.compile(r"[\w-]+(?: [\w-]+)*")


class BadDealCode(EngineError):
    """``bad_deal``: neither a code nor a word."""


class Deal(NamedTuple):
    """What a code says. Its ``repr`` shows no seed."""

    seed: bytes
    rules: Rules | None
    """``None`` where a word was given: any rules go with it."""

    def __repr__(self) -> str:
        return f"Deal({self.rules!r})"


def deal_code(seed: bytes, rules: Rules) -> str:
    """The code of a deal: three to five characters for the rules, and seven groups of eight."""
    header = f"{rules.edition.letter}{rules.players}{rules.stages}"
    header += _MODIFIED * rules.modified_drowning + _ASSISTED * rules.assistance
    number = int.from_bytes(seed + _check(header, seed), "big")
    symbols = [_SYMBOLS[number >> shift & 31] for shift in range(0, _LENGTH * _BITS, _BITS)][::-1]
    groups = ["".join(symbols[at : at + _GROUP]) for at in range(0, _LENGTH, _GROUP)]
    return "-".join([header, *groups])


def read_deal(text: str) -> Deal:
    """The deal of a code, or of a word, both in any capitals. Raises ``BadDealCode``."""
    typed = " ".join(text.split()).casefold()
    if 0 < len(typed) <= LONGEST_WORD and _WORD.fullmatch(typed):
        return Deal(hashlib.sha256(b"turn-the-tide word\n" + typed.encode()).digest(), None)
    if deal := _read(typed):
        return deal
    raise BadDealCode("bad_deal")


def is_deal_code(text: str) -> bool:
    """Whether it is a code, and no word."""
    return _read(text.casefold()) is not None


def _read(typed: str) -> Deal | None:
    header, _, rest = typed.strip().partition("-")
    symbols = re.sub(r"[\s-]", "", rest).translate(_ALIKE)
    found = _HEADER.fullmatch(header)
    if found is None or len(symbols) != _LENGTH or not set(symbols) <= set(_SYMBOLS):
        return None
    number = 0
    for symbol in symbols:
        number = number << _BITS | _SYMBOLS.index(symbol)
    whole = number.to_bytes(SEED_BYTES + _CHECK_BYTES, "big")
    seed, check = whole[:SEED_BYTES], whole[SEED_BYTES:]
    edition, players, stages, modified, assisted = found.groups()
    try:
        rules = Rules(_EDITIONS[edition], int(players), int(stages), bool(modified), bool(assisted))
    except BadRules:
        return None
    return Deal(seed, rules) if check == _check(header, seed) else None


def _check(header: str, seed: bytes) -> bytes:
    """So that a slip of the pen is no other deal."""
    return hashlib.sha256(f"turn-the-tide code\n{header}\n".encode() + seed).digest()[:_CHECK_BYTES]
