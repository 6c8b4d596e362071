"""What a seat and a spectator may know, and that nothing else shows."""

from random import Random

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine.editions import Edition, Rules
from engine.rules import turn_tides
from engine.state import GameState, Phase
from engine.views import SeatView, TableView, seat_view, table_view
from tests.support.engine import (
    SPECTATOR,
    RandomGame,
    games_under_way,
    in_the_middle,
    otherwise_hidden,
    play_round,
    random_generator,
)


def encoded(view: TableView | SeatView) -> bytes:
    return msgspec.msgpack.encode(view)


@settings(max_examples=300)
@given(games_under_way(120))
def test_what_a_viewer_cannot_know_does_not_change_a_byte_of_the_view(
    game: tuple[GameState, Random],
) -> None:
    state, rng = game
    other = otherwise_hidden(state, SPECTATOR, rng)
    assert table_view(other) == table_view(state)
    assert encoded(table_view(other)) == encoded(table_view(state))
    for viewer in range(state.rules.players):
        other = otherwise_hidden(state, viewer, rng)
        assert seat_view(other, viewer) == seat_view(state, viewer)
        assert encoded(seat_view(other, viewer)) == encoded(seat_view(state, viewer))


def test_that_property_changes_hands_and_the_past() -> None:
    """Or it would prove nothing."""
    rng = random_generator()
    game = RandomGame(Rules(Edition.BGA, 4), rng).play(2 * 12 + 3)
    assert game.state.stage.number == 1
    other = otherwise_hidden(game.state, SPECTATOR, rng)
    assert other.deal != game.state.deal
    assert other.stage.hands != game.state.stage.hands
    assert other.finished != game.state.finished
    for seat in range(4):
        assert seat_view(other, seat) != seat_view(game.state, seat)


def test_the_views_of_a_table() -> None:
    state = in_the_middle(
        Rules(players=4), (44, 27, None, 2), levels=(10, 0, 0, 3), left=(1, 2, 0, 3)
    )
    state = turn_tides(state, (7, 4))
    view = table_view(state)
    assert view.offer == (4, 7)
    assert view.phase is Phase.BIDDING
    assert [seat.level for seat in view.seats] == [10, 0, 0, 3]
    assert [seat.life_preservers for seat in view.seats] == [1, 2, 0, 3]
    assert [seat.cards_left for seat in view.seats] == [12, 12, 0, 12]
    assert [seat.eliminated for seat in view.seats] == [False, False, True, False]
    assert view.deal == ()
    assert seat_view(state, 2).hand == ()
    assert seat_view(state, 0).hand == state.stage.hands[0]


def test_a_sealed_bid_is_seen_by_its_owner_alone() -> None:
    state = in_the_middle(Rules(players=4), (44, 27, 16, 2))
    state = turn_tides(state, (4, 7))
    table = table_view(state, bidders=(0,))
    assert [seat.has_bid for seat in table.seats] == [True, False, False, False]
    own = seat_view(state, 0, table, bid=44)
    assert own.bid == 44
    assert 44 in own.hand
    for viewer in (1, 2, 3):
        assert seat_view(state, viewer, table).bid == 0


def test_revealed_cards_are_shown_for_as_long_as_the_stage_lasts() -> None:
    before = in_the_middle(Rules(players=3), (50, 40, 30))
    after, _ = play_round(before, (1, 2), (50, 40, 30))
    assert [seat.played for seat in table_view(after).seats] == [(50,), (40,), (30,)]
    assert len(table_view(after).rounds) == 1
    last = in_the_middle(Rules(players=3), (50, 40, 30), (0, 0, 9), (2, 2, 0))
    following, _ = play_round(last, (1, 2), (50, 40, 30))
    view = table_view(following)
    assert view.stage == 1
    assert view.rounds == ()
    assert [seat.played for seat in view.seats] == [(), (), ()]
    assert [seat.earlier for seat in view.seats] == [(), (), ()]
    assert view.points == ((3, 2, -1),)
    assert view.bonuses == ((0,),)


# ----------------------------------------------------------------------------------- assistance


def second_stage(assistance: bool) -> GameState:
    """Three players, one round played with 50, 40 and 30, in which the third drowned."""
    rules = Rules(players=3, assistance=assistance)
    before = in_the_middle(rules, (50, 40, 30), (0, 0, 9), (2, 2, 0))
    return play_round(before, (1, 2), (50, 40, 30))[0]


def test_assistance_shows_earlier_cards_by_who_holds_that_hand_now() -> None:
    view = table_view(second_stage(assistance=True))
    assert [seat.earlier for seat in view.seats] == [(30,), (50,), (40,)]


def test_assistance_shows_one_s_own_earlier_hand_in_full_and_nobody_else_s() -> None:
    state = second_stage(assistance=True)
    for seat in range(3):
        (own,) = seat_view(state, seat).own_earlier
        assert own.holder == (seat + 1) % 3
        assert own.cards == state.deal[seat] == state.stage.hands[own.holder]


def test_without_assistance_nothing_of_earlier_stages_is_shown() -> None:
    state = second_stage(assistance=False)
    assert all(seat.earlier == () for seat in table_view(state).seats)
    assert all(seat_view(state, seat).own_earlier == () for seat in range(3))


@given(seed=st.integers(0, 1 << 20), steps=st.integers(0, 120))
@example(seed=7, steps=1 << 30)
def test_assistance_infers_nothing(seed: int, steps: int) -> None:
    """What is shown of a hand has been revealed from that very hand, in an earlier stage."""
    game = RandomGame(Rules(players=4, assistance=True), random_generator(seed)).play(steps)
    state = game.state
    shown = [set(seat.earlier) for seat in table_view(state).seats]
    expected: list[set[int]] = [set() for _ in range(4)]
    for number, result in enumerate(state.finished[: state.stage.number]):
        for player in range(4):
            holder = (player + state.stage.number - number) % 4
            expected[holder].update(
                card for told in result.rounds if (card := told.bids[player]) is not None
            )
    assert shown == expected


# ---------------------------------------------------------------------------------- at the end


@pytest.mark.parametrize("assistance", [False, True])
def test_when_the_game_is_over_every_hand_is_shown(assistance: bool) -> None:
    game = RandomGame(Rules(players=5, assistance=assistance), random_generator()).play()
    view = table_view(game.state)
    assert view.deal == game.deal.hands
    assert view.winners == game.state.winners
    assert len(view.points) == 5
    assert view.rounds == game.state.finished[-1].rounds
