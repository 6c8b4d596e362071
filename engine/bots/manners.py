"""What makes bots like people: names, a taste among cards that are about as good, and slips of weaker ones.

A manner is about cards, never about when a bot bids, and with two cards left no bot follows one.
``python -m bench.strength.manners`` measures what it brings or costs.

A slip changes what a bot believes; on that it bids as well as it can. So it errs as people do, and not by a
random card now and then.

Names are short, ASCII, and the same in every language; no player may have one.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple, Protocol

from engine.editions import WEATHER_CARDS
from engine.views import NOTHING, History, SeatView

_FEW: Final = 2
"""Cards left with which anybody looks at both tide cards."""
_MIDDLE: Final = (WEATHER_CARDS[0] + WEATHER_CARDS[-1]) / 2


class Bot(Protocol):
    """A bot is a function."""

    def __call__(
        self, view: SeatView, history: History, rng: random.Random, manner: str = "", /
    ) -> int:
        """Choose a card of ``view.hand``; tides are on offer and the hand is not empty. ``manner``: one of
        ``MANNERS``, or empty for none.
        """
        ...


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
    """Return the one of these cards of ``view.hand``, at least one, that a bot with this manner bids."""
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


class Slips(NamedTuple):
    """How often a bid suffers from each, from 0 to 1."""

    hands: float = 0.0
    """Earlier stages are forgotten: the hands seen there, and how the others have played."""
    cards: float = 0.0
    """A card that was revealed in this stage is forgotten, if the earlier stages are; asked for each. Not for
    bots that judge rivals by the rounds of this stage (``engine.bots.evidence``): they see it there.
    """
    tide: float = 0.0
    """The higher tide card is overlooked, and taken for as low as the other one."""
    tempted: float = 0.0
    """The highest card is bid if the lower tide is ``tempting``, whatever else there is to consider."""
    tempting: int = 2
    """Tide cards up to this one are."""


def slipping(bot: Bot, slips: Slips) -> Bot:
    """Return ``bot`` as it plays with these slips."""

    def choose(view: SeatView, history: History, rng: random.Random, manner: str = "") -> int:
        table = view.table
        assert table.offer is not None
        low, _ = table.offer
        if low <= slips.tempting and rng.random() < slips.tempted:
            return view.hand[-1]
        if rng.random() < slips.hands:
            history, view = NOTHING, view._replace(own_earlier=())
            table = table._replace(seats=tuple([seat._replace(earlier=()) for seat in table.seats]))
            if slips.cards:
                seats = [
                    seat._replace(
                        played=tuple([it for it in seat.played if rng.random() >= slips.cards])
                    )
                    for seat in table.seats
                ]
                table = table._replace(seats=tuple(seats))
        if len(view.hand) > _FEW and rng.random() < slips.tide:
            table = table._replace(offer=(low, low))
        return bot(view._replace(table=table), history, rng, manner)

    return choose
