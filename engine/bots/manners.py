"""What bots are called, and which card each likes to bid of several that it finds about as good.

A manner is about cards, never about when a bot bids, and with two cards left no bot follows one.
``python -m bench.strength.manners`` measures what it brings or costs.

Names are short, ASCII, and the same in every language; no player may have one.
"""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

from engine.editions import WEATHER_CARDS
from engine.views import SeatView

_MIDDLE: Final = (WEATHER_CARDS[0] + WEATHER_CARDS[-1]) / 2


class Manner(NamedTuple):
    """A row of ``MANNERS``."""

    line: str
    """What it does, in a line for people; the frontends translate it."""
    dislike: Callable[[SeatView, int], float]
    """How little it wants to bid a card of ``view.hand`` now; it bids the one with the least."""


def _far_from_last_bid(view: SeatView, card: int) -> float:
    played = view.table.seats[view.seat].played
    return abs(card - played[-1]) if played else card


MANNERS: Final[Mapping[str, Manner]] = MappingProxyType(
    {
        "high_last": Manner("keeps high cards for the last tides", lambda _, card: card),
        "high_first": Manner("gets rid of high cards first", lambda _, card: -card),
        "middle_last": Manner(
            "bids its highest and lowest cards first", lambda _, card: -abs(card - _MIDDLE)
        ),
        "middle_first": Manner(
            "gets rid of middling cards first", lambda _, card: abs(card - _MIDDLE)
        ),
        "close": Manner("likes to bid close to its last card", _far_from_last_bid),
    }
)
"""Every manner by its name."""


def preferred(manner: str, view: SeatView, cards: Sequence[int]) -> int:
    """Of these cards of ``view.hand``, at least one, the one that a bot with this manner bids."""
    return min(cards, key=lambda card: MANNERS[manner].dislike(view, card))


MANNER_OF: Final[Mapping[str, str]] = MappingProxyType(
    {
        "Coral": "high_last",
        "Gull": "high_first",
        "Kelp": "middle_last",
        "Otter": "middle_first",
        "Puffin": "close",
        "Pebble": "high_last",
        "Tern": "high_first",
        "Dune": "middle_last",
        "Marlin": "middle_first",
        "Heron": "close",
        "Limpet": "high_last",
        "Reef": "high_last",
        "Osprey": "high_first",
        "Brine": "middle_last",
        "Plover": "middle_first",
        "Cockle": "close",
        "Petrel": "high_last",
        "Drift": "high_first",
        "Eider": "middle_last",
        "Sprat": "middle_first",
        "Walrus": "close",
        "Sandbar": "high_last",
        "Nautilus": "high_first",
        "Anchovy": "middle_last",
    }
)
"""The manner of who has that name."""

NAMES: Final = tuple(MANNER_OF)
