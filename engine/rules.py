"""The one implementation of the rules: ``new_game``, ``legal_actions`` and ``apply``.

Live play, bots, simulation, replay, referee and recovery all run this. ``apply`` never changes its
argument; an illegal action raises ``IllegalAction`` and leaves the old state as it was.

Codes of ``IllegalAction``: ``game_over``, ``no_tides`` (nothing is on offer yet), ``tides_on_offer``
(they have been turned up already), ``tide_range``, ``tide_copies``, ``no_such_seat``, ``eliminated``,
``not_in_hand``.
"""

from collections.abc import Iterator
from itertools import combinations_with_replacement
from typing import Final

from engine.actions import Action, Bid, SubstituteBid, TurnTides
from engine.cards import TIDE_COPIES, WEATHER_CARDS, hand_life_preservers
from engine.editions import MAX_PLAYERS, Rules
from engine.errors import BadDeal, IllegalAction
from engine.events import (
    BidSealed,
    Event,
    GameOver,
    RoundResolved,
    StageScored,
    StageStarted,
    TidesTurned,
)
from engine.results import Loss, LossEnd, RoundResult, StageResult
from engine.state import Cards, GameState, Phase, StageState

Step = tuple[GameState, tuple[Event, ...]]

_SEALED: Final = tuple((BidSealed(seat),) for seat in range(MAX_PLAYERS))
_REPLACED: Final[tuple[Event, ...]] = ()


def new_game(rules: Rules, deal: tuple[Cards, ...]) -> Step:
    """The state before the first tides are turned up, and its ``StageStarted``.

    ``deal[seat]`` are the weather cards dealt to that seat, in any order. Raises ``BadDeal`` with a code
    ``hands`` (wrong number of them), ``hand_size``, ``no_such_card`` or ``card_twice``.
    """
    if len(deal) != rules.players:
        raise BadDeal("hands", hands=len(deal), players=rules.players)
    seen: dict[int, int] = {}
    for seat, hand in enumerate(deal):
        if len(hand) != rules.hand_size:
            raise BadDeal("hand_size", seat=seat, cards=len(hand), hand_size=rules.hand_size)
        for card in hand:
            if card not in WEATHER_CARDS:
                raise BadDeal("no_such_card", seat=seat, card=card)
            if card in seen:
                raise BadDeal("card_twice", seat=seat, card=card, other=seen[card])
            seen[card] = seat
    dealt = tuple(tuple(sorted(hand)) for hand in deal)
    stage = _start_stage(0, dealt)
    game = GameState(rules, dealt, Phase.TIDES, (), (0,) * rules.players, stage)
    return game, (StageStarted(0, stage.start),)


def dealt_hand_of(seat: int, stage: int, players: int) -> int:
    """The seat to which the hand that ``seat`` plays in ``stage`` (from 0) was dealt.

    Hands pass to the left neighbour between stages (rules.md, "next stage").
    """
    return (seat - stage) % players


def legal_actions(state: GameState, seat: int) -> Iterator[Action]:
    """Every bid that ``apply`` accepts from ``seat`` now, in ascending order of card.

    As a replacement the card bid already is legal too, and changes nothing.
    """
    if state.phase is Phase.BIDDING and 0 <= seat < state.rules.players:
        stage = state.stage
        if not stage.eliminated[seat]:
            for card in stage.hands[seat]:
                yield Bid(seat, card)


def legal_tides(state: GameState) -> Iterator[TurnTides]:
    """Every pair of tides that ``apply`` accepts now, lower first, ascending."""
    if state.phase is Phase.TIDES:
        for low, high in combinations_with_replacement(range(1, state.rules.highest_tide + 1), 2):
            copies = TIDE_COPIES if low == high else 1
            turned = state.stage.turned
            if all((turned >> 2 * tide & 3) + copies <= TIDE_COPIES for tide in (low, high)):
                yield TurnTides(low, high)


