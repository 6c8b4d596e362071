"""The one implementation of the rules: ``new_game``, ``legal_actions`` and ``apply``.

Live play, bots, simulation, replay, referee and recovery all run this. ``apply`` never changes its
argument; an illegal action raises ``IllegalAction`` and leaves the old state as it was.

Codes of ``IllegalAction``: ``game_over``, ``no_tides`` (nothing is on offer yet), ``tides_on_offer``
(they have been turned up already), ``tide_range``, ``tide_copies``, ``no_such_seat``, ``eliminated``,
``not_in_hand``; for a whole round's bids also ``seats`` (not one entry a seat), ``missing_bid`` and
``bids_sealed`` (some were there before).
"""

from collections.abc import Iterator
from itertools import chain, combinations_with_replacement
from typing import Final

from engine.actions import Action, Bid, RoundBids, TurnTides
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
from engine.resolution import resolve_round, score_stage
from engine.results import StageResult
from engine.state import Cards, GameState, Phase, StageState, build

Step = tuple[GameState, tuple[Event, ...]]

# What steps need again and again, made once: `apply` is the hot path of everything that plays games through.
_TIDES: Final = Phase.TIDES
_BIDDING: Final = Phase.BIDDING
_SEALED: Final[tuple[tuple[Event, ...], ...]] = tuple(
    (BidSealed(seat),) for seat in range(MAX_PLAYERS)
)
_BIDS: Final = tuple(
    tuple(Bid(seat, card) for card in range(max(WEATHER_CARDS) + 1)) for seat in range(MAX_PLAYERS)
)
_ALL_SEALED: Final = tuple(
    tuple(BidSealed(seat) for seat in range(players)) for players in range(MAX_PLAYERS + 1)
)
_REPLACED: Final[tuple[Event, ...]] = ()
_NO_CHOICES: Final = tuple(((),) * players for players in range(MAX_PLAYERS + 1))
_WEATHER: Final = frozenset(WEATHER_CARDS)
_NO_BIDS: Final = tuple((0,) * players for players in range(MAX_PLAYERS + 1))


def new_game(rules: Rules, deal: tuple[Cards, ...]) -> Step:
    """The state before the first tides are turned up, and its ``StageStarted``.

    ``deal[seat]`` are the weather cards dealt to that seat, in any order. Raises ``BadDeal`` with a code
    ``hands`` (wrong number of them), ``hand_size``, ``no_such_card`` or ``card_twice``.
    """
    size = rules.hand_size
    # One look at all cards; only where they are not what they should be, a second one for what is wrong.
    cards = _WEATHER.intersection(chain.from_iterable(deal))
    if [len(hand) for hand in deal] != [size] * rules.players or len(cards) != size * len(deal):
        raise _not_dealt(rules, deal)
    dealt = tuple(tuple(sorted(hand)) for hand in deal)
    stage = _stage(0, dealt, tuple([hand_life_preservers(hand) for hand in dealt]))
    game = _at_rest(rules, dealt, _TIDES, (), (0,) * rules.players, stage, ())
    return game, (StageStarted(0, stage.start),)


def _not_dealt(rules: Rules, deal: tuple[Cards, ...]) -> BadDeal:
    """Why ``deal`` cannot have been dealt under ``rules``."""
    if len(deal) != rules.players:
        return BadDeal("hands", hands=len(deal), players=rules.players)
    seen: dict[int, int] = {}
    for seat, hand in enumerate(deal):
        if len(hand) != rules.hand_size:
            return BadDeal("hand_size", seat=seat, cards=len(hand), hand_size=rules.hand_size)
        for card in hand:
            if card not in WEATHER_CARDS:
                return BadDeal("no_such_card", seat=seat, card=card)
            if card in seen:
                return BadDeal("card_twice", seat=seat, card=card, other=seen[card])
            seen[card] = seat
    raise AssertionError("nothing is wrong with this deal")


