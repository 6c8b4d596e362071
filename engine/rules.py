"""The one implementation of the rules: ``new_game``, ``turn_tides`` and ``reveal``.

Live play, bots, simulation, replay, referee and recovery all run this. A round takes two steps: its tides are
turned up, and then everybody's bids are revealed and resolved together. Who drives the game has the tide
deck, and keeps the bids sealed until all are in; no state holds either, so none can leak them. Nothing here
changes its arguments; what is illegal raises ``IllegalAction``. What happened follows from the state after it
(``events_of``), and every event is public.

Codes of ``IllegalAction``: ``game_over``, ``no_tides`` (nothing is on offer yet), ``tides_on_offer``
(they have been turned up already), ``tide_range``, ``tide_copies``, ``seats`` (not one entry a seat),
``missing_bid``, ``no_such_seat``, ``eliminated``, ``not_in_hand``.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement
from operator import add
from typing import Final, NamedTuple

from engine.editions import HIGHEST_TIDE, TIDE_COPIES, WEATHER_CARDS, Rules, hand_life_preservers
from engine.errors import BadDeal, IllegalAction
from engine.state import (
    Cards,
    GameState,
    Loss,
    LossEnd,
    Phase,
    RoundResult,
    StageResult,
    StageState,
    made,
)

_CARDS: Final = frozenset(WEATHER_CARDS)  # which answers sooner than a range does


def new_game(rules: Rules, deal: tuple[Cards, ...]) -> GameState:
    """Return the state before the first tides are turned up.

    ``deal[seat]`` are the weather cards dealt to that seat, in any order. Raises ``BadDeal`` with a code
    ``hands`` (wrong number of them), ``hand_size``, ``no_such_card`` or ``card_twice``.
    """
    _check_deal(rules, deal)
    hands = tuple([tuple(sorted(hand)) for hand in deal])
    start = tuple([hand_life_preservers(hand) for hand in hands])
    return GameState(rules, hands, (), _stage(0, hands, start))


def _check_deal(rules: Rules, deal: tuple[Cards, ...]) -> None:
    if len(deal) != rules.players:
        raise BadDeal("hands", hands=len(deal), players=rules.players)
    holders: list[int | None] = [None] * WEATHER_CARDS.stop
    for seat, hand in enumerate(deal):
        if len(hand) != rules.hand_size:
            raise BadDeal("hand_size", seat=seat, cards=len(hand), hand_size=rules.hand_size)
        for card in hand:
            if type(card) is not int or card not in _CARDS:
                raise BadDeal("no_such_card", seat=seat, card=card)
            other = holders[card]
            if other is not None:
                raise BadDeal("card_twice", seat=seat, card=card, other=other)
            holders[card] = seat


def dealt_hand_of(seat: int, stage: int, players: int) -> int:
    """Return the seat to which the hand that ``seat`` plays in ``stage`` (from 0) was dealt.

    Hands pass to the left neighbour between stages (rules.md, "The end of a stage").
    """
    return (seat - stage) % players


def legal_actions(state: GameState, seat: int) -> Cards:
    """Return the cards that ``seat`` may bid now, ascending (rules.md, "A round", 2)."""
    if state.offer is None or not 0 <= seat < state.rules.players:
        return ()
    return state.stage.hands[seat]


def legal_tides(state: GameState) -> Iterator[tuple[int, int]]:
    """Return every pair of tides that ``turn_tides`` accepts now, lower first, ascending."""
    if state.phase is Phase.TIDES:
        turned = state.turned
        for pair in combinations_with_replacement(range(1, state.rules.highest_tide + 1), 2):
            if all(turned[tide] + pair.count(tide) <= TIDE_COPIES for tide in pair):
                yield pair


def turn_tides(state: GameState, tides: tuple[int, int]) -> GameState:
    """Turn up the two top tide cards, whose order means nothing (rules.md, "A round", 1)."""
    rules, deal, finished, stage, on_offer, over, turned = state
    if over or on_offer is not None:
        raise IllegalAction("game_over" if over else "tides_on_offer")
    first, second = tides
    offer = (first, second) if first < second else (second, first)
    counts = [*turned]
    for tide in offer:
        if not 1 <= tide <= rules.highest_tide:
            raise IllegalAction("tide_range", tide=tide, highest=rules.highest_tide)
        counts[tide] += 1
        if counts[tide] > TIDE_COPIES:
            raise IllegalAction("tide_copies", tide=tide)
    return made(GameState, (rules, deal, finished, stage, offer, False, tuple(counts)))


def check_bid(state: GameState, seat: int, card: int) -> None:
    """Raise ``IllegalAction`` unless ``seat`` may bid ``card`` now (rules.md, "A round", 2)."""
    if state.offer is None:
        raise IllegalAction("game_over" if state.over else "no_tides")
    if not 0 <= seat < state.rules.players:
        raise IllegalAction("no_such_seat", seat=seat)
    if state.stage.levels[seat] is None:
        raise IllegalAction("eliminated", seat=seat)
    if card not in state.stage.hands[seat]:
        raise IllegalAction("not_in_hand", seat=seat, card=card)


def reveal(state: GameState, bids: Sequence[int | None]) -> GameState:
    """Reveal everybody's bids and do what follows, to the next tides or the end (rules.md, "A round").

    ``bids`` has a card a seat, ``None`` where eliminated.
    """
    rules, deal, finished, stage, offer, over, turned = state
    if offer is None:
        raise IllegalAction("game_over" if over else "no_tides")
    if len(bids) != rules.players:
        raise IllegalAction("seats", bids=len(bids), players=rules.players)
    number, held, start, left, shown, rounds = stage
    hands = [*held]
    first = second = 0  # who bid the highest card and the second highest
    highest = next_highest = 0
    for seat, card in enumerate(bids):
        if card is None:
            if hands[seat]:
                raise IllegalAction("missing_bid", seat=seat)
            continue
        others = [*hands[seat]]
        try:
            others.remove(card)
        except ValueError:
            check_bid(state, seat, card)  # says why not
        hands[seat] = tuple(others)
        if card > highest:
            highest, next_highest = card, highest
            first, second = seat, first
        elif card > next_highest:
            second, next_highest = seat, card
    levels, preservers = [*shown], [*left]
    levels[first], levels[second] = offer
    losses, end = settle_loss(levels, preservers, rules.passes_loss_on)
    for loss in losses:
        for seat in loss.eliminated:  # whoever is eliminated puts the cards away
            hands[seat] = ()
    left, shown = tuple(preservers), tuple(levels)
    result = made(RoundResult, (offer, tuple(bids), (first, second), shown, left, losses, end))
    stage = made(StageState, (number, tuple(hands), start, left, shown, rounds + (result,)))
    if len(hands) - hands.count(()) > 2:  # still hold cards: nobody does after the last round
        return made(GameState, (rules, deal, finished, stage, None, False, turned))
    return _end_stage(state, stage)


def _end_stage(state: GameState, stage: StageState) -> GameState:
    """Score ``stage`` and go on to the next one or to the end (rules.md, "The end of a stage")."""
    rules, deal, number = state.rules, state.deal, stage.number + 1
    finished = (*state.finished, score_stage(stage, state.scores))
    if number == rules.stages:
        return state._replace(finished=finished, stage=stage, offer=None, over=True)
    # Every dealt hand passes to the left neighbour, with the life preservers that belong to it.
    start = stage.start[-1:] + stage.start[:-1]
    return GameState(rules, deal, finished, _stage(number, deal[-number:] + deal[:-number], start))


def _stage(number: int, hands: tuple[Cards, ...], start: tuple[int, ...]) -> StageState:
    """Return a stage before its first round: everybody is in, and nobody has a tide card."""
    players = len(hands)
    return StageState(number, hands, start, start, (0,) * players)


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
    """Return the points of a stage that has ended (rules.md, "Special cases"), added to ``scores``."""
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


class StageStarted(NamedTuple):
    """Hands are dealt or passed on and everybody is back in. ``stage`` counts from 0."""

    stage: int
    life_preservers: tuple[int, ...]


class TidesTurned(NamedTuple):
    """Two tide cards are on offer, lower first. ``stage`` and ``round`` count from 0."""

    stage: int
    round: int
    offer: tuple[int, int]


class RoundResolved(NamedTuple):
    """All bids revealed, tides taken, the loss paid or not. ``stage`` and ``round`` count from 0."""

    stage: int
    round: int
    result: RoundResult


class StageScored(NamedTuple):
    """A stage is over. ``stage`` counts from 0."""

    stage: int
    result: StageResult


class GameOver(NamedTuple):
    """The last stage has been scored."""

    scores: tuple[int, ...]
    winners: tuple[int, ...]


Event = StageStarted | TidesTurned | RoundResolved | StageScored | GameOver


def events_of(state: GameState) -> tuple[Event, ...]:
    """Return what happened in the step of ``engine.rules`` that led to ``state``, in order."""
    _, _, finished, stage, offer, over, _ = state
    number, rounds = stage.number, stage.rounds
    if offer is not None:
        return (made(TidesTurned, (number, len(rounds), offer)),)
    if rounds and not over:
        return (made(RoundResolved, (number, len(rounds) - 1, rounds[-1])),)
    started = StageStarted(number, stage.start)
    if not finished:
        return (started,)
    scored, ended = finished[-1], len(finished) - 1
    return (
        RoundResolved(ended, len(scored.rounds) - 1, scored.rounds[-1]),
        StageScored(ended, scored),
        GameOver(state.scores, state.winners) if over else started,
    )
