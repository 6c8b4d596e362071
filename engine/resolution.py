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
) -> tuple[RoundResult, StageState]:
    """Steps 3 to 5 of a round: what came of it, and the stage after it.

    ``bids`` has a card a seat, 0 where eliminated; ``offer`` has the lower tide first.
    """
    number, hands, start, preservers, levels, eliminated, rounds = stage
    ranked = sorted(bids)
    takers = bids.index(ranked[-1]), bids.index(ranked[-2])
    water = list(levels)
    water[takers[0]], water[takers[1]] = offer
    left = list(preservers)
    highest = max(water)
    if water.count(highest) == 1 and left[loser := water.index(highest)]:
        left[loser] -= 1
        losses, end = _ONE_PAYS[highest][loser], _PAID
    else:
        inside = eliminated.count(False)
        losses, end = settle_loss(water, left, inside, rules.passes_loss_on)
        eliminated = _after_losses(eliminated, losses)
    preservers, levels = tuple(left), tuple(water)
    revealed: tuple[int | None, ...] = tuple(bids)
    shown: tuple[int | None, ...] = levels
    if True in eliminated:
        revealed, shown = _blank(bids, stage.eliminated), _blank(levels, eliminated)
    result = build(RoundResult, (offer, revealed, takers, shown, preservers, losses, end))
    hands = _without(hands, bids)
    rounds += (result,)
    after = (number, hands, start, preservers, levels, eliminated, rounds)
    return result, build(StageState, after)


def _blank(values: Sequence[int], eliminated: tuple[bool, ...]) -> tuple[int | None, ...]:
    """The values, with ``None`` for who is eliminated."""
    blanked: list[int | None] = list(values)
    for seat, out in enumerate(eliminated):
        if out:
            blanked[seat] = None
    return tuple(blanked)


def _without(
    hands: tuple[tuple[int, ...], ...], bids: Sequence[int]
) -> tuple[tuple[int, ...], ...]:
    """The hands without the cards that have been played."""
    after = list(hands)
    for seat, bid in enumerate(bids):
        if bid:
            cards = list(hands[seat])
            cards.remove(bid)
            after[seat] = tuple(cards)
    return tuple(after)


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
        losses += (Loss(highest, lost, eliminated),)
        inside -= len(eliminated)
        if lost:
            return losses, LossEnd.PAID
        if inside <= 2:
            return losses, LossEnd.TWO_LEFT
        if not passes_on:
            return losses, LossEnd.NOT_PASSED_ON


def _after_losses(eliminated: tuple[bool, ...], losses: tuple[Loss, ...]) -> tuple[bool, ...]:
    after = list(eliminated)
    for loss in losses:
        for seat in loss.eliminated:
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
