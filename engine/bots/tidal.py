"""``tidal``: a planner that takes the others for greedy, and knows what a card is worth later.

1. For every rival it asks what ``greedy`` would make of that seat. That ranks the unseen cards; together
   with the number of cards in the hand it gives the chance of each card to be that rival's bid.
2. From there follow, for every card of the own hand, the chances of who takes which tide.
3. Each outcome is settled by the rules, and valued: life preservers left, and how one then stands.
4. Low cards keep out of trouble and high ones get out of it, but those between come second: they are a
   burden to keep. So the card to bid is also one to get rid of.
5. Of the last two cards it bids the one that brings more points, if it knows all hands.

The form of 4 and the weights of 3 come from a least-squares fit to the stages of many games between such
bots, rounded, and from matches in the arena; the others from stages against trained policies (docs/bots.md).
"""

import random
from bisect import bisect_left
from collections.abc import Sequence
from itertools import accumulate, permutations, product
from math import comb, prod
from typing import Final, NamedTuple

from engine.bots.counting import ending_of, known_cards, unseen_cards
from engine.bots.manners import preferred
from engine.bots.simple import chances_by_rank, danger
from engine.editions import Rules
from engine.rules import settle_loss
from engine.views import History, SeatView

WHIMS: Final = (0.0, 0.0, 0.3, 0.6, 0.5, 0.5)
"""How often a rival is thought to bid any card, by the number of rivals still in the stage."""
SHELTER: Final = 0.4
"""What it is worth, in life preservers, that everybody else stands higher."""
DEPTH: Final = 0.5
"""What it costs to stand as high as the highest tide; the square of the level's share of it."""
BURDEN: Final = 1.25
"""What it costs to come second, for one who keeps a card that does."""
_NEAR: Final = 0.02
"""Cards whose worth differs by less, in life preservers, are about as good."""
OUT: Final = -1.0
"""An eliminated player's points."""

Chances = list[float]
"""One for each unseen card, ascending by card."""


class _Rival(NamedTuple):
    """What is known of somebody else still in the stage."""

    level: int
    life_preservers: int
    known: frozenset[int]
    """Cards known to be in the hand."""


def choose(view: SeatView, history: History, _rng: random.Random, manner: str = "") -> int:
    """Choose the card with the best outcome (``engine.bots.manners.Bot``)."""
    offer = view.table.offer
    assert offer is not None
    ending = ending_of(view, history)
    if ending is not None and ending.dominant is not None:
        return view.hand[ending.dominant]
    own = view.table.seats[view.seat]
    known = known_cards(view, history)
    rivals = [
        _Rival(seat.level, seat.life_preservers, frozenset(known[number]))
        for number, seat in enumerate(view.table.seats)
        if number != view.seat and not seat.eliminated
    ]
    gone = {
        card
        for number, seat in enumerate(view.table.seats)
        if seat.eliminated
        for card in known[number]
    }
    unseen = [card for card in unseen_cards(view) if card not in gone]
    bids = _bids_of_rivals(offer, own.level, rivals, unseen, len(view.hand))
    if ending is not None:
        places = [[unseen.index(card) for card in hand] for hand in ending.hands]
        chances = [
            prod([each[place] for each, place in zip(bids, way, strict=True)])
            for way in product(*places)
        ]
        better = ending.better(chances)
        if better is not None:
            return view.hand[better]
    worth = _Worth(
        view.table.rules,
        offer,
        [own.level, *(rival.level for rival in rivals)],
        [own.life_preservers, *(rival.life_preservers for rival in rivals)],
        len(view.hand) - 1,
    )
    expected = _expected(bids, worth)

    def merit(card: int) -> float:
        below = bisect_left(unseen, card)
        return expected[below] + _burden(below / len(unseen), len(rivals))

    if not manner:
        return max(view.hand, key=merit)
    worths = {card: merit(card) for card in view.hand}
    best = max(worths.values())
    return preferred(manner, view, [card for card in view.hand if worths[card] >= best - _NEAR])


# ------------------------------------------------------------------------------- what rivals may bid


def _bids_of_rivals(
    offer: tuple[int, int], own: int, rivals: Sequence[_Rival], unseen: Sequence[int], size: int
) -> list[Chances]:
    claimed = frozenset[int]().union(*(rival.known for rival in rivals))
    bids = []
    for number, rival in enumerate(rivals):
        others = [own, *(other.level for place, other in enumerate(rivals) if place != number)]
        chances = chances_by_rank(offer, rival.level, others)
        costs = [
            danger(chances, len(unseen) - 1, below, len(rivals)) for below in range(len(unseen))
        ]
        sure = [card in rival.known for card in unseen]
        loose = [card not in claimed for card in unseen]
        bids.append(bid_chances(costs, sure, loose, size, WHIMS[len(rivals)]))
    return bids


