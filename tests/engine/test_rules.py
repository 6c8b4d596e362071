"""The phases of a game, refusals, automatic bids, and what ``new_game`` and ``Rules`` refuse."""

import pytest

from engine.actions import Bid, SubstituteBid, TurnTides
from engine.editions import Edition, Rules
from engine.errors import BadDeal, BadRules, EngineError, IllegalAction, RecordError
from engine.events import BidSealed, RoundResolved, StageStarted, TidesTurned
from engine.rules import apply, forced_bids, legal_actions, legal_tides, new_game
from engine.state import GameState, Phase
from tests.support.engine import (
    RandomGame,
    act,
    hands_with,
    in_the_middle,
    play_round,
    random_generator,
)

FOUR = Rules(players=4)


def refusal(state: GameState, action: Bid | SubstituteBid | TurnTides) -> tuple[str, object]:
    with pytest.raises(IllegalAction) as caught:
        apply(state, action)
    return caught.value.code, caught.value.details


def bidding() -> GameState:
    """Four players, tides 4 and 7 on offer, the third seat eliminated."""
    return act(in_the_middle(FOUR, (44, 27, None, 2)), TurnTides(4, 7))[0]


# ------------------------------------------------------------------------------------ refusals


def test_a_bid_before_the_tides_are_turned_up() -> None:
    assert refusal(in_the_middle(FOUR, (44, 27, 16, 2)), Bid(0, 44)) == ("no_tides", {})


def test_a_bid_of_a_card_that_is_not_in_the_hand() -> None:
    assert refusal(bidding(), Bid(0, 27)) == ("not_in_hand", {"seat": 0, "card": 27})


def test_a_bid_of_a_card_that_has_been_played() -> None:
    after, _ = play_round(in_the_middle(FOUR, (44, 27, 16, 2)), (4, 7), (44, 27, 16, 2))
    after, _ = act(after, TurnTides(5, 6))
    assert refusal(after, Bid(0, 44))[0] == "not_in_hand"


def test_a_bid_of_an_eliminated_seat() -> None:
    state = bidding()
    assert refusal(state, Bid(2, state.stage.hands[2][0])) == ("eliminated", {"seat": 2})


@pytest.mark.parametrize("seat", [-1, 4, 99])
def test_a_bid_of_a_seat_that_does_not_exist(seat: int) -> None:
    assert refusal(bidding(), Bid(seat, 44)) == ("no_such_seat", {"seat": seat})


def test_tides_while_tides_are_on_offer() -> None:
    assert refusal(bidding(), TurnTides(1, 2)) == ("tides_on_offer", {})


@pytest.mark.parametrize(("pair", "tide"), [((0, 4), 0), ((4, 13), 13), ((-3, 1), -3)])
def test_tides_that_do_not_exist(pair: tuple[int, int], tide: int) -> None:
    state = in_the_middle(FOUR, (44, 27, 16, 2))
    assert refusal(state, TurnTides(*pair)) == ("tide_range", {"tide": tide, "highest": 12})


def test_six_players_have_no_tides_11_and_12() -> None:
    state, _ = new_game(
        Rules(Edition.BGA, 6), hands_with((60, 59, 58, 57, 56, 55), Rules(Edition.BGA, 6))
    )
    assert refusal(state, TurnTides(1, 11)) == ("tide_range", {"tide": 11, "highest": 10})
    assert act(state, TurnTides(10, 10))[0].offer == (10, 10)


def test_a_third_copy_of_a_tide_card() -> None:
    state, _ = play_round(in_the_middle(FOUR, (44, 27, 16, 2)), (4, 7), (44, 27, 16, 2))
    assert refusal(state, TurnTides(7, 7)) == ("tide_copies", {"tide": 7})
    cards = [hand[0] for hand in state.stage.hands]
    state, _ = play_round(state, (1, 7), cards)
    assert refusal(state, TurnTides(7, 3)) == ("tide_copies", {"tide": 7})


def test_nothing_happens_after_the_end() -> None:
    over = RandomGame(FOUR, random_generator()).play().state
    assert over.phase is Phase.OVER
    assert refusal(over, TurnTides(1, 2)) == ("game_over", {})
    assert refusal(over, Bid(0, 44)) == ("game_over", {})
    assert not list(legal_tides(over))
    assert not list(legal_actions(over, 0))
    assert forced_bids(over) == ()


# --------------------------------------------------------------------------- a round, its events


def test_the_events_of_a_round_in_order() -> None:
    before = in_the_middle(FOUR, (44, 27, 16, 2))
    _, events = play_round(before, (7, 4), (44, 27, 16, 2))
    assert events[:-1] == (TidesTurned(0, 0, (4, 7)), *(BidSealed(seat) for seat in range(4)))
    assert isinstance(events[-1], RoundResolved)


