"""What holds at every moment of every game."""

from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine.errors import IllegalAction
from engine.records.record_format import parse, record_of, write
from engine.records.replay import fold
from engine.rules import check_bid, legal_actions, legal_tides, reveal, turn_tides
from engine.state import Phase
from engine.views import seat_view, table_view
from tests.support.engine import ALL_RULES, RandomGame, random_generator


@st.composite
def games(draw: st.DrawFn) -> RandomGame:
    """A game of any kind, at any moment."""
    rules = draw(st.sampled_from(ALL_RULES))
    game = RandomGame(rules, random_generator(draw(st.integers(0, 1 << 20))))
    longest = rules.stages * rules.rounds * 2
    return game.play(draw(st.integers(0, longest)))


@st.composite
def bidding_games(draw: st.DrawFn) -> RandomGame:
    """A game in which bids are awaited."""
    game = draw(games())
    assume(game.state.phase is not Phase.OVER)
    if game.state.phase is Phase.TIDES:
        game.step()
    return game


# ------------------------------------------------------------------------------------ the cards


@given(games())
def test_no_card_is_ever_lost_or_doubled(game: RandomGame) -> None:
    state = game.state
    stage = state.stage
    for seat in range(state.rules.players):
        played = [bid for result in stage.rounds if (bid := result.bids[seat]) is not None]
        dealt = state.deal[(seat - stage.number) % state.rules.players]
        if stage.eliminated[seat]:
            assert stage.hands[seat] == ()
            assert set(played) <= set(dealt)
        else:
            assert sorted([*played, *stage.hands[seat]]) == list(dealt)
    turned = Counter(tide for result in stage.rounds for tide in result.offer)
    turned.update(state.offer or ())
    assert state.turned == tuple(turned[tide] for tide in range(13))
    assert all(1 <= tide <= state.rules.highest_tide for tide in turned)
    assert all(count <= 2 for count in turned.values())


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
    assert (state.offer is not None) == (state.phase is Phase.BIDDING)
    if state.phase is not Phase.OVER:
        assert stage.inside == stage.eliminated.count(False) > 2
        assert stage.number == len(state.finished)
    assert state.scores == tuple(
        sum(result.points[seat] for result in state.finished) for seat in range(state.rules.players)
    )
    assert bool(state.winners) == (state.phase is Phase.OVER)


# --------------------------------------------------------------------------------- the actions


def accepted(action: Callable[..., object], *arguments: object) -> bool:
    try:
        action(*arguments)
    except IllegalAction:
        return False
    return True


@given(games())
def test_legal_bids_are_exactly_those_that_are_accepted(game: RandomGame) -> None:
    state = game.state
    before = repr(state)
    bids = game.any_bids()
    for seat in range(-1, state.rules.players + 1):
        legal = legal_actions(state, seat)
        assert list(legal) == sorted(legal)
        for card in range(-1, 62):
            assert accepted(check_bid, state, seat, card) == (card in legal)
            if 0 <= seat < state.rules.players:
                others = (*bids[:seat], card, *bids[seat + 1 :])
                assert accepted(reveal, state, others) == (card in legal)
    assert repr(state) == before


@given(bidding_games())
def test_everybody_who_is_still_in_has_to_bid(game: RandomGame) -> None:
    state, bids = game.state, game.any_bids()
    assert accepted(reveal, state, bids)
    for seat, card in enumerate(bids):
        assert (card is None) == state.stage.eliminated[seat]
        missing = (*bids[:seat], None, *bids[seat + 1 :])
        assert accepted(reveal, state, missing) == (card is None)


@given(games())
def test_legal_tides_are_exactly_those_that_are_accepted(game: RandomGame) -> None:
    before = repr(game.state)
    legal = list(legal_tides(game.state))
    assert legal == sorted(set(legal))
    for first in range(-1, 15):
        for second in range(-1, 15):
            pair = min(first, second), max(first, second)
            assert accepted(turn_tides, game.state, (first, second)) == (pair in legal)
    assert repr(game.state) == before


@given(games())
def test_the_order_of_a_pair_of_tides_means_nothing(game: RandomGame) -> None:
    for first, second in list(legal_tides(game.state))[::7]:
        one = turn_tides(game.state, (first, second))
        assert one == turn_tides(game.state, (second, first))


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
    assert fold(record).last == state


@given(games())
def test_a_game_can_be_played_again_from_its_record(game: RandomGame) -> None:
    names = tuple(f"player {seat}" for seat in range(game.state.rules.players))
    record = record_of(game.state, names, ended_early=True)
    steps = fold(record).steps
    assert len(steps) == 1 + game.steps
    assert tuple(event for step in steps for event in step.events) == game.events


@given(games())
def test_views_can_be_made_at_any_moment(game: RandomGame) -> None:
    table = table_view(game.state)
    for seat in range(game.state.rules.players):
        view = seat_view(game.state, seat, table)
        assert view.table is table
        assert view == seat_view(game.state, seat)
        assert set(view.hand) <= set(view.dealt)