def bid_chances(
    costs: Sequence[float], sure: Sequence[bool], loose: Sequence[bool], size: int, whim: float
) -> Chances:
    """Return the chance of each unseen card to be the bid of who holds ``size`` of them.

    All ``sure`` ones are held, the others are any of the ``loose`` ones. The one with the least cost is bid,
    or as often as ``whim`` says any of them.
    """
    drawn = size - sum(sure)
    pack = sum(loose)
    likely = drawn / pack if pack else 0.0
    held = [1.0 if sure[place] else likely * loose[place] for place in range(len(costs))]
    chances = [whim * chance / size for chance in held]
    ways = comb(pack, drawn)
    dearer = pack
    nothing_cheaper = 1.0
    for group in _by_cost(costs, held):
        dearer -= sum([loose[place] for place in group])
        certain = any(sure[place] for place in group)
        nothing_as_cheap = 0.0 if certain else comb(dearer, drawn) / ways
        share = (1 - whim) * (nothing_cheaper - nothing_as_cheap)
        weight = sum([held[place] for place in group])
        for place in group:
            chances[place] += share * held[place] / weight
        nothing_cheaper = nothing_as_cheap
        if not nothing_cheaper:
            break
    return chances


def _by_cost(costs: Sequence[float], held: Sequence[float]) -> list[list[int]]:
    """Return the places of cards that may be held, in groups of equal cost, cheapest first."""
    groups: dict[float, list[int]] = {}
    for place, cost in enumerate(costs):
        if held[place]:
            groups.setdefault(cost, []).append(place)
    return [groups[cost] for cost in sorted(groups)]


# ------------------------------------------------------------------------------- what comes of it


def _burden(beaten: float, rivals: int) -> float:
    """Return what it costs, in life preservers, to keep a card that beats this share of the unseen ones.

    It follows from the chance to come second with it among rivals who bid any card; one of them, it is
    supposed, ducks.
    """
    serious = rivals - 1
    return BURDEN * serious * beaten ** max(serious - 1, 1) * (1 - beaten)


class _Worth:
    """The value of a round's outcome to the first of the players still in the stage."""

    def __init__(
        self,
        rules: Rules,
        offer: tuple[int, int],
        levels: list[int],
        preservers: list[int],
        rounds_left: int,
    ) -> None:
        self._rules = rules
        self._offer = offer
        self._levels = levels
        self._preservers = preservers
        self._rounds_left = rounds_left

    def of(self, highest: int, second: int) -> float:
        """Return the worth to the first player when these two take the lower and the higher tide."""
        levels: list[int | None] = [*self._levels]
        levels[highest], levels[second] = self._offer
        left = self._preservers.copy()
        settle_loss(levels, left, self._rules.passes_loss_on)
        own, *rivals = levels
        if own is None:
            return OUT
        others = [level for level in rivals if level is not None]
        if not self._rounds_left or len(others) < 2:
            return left[0] + (own <= min(others, default=own))
        shelter = sum([other > own for other in others]) / len(others)
        depth = own / self._rules.highest_tide
        return left[0] + SHELTER * shelter - DEPTH * depth * depth


def _expected(bids: Sequence[Chances], worth: _Worth) -> list[float]:
    """Return the expected worth of a bid, by how many unseen cards are below it.

    Rivals' bids are taken as independent. Where two of them come out as the same card, which cannot be,
    each is the higher one in half of the cases.
    """
    rivals = range(len(bids))
    places = range(len(bids[0]))
    below = [_running_sums(chances) for chances in bids]
    middle = [
        [sums[place] + chances[place] / 2 for place in places]
        for sums, chances in zip(below, bids, strict=True)
    ]
    expected = [0.0] * (len(places) + 1)
    for highest in rivals:
        others = [rival for rival in rivals if rival != highest]
        # One is second: this rival bids above, all the others below.
        came_second = worth.of(highest + 1, 0)
        for count in range(len(places) + 1):
            chance = 1 - below[highest][count]
            for rival in others:
                chance *= below[rival][count]
            expected[count] += chance * came_second
        # One is first: this rival comes second, with some card below one's own.
        came_first = worth.of(0, highest + 1)
        total = 0.0
        for place in places:
            chance = bids[highest][place]
            for rival in others:
                chance *= middle[rival][place]
            total += chance
            expected[place + 1] += total * came_first
    for highest, second in permutations(rivals, 2):
        # One is neither: the second of these two has some card above one's own.
        others = [rival for rival in rivals if rival not in (highest, second)]
        left_alone = worth.of(highest + 1, second + 1)
        total = 0.0
        for place in reversed(places):
            chance = bids[second][place] * (1 - middle[highest][place])
            for rival in others:
                chance *= middle[rival][place]
            total += chance
            expected[place] += total * left_alone
    return expected


def _running_sums(chances: Chances) -> list[float]:
    return [0.0, *accumulate(chances)]
