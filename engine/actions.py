"""What may happen to a game: the tides are turned up, and cards are bid.

The tide deck's order is no part of the game state; whoever drives a game (a live table, the referee,
a replay) turns the tides up. So nothing that holds a state can leak what lies in the deck.
"""

from typing import NamedTuple


class TurnTides(NamedTuple):
    """Turn up the two top tide cards (rules.md, "A round", 1). Their order means nothing."""

    first: int
    second: int


class Bid(NamedTuple):
    """Choose ``card`` face down, or replace the card bid before (rules.md, "A round", 2)."""

    seat: int
    card: int


class SubstituteBid(NamedTuple):
    """The same, chosen by a bot for an absent seat; its owner may replace it until the reveal."""

    seat: int
    card: int


Action = TurnTides | Bid | SubstituteBid


class RoundBids(NamedTuple):
    """Everybody's bids at once, as a record tells them: the same as a ``Bid`` a seat, in seat order.

    ``None`` for who is eliminated. Only for a round in which nothing has been sealed yet.
    """

    cards: tuple[int | None, ...]
