"""From one secret seed to every deal and every tide of a game, and the commitment to it.

docs/fairness.md describes the algorithm so that anybody can write it again, with test vectors. It must
not change: records of finished games are checked with it. A changed algorithm gets a new number.
"""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

from engine.editions import TIDE_COPIES, WEATHER_CARDS, Rules
from engine.state import Cards

ALGORITHM: Final = 1
"""Version of the shuffle and of the commitment's encoding."""

SEED_BYTES: Final = 32

_BYTE_VALUES: Final = 256
_FAIR: Final = (0, *(_BYTE_VALUES - _BYTE_VALUES % bound for bound in range(1, _BYTE_VALUES)))
"""By how many cards there are to choose from: bytes from here on would favour some, and are dropped."""


@dataclass(frozen=True, slots=True)
class GameDeal:
    """Everything that chance decides in a game. Its ``repr`` shows nothing: it must not reach a log."""

    hands: tuple[Cards, ...] = field(repr=False)
    """The weather cards dealt to each seat, ascending."""
    tides: tuple[tuple[int, ...], ...] = field(repr=False)
    """A stage each: the tide deck from the top down."""

    def offer(self, stage: int, round_: int) -> tuple[int, int]:
        """The two tide cards turned up in a round, in deck order; both count from 0."""
        deck = self.tides[stage]
        return deck[2 * round_], deck[2 * round_ + 1]


def deal_game(seed: bytes, rules: Rules) -> GameDeal:
    """The deal and the tide orders of a whole game (rules.md, "Cards").

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
    """Hex SHA-256 that binds the host to ``seed`` and ``rules``; it tells nothing of either deck.

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
    """Whether ``published``, a commitment in hex, was made from ``seed`` and ``rules``.

    Raises ``ValueError`` unless ``seed`` is 32 bytes long.
    """
    return published.lower() == commitment(seed, rules)


def bots_chance(seed: bytes, stage: int, round_: int, seat: int) -> bytes:
    """32 bytes for the random choices of a bot in one round; all count from 0. Nothing about the deal follows
    from them, and they do not follow from what players know before the seed is published.

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
