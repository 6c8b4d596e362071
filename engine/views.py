"""Views of a game: what a seat or a spectator may know, built field by field (rules.md, "Who knows what").

A view holds nothing but what is named here, so that changing what a seat cannot know (others' unseen cards,
the undealt cards) leaves its view equal. No state holds sealed bids: the table, which does, says who has bid,
and tells a seat its own. A history adds what is over: every finished stage as all saw it, and the hands that
the seat has held itself. It does not depend on the option *assistance*, which is about what the table shows.
A ``RoundScene`` shows a reveal to those who have a view and no state.

Views are plain nested tuples of numbers and strings: serialisable as they are.
"""

from collections.abc import Container
from typing import NamedTuple

from engine.editions import Rules
from engine.rules import dealt_hand_of
from engine.state import Cards, GameState, Phase, RoundResult, StageResult


class SeatPublic(NamedTuple):
    """What everybody sees of one seat."""

    score: int
    """Total over the finished stages."""
    start: int
    """Life preservers at the start of this stage."""
    life_preservers: int
    """Left now; 0 when eliminated."""
    level: int
    """Top tide card; 0 when there is none, or the seat is eliminated."""
    eliminated: bool
    has_bid: bool
    """Whether a sealed bid lies there; never which card."""
    cards_left: int
    """Number of cards still in the hand, a sealed bid included; 0 when eliminated."""
    played: Cards
    """Cards revealed in this stage, in order of play."""
    earlier: Cards
    """With assistance only: cards of the hand that this seat holds now, revealed in earlier stages;
    ascending."""


class TableView(NamedTuple):
    """What a spectator sees of a game; every seat's view contains the same."""

    rules: Rules
    phase: Phase
    stage: int
    """From 0."""
    round: int
    """From 0: the round being bid, or the next one while the tides are awaited. When the game is over,
    the number of rounds that the last stage had."""
    offer: tuple[int, int] | None
    """The tide cards on offer, lower first."""
    seats: tuple[SeatPublic, ...]
    rounds: tuple[RoundResult, ...]
    """This stage's resolved rounds."""
    points: tuple[tuple[int, ...], ...]
    """A finished stage each: its points a seat."""
    bonuses: tuple[tuple[int, ...], ...]
    """A finished stage each: the seats that got the bonus point."""
    winners: tuple[int, ...]
    """Seats that share the win; empty before the game is over."""
    deal: tuple[Cards, ...] = ()
    """Every hand as it was dealt, a seat each; empty before the game is over."""


class OwnHand(NamedTuple):
    """With assistance: a hand that the viewer has played in an earlier stage, and so knows in full."""

    holder: int
    """The seat that holds it now."""
    cards: Cards
    """All of it, ascending."""


class SeatView(NamedTuple):
    """What the player at ``seat`` may know: the table, and the own hand."""

    table: TableView
    seat: int
    hand: Cards
    """Cards that can still be bid, ascending; the card bid already is one of them. Empty when
    eliminated."""
    bid: int
    """The own sealed bid; 0 when there is none."""
    dealt: Cards
    """The hand this stage was started with, ascending."""
    own_earlier: tuple[OwnHand, ...]
    """With assistance only: in the order in which they were played."""


def table_view(state: GameState, bidders: Container[int] = ()) -> TableView:
    """Return what everybody may know of ``state``; ``bidders`` are the seats whose bid lies there, sealed."""
    rules, stage = state.rules, state.stage
    scores, over = state.scores, state.over
    played = _played(stage.rounds, rules.players)
    earlier = _revealed_earlier(state) if rules.assistance else ((),) * rules.players
    # The fields of a seat in their order, without their names: that takes half the time.
    seats = [
        SeatPublic(
            scores[seat],
            stage.start[seat],
            stage.life_preservers[seat],
            level or 0,
            level is None,
            seat in bidders,
            len(stage.hands[seat]),
            played[seat],
            earlier[seat],
        )
        for seat, level in enumerate(stage.levels)
    ]
    return TableView(
        rules=rules,
        phase=state.phase,
        stage=stage.number,
        round=len(stage.rounds),
        offer=state.offer,
        seats=tuple(seats),
        rounds=stage.rounds,
        points=tuple([result.points for result in state.finished]),
        bonuses=tuple([result.bonus for result in state.finished]),
        winners=state.winners if over else (),
        deal=state.deal if over else (),
    )


