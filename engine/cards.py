"""The printed cards: weather cards, tide cards and the life preservers on them (rules.md, "Cards").

A weather card is its number, 1 to 60. A tide card is its level, 1 to 12. Life preservers printed on
a weather card are counted in halves, so that no fraction ever appears.
"""

from collections.abc import Iterable
from typing import Final

WEATHER_CARDS: Final = range(1, 61)
"""Every weather card, each once."""

HIGHEST_TIDE: Final = 12
"""Tide cards are 1 to this one; fewer if six play (``Rules.highest_tide``)."""

TIDE_COPIES: Final = 2
"""How often each tide card stands in the tide deck."""

LARGEST_HAND: Final = 12
"""Cards dealt to each seat; fewer if six play (``Rules.hand_size``)."""

_HALVES: Final = {
    card: 2 if 25 <= card <= 36 else 1 if 13 <= card <= 48 else 0 for card in WEATHER_CARDS
}


def half_preservers(card: int) -> int:
    """Life preservers printed on weather ``card``, in halves: 0, 1 or 2.

    Raises ``ValueError`` when there is no such card.
    """
    if card not in _HALVES:
        raise ValueError(f"no weather card {card}")
    return _HALVES[card]


def hand_life_preservers(hand: Iterable[int]) -> int:
    """Life preservers that a dealt hand starts a stage with: its halves summed, rounded down.

    Raises ``ValueError`` when there is no such card.
    """
    halves = 0
    try:
        for card in hand:
            halves += _HALVES[card]
    except KeyError as error:
        raise ValueError(f"no weather card {error}") from None
    return halves // 2