def forced_bids(state: GameState) -> tuple[Bid, ...]:
    """The bids that nobody has to choose: the last card of every hand (rules.md, "A round", 2).

    Empty unless the last round of a stage is open. Whoever drives the game applies them.
    """
    if state.phase is not Phase.BIDDING:
        return ()
    stage = state.stage
    if len(stage.rounds) + 1 < state.rules.rounds:
        return ()
    return tuple(
        Bid(seat, hand[0])
        for seat, hand in enumerate(stage.hands)
        if not stage.eliminated[seat] and not stage.bids[seat]
    )


def apply(state: GameState, action: Action) -> Step:
    """The state after ``action``, and what happened. Raises ``IllegalAction``."""
    if isinstance(action, TurnTides):
        return _turn_tides(state, action)
    return _bid(state, action)


def _bid(state: GameState, action: Bid | SubstituteBid) -> Step:
    rules, deal, phase, finished, scores, stage = state
    if phase is not Phase.BIDDING:
        raise IllegalAction("game_over" if phase is Phase.OVER else "no_tides")
    seat, card = action
    if not 0 <= seat < rules.players:
        raise IllegalAction("no_such_seat", seat=seat)
    number, hands, start, preservers, levels, eliminated, bids, missing, offer, turned, rounds = (
        stage
    )
    if eliminated[seat]:
        raise IllegalAction("eliminated", seat=seat)
    if card not in hands[seat]:
        raise IllegalAction("not_in_hand", seat=seat, card=card)
    first = not bids[seat]
    bids = bids[:seat] + (card,) + bids[seat + 1 :]
    if first:
        missing -= 1
    # Positional: building a named tuple from keywords costs twice as much.
    stage = StageState(
        number, hands, start, preservers, levels, eliminated, bids, missing, offer, turned, rounds
    )
    if missing:
        after = GameState(rules, deal, phase, finished, scores, stage)
        return after, _SEALED[seat] if first else _REPLACED
    return _reveal(GameState(rules, deal, phase, finished, scores, stage), seat)


def _turn_tides(state: GameState, action: TurnTides) -> Step:
    rules, deal, phase, finished, scores, stage = state
    if phase is not Phase.TIDES:
        raise IllegalAction("game_over" if phase is Phase.OVER else "tides_on_offer")
    turned = stage.turned
    for tide in action:
        if not 1 <= tide <= rules.highest_tide:
            raise IllegalAction("tide_range", tide=tide, highest=rules.highest_tide)
        if turned >> 2 * tide & 3 >= TIDE_COPIES:
            raise IllegalAction("tide_copies", tide=tide)
        turned += 1 << 2 * tide
    first, second = action
    offer = (first, second) if first <= second else (second, first)
    number, hands, start, preservers, levels, eliminated, bids, missing, _, _, rounds = stage
    stage = StageState(
        number, hands, start, preservers, levels, eliminated, bids, missing, offer, turned, rounds
    )
    after = GameState(rules, deal, Phase.BIDDING, finished, scores, stage)
    return after, (TidesTurned(number, len(rounds), offer),)


def _reveal(state: GameState, last_bidder: int) -> Step:
    """Resolve the round whose bids are all in; score the stage and go on when it ends."""
    rules, deal, _, finished, scores, stage = state
    result = resolve_round(rules, stage)
    rounds = (*stage.rounds, result)
    events: tuple[Event, ...] = (
        *_SEALED[last_bidder],
        RoundResolved(stage.number, len(stage.rounds), result),
    )
    left = [level is not None for level in result.levels]
    still_in = sum(left)
    hands = tuple(
        tuple([card for card in hand if card != bid]) if bid else hand
        for hand, bid in zip(stage.hands, stage.bids, strict=True)
    )
    stage = StageState(
        stage.number,
        hands,
        stage.start,
        result.life_preservers,
        tuple([level or 0 for level in result.levels]),
        tuple([not inside for inside in left]),
        (0,) * rules.players,
        still_in,
        None,
        stage.turned,
        rounds,
    )
    if still_in > 2 and len(rounds) < rules.rounds:
        return GameState(rules, deal, Phase.TIDES, finished, scores, stage), events
    scored = score_stage(stage, scores)
    finished = (*finished, scored)
    events = (*events, StageScored(stage.number, scored))
    if len(finished) == rules.stages:
        over = GameState(rules, deal, Phase.OVER, finished, scored.scores, stage)
        return over, (*events, GameOver(over.scores, over.winners))
    following = _start_stage(stage.number + 1, deal)
    after = GameState(rules, deal, Phase.TIDES, finished, scored.scores, following)
    return after, (*events, StageStarted(following.number, following.start))