def dealt_hand_of(seat: int, stage: int, players: int) -> int:
    """The seat to which the hand that ``seat`` plays in ``stage`` (from 0) was dealt.

    Hands pass to the left neighbour between stages (rules.md, "next stage").
    """
    return (seat - stage) % players


def legal_actions(state: GameState, seat: int) -> Iterator[Action]:
    """Every bid that ``apply`` accepts from ``seat`` now, in ascending order of card.

    As a replacement the card bid already is legal too, and changes nothing.
    """
    if 0 <= seat < state.rules.players:
        return map(_BIDS[seat].__getitem__, state.choices[seat])
    return iter(())


def legal_tides(state: GameState) -> Iterator[TurnTides]:
    """Every pair of tides that ``apply`` accepts now, lower first, ascending."""
    if state.phase is Phase.TIDES:
        turned = state.turned
        for low, high in combinations_with_replacement(range(1, state.rules.highest_tide + 1), 2):
            copies = TIDE_COPIES if low == high else 1
            if all(turned.count(tide) + copies <= TIDE_COPIES for tide in (low, high)):
                yield TurnTides(low, high)


def forced_bids(state: GameState) -> tuple[Bid, ...]:
    """The bids that nobody has to choose: the last card of every hand (rules.md, "A round", 2).

    Empty unless the last round of a stage is open. Whoever drives the game applies them.
    """
    if len(state.stage.rounds) + 1 < state.rules.rounds:
        return ()
    return tuple(
        Bid(seat, cards[0])
        for seat, cards in enumerate(state.choices)
        if cards and not state.bids[seat]
    )


def apply(state: GameState, action: Action | RoundBids) -> Step:
    """The state after ``action``, and what happened. Raises ``IllegalAction``."""
    if type(action) is not Bid:  # nearly all are
        if isinstance(action, TurnTides):
            return _turn_tides(state, action)
        if isinstance(action, RoundBids):
            return _bid_all(state, action.cards)
    seat, card = action
    rules, deal, phase, finished, scores, stage, turned, offer, choices, bids, missing = state
    try:
        legal = card in choices[seat] and seat >= 0
    except IndexError:
        legal = False
    if not legal:
        raise _refusal(state, seat, card)
    sealed = [*bids]
    sealed[seat] = card
    if bids[seat]:
        events = _REPLACED
    elif missing > 1:
        missing -= 1
        events = _SEALED[seat]
    else:
        return _reveal(state, sealed, _SEALED[seat])
    bids = tuple(sealed)
    after = rules, deal, phase, finished, scores, stage, turned, offer, choices, bids, missing
    return build(GameState, after), events


def _bid_all(state: GameState, cards: tuple[int | None, ...]) -> Step:
    choices = state.choices
    if state.phase is not _BIDDING:
        raise _refusal(state, 0, 0)
    if len(cards) != len(choices):
        raise IllegalAction("seats", bids=len(cards), players=len(choices))
    if state.missing < state.stage.eliminated.count(False):
        raise IllegalAction("bids_sealed")
    bids = []
    for seat, card in enumerate(cards):
        if card is None:
            if choices[seat]:
                raise IllegalAction("missing_bid", seat=seat)
            bids.append(0)
        elif card in choices[seat]:
            bids.append(card)
        else:
            raise _refusal(state, seat, card)
    sealed = _ALL_SEALED[len(bids)]
    if 0 in bids:
        sealed = tuple([event for event in sealed if bids[event.seat]])
    return _reveal(state, bids, sealed)


def _refusal(state: GameState, seat: int, card: int) -> IllegalAction:
    """Why this bid is illegal."""
    if state.phase is not Phase.BIDDING:
        return IllegalAction("game_over" if state.phase is Phase.OVER else "no_tides")
    if not 0 <= seat < state.rules.players:
        return IllegalAction("no_such_seat", seat=seat)
    if state.stage.eliminated[seat]:
        return IllegalAction("eliminated", seat=seat)
    return IllegalAction("not_in_hand", seat=seat, card=card)


