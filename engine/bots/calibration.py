"""What rollouts say of a round, so that it comes true as often as it is told (docs/bots.md, "Hints").

Rollouts are too sure of what rivals do, and think that they bid higher than people who play by simple rules.
So a share is mixed with doubt, raised to a power, and multiplied by odds. These figures were fitted by
maximum likelihood to hints against such rules; ``bench.strength.calibration`` shows how well they fit others.
"""

from itertools import permutations
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from engine.bots.hands import knowledge
from engine.bots.simulator import Flags
from engine.rules import settle_loss
from engine.views import History, SeatView

Shares = npt.NDArray[np.float64]


class Correction(NamedTuple):
    """For shares of some outcomes, one of which comes true."""

    power: float
    odds: tuple[float, ...] = (1.0,)
    """By outcome, or for all of them."""
    doubt: float = 0.01
    """So much of each share is first spread over all outcomes that are possible."""


PLACES: Final = Correction(0.97, (1.2, 0.9, 1.0)), Correction(0.74, (1.1, 1.0, 1.0))
"""Of a card to be highest, second, or neither: in the first stage, and in later ones."""
RISKS: Final = Correction(1.01, (0.9, 1.0)), Correction(0.92, (0.87, 1.0), 0.08)
"""To lose a life preserver or be eliminated, or not to: likewise."""
TAKERS: Final = Correction(0.65)
"""Of a tide that is left to others: which of them takes it."""


class Possible(NamedTuple):
    """What each card of a hand can lead to."""

    places: Flags
    """[3, card]: to be highest, second, or neither."""
    risks: Flags
    """[2, card]: to lose a life preserver or be eliminated, or not to."""


def corrected(shares: Shares, possible: Flags, how: Correction) -> Shares:
    """[outcome, card]: what is told; the sum for a card is 1, as before. What is not ``possible`` gets
    nothing, so what is certain has 1.
    """
    mixed = (1 - how.doubt) * shares + how.doubt * possible / possible.sum(axis=0)
    weighed = possible * mixed**how.power * np.array(how.odds)[:, None]
    return np.asarray(weighed / weighed.sum(axis=0))


def possible(view: SeatView, history: History) -> Possible:
    """What each card of ``view.hand`` can lead to in this round, as far as its player knows the hands."""
    about, seats = knowledge(view, history), view.table.seats
    held = {}
    for seat, (known, each) in enumerate(zip(about.known, seats, strict=True)):
        if not each.eliminated:
            unknown = about.pool if len(known) < about.size else ()
            held[seat] = {*known.difference(each.played), *unknown}
    places = np.zeros((3, len(view.hand)), np.bool_)
    risks = np.zeros((2, len(view.hand)), np.bool_)
    for takers in permutations(held, 2):
        place = takers.index(view.seat) if view.seat in takers else 2
        safe = _safe(view, takers)
        for column, card in enumerate(view.hand):
            if _can_take(takers, held | {view.seat: {card}}):
                places[place, column] = risks[int(safe), column] = True
    return Possible(places, risks)


def _can_take(takers: tuple[int, int], held: dict[int, set[int]]) -> bool:
    """Whether the first seat can have the highest bid and the other one the second highest, if everybody
    bids one of these cards.
    """
    first, second = takers
    rest = max([min(cards) for seat, cards in held.items() if seat not in takers], default=0)
    return any(rest < card < max(held[first]) for card in held[second])


def _safe(view: SeatView, takers: tuple[int, int]) -> bool:
    """Whether the own seat loses nothing if these seats take the lower and the higher tide."""
    table, seat = view.table, view.seat
    assert table.offer is not None
    levels = [None if each.eliminated else each.level for each in table.seats]
    left = [each.life_preservers for each in table.seats]
    for taker, tide in zip(takers, table.offer, strict=True):
        levels[taker] = tide
    settle_loss(levels, left, table.rules.passes_loss_on)
    return levels[seat] is not None and left[seat] == table.seats[seat].life_preservers
