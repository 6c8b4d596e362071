"""A game that is over, bid by bid: what ``master`` would have bid, knowing what the player knew, and what the
difference is worth.
"""

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any, Final, NamedTuple

from engine.bots import Choose, Question
from engine.bots.estimates import (
    JUDGE,
    SURE,
    CardReason,
    HintQuestion,
    reason_from_plain,
    reason_to_json,
)
from engine.records.replay import Replay, StepKind
from engine.views import History, SeatView, history_of, seat_view

COSTLIEST: Final = 3
"""Number of the bids that cost most that are told first."""


class Grade(StrEnum):
    """What a bid was worth, in a word."""

    GOOD = "good"
    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


GRADES: Final = ((0.5, Grade.BLUNDER), (0.2, Grade.MISTAKE), (0.05, Grade.INACCURACY))
"""Least ``cost`` of each grade, in points of the stage."""


class ReviewedBid(NamedTuple):
    """A bid beside the best one. Stages and rounds count from 0; points are those of the stage."""

    stage: int
    round: int
    bid: int
    best: int
    """The card that would have brought the most; the bid itself if none seems better."""
    difference: float
    """Points that ``best`` would have brought more, by estimate; 0 when it was bid."""
    error: float
    """The standard error of the difference, also of the one to the best of the other cards."""
    risk: float
    """The chance of the bid to lose a life preserver in this round, or to be eliminated; 0 to 1."""
    best_risk: float
    """The risk of ``best``."""
    life_preservers: int
    """What the player had left."""
    stake: float
    """Points between the best and the worst card of the hand."""
    reason: CardReason
    """Why ``best`` is better."""

    @property
    def cost(self) -> float:
        """What the bid cost at least, in points of the stage: what is more than chance of the difference."""
        return max(0.0, self.difference - SURE * self.error)

    @property
    def sure(self) -> bool:
        """Whether the bid cost anything; otherwise it was the best, or is too close to it to call."""
        return self.cost > 0

    @property
    def grade(self) -> Grade:
        """The grade that the ``cost`` makes."""
        return next((grade for least, grade in GRADES if self.cost >= least), Grade.GOOD)


class Decision(NamedTuple):
    """A bid that was made, and what the player knew then. Stages and rounds count from 0."""

    stage: int
    round: int
    view: SeatView
    history: History
    bid: int

    @property
    def strategy(self) -> str:
        """The bot whose opinion is asked, as in ``engine.bots.Question``."""
        return JUDGE.bot

    def answer(self, _choose: Choose) -> ReviewedBid:
        """Return the bid beside the best one; always the same for the same decision."""
        return reviewed(self)


def decisions(replay: Replay, seat: int) -> Iterator[Decision]:
    """Return the bids of a seat, without those of a last card and those before its player joined."""
    stages, since = replay.record.stages, _since(replay.record.fields(), seat)
    for step in replay.steps:
        bids = stages[step.stage].bids[step.round :] if step.kind is StepKind.TIDES else ()
        if not bids or step.stage < since:
            continue
        state, bid = step.state, bids[0][seat]
        if bid is not None and len(state.stage.hands[seat]) > 1:
            view = seat_view(state, seat)
            yield Decision(step.stage, step.round, view, history_of(state, seat), bid)


def _since(fields: Mapping[str, Any], seat: int) -> int:
    """Return the stage, from 0, from which on the named player has played (docs/records.md). Nothing in
    this part of a record is certain to have any form.
    """
    seats = fields.get("seats")
    told = seats[seat] if isinstance(seats, list) and seat < len(seats) else None
    since = told.get("since") if isinstance(told, dict) else None
    return since - 1 if isinstance(since, int) else 0


def reviewed(decision: Decision, rollouts: int = 4000) -> ReviewedBid:
    """Return the bid beside the best one; always the same for the same decision."""
    from engine.bots.analysis import analyse

    stage, round_, view, history, bid = decision
    chance = random.Random(f"{view.seat} {stage} {round_}")
    found = analyse(view, history, chance, bid, rollouts)
    best, points = found.best, [card.points for card in found.cards]
    return ReviewedBid(
        stage,
        round_,
        bid,
        best,
        0.0 if best == bid else found.difference,
        found.error,
        found.of(bid).risk,
        found.of(best).risk,
        found.life_preservers,
        max(points) - min(points),
        found.reason,
    )


def from_plain(*plain: Any) -> ReviewedBid:
    """Return a bid again, from its fields as JSON has them."""
    found = ReviewedBid(*plain)
    return found._replace(reason=reason_from_plain(*found.reason))


def costliest(bids: Iterable[ReviewedBid]) -> list[ReviewedBid]:
    """Return the bids that cost most, first the worst; none that is good."""
    worse = [one for one in bids if one.grade is not Grade.GOOD]
    return sorted(worse, key=lambda one: -one.cost)[:COSTLIEST]


def accuracy(bids: Iterable[ReviewedBid]) -> float | None:
    """Return the share of the stakes that these bids kept, 0 to 1; ``None`` where nothing was at stake
    (docs/bots.md, "Reviews").
    """
    told = [(min(one.cost, one.stake), one.stake) for one in bids]
    stakes = sum(stake for _, stake in told)
    return 1 - sum(cost for cost, _ in told) / stakes if stakes > 0 else None


def to_json(bids: Sequence[ReviewedBid]) -> dict[str, Any]:
    """Return a review as a JSON object (docs/api.md)."""
    kept = accuracy(bids)
    return {
        "judge": JUDGE._asdict(),
        "accuracy": None if kept is None else round(kept, 3),
        "bids": [_bid_to_json(one) for one in bids],
        "costliest": [bids.index(one) for one in costliest(bids)],
    }


def _bid_to_json(one: ReviewedBid) -> dict[str, Any]:
    *numbers, _reason = one._asdict().items()
    told = {name: round(value, 3) for name, value in numbers}
    more = {"sure": one.sure, "cost": round(one.cost, 3), "grade": one.grade}
    return told | {"reason": reason_to_json(one.reason)} | more


AnyQuestion = Question | Decision | HintQuestion
"""What another process can answer: each has a ``strategy``, and an ``answer`` that JSON can hold."""
