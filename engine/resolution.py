"""What the tides cost: who loses in a round, and what a stage was worth (rules.md, "A round").

Pure arithmetic on one stage. It knows neither games nor legality; ``engine.rules`` does.
"""

from operator import add
from typing import Final

from engine.cards import HIGHEST_TIDE
from engine.results import Loss, LossEnd, StageResult
from engine.state import StageState, made

_PAID: Final = LossEnd.PAID  # a class looks its members up each time


def settle_loss(
    levels: list[int | None], preservers: list[int], passes_on: bool
) -> tuple[tuple[Loss, ...], LossEnd]:
    """Step 4: turn life preservers over and eliminate until somebody has paid or nobody has to.

    Works in place; a seat that is or becomes eliminated has no level. ``passes_on`` is whether the edition
    passes a loss on that nobody could pay.
    """
    losses: tuple[Loss, ...] = ()
    while True:
        highest = 0
        for level in levels:
            if level is not None and level > highest:
                highest = level
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
                    levels[seat] = None
                    eliminated += (seat,)
        losses += (made(Loss, (highest, lost, eliminated)),)
        if lost:
            return losses, _PAID
        if len(levels) - levels.count(None) <= 2:
            return losses, LossEnd.TWO_LEFT
        if not passes_on:
            return losses, LossEnd.NOT_PASSED_ON


def score_stage(stage: StageState, scores: tuple[int, ...]) -> StageResult:
    """Points of a stage that has ended (rules.md, "Corners, settled"), added to ``scores``."""
    lowest = HIGHEST_TIDE
    for level in stage.levels:
        if level is not None and level < lowest:
            lowest = level
    points: list[int] = []
    bonus: tuple[int, ...] = ()
    for seat, level in enumerate(stage.levels):
        left = stage.life_preservers[seat]
        if level == lowest:
            bonus += (seat,)
            left += 1
        points.append(-1 if level is None else left)
    totals = tuple(map(add, scores, points))
    fields = stage.start, stage.rounds, stage.eliminated, bonus, tuple(points), totals
    return made(StageResult, fields)