def resolve_round(rules: Rules, stage: StageState) -> RoundResult:
    """Steps 3 and 4 of a round (rules.md, "A round"), for a stage in which every bid is in."""
    bids = stage.bids
    offer = stage.offer
    assert offer is not None
    ranked = sorted(bids)
    high_bidder = bids.index(ranked[-1])
    second_bidder = bids.index(ranked[-2])
    levels: list[int | None] = [
        None if out else level for level, out in zip(stage.levels, stage.eliminated, strict=True)
    ]
    levels[high_bidder], levels[second_bidder] = offer
    preservers = list(stage.life_preservers)
    losses, end = _settle_loss(levels, preservers, rules.passes_loss_on)
    return RoundResult(
        offer,
        tuple([bid or None for bid in bids]),
        (high_bidder, second_bidder),
        tuple(levels),
        tuple(preservers),
        losses,
        end,
    )


def _settle_loss(
    levels: list[int | None], preservers: list[int], passes_on: bool
) -> tuple[tuple[Loss, ...], LossEnd]:
    """Turn life preservers over and eliminate, in place, until somebody has paid or nobody has to."""
    losses: tuple[Loss, ...] = ()
    while True:
        highest = max([level for level in levels if level is not None])
        if not highest:
            return losses, LossEnd.NO_TIDE
        lost: tuple[int, ...] = ()
        eliminated: tuple[int, ...] = ()
        for seat, level in enumerate(levels):
            if level == highest:
                if preservers[seat]:
                    preservers[seat] -= 1
                    lost = (*lost, seat)
                else:
                    levels[seat] = None
                    eliminated = (*eliminated, seat)
        losses = (*losses, Loss(highest, lost, eliminated))
        if lost:
            return losses, LossEnd.PAID
        if len(levels) - levels.count(None) <= 2:
            return losses, LossEnd.TWO_LEFT
        if not passes_on:
            return losses, LossEnd.NOT_PASSED_ON


def score_stage(stage: StageState, scores: tuple[int, ...]) -> StageResult:
    """Points of a stage that has ended (rules.md, "Corners, settled"), added to ``scores``."""
    # Two who share the highest level can be eliminated together; then one or nobody may be left.
    inside = [seat for seat, out in enumerate(stage.eliminated) if not out]
    lowest = min((stage.levels[seat] for seat in inside), default=0)
    bonus = tuple([seat for seat in inside if stage.levels[seat] == lowest])
    points = tuple(
        [
            -1 if out else preservers + (seat in bonus)
            for seat, (preservers, out) in enumerate(
                zip(stage.life_preservers, stage.eliminated, strict=True)
            )
        ]
    )
    totals = tuple([score + point for score, point in zip(scores, points, strict=True)])
    return StageResult(stage.start, stage.rounds, stage.eliminated, bonus, points, totals)


def _start_stage(number: int, deal: tuple[Cards, ...]) -> StageState:
    players = len(deal)
    hands = tuple([deal[dealt_hand_of(seat, number, players)] for seat in range(players)])
    start = tuple([hand_life_preservers(hand) for hand in hands])
    return StageState(
        number,
        hands,
        start,
        start,
        (0,) * players,
        (False,) * players,
        (0,) * players,
        players,
        None,
        0,
        (),
    )
