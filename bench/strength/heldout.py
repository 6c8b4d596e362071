"""Opponents for measurements only: no bot was trained against them, and none models them.

Rules of thumb of many kinds, some poor, some fair, that people might play by. Each is a function of the view
and a generator, as a bot is. The ``NAIVE`` ones look at a number or two, as people do in their first evening.
"""

import random
from bisect import bisect_left
from collections.abc import Callable, Mapping
from math import exp
from types import MappingProxyType
from typing import Final

from engine.bots.counting import ranks, rivals, unseen_cards
from engine.views import SeatView

Rule = Callable[[SeatView, random.Random], int]


def _offer(view: SeatView) -> tuple[int, int]:
    assert view.table.offer is not None
    return view.table.offer


def _level(view: SeatView) -> int:
    return view.table.seats[view.seat].level


def _life(view: SeatView) -> int:
    return view.table.seats[view.seat].life_preservers


def _deepest(view: SeatView) -> bool:
    """Return whether nobody stands higher and there is a tide card at all."""
    level = _level(view)
    return level > 0 and level >= max(seat.level for seat in rivals(view))


def _places(view: SeatView) -> dict[int, tuple[float, float]]:
    """Return a card of the hand each: its chances to be the highest and the second highest bid."""
    unseen = unseen_cards(view)
    others = len(rivals(view))
    return {card: ranks(len(unseen), bisect_left(unseen, card), others) for card in view.hand}


def ducker(view: SeatView, _rng: random.Random) -> int:
    """Return the lowest card; the highest if it is the only way out of an elimination."""
    desperate = _deepest(view) and _life(view) == 0 and _offer(view)[0] < _level(view)
    return view.hand[-1 if desperate else 0]


def leader(view: SeatView, rng: random.Random) -> int:
    """Return the highest card, and one time in ten any card."""
    return rng.choice(view.hand) if rng.random() < 0.1 else view.hand[-1]


def middle_first(view: SeatView, rng: random.Random) -> int:
    """Return the card nearest to the middle of the pack, to keep both ends for later; not always
    the nearest.
    """
    nearest = sorted(view.hand, key=lambda card: abs(card - 30.5))
    return nearest[0] if rng.random() < 0.75 else nearest[min(1, len(nearest) - 1)]


def tide_threshold(view: SeatView, rng: random.Random) -> int:
    """High cards for low tides, low cards for high ones; nothing else matters."""
    low, high = _offer(view)
    size = len(view.hand)
    wanted = 1 - (low + high) / 2 / view.table.rules.highest_tide
    place = round(wanted * (size - 1) + rng.gauss(0, 0.8))
    return view.hand[min(max(place, 0), size - 1)]


