"""A revealed round, step by step: what the table looks like while the cards turn up and the water moves.

Steps of a reveal of ``n`` cards: 0 all face down; 1 to ``n`` that many turned up, from the lowest;
``n + 1`` the two highest step forward and take their tide cards; then the water moves in ``FLOW``
steps; the last one, in which it arrives, shows who lost a life preserver.
"""

from typing import Final

from engine.results import RoundResult
from engine.state import Phase
from engine.views import SeatPublic, TableView
from server.coordinator.messages import StageStarted, TableInfo
from server.i18n.catalogues import Words
from server.terminal.drawing.caches import shared
from server.text.rounds import losses_in_words
from server.viewmodels.table import (
    RevealModel,
    SeatModel,
    TableModel,
    present_table,
    seat_names,
)

FLOW: Final = 1
"""Steps in which the water is on its way."""


@shared(2)
def stage_started(view: TableView, event: StageStarted, scores: tuple[int, ...]) -> TableView:
    """The table at the start of a stage, before its first tides; ``view`` is an earlier one."""
    cards = view.rules.hand_size
    seats = tuple(
        SeatPublic(score, start, start, 0, False, False, cards, (), ())
        for score, start in zip(scores, event.life_preservers, strict=True)
    )
    return view._replace(
        phase=Phase.TIDES, stage=event.stage, round=0, offer=None, seats=seats, rounds=()
    )


@shared(2)
def before_reveal(view: TableView, result: RoundResult) -> TableView:
    """``view`` with every bid in: the moment before ``result``."""
    seats = tuple(
        seat._replace(has_bid=bid is not None)
        for seat, bid in zip(view.seats, result.bids, strict=True)
    )
    return view._replace(phase=Phase.BIDDING, offer=result.offer, seats=seats)


@shared(2)
def after_round(view: TableView, result: RoundResult) -> TableView:
    """``view`` with one more resolved round, before the next tides turn up.

    So a round can be shown to its end although the table has gone on to the next stage.
    """
    seats = []
    for number, seat in enumerate(view.seats):
        level, bid = result.levels[number], result.bids[number]
        seats.append(
            seat._replace(
                life_preservers=result.life_preservers[number],
                level=level or 0,
                eliminated=level is None,
                has_bid=False,
                cards_left=0 if level is None else seat.cards_left - 1,
                played=seat.played if bid is None else (*seat.played, bid),
            )
        )
    return view._replace(
        phase=Phase.TIDES,
        offer=None,
        seats=tuple(seats),
        rounds=(*view.rounds, result),
        round=view.round + 1,
    )


@shared(4)
def present_reveal(
    info: TableInfo, view: TableView, result: RoundResult, words: Words
) -> RevealModel:
    """``result`` of round ``view.round``; ``view`` is the table before it."""
    bids = tuple(bid or 0 for bid in result.bids)
    return RevealModel(
        stage=view.stage,
        round=view.round,
        order=tuple(sorted((seat for seat, bid in enumerate(bids) if bid), key=bids.__getitem__)),
        takers=result.takers,
        offer=result.offer,
        cards=bids,
        lost=result.lost,
        eliminated=result.eliminated,
        why=losses_in_words(result, seat_names(info), view.rules, words),
    )


def steps(reveal: RevealModel) -> int:
    """How many steps there are."""
    return len(reveal.order) + 2 + FLOW + 1


@shared(3)
def reveal_step(before: TableModel, reveal: RevealModel, words: Words, step: int) -> TableModel:
    """The table in any step but the last."""
    up = reveal.order[: min(step, len(reveal.order))]
    taking = step > len(reveal.order)
    flown = step - len(reveal.order) - 1
    arrived = {taker: reveal.offer[rank] for rank, taker in enumerate(reveal.takers)}
    highest = max(arrived.get(seat.seat, seat.level) for seat in before.seats)
    seats = []
    for seat in before.seats:
        changed = seat
        if seat.seat in up:
            changed = _turned_up(seat, reveal, words, taking)._replace(sealed=False)
        if flown > 0:
            # The numbers are there before the water: nobody could read them count up with it.
            tide = arrived.get(seat.seat, seat.level)
            level = _on_its_way(seat.level, tide, flown / (FLOW + 1))
            said = str(tide) if level else seat.level_words
            changed = changed._replace(level=level, level_words=said, highest=tide == highest > 0)
        seats.append(changed)
    return before._replace(seats=tuple(seats))


def _on_its_way(old: int, new: int, share: float) -> int:
    """A level ``share`` of the way from ``old`` to ``new``, an even one if there is any.

    The surface of an odd one lies within a row, and costs twice as much for a tenth of a second.
    """
    even = 2 * round((old + (new - old) * share) / 2)
    return min(max(even, min(old, new)), max(old, new))


@shared(4)
def revealed(
    before: TableModel, after: TableModel, reveal: RevealModel, words: Words
) -> TableModel:
    """The last step, and as long as it stays: the table after the round, with what was bid. The round and its
    tides are the old ones, whatever goes on meanwhile.
    """
    seats = []
    for seat in after.seats:
        changed = seat
        if reveal.cards[seat.seat]:
            changed = _turned_up(seat, reveal, words, True)
            lost = seat.seat in reveal.lost or seat.seat in reveal.eliminated
            changed = changed._replace(losing=lost)
        seats.append(changed)
    takers = tuple([after.seats[seat].name for seat in reveal.takers])
    (first, second), (low, high) = takers, reveal.offer
    return after._replace(
        seats=tuple(seats),
        round=before.round,
        round_words=before.round_words,
        offer=reveal.offer,
        offer_words=(
            words.t("{name} took the {tide}", name=first, tide=low),
            words.t("{name} took the {tide}", name=second, tide=high),
            "",
        ),
        takers=takers,
        wave=before.wave,
    )


def _turned_up(seat: SeatModel, reveal: RevealModel, words: Words, taking: bool) -> SeatModel:
    card = reveal.cards[seat.seat]
    state, rank = "", 0
    if taking and seat.seat in reveal.takers:
        rank = reveal.takers.index(seat.seat) + 1
        state = words.t("{card} took {tide}", card=card, tide=reveal.offer[rank - 1])
    return seat._replace(card=card, state=state, rank=rank)


def reveal_shown(
    info: TableInfo,
    before: TableModel,
    after: TableView,
    reveal: RevealModel,
    step: int,
    words: Words,
) -> TableModel:
    """The table in any step; ``before`` and ``after`` are what it is like around the round."""
    if step < steps(reveal) - 1:
        return reveal_step(before, reveal, words, step)
    return revealed(before, present_table(info, after, words), reveal, words)
