"""The deal of a game, from its seed, and the code with which people pass it on.

docs/fairness.md describes the algorithm with test vectors, so that anybody can write it again. It must not
change: records of finished games are checked with it. A changed algorithm gets a new number.
"""

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Final, NamedTuple

from engine.editions import TIDE_COPIES, WEATHER_CARDS, Edition, Rules
from engine.errors import BadRules, EngineError
from engine.state import Cards

ALGORITHM: Final = 1
"""Version of the shuffle and of the commitment's encoding."""

SEED_BYTES: Final = 32

_BYTE_VALUES: Final = 256
_FAIR: Final = (0, *(_BYTE_VALUES - _BYTE_VALUES % bound for bound in range(1, _BYTE_VALUES)))
"""Least dropped byte, by the cards there are to choose from: those from here on would favour some."""


@dataclass(frozen=True, slots=True)
class GameDeal:
    """Everything that chance decides in a game. Its ``repr`` shows nothing: it must not reach a log."""

    hands: tuple[Cards, ...] = field(repr=False)
    """The weather cards dealt to each seat, ascending."""
    tides: tuple[tuple[int, ...], ...] = field(repr=False)
    """A stage each: the tide deck from the top down."""

    def offer(self, stage: int, round_: int) -> tuple[int, int]:
        """Return the two tide cards turned up in a round, in deck order; both count from 0."""
        deck = self.tides[stage]
        return deck[2 * round_], deck[2 * round_ + 1]


def deal_game(seed: bytes, rules: Rules) -> GameDeal:
    """Return the deal and the tide orders of a whole game (rules.md, "Components").

    Raises ``ValueError`` unless ``seed`` is 32 bytes long.
    """
    _check(seed)
    weather = _shuffled(WEATHER_CARDS, _stream(seed, "weather"))
    size = rules.hand_size
    hands = tuple(
        tuple(sorted(weather[seat * size : (seat + 1) * size])) for seat in range(rules.players)
    )
    tides = [tide for tide in range(1, rules.highest_tide + 1) for _ in range(TIDE_COPIES)]
    return GameDeal(
        hands,
        tuple(
            tuple(_shuffled(tides, _stream(seed, f"tides/{stage}")))
            for stage in range(rules.stages)
        ),
    )


def commitment(seed: bytes, rules: Rules) -> str:
    """Return the hex SHA-256 that binds the host to ``seed`` and ``rules``; it tells nothing of either deck.

    Raises ``ValueError`` unless ``seed`` is 32 bytes long.
    """
    _check(seed)
    text = (
        "turn-the-tide commitment\n"
        f"algorithm={ALGORITHM}\n"
        f"edition={rules.edition.value}\n"
        f"players={rules.players}\n"
        f"stages={rules.stages}\n"
        f"modified_drowning={rules.modified_drowning:d}\n"
        f"assistance={rules.assistance:d}\n"
        f"seed={seed.hex()}\n"
    )
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def verify(published: str, seed: bytes, rules: Rules) -> bool:
    """Return whether ``published``, a commitment in hex, was made from ``seed`` and ``rules``.

    Raises ``ValueError`` unless ``seed`` is 32 bytes long.
    """
    return published.lower() == commitment(seed, rules)


def bots_chance(seed: bytes, stage: int, round_: int, seat: int) -> bytes:
    """Return 32 bytes for the random choices of a bot in one round; all count from 0. Nothing about the deal
    follows from them, and they do not follow from what players know before the seed is published.

    Raises ``ValueError`` unless ``seed`` is 32 bytes long.
    """
    _check(seed)
    return bytes(islice(_stream(seed, f"bots/{stage}/{round_}/{seat}"), SEED_BYTES))


def _check(seed: bytes) -> None:
    if len(seed) != SEED_BYTES:
        raise ValueError(f"a seed has {SEED_BYTES} bytes, not {len(seed)}")


def _stream(seed: bytes, domain: str) -> Iterator[int]:
    """Endless bytes: SHA-256 of seed, domain, a newline and a block counter of four bytes."""
    prefix = hashlib.sha256(seed + domain.encode("ascii") + b"\n")
    block = 0
    while True:
        blocks = prefix.copy()
        blocks.update(block.to_bytes(4, "big"))
        yield from blocks.digest()
        block += 1


def _shuffled(cards: Sequence[int], stream: Iterator[int]) -> list[int]:
    """Fisher-Yates from the last card down; every order is equally likely."""
    deck = list(cards)
    for last in range(len(deck) - 1, 0, -1):
        bound = last + 1
        fair = _FAIR[bound]
        for value in stream:
            if value < fair:
                break
        other = value % bound
        deck[last], deck[other] = deck[other], deck[last]
    return deck


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
    """Return the code of a deal: three to five characters for the rules, and seven groups of eight."""
    header = f"{rules.edition.letter}{rules.players}{rules.stages}"
    header += _MODIFIED * rules.modified_drowning + _ASSISTED * rules.assistance
    number = int.from_bytes(seed + _checksum(header, seed), "big")
    symbols = [_SYMBOLS[number >> shift & 31] for shift in range(0, _LENGTH * _BITS, _BITS)][::-1]
    groups = ["".join(symbols[at : at + _GROUP]) for at in range(0, _LENGTH, _GROUP)]
    return "-".join([header, *groups])


def read_deal(text: str) -> Deal:
    """Return the deal of a code or of a word, in any capitals. Whoever agrees on a word has the same seed.

    Raises ``BadDealCode``.
    """
    typed = " ".join(text.split()).casefold()
    if 0 < len(typed) <= LONGEST_WORD and _WORD.fullmatch(typed):
        return Deal(hashlib.sha256(b"turn-the-tide word\n" + typed.encode()).digest(), None)
    if deal := _read(typed):
        return deal
    raise BadDealCode("bad_deal")


def is_deal_code(text: str) -> bool:
    """Return whether it is a code, and no word."""
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
    return Deal(seed, rules) if check == _checksum(header, seed) else None


def _checksum(header: str, seed: bytes) -> bytes:
    """Return check bytes, so that a slip of the pen is no other deal."""
    return hashlib.sha256(f"turn-the-tide code\n{header}\n".encode() + seed).digest()[:_CHECK_BYTES]