def bargain_hunter(view: SeatView, rng: random.Random) -> int:
    """Goes for a low tide of at most 4, hides from a high one of at least 9, and else bids in the middle."""
    low, high = _offer(view)
    third = max(len(view.hand) // 3, 1)
    if low <= 4 and _level(view) > low:
        return rng.choice(view.hand[-third:])
    if high >= 9:
        return rng.choice(view.hand[:third])
    return view.hand[len(view.hand) // 2]


def waverer(view: SeatView, rng: random.Random) -> int:
    """Half of the time a ducker; else a high card when deepest, and a card of the lower half when not."""
    if rng.random() < 0.5:
        return view.hand[0]
    half = (len(view.hand) + 1) // 2
    return rng.choice(view.hand[-half:] if _deepest(view) else view.hand[:half])


def counter(view: SeatView, _rng: random.Random) -> int:
    """Counts cards: the cheapest likely winner when deepest, else the highest card that is likely to stay
    out of it.
    """
    chances = _places(view)
    if _deepest(view) and _offer(view)[0] < _level(view):
        winners = [card for card in view.hand if chances[card][0] >= 0.6]
        return winners[0] if winners else view.hand[-1]
    quiet = [card for card in view.hand if sum(chances[card]) <= 0.25]
    return quiet[-1] if quiet else view.hand[0]


def leveller(view: SeatView, rng: random.Random) -> int:
    """Return the least expected level after the round, if the rivals bid any unseen card."""
    low, high = _offer(view)
    level = _level(view)

    def expected(card: int) -> float:
        first, second = chances[card]
        return first * low + second * high + (1 - first - second) * level

    chances = _places(view)
    least = min(expected(card) for card in view.hand)
    return rng.choice([card for card in view.hand if expected(card) <= least + 0.15])


def miser(view: SeatView, _rng: random.Random) -> int:
    """Sheds the highest card that cannot hurt now, and plays safe with few life preservers."""
    _, high = _offer(view)
    deepest = max(seat.level for seat in rivals(view))
    if high < deepest and _level(view) < deepest:
        # Whoever takes the higher tide is not the deepest: a good moment for the burdensome cards.
        return min(view.hand, key=lambda card: abs(card - 40))
    if _life(view) <= 1:
        return view.hand[-1] if _deepest(view) else view.hand[0]
    return view.hand[len(view.hand) // 4]


def alternator(view: SeatView, rng: random.Random) -> int:
    """High in even rounds, low in odd ones, one of two cards each."""
    return rng.choice(view.hand[-2:] if view.table.round % 2 == 0 else view.hand[:2])


def follower(view: SeatView, rng: random.Random) -> int:
    """Return the card nearest to the mean of the last bids, or a low one in the first round."""
    if not view.table.rounds:
        return rng.choice(view.hand[:4])
    last = [bid for bid in view.table.rounds[-1].bids if bid is not None]
    mean = sum(last) / len(last)
    return min(view.hand, key=lambda card: abs(card - mean))


def second_shy(view: SeatView, rng: random.Random) -> int:
    """Above all avoids to come second, unless the higher tide is welcome."""
    _, high = _offer(view)
    chances = _places(view)
    deepest = max(seat.level for seat in rivals(view))
    sign = -1.0 if high < min(_level(view), deepest) else 1.0
    cost = {card: sign * chances[card][1] + rng.random() * 0.08 for card in view.hand}
    return min(view.hand, key=lambda card: cost[card])


def worrier(view: SeatView, rng: random.Random) -> int:
    """Return the least chance to lose a life preserver at once, if rivals bid like the mean of what they have
    shown; of equally safe cards the highest.
    """
    low, high = _offer(view)
    others = rivals(view)
    deepest = max(seat.level for seat in others)
    shown = [sum(seat.played) / len(seat.played) if seat.played else 30.5 for seat in others]

    def risk(card: int) -> float:
        above = [1 / (1 + exp((card - mean) / 8)) for mean in shown]
        none = 1.0
        for one in above:
            none *= 1 - one
        single = sum(one * none / max(1 - one, 1e-6) for one in above)
        many = max(1 - none - single, 0.0)
        stand = _level(view)
        return float(
            none * (low >= max(deepest, high))
            + single * (high >= deepest)
            + many * (stand >= max(high, 1) and stand >= deepest)
        )

    risks = {card: round(risk(card), 2) for card in view.hand}
    least = min(risks.values())
    safe = [card for card in view.hand if risks[card] <= least + 0.02]
    return safe[-1] if rng.random() < 0.8 else rng.choice(safe)


def sampler(view: SeatView, rng: random.Random) -> int:
    """Deals the unseen cards to the rivals a few times, lets them bid any card, and counts the points of the
    round: a life preserver for not standing highest, and a little for a low level.
    """
    low, high = _offer(view)
    unseen = unseen_cards(view)
    others = [seat.level for seat in rivals(view)]
    level = _level(view)
    worth = dict.fromkeys(view.hand, 0.0)
    for _ in range(12):
        bids = rng.sample(unseen, len(others))
        for card in view.hand:
            ranked = sorted([card, *bids], reverse=True)
            first, second = ranked[0], ranked[1]
            own = low if card == first else high if card == second else level
            after = [
                low if bid == first else high if bid == second else other
                for bid, other in zip(bids, others, strict=True)
            ]
            worth[card] -= (own >= max(after)) + 0.04 * own
    return max(view.hand, key=lambda card: worth[card])


HELD_OUT: Final[Mapping[str, Rule]] = MappingProxyType(
    {
        rule.__name__: rule
        for rule in (
            ducker,
            leader,
            middle_first,
            tide_threshold,
            bargain_hunter,
            waverer,
            counter,
            leveller,
            miser,
            alternator,
            follower,
            second_shy,
            worrier,
            sampler,
        )
    }
)
"""All of them by name."""


def _slot(view: SeatView, share: float) -> int:
    """Return the card at this place of the hand, from the lowest, 0, to the highest, 1."""
    return view.hand[round(share * (len(view.hand) - 1))]


def forty_five(view: SeatView, _rng: random.Random) -> int:
    """Return a card of at least 45 when the higher tide is at least 8, else one of at most 20; the nearest to
    it.
    """
    if _offer(view)[1] >= 8:
        return next((card for card in view.hand if card >= 45), view.hand[-1])
    return next((card for card in reversed(view.hand) if card <= 20), view.hand[0])


def over_the_median(view: SeatView, _rng: random.Random) -> int:
    """Just above the median of the hand."""
    return view.hand[len(view.hand) // 2]


def spender(view: SeatView, _rng: random.Random) -> int:
    """Return the highest card for an offer of at most 9 in all, the third highest for one that has a tide of
    at most 4, else the lowest.
    """
    low, high = _offer(view)
    if low + high <= 9:
        return view.hand[-1]
    return view.hand[max(len(view.hand) - 3, 0) if low <= 4 else 0]


def overtaker(view: SeatView, _rng: random.Random) -> int:
    """Just enough to beat the highest bid of the last round; the lowest card where that cannot be done."""
    last = (
        max((bid or 0 for bid in view.table.rounds[-1].bids), default=0)
        if view.table.rounds
        else 40
    )
    return next((card for card in view.hand if card > last), view.hand[0])


def rotator(view: SeatView, _rng: random.Random) -> int:
    """Lowest, middle, highest, lowest, and so on."""
    return _slot(view, view.table.round % 3 / 2)


def plain_first(view: SeatView, rng: random.Random) -> int:
    """Any card without a life preserver on it; when there is none left, the lowest."""
    plain = [card for card in view.hand if not 13 <= card <= 48]
    return rng.choice(plain) if plain else view.hand[0]


def level_watcher(view: SeatView, rng: random.Random) -> int:
    """High with a level of at least 7, low with one of at most 3, else in the middle; sometimes any card."""
    if rng.random() < 0.1:
        return rng.choice(view.hand)
    level = _level(view)
    return _slot(view, 1 if level >= 7 else 0 if level <= 3 else 0.5)


def never_the_top(view: SeatView, _rng: random.Random) -> int:
    """Return the second highest card, to keep the highest for worse times."""
    return view.hand[max(len(view.hand) - 2, 0)]


def copycat(view: SeatView, _rng: random.Random) -> int:
    """Bids near the card that has just taken the lower tide, if it was at most 5; else the lowest card."""
    if not view.table.rounds:
        return _slot(view, 0.75)
    last = view.table.rounds[-1]
    won = max(bid or 0 for bid in last.bids)
    return min(view.hand, key=lambda card: abs(card - won)) if last.offer[0] <= 5 else view.hand[0]


def brave_while_rich(view: SeatView, rng: random.Random) -> int:
    """Return a low card while there are three life preservers, a middling one with two, then the highest."""
    life = _life(view)
    if life >= 3:
        return rng.choice(view.hand[: (len(view.hand) + 1) // 2])
    return _slot(view, 0.5 if life == 2 else 1)


def from_both_ends(view: SeatView, _rng: random.Random) -> int:
    """From the bottom up in the first half of a stage, from the top down in the second."""
    return view.hand[0 if view.table.round < view.table.rules.hand_size / 2 else -1]


def gap_watcher(view: SeatView, rng: random.Random) -> int:
    """Return one of the two highest cards where the tides are at least six apart, else one of the lowest
    third.
    """
    low, high = _offer(view)
    third = (len(view.hand) + 2) // 3
    return rng.choice(view.hand[-2:] if high - low >= 6 else view.hand[:third])


NAIVE: Final[Mapping[str, Rule]] = MappingProxyType(
    {
        rule.__name__: rule
        for rule in (
            forty_five,
            over_the_median,
            spender,
            overtaker,
            rotator,
            plain_first,
            level_watcher,
            never_the_top,
            copycat,
            brave_while_rich,
            from_both_ends,
            gap_watcher,
        )
    }
)
"""More of them, by name."""
