"""How ``tidal`` bids, for many decisions at once: what ``engine.bots.tidal`` computes for one, as arrays.

It takes its rivals for greedy, which gives every unseen card a chance to be bid; from these follow the
chances of who takes which tide, and each such outcome has a worth. What a card is worth to it depends only on
how many unseen cards are lower: a curve. In the first stage of a game it knows nobody's hand. In later ones
it has seen nearly all of them; here it is taken to know them.
"""

from collections.abc import Sequence
from functools import cache
from itertools import permutations
from math import comb
from typing import Final

import numpy as np
import numpy.typing as npt

from engine.bots.logit import contexts
from engine.bots.simulator import WEATHER, Bytes, Flags, Floats, Ints, Stages, settle_loss
from engine.bots.tidal import BURDEN, DEPTH, OUT, SHELTER, WHIMS, bid_chances

_NEAR: Final = 1e-6
"""Costs that differ by less are the same."""
_DIGITS: Final = 6
_NO_CARD: Final = 127
"""In the slots of cards that were played."""

Ranks = npt.NDArray[np.float64]
Shown = tuple[Stages, Bytes]
"""Stages before a round, and its tides [2, n]."""


def curves(rounds: Sequence[Shown], seats: Sequence[int], informed: Flags) -> list[Floats]:
    """[unseen + 1, seat, n] for each round: what ``tidal`` at each of the ``seats`` makes of a card, by the
    number of lower ones among those that it has not seen. It bids the best.

    ``informed``: [n], where the hands are known from earlier stages. An eliminated seat's mean nothing.
    """
    flat = [
        (_turned(stages, seat), offer, np.full(len(informed), stages.left))
        for stages, offer in rounds
        for seat in seats
    ]
    first = rounds[0][0]
    together = Stages(
        first.rules,
        np.concatenate([_padded(one.hands, first.left) for one, _, _ in flat], axis=2),
        np.concatenate([_padded(one.below, first.left) for one, _, _ in flat], axis=2),
        np.concatenate([one.levels for one, _, _ in flat], axis=1),
        np.concatenate([one.life_preservers for one, _, _ in flat], axis=1),
    )
    offers = np.concatenate([offer for _, offer, _ in flat], axis=1)
    left = np.concatenate([sizes for _, _, sizes in flat])
    found = _curves(together, offers, left, np.tile(informed, len(flat)))
    apart = found.reshape(len(found), len(rounds), len(seats), len(informed))
    return [apart[:, number] for number in range(len(rounds))]


def merits(curve: Floats, stages: Stages, seats: Sequence[int]) -> Floats:
    """[cards left, seat, n]: what ``tidal`` makes of each card of its hand, by the curves of this round
    ([unseen + 1, seat, n], or one for all stages).
    """
    slots = np.arange(stages.left)[:, None, None]
    below = (stages.below[:, list(seats)].astype(np.intp) - slots).clip(0, len(curve) - 1)
    return np.take_along_axis(np.broadcast_to(curve, (len(curve), *below.shape[1:])), below, 0)


def _turned(stages: Stages, seat: int) -> Stages:
    """The same with this seat as the first."""
    players = len(stages.levels)
    order = [seat, *(other for other in range(players) if other != seat)]
    return Stages(
        stages.rules,
        stages.hands[:, order],
        stages.below[:, order],
        stages.levels[order],
        stages.life_preservers[order],
    )


def _padded(cards: Bytes, size: int) -> Bytes:
    rest = np.full((size - len(cards), *cards.shape[1:]), _NO_CARD, np.int8)
    return np.concatenate([cards, rest])


def _curves(stages: Stages, offer: Bytes, left: Ints, informed: Flags) -> Floats:
    """[unseen + 1, n] for the first seat; ``left`` [n] cards in each hand."""
    players = len(stages.levels)
    alive = stages.alive
    others = alive[1:].sum(axis=0)
    unseen = WEATHER - (stages.rules.hand_size - left) * players - left
    chances = contexts(stages, offer)[1:3]
    bids = np.zeros((players, int(unseen.max()), len(left)), np.float32)
    for rival in range(1, players):
        second, neither = chances[:, rival]
        first = np.where(offer[0] == offer[1], second, 0)
        ranks = np.stack([first, second, neither])
        here = np.flatnonzero(informed & alive[rival])
        if here.size:
            _bids_of_hands(bids[rival], stages, rival, here, ranks, left, unseen, others)
        here = np.flatnonzero(~informed & alive[rival])
        if here.size:
            keys = np.stack([unseen, left, others, *np.round(60 * ranks)]).astype(np.intp)[:, here]
            kinds, which = np.unique(keys, axis=1, return_inverse=True)
            table = [_bids_of_unknown(len(bids[0]), *map(int, kind)) for kind in kinds.T]
            bids[rival][:, here] = np.stack(table, axis=1)[:, which.reshape(-1)]
    curve = _expected(bids, alive, _worths(stages, offer))
    beaten = np.arange(len(curve))[:, None] / unseen.astype(np.float32)
    serious = others - 1
    curve += BURDEN * serious * beaten ** np.maximum(serious - 1, 1) * (1 - beaten)
    return curve


