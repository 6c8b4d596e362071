"""Analysis of a hand: what each card brings in rollouts, corrected to come true as often as it is told.

Rollouts are too sure of what rivals do, and think that they bid higher than people who play by simple rules.
So a share is mixed with doubt, raised to a power, and multiplied by odds. These figures were fitted by
maximum likelihood to hints against such rules; ``bench.strength.calibration`` shows how well they fit others.

Two things are not chance but assumption, and in no standard error: that rivals play as ``master`` supposes,
and that the own seat goes on as well as ``master`` would.
"""

import random
from itertools import permutations
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from engine.bots.estimates import SURE, Analysis, CardEstimate, CardReason, Why
from engine.bots.hands import knowledge
from engine.bots.master import NOISE, ROLLOUTS, Outcomes, guesses, outcomes
from engine.bots.policies import noise, policies
from engine.bots.simulator import Flags, Ints
from engine.rules import settle_loss
from engine.views import History, SeatView

Shares = npt.NDArray[np.float64]

_SAME: Final = 0.05
"""Risks that differ by less are called the same."""
_CLOSE: Final = 0.15
"""Points that make no card better than another, where they may be chance."""
_MOSTLY: Final = 0.6
"""A seat that takes a tide less often is not named."""
_SEED_BITS: Final = 64


class Correction(NamedTuple):
    """A correction of the shares of some outcomes, one of which comes true."""

    power: float
    odds: tuple[float, ...] = (1.0,)
    """Factor of each outcome, or of all of them."""
    doubt: float = 0.01
    """So much of each share is first spread over all outcomes that are possible."""


PLACES: Final = Correction(0.97, (1.2, 0.9, 1.0)), Correction(0.74, (1.1, 1.0, 1.0))
"""Corrections of the shares of a card to be highest, second, or neither: in the first stage, and in later
ones.
"""
RISKS: Final = Correction(1.01, (0.9, 1.0)), Correction(0.92, (0.87, 1.0), 0.08)
"""Corrections of the shares to lose a life preserver or be eliminated, or not to: likewise."""
TAKERS: Final = Correction(0.65)
"""Correction of the shares of a tide that is left to others: which of them takes it."""


class Possible(NamedTuple):
    """What each card of a hand can lead to."""

    places: Flags
    """[3, card]: to be highest, second, or neither."""
    risks: Flags
    """[2, card]: to lose a life preserver or be eliminated, or not to."""


def corrected(shares: Shares, possible: Flags, how: Correction) -> Shares:
    """Return [outcome, card]: what is told; the sum for a card is 1, as before. What is not ``possible`` gets
    nothing, so what is certain has 1.
    """
    mixed = (1 - how.doubt) * shares + how.doubt * possible / possible.sum(axis=0)
    weighed = possible * mixed**how.power * np.array(how.odds)[:, None]
    return np.asarray(weighed / weighed.sum(axis=0))


def possible(view: SeatView, history: History) -> Possible:
    """Return what each card of ``view.hand`` can lead to in this round, as far as its player knows
    the hands.
    """
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
    """Return whether the first seat can have the highest bid and the other one the second highest, if
    everybody bids one of these cards.
    """
    first, second = takers
    rest = max([min(cards) for seat, cards in held.items() if seat not in takers], default=0)
    return any(rest < card < max(held[first]) for card in held[second])


def _safe(view: SeatView, takers: tuple[int, int]) -> bool:
    """Return whether the own seat loses nothing if these seats take the lower and the higher tide."""
    table, seat = view.table, view.seat
    assert table.offer is not None
    levels = [None if each.eliminated else each.level for each in table.seats]
    left = [each.life_preservers for each in table.seats]
    for taker, tide in zip(takers, table.offer, strict=True):
        levels[taker] = tide
    settle_loss(levels, left, table.rules.passes_loss_on)
    return levels[seat] is not None and left[seat] == table.seats[seat].life_preservers