def seat_view(
    state: GameState, seat: int, table: TableView | None = None, bid: int = 0
) -> SeatView:
    """Return what ``seat`` may know. ``table`` is its ``table_view``, where the caller shares it or somebody
    has bid; ``bid`` is the own sealed bid.
    """
    rules, stage = state.rules, state.stage
    return SeatView(
        table_view(state) if table is None else table,
        seat,
        stage.hands[seat],
        bid,
        state.deal[dealt_hand_of(seat, stage.number, rules.players)],
        _own_earlier(state, seat) if rules.assistance else (),
    )


def _played(rounds: tuple[RoundResult, ...], players: int) -> list[Cards]:
    """Return the cards revealed in ``rounds`` a seat, in order of play."""
    if not rounds:
        return [()] * players
    return [
        tuple([card for card in cards if card is not None]) if None in cards else cards
        for cards in zip(*[result.bids for result in rounds], strict=True)
    ]


def _earlier_stages(state: GameState) -> tuple[StageResult, ...]:
    # When the game is over, the last finished stage is the one on the table.
    return state.finished[: state.stage.number]


def _revealed_earlier(state: GameState) -> list[Cards]:
    """Return the cards of the hand that each seat holds now, revealed in earlier stages, ascending."""
    players, now = state.rules.players, state.stage.number
    revealed: list[list[int]] = [[] for _ in range(players)]
    for number, result in enumerate(_earlier_stages(state)):
        for seat, cards in enumerate(_played(result.rounds, players)):
            # Since then this hand has moved one seat on with each stage.
            revealed[(seat + now - number) % players] += cards
    return [tuple(sorted(set(cards))) for cards in revealed]


def _own_earlier(state: GameState, seat: int) -> tuple[OwnHand, ...]:
    players = state.rules.players
    now = state.stage.number
    hands = []
    for number in range(now):
        hand = dealt_hand_of(seat, number, players)
        hands.append(OwnHand((hand + now) % players, state.deal[hand]))
    return tuple(hands)


class PastStage(NamedTuple):
    """A stage that is over, as everybody saw it. Tuples a seat are indexed by seat."""

    start: tuple[int, ...]
    """Life preservers a seat at the start."""
    rounds: tuple[RoundResult, ...]
    """Every round: the tides, the bids, and what followed from them."""
    points: tuple[int, ...]
    """Points of the stage a seat."""


class History(NamedTuple):
    """What the player at one seat remembers, a value for each finished stage; who watches has no hands."""

    stages: tuple[PastStage, ...] = ()
    """In the order in which they were played."""
    hands: tuple[Cards, ...] = ()
    """The hand that the seat held in each of them, as it was dealt, ascending."""


NOTHING = History()
"""The history of a game in its first stage."""


def history_of(state: GameState, seat: int) -> History:
    """Return what ``seat`` remembers of the stages before the one on the table."""
    players, now = state.rules.players, state.stage.number
    if not now:
        return NOTHING
    hands = tuple([state.deal[dealt_hand_of(seat, number, players)] for number in range(now)])
    return History(_stages(state), hands)


def public_history_of(state: GameState) -> History:
    """Return what everybody remembers who has watched: the finished stages, and no hands."""
    return History(_stages(state))


def _stages(state: GameState) -> tuple[PastStage, ...]:
    # When the game is over, the last finished stage is the one on the table.
    finished = state.finished[: state.stage.number]
    return tuple([PastStage(result.start, result.rounds, result.points) for result in finished])


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
    """Return the seats that bid, lowest card first: the order in which cards turn up."""
    bids = [bid or 0 for bid in result.bids]
    return sorted(range(len(bids)), key=bids.__getitem__)[bids.count(0) :]


def stage_started(view: TableView, stage: int, life_preservers: tuple[int, ...]) -> TableView:
    """Return the table at the start of a stage (from 0), before its first tides; ``view`` is an earlier one,
    and ``life_preservers`` are what each seat begins with.
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
    """Return the scene of ``result`` of round ``view.round``; ``view`` is the table at any time before the
    bids are turned up.
    """
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
