"""What everybody sees of a round while it is revealed, for who shows that and has no state: it follows from
the view before it and from its result (rules.md, "A round").
"""

from typing import NamedTuple

from engine.results import RoundResult
from engine.state import Phase
from engine.views import SeatPublic, TableView


class RoundScene(NamedTuple):
    """A round is revealed."""

    before: TableView
    """The table with every bid in."""
    after: TableView
    """Before the next tides turn up: so a round can be shown to its end although the table has gone on to the
    next stage.
    """
    result: RoundResult


def turning_order(result: RoundResult) -> list[int]:
    """Seats that bid, lowest card first: the order in which cards turn up."""
    bids = [bid or 0 for bid in result.bids]
    return sorted(range(len(bids)), key=bids.__getitem__)[bids.count(0) :]


def stage_started(view: TableView, stage: int, life_preservers: tuple[int, ...]) -> TableView:
    """The table at the start of a stage (from 0), before its first tides; ``view`` is an earlier one, and
    ``life_preservers`` are what each seat begins with.
    """
    cards = view.rules.hand_size
    seats = tuple(
        SeatPublic(seat.score, start, start, 0, False, False, cards, (), ())
        for seat, start in zip(view.seats, life_preservers, strict=True)
    )
    return view._replace(
        phase=Phase.TIDES, stage=stage, round=0, offer=None, seats=seats, rounds=()
    )


def round_scene(view: TableView, result: RoundResult) -> RoundScene:
    """``result`` of round ``view.round``; ``view`` is the table at any time before the bids are turned up."""
    seats, resolved = [], []
    told = zip(view.seats, result.levels, result.bids, result.life_preservers, strict=True)
    for seat, level, bid, left in told:
        # The fields of a seat in their order: ``_replace`` takes three times as long.
        score, start, had, showed, out, _, cards, played, earlier = seat
        has_bid = bid is not None
        seats.append(SeatPublic(score, start, had, showed, out, has_bid, cards, played, earlier))
        shows, out = level or 0, level is None
        cards = 0 if out else cards - 1
        played = played if bid is None else (*played, bid)
        resolved.append(SeatPublic(score, start, left, shows, out, False, cards, played, earlier))
    before = view._replace(phase=Phase.BIDDING, offer=result.offer, seats=tuple(seats))
    after = view._replace(
        phase=Phase.TIDES,
        offer=None,
        seats=tuple(resolved),
        rounds=(*view.rounds, result),
        round=view.round + 1,
    )
    return RoundScene(before, after, result)
