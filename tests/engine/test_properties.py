"""What holds at every moment of every game."""

from collections import Counter
from itertools import permutations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine.actions import Action, Bid, SubstituteBid, TurnTides
from engine.errors import IllegalAction
from engine.events import BidSealed, Event
from engine.record import parse, record_of, write
from engine.replay import fold
from engine.rules import apply, forced_bids, legal_actions, legal_tides, new_game
from engine.state import GameState, Phase
from engine.views import seat_view, table_view
from tests.support.engine import ALL_RULES, RandomGame, act, random_generator


@st.composite
def games(draw: st.DrawFn) -> RandomGame:
    """A game of any kind, at any moment."""
    rules = draw(st.sampled_from(ALL_RULES))
    game = RandomGame(rules, random_generator(draw(st.integers(0, 1 << 20))))
    longest = rules.stages * rules.rounds * (rules.players + 1)
    return game.play(draw(st.integers(0, longest)))


@st.composite
def bidding_games(draw: st.DrawFn) -> RandomGame:
    """A game in which bids are awaited."""
    game = draw(games())
    assume(game.state.phase is not Phase.OVER)
    if game.state.phase is Phase.TIDES:
        game.step()
    return game


def owing(state: GameState) -> list[int]:
    """The seats whose bid is still awaited."""
    stage = state.stage
    return [
        seat
        for seat in range(state.rules.players)
        if not state.bids[seat] and not stage.eliminated[seat]
    ]


# ------------------------------------------------------------------------------------ the cards


@given(games())
def test_no_card_is_ever_lost_or_doubled(game: RandomGame) -> None:
    state = game.state
    stage = state.stage
    for seat in range(state.rules.players):
        played = [bid for result in stage.rounds if (bid := result.bids[seat]) is not None]
        dealt = state.deal[(seat - stage.number) % state.rules.players]
        assert sorted([*played, *stage.hands[seat]]) == list(dealt)
        assert state.bids[seat] == 0 or state.bids[seat] in stage.hands[seat]
        choosing = state.phase is Phase.BIDDING and not stage.eliminated[seat]
        assert state.choices[seat] == (stage.hands[seat] if choosing else ())
    turned = Counter(tide for result in stage.rounds for tide in result.offer)
    turned.update(state.offer or ())
    assert all(1 <= tide <= state.rules.highest_tide for tide in turned)
    assert all(count <= 2 for count in turned.values())
    assert Counter(state.turned) == turned


@given(games())
def test_life_preservers_only_go_down_by_who_lost_them(game: RandomGame) -> None:
    stage = game.state.stage
    left = list(stage.start)
    for result in stage.rounds:
        for seat in result.lost:
            left[seat] -= 1
        for seat in result.eliminated:
            assert left[seat] == 0
        assert list(result.life_preservers) == left
        assert min(left) >= 0
    assert list(stage.life_preservers) == left


@given(games())
def test_every_round_costs_a_life_preserver_or_somebody_the_stage(game: RandomGame) -> None:
    for result in game.state.stage.rounds:
        assert result.lost or result.eliminated
        assert not set(result.lost) & set(result.eliminated)


@given(games())
def test_who_awaits_what_fits_together(game: RandomGame) -> None:
    state = game.state
    stage = state.stage
    inside = stage.eliminated.count(False)
    assert (state.offer is not None) == (state.phase is Phase.BIDDING)
    if state.phase is not Phase.OVER:
        assert inside > 2
        assert state.missing == len(owing(state)) > 0
        assert stage.number == len(state.finished)
    assert state.scores == tuple(
        sum(result.points[seat] for result in state.finished) for seat in range(state.rules.players)
    )
    assert bool(state.winners) == (state.phase is Phase.OVER)


# --------------------------------------------------------------------------------- the actions


def accepted(state: GameState, action: Action) -> bool:
    try:
        apply(state, action)
    except IllegalAction:
        return False
    return True


