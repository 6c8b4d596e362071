"""What a reveal brings: who takes which tide, who loses, and what a stage was worth (rules.md, "A round").

Pure arithmetic on one stage. It knows neither actions nor phases; ``engine.rules`` does.
"""

from collections.abc import Sequence
from operator import add
from typing import Final

from engine.editions import MAX_PLAYERS, Rules
from engine.results import Loss, LossEnd, RoundResult, StageResult
from engine.state import StageState, build

_HIGHEST_TIDE: Final = 12
# The loss of nearly every round: one seat, alone at the highest level, pays. By level, then seat.
_ONE_PAYS: Final[tuple[tuple[tuple[Loss, ...], ...], ...]] = tuple(
    tuple((Loss(level, (seat,), ()),) for seat in range(MAX_PLAYERS))
    for level in range(_HIGHEST_TIDE + 1)
)
_PAID: Final = LossEnd.PAID


def resolve_round(
    rules: Rules, stage: StageState, offer: tuple[int, int], bids: Sequence[int]
) -> tuple[RoundResult, StageState, int]:
    """Steps 3 to 5 of a round: what came of it, the stage after it, and how many are still in.

    ``bids`` has a card a seat, 0 where eliminated; ``offer`` has the lower tide first.
    """
    number, hands, start, preservers, levels, eliminated, rounds = stage
    ranked = sorted(bids)
    takers = first, second = bids.index(ranked[-1]), bids.index(ranked[-2])
    water = [*levels]
    water[first], water[second] = offer
    left = [*preservers]
    highest = max(water)
    if water.count(highest) == 1 and left[loser := water.index(highest)]:
        left[loser] -= 1
        losses, end = _ONE_PAYS[highest][loser], _PAID
    else:
        inside = eliminated.count(False)
        losses, end = settle_loss(water, left, inside, rules.passes_loss_on)
        eliminated = _after_losses(eliminated, losses)
    preservers, levels = tuple(left), tuple(water)
    if True in eliminated:
        inside = eliminated.count(False)
        revealed: tuple[int | None, ...] = tuple([bid or None for bid in bids])
        shown: tuple[int | None, ...] = tuple(
            [None if eliminated[seat] else level for seat, level in enumerate(water)]
        )
    else:
        inside = len(bids)
        revealed, shown = tuple(bids), levels
    result = build(RoundResult, (offer, revealed, takers, shown, preservers, losses, end))
    remaining = [*hands]
    for seat, bid in enumerate(bids):
        if bid:
            cards = [*hands[seat]]
            cards.remove(bid)
            remaining[seat] = tuple(cards)
    rounds += (result,)
    after = number, tuple(remaining), start, preservers, levels, eliminated, rounds
    return result, build(StageState, after), inside


def settle_loss(
    levels: list[int], preservers: list[int], inside: int, passes_on: bool
) -> tuple[tuple[Loss, ...], LossEnd]:
    """Step 4: turn life preservers over and eliminate until somebody has paid or nobody has to.

    Works in place; a seat that is or becomes eliminated has level 0. ``inside`` is how many players are
    still in the stage, ``passes_on`` whether the edition passes a loss on that nobody could pay.
    """
    losses: tuple[Loss, ...] = ()
    while True:
        highest = max(levels)
        if not highest:
            return losses, LossEnd.NO_TIDE
        lost: tuple[int, ...] = ()
        eliminated: tuple[int, ...] = ()
        for seat, level in enumerate(levels):
            if level == highest:
                if preservers[seat]:
                    preservers[seat] -= 1
                    lost += (seat,)
                else:
                    levels[seat] = 0
                    eliminated += (seat,)
        losses += (build(Loss, (highest, lost, eliminated)),)
        if lost:
            return losses, _PAID
        inside -= len(eliminated)
        if inside <= 2:
            return losses, LossEnd.TWO_LEFT
        if not passes_on:
            return losses, LossEnd.NOT_PASSED_ON


def _after_losses(eliminated: tuple[bool, ...], losses: tuple[Loss, ...]) -> tuple[bool, ...]:
    after = [*eliminated]
    for _, _, out in losses:
        for seat in out:
            after[seat] = True
    return tuple(after)


def score_stage(stage: StageState, scores: tuple[int, ...]) -> StageResult:
    """Points of a stage that has ended (rules.md, "Corners, settled"), added to ``scores``."""
    points = list(stage.life_preservers)
    bonus: tuple[int, ...] = ()
    lowest = _HIGHEST_TIDE
    # Nobody may be left: two who share the highest level can be eliminated together.
    for seat, out in enumerate(stage.eliminated):
        if out:
            points[seat] = -1
            continue
        level = stage.levels[seat]
        if level < lowest:
            lowest, bonus = level, ()
        if level == lowest:
            bonus += (seat,)
    for seat in bonus:
        points[seat] += 1
    totals = tuple(map(add, scores, points))
    return StageResult(stage.start, stage.rounds, stage.eliminated, bonus, tuple(points), totals)