@cache
def _ranks(most: int) -> Ranks:
    """[2, others, unseen, below]: the chances to come first and second among so many others."""
    table = np.zeros((2, 6, most + 1, most))
    for others in range(1, 6):
        for unseen in range(others + 1, most + 1):
            ways = comb(unseen - 1, others)
            for below in range(unseen):
                table[0, others, unseen, below] = comb(below, others) / ways
                second = (unseen - 1 - below) * comb(below, others - 1)
                table[1, others, unseen, below] = second / ways
    return table


def _bids_of_hands(
    bids: Floats,
    stages: Stages,
    rival: int,
    here: Ints,
    ranks: Floats,
    left: Ints,
    unseen: Ints,
    others: Ints,
) -> None:
    """Fill in ``bids`` [unseen, n] where (``here``) the rival's hand is known."""
    hand = stages.hands[:, rival, here]
    held = np.arange(len(hand))[:, None] < left[here]
    places = stages.below[:, rival, here].astype(np.intp)
    for card in stages.hands[:, 0, here]:
        places -= card < hand
    places = np.where(held, places, 0).clip(0, unseen[here] - 1)
    first, second = _ranks(WEATHER)[:, others[here], unseen[here], places]
    high, next_, neither = ranks[:, here]
    cost = first * high + second * next_ + (1 - first - second) * neither
    cost = np.where(held, cost, np.inf)
    least = cost <= cost.min(axis=0) + _NEAR
    whim = np.array(WHIMS)[others[here]]
    chance = whim / left[here] + (1 - whim) * least / least.sum(axis=0)
    np.add.at(bids, (places, here), np.where(held, chance, 0))


@cache
def _bids_of_unknown(
    most: int, unseen: int, size: int, others: int, first: int, second: int, neither: int
) -> Floats:
    """[most]: the chance of each unseen card to be the bid of somebody whose hand is unknown."""
    high, next_ = _ranks(WEATHER)[:, others, unseen, :unseen]
    cost = (high * first + next_ * second + (1 - high - next_) * neither) / 60
    costs = np.round(cost, _DIGITS).tolist()
    found = bid_chances(costs, [False] * unseen, [True] * unseen, size, WHIMS[others])
    return np.array(found + [0.0] * (most - unseen), np.float32)


def _worths(stages: Stages, offer: Bytes) -> dict[tuple[int, int], Floats]:
    """[n]: the worth to the first seat of every outcome of the round, by who takes the lower and the higher
    tide. That of one in which an eliminated seat takes a tide means nothing.
    """
    players, n = stages.levels.shape
    pairs = list(permutations(range(players), 2))
    levels = np.repeat(stages.levels[:, None], len(pairs), axis=1)
    life = np.repeat(stages.life_preservers[:, None], len(pairs), axis=1)
    for number, takers in enumerate(pairs):
        levels[takers, number] = offer
    levels, life = levels.reshape(players, -1), life.reshape(players, -1)
    settle_loss(stages.rules, levels, life, np.ones(levels.shape[1], np.bool_))
    own, rivals, left = levels[0], levels[1:], life[0].astype(np.float32)
    alive = rivals >= 0
    others = alive.sum(axis=0, dtype=np.float32)
    shelter = (rivals > own).sum(axis=0, dtype=np.float32) / np.maximum(others, 1)
    depth = own * np.float32(1 / stages.rules.highest_tide)
    value = left + np.float32(SHELTER) * shelter - np.float32(DEPTH) * depth * depth
    lowest = np.where(alive, rivals, np.int8(127)).min(axis=0)
    value = np.where(others < 2, left + (own <= lowest), value)
    value = np.where(own < 0, np.float32(OUT), value).reshape(len(pairs), n)
    return dict(zip(pairs, value, strict=True))


def _expected(bids: Floats, alive: Flags, worths: dict[tuple[int, int], Floats]) -> Floats:
    """[unseen + 1, n]: the expected worth of a bid of the first seat, by how many unseen cards are lower, as
    in ``engine.bots.tidal``; ``bids``: [players, unseen, n].
    """
    players, unseen, n = bids.shape
    rivals = range(1, players)
    below = np.zeros((players, unseen + 1, n), np.float32)
    np.cumsum(bids, axis=1, out=below[:, 1:])
    below += ~alive[:, None]
    middle = (below[:, :-1] + below[:, 1:]) / 2
    expected = np.zeros((unseen + 1, n), np.float32)
    first = np.zeros((unseen, n), np.float32)
    third = np.zeros((unseen, n), np.float32)
    for highest in rivals:
        others = [rival for rival in rivals if rival != highest]
        second = (1 - below[highest]) * worths[highest, 0]
        came_first = bids[highest] * worths[0, highest]
        for rival in others:
            second *= below[rival]
            came_first *= middle[rival]
            neither = bids[rival] * (1 - middle[highest])
            neither *= worths[highest, rival]
            for last in others:
                if last != rival:
                    neither *= middle[last]
            third += neither
        expected += second
        first += came_first
    expected[1:] += first.cumsum(axis=0)
    expected[:-1] += third[::-1].cumsum(axis=0)[::-1]
    return expected