def _turn_tides(state: GameState, action: TurnTides) -> Step:
    rules, deal, phase, finished, scores, stage, turned, _, _, bids, missing = state
    if phase is not _TIDES:
        raise IllegalAction("game_over" if phase is Phase.OVER else "tides_on_offer")
    low, high = action
    if low > high:
        low, high = high, low
    offer = low, high
    turned += offer
    too_many = turned.count(low) > TIDE_COPIES or turned.count(high) > TIDE_COPIES
    if too_many or low < 1 or high > rules.highest_tide:
        raise _no_such_tides(rules, turned)
    number, choices, _, _, _, eliminated, rounds = stage
    if missing < len(bids):
        inside = list(choices)
        for seat, out in enumerate(eliminated):
            if out:
                inside[seat] = ()
        choices = tuple(inside)
    after = rules, deal, _BIDDING, finished, scores, stage, turned, offer, choices, bids, missing
    return build(GameState, after), (build(TidesTurned, (number, len(rounds), offer)),)


def _no_such_tides(rules: Rules, turned: tuple[int, ...]) -> IllegalAction:
    """Why the last two of ``turned`` cannot be what lay on top of the tide deck."""
    for tide in turned[-2:]:
        if not 1 <= tide <= rules.highest_tide:
            return IllegalAction("tide_range", tide=tide, highest=rules.highest_tide)
        if turned.count(tide) > TIDE_COPIES:
            break
    return IllegalAction("tide_copies", tide=tide)


def _reveal(state: GameState, bids: list[int], sealed: tuple[Event, ...]) -> Step:
    """Resolve the round whose ``bids`` are all in; score the stage and go on when it ends."""
    rules, deal, _, finished, scores, before, turned, offer, _, _, _ = state
    assert offer is not None
    result, stage, inside = resolve_round(rules, before, offer, bids)
    played = len(stage.rounds)
    events = sealed + (build(RoundResolved, (stage.number, played - 1, result)),)
    if played < rules.hand_size and inside > 2:
        players = len(bids)
        none, nothing = _NO_CHOICES[players], _NO_BIDS[players]
        after = rules, deal, _TIDES, finished, scores, stage, turned, None, none, nothing, inside
        return build(GameState, after), events
    return _stage_over(state, stage, events)


def _stage_over(state: GameState, stage: StageState, events: tuple[Event, ...]) -> Step:
    """Score ``stage``, as the reveal after ``state`` left it, and go on to the next one or to the end."""
    rules, deal, _, finished, scores, _, turned, _, _, _, _ = state
    scored = score_stage(stage, scores)
    number = stage.number
    finished += (scored,)
    scores = scored.scores
    events += (StageScored(number, scored),)
    if len(finished) == rules.stages:
        over = _at_rest(rules, deal, Phase.OVER, finished, scores, stage, turned)
        return over, (*events, GameOver(scores, over.winners))
    # Every hand passes to the left neighbour, with the life preservers that belong to it.
    number += 1
    start = stage.start[-1:] + stage.start[:-1]
    stage = _stage(number, deal[-number:] + deal[:-number], start)
    after = _at_rest(rules, deal, _TIDES, finished, scores, stage, ())
    return after, (*events, StageStarted(number, start))


def _at_rest(
    rules: Rules,
    deal: tuple[Cards, ...],
    phase: Phase,
    finished: tuple[StageResult, ...],
    scores: tuple[int, ...],
    stage: StageState,
    turned: tuple[int, ...],
) -> GameState:
    """The state with nothing on offer."""
    players = len(deal)
    none, nothing = _NO_CHOICES[players], _NO_BIDS[players]
    missing = stage.eliminated.count(False)
    after = rules, deal, phase, finished, scores, stage, turned, None, none, nothing, missing
    return build(GameState, after)


def _stage(number: int, hands: tuple[Cards, ...], start: tuple[int, ...]) -> StageState:
    """A stage before its first round."""
    players = len(hands)
    return StageState(number, hands, start, start, (0,) * players, (False,) * players, ())