def analyse(
    view: SeatView, history: History, chance: random.Random, bid: int = 0, rollouts: int = ROLLOUTS
) -> Analysis:
    """Estimate every card of ``view.hand``, two at least, for who has this view and history; the same
    generator gives the same estimates.

    Without a ``bid`` all of the result comes from the same rollouts. With one, half of them chooses the best
    of the other cards, and the other half compares it with the bid: otherwise chance would flatter it.
    """
    rng = np.random.default_rng(chance.getrandbits(_SEED_BITS))
    particles = guesses(view, history, policies(len(view.table.seats)), rng)
    pool, n, size = noise(rng, (NOISE,)), len(particles.origin), len(view.hand)
    can = possible(view, history)

    def tried(candidates: Ints, first: int, count: int) -> tuple[Outcomes, Ints]:
        chosen = np.arange(first, first + count) % n
        found = outcomes(view, candidates, particles, chosen, pool, rng)
        return found, particles.origin[chosen]

    each = max(rollouts // (2 if bid else 1) // size, 2)
    found, origin = tried(np.arange(size), 0, each)
    shares = _means(view, found, can)
    cards = [
        CardEstimate(card, *map(float, column))
        for card, column in zip(view.hand, shares.T, strict=True)
    ]
    ranked = np.argsort(-shares[0], kind="stable")
    points = found.points.astype(np.float64)
    less = points[ranked[0]] - points
    alike = [place for place in ranked[1:] if _are_alike(less[place], origin)]
    others = [place for place in ranked[1:] if place not in alike]
    pair = np.array([ranked[0], (others or alike)[0]])
    if bid:
        place = view.hand.index(bid)
        pair = np.array([place, ranked[0] if ranked[0] != place else ranked[1]])
        found, origin = tried(pair, each, max(rollouts // 4, 2))
    else:
        found = Outcomes(*[column[pair] for column in found])
    more = found.points[0].astype(np.float64) - found.points[1]
    order = [0, 1] if more.mean() >= 0 else [1, 0]
    best, other = pair[order]
    return Analysis(
        view.table.stage,
        view.table.round,
        tuple(cards),
        view.hand[best],
        view.hand[other],
        abs(float(more.mean())),
        _error(more, origin),
        tuple(sorted(view.hand[place] for place in alike)),
        view.table.seats[view.seat].life_preservers,
        _reason(view, found, Possible(*[each[:, pair] for each in can]), order),
    )


def _are_alike(less: npt.NDArray[np.float64], origin: Ints) -> bool:
    """Return whether a card that brings so much ``less`` than the best in each rollout is as good as that."""
    mean = less.mean()
    return bool(mean < _CLOSE and mean <= SURE * _error(less, origin))


def _reason(view: SeatView, found: Outcomes, can: Possible, order: list[int]) -> CardReason:
    """Why one of two cards is better than the other. ``found``: what came of both, and ``can``, what can;
    ``order``: where the better one is there, and then the other.
    """
    seat, (low, high) = view.seat, view.table.offer or (0, 0)
    _points, highest, second, risks, _out = _means(view, found, can)[:, order]
    # How often both take no tide, the lower or the higher one, and which is most often.
    places = np.stack([1 - highest - second, highest, second])
    took, instead = ((0, low, high)[place] for place in places.argmax(axis=0))
    level = view.table.seats[seat].level
    if risks[0] < risks[1] + _SAME and (took or level) < (instead or level):
        if not instead:
            return CardReason(Why.TAKES, took, None, float(places[:, 0].max()))
        takers = (found.lower if instead == low else found.higher)[order[0]]
        left = 1 - (highest if instead == low else second)[0]
        others = np.array([[not each.eliminated] for each in view.table.seats])
        others[seat] = False
        counts = np.bincount(takers[takers != seat], minlength=len(others))[:, None]
        shares = left * corrected(counts / max(counts.sum(), 1), others, TAKERS)[:, 0]
        if shares.max() < _MOSTLY:
            return CardReason(Why.LEAVES, instead, None, float(left))
        return CardReason(Why.LEAVES, instead, int(shares.argmax()), float(shares.max()))
    return CardReason(Why.SAFER if risks[1] >= risks[0] + _SAME else Why.LATER)


def _means(view: SeatView, found: Outcomes, can: Possible) -> npt.NDArray[np.float64]:
    """Return [field, card]: the fields of ``CardEstimate`` after the first."""
    highest, second = found.lower == view.seat, found.higher == view.seat
    risk = found.lost | found.eliminated
    points, *shares = [
        column.mean(axis=1) for column in (found.points, highest, second, ~(highest | second), risk)
    ]
    later = min(view.table.stage, 1)
    places = corrected(np.stack(shares[:3]), can.places, PLACES[later])
    risks, _safe = corrected(np.stack([shares[3], 1 - shares[3]]), can.risks, RISKS[later])
    # Whoever has a life preserver left loses it, and whoever has none is eliminated.
    none_left = view.table.seats[view.seat].life_preservers == 0
    return np.stack([points, *places[:2], risks, risks * none_left])


def _error(differences: npt.NDArray[np.float64], origin: Ints) -> float:
    """Return the standard error of their mean. Rollouts from the same guess (``origin``) are alike, and count
    as one (clustered); few guesses can agree by chance, so it is never less than without that.
    """
    apart = differences - differences.mean()
    sums = np.bincount(origin, weights=apart)
    return float(np.sqrt(max((sums**2).sum(), (apart**2).sum()))) / len(apart)