def test_a_substitute_bids_like_the_player_who_may_replace_it() -> None:
    state, events = act(bidding(), SubstituteBid(0, 44))
    assert events == (BidSealed(0),)
    again, events = act(state, Bid(0, state.stage.hands[0][0]))
    assert events == ()
    assert again.bids[0] == state.stage.hands[0][0]


def test_a_new_game_waits_for_tides_with_everybody_in() -> None:
    state, events = new_game(FOUR, hands_with((44, 27, 16, 2), FOUR))
    assert state.phase is Phase.TIDES
    assert events == (StageStarted(0, state.stage.start),)
    assert state.scores == (0, 0, 0, 0)
    assert state.winners == ()
    assert [list(hand) for hand in state.deal] == [sorted(hand) for hand in state.deal]


# --------------------------------------------------------------------------------- the last card


def in_the_last_round() -> GameState:
    game = RandomGame(FOUR, random_generator())
    while len(game.state.stage.rounds) < FOUR.rounds - 1:
        assert forced_bids(game.state) == ()
        game.step()
    assert game.state.stage.number == 0, "nobody may drown too early in this game"
    assert forced_bids(game.state) == ()
    game.step()
    return game.state


def test_the_last_card_of_every_hand_is_bid_for_its_player() -> None:
    state = in_the_last_round()
    inside = [seat for seat in range(4) if not state.stage.eliminated[seat]]
    forced = forced_bids(state)
    assert [bid.seat for bid in forced] == inside
    after, events = act(state, *forced)
    assert isinstance(events[len(inside)], RoundResolved)
    assert after.stage.number == 1


def test_a_last_card_that_has_been_bid_already_is_not_bid_again() -> None:
    state = in_the_last_round()
    first, *others = forced_bids(state)
    state, _ = act(state, first)
    assert forced_bids(state) == tuple(others)


# --------------------------------------------------------------------- deals and rules that exist


def test_deals_that_cannot_be() -> None:
    good = hands_with((44, 27, 16, 2), FOUR)
    bad = {
        "hands": good[:3],
        "hand_size": (good[0][:-1], *good[1:]),
        "no_such_card": ((61, *good[0][1:]), *good[1:]),
        "card_twice": ((good[1][0], *good[0][1:]), *good[1:]),
    }
    for code, deal in bad.items():
        with pytest.raises(BadDeal) as caught:
            new_game(FOUR, deal)
        assert caught.value.code == code


@pytest.mark.parametrize(
    ("edition", "players", "stages", "modified", "code"),
    [
        (Edition.AMIGO, 2, 0, False, "players"),
        (Edition.AMIGO, 6, 0, False, "players"),
        (Edition.GAMEWRIGHT, 6, 0, False, "players"),
        (Edition.BGA, 7, 0, False, "players"),
        (Edition.AMIGO, 4, 0, True, "modified_drowning"),
        (Edition.GAMEWRIGHT, 4, 0, True, "modified_drowning"),
        (Edition.AMIGO, 4, 5, False, "stages"),
        (Edition.AMIGO, 4, -1, False, "stages"),
    ],
)
def test_rules_that_do_not_exist(
    edition: Edition, players: int, stages: int, modified: bool, code: str
) -> None:
    with pytest.raises(BadRules) as caught:
        Rules(edition, players, stages, modified)
    assert caught.value.code == code


def test_the_table_of_editions() -> None:
    for players in (3, 4, 5):
        for edition in Edition:
            rules = Rules(edition, players)
            assert (rules.hand_size, rules.rounds, rules.highest_tide) == (12, 12, 12)
            assert rules.stages == players
            assert rules.passes_loss_on == (edition is not Edition.GAMEWRIGHT)
    six = Rules(Edition.BGA, 6)
    assert (six.hand_size, six.rounds, six.highest_tide, six.stages) == (10, 10, 10, 6)
    assert six.passes_loss_on
    assert not Rules(Edition.BGA, 6, modified_drowning=True).passes_loss_on


def test_errors_say_what_they_are_in_a_log() -> None:
    assert str(EngineError("game_over")) == "game_over"
    assert str(IllegalAction("not_in_hand", seat=0, card=27)) == "not_in_hand (seat=0, card=27)"
    assert str(RecordError("missing_bid", stage=1, round_=0, seat=3)) == (
        "stage[1] round[0] seat[3]: missing_bid"
    )
    assert str(RecordError("json", line=3)) == "json (line=3)"
