"""A game that is over, bid by bid: what ``master`` would have bid, knowing what the player knew, and what the
difference is worth.
"""

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from engine.bots.advice import HintQuestion
from engine.bots.estimates import SURE
from engine.bots.question import Choose, Question
from engine.history import History, history_of
from engine.replay import Replay, StepKind
from engine.views import SeatView, seat_view

COSTLIEST: Final = 3
"""So many of the bids that cost most are told first."""


class ReviewedBid(NamedTuple):
    """A bid beside the best one. Stages and rounds count from 0; points are those of the stage."""

    stage: int
    round: int
    bid: int
    best: int
    """The card that would have brought the most; the bid itself if none seems better."""
    difference: float
    """How many points ``best`` would have brought more, by estimate; 0 when it was bid."""
    error: float
    """The standard error of the difference, also of the one to the best of the other cards."""
    risk: float
    """The chance of the bid to lose a life preserver in this round, or to be eliminated; 0 to 1."""
    best_risk: float
    """The same of ``best``."""
    life_preservers: int
    """What the player had left."""

    @property
    def sure(self) -> bool:
        """Whether the bid was a mistake; otherwise it was the best, or is too close to it to call."""
        return self.difference > SURE * self.error


class Decision(NamedTuple):
    """A bid that was made, and what the player knew then. Stages and rounds count from 0."""

    stage: int
    round: int
    view: SeatView
    history: History
    bid: int

    @property
    def strategy(self) -> str:
        """Whose opinion is asked, as in ``engine.bots.question.Question``."""
        return "master"

    def answer(self, _choose: Choose) -> ReviewedBid:
        """The bid beside the best one; always the same for the same decision."""
        return reviewed(self)


def decisions(replay: Replay, seat: int) -> Iterator[Decision]:
    """The bids of a seat, without those of a last card and those before its player joined."""
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
    """From which stage on, counted from 0, who is called the player has played (docs/records.md). Nothing in
    this part of a record is certain to have any form.
    """
    seats = fields.get("seats")
    told = seats[seat] if isinstance(seats, list) and seat < len(seats) else None
    since = told.get("since") if isinstance(told, dict) else None
    return since - 1 if isinstance(since, int) else 0


def reviewed(decision: Decision, rollouts: int = 4000) -> ReviewedBid:
    """The bid beside the best one; always the same for the same decision."""
    from engine.bots.analysis import analyse

    stage, round_, view, history, bid = decision
    chance = random.Random(f"{view.seat} {stage} {round_}")
    found = analyse(view, history, chance, bid, rollouts)
    best = found.best
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
    )


def costliest(bids: Iterable[ReviewedBid]) -> list[ReviewedBid]:
    """The mistakes that cost most, first the worst; none that is too close to call."""
    return sorted((one for one in bids if one.sure), key=lambda one: -one.difference)[:COSTLIEST]


def to_json(bids: Sequence[ReviewedBid]) -> dict[str, Any]:
    """A review as a JSON object (docs/api.md)."""
    rounded = [
        {name: round(value, 3) for name, value in one._asdict().items()} | {"sure": one.sure}
        for one in bids
    ]
    return {"bids": rounded, "costliest": [bids.index(one) for one in costliest(bids)]}


AnyQuestion = Question | Decision | HintQuestion
"""What another process can answer: each has a ``strategy``, and an ``answer`` that JSON can hold."""