@given(games())
def test_legal_bids_are_exactly_those_that_are_accepted(game: RandomGame) -> None:
    state = game.state
    before = repr(state)
    for seat in range(-1, state.rules.players + 1):
        legal = list(legal_actions(state, seat))
        assert legal == sorted(legal, key=lambda bid: bid[1])
        for card in range(-1, 62):
            assert accepted(state, Bid(seat, card)) == (Bid(seat, card) in legal)
            assert accepted(state, SubstituteBid(seat, card)) == (Bid(seat, card) in legal)
    assert repr(state) == before


@given(games())
def test_legal_tides_are_exactly_those_that_are_accepted(game: RandomGame) -> None:
    before = repr(game.state)
    legal = list(legal_tides(game.state))
    assert legal == sorted(set(legal))
    for first in range(-1, 15):
        for second in range(-1, 15):
            pair = TurnTides(min(first, second), max(first, second))
            assert accepted(game.state, TurnTides(first, second)) == (pair in legal)
    assert repr(game.state) == before


@given(games())
def test_the_order_of_a_pair_of_tides_means_nothing(game: RandomGame) -> None:
    for first, second in list(legal_tides(game.state))[::7]:
        one = apply(game.state, TurnTides(first, second))
        assert one == apply(game.state, TurnTides(second, first))


@given(bidding_games())
def test_forced_bids_are_legal_and_the_only_choice(game: RandomGame) -> None:
    for bid in forced_bids(game.state):
        assert list(legal_actions(game.state, bid.seat)) == [bid]


# ------------------------------------------------------------------------------ order of bids


def said_after_the_bids(events: tuple[Event, ...]) -> list[Event]:
    return [event for event in events if not isinstance(event, BidSealed)]


@given(bidding_games())
def test_the_order_of_the_bids_changes_nothing(game: RandomGame) -> None:
    state = game.state
    bids = [game.rng.choice(list(legal_actions(state, seat))) for seat in owing(state)]
    expected, events = act(state, *bids)
    for order in list(permutations(bids))[::5]:
        after, happened = act(state, *order)
        assert after == expected
        assert said_after_the_bids(happened) == said_after_the_bids(events)


@given(bidding_games())
def test_replacing_a_bid_leaves_nothing_behind(game: RandomGame) -> None:
    state = game.state
    *others, last = owing(state)
    assume(others)
    seat = others[0]
    cards = [bid.card for bid in legal_actions(state, seat) if not isinstance(bid, TurnTides)]
    direct, first = act(state, Bid(seat, cards[-1]))
    replaced, events = act(state, *(Bid(seat, card) for card in cards))
    assert replaced == direct
    assert events == first == (BidSealed(seat),)
    assert last in owing(replaced)


# --------------------------------------------------------------------------------- what is said


@given(bidding_games())
def test_no_event_before_the_reveal_depends_on_a_sealed_card(game: RandomGame) -> None:
    state = game.state
    waiting = owing(state)
    assume(len(waiting) > 1)
    seat = waiting[0]
    outcomes = {apply(state, action)[1] for action in legal_actions(state, seat)}
    assert outcomes == {(BidSealed(seat),)}


# -------------------------------------------------------------------------------------- records


@given(games())
def test_a_record_folds_to_the_same_state(game: RandomGame) -> None:
    state = game.state
    names = tuple(f"player {seat}" for seat in range(state.rules.players))
    if state.phase is not Phase.OVER:
        with pytest.raises(ValueError, match="running"):
            record_of(state, names)
    record = record_of(state, names, seed=game.seed, ended_early=True)
    assert parse(write(record)) == record
    # All but the sealed bids, which never enter a record.
    unsealed = state._replace(
        bids=(0,) * state.rules.players, missing=state.stage.eliminated.count(False)
    )
    assert fold(record).last == unsealed


@given(games())
def test_the_same_actions_give_the_same_game(game: RandomGame) -> None:
    state, events = new_game(game.state.rules, game.deal.hands)
    state, following = act(state, *game.actions)
    assert state == game.state
    assert events + following == game.events


@given(games())
def test_views_can_be_made_at_any_moment(game: RandomGame) -> None:
    table = table_view(game.state)
    for seat in range(game.state.rules.players):
        view = seat_view(game.state, seat, table)
        assert view.table is table
        assert view == seat_view(game.state, seat)
        assert set(view.hand) <= set(view.dealt)
