"""The phases of a game, refusals, and what ``new_game`` and ``Rules`` refuse."""

from collections.abc import Callable
from typing import Any

import pytest

from engine.editions import Edition, Rules
from engine.errors import BadDeal, BadRules, EngineError, IllegalAction, RecordError
from engine.rules import (
    RoundResolved,
    StageStarted,
    TidesTurned,
    check_bid,
    events_of,
    legal_actions,
    legal_tides,
    new_game,
    reveal,
    turn_tides,
)
from engine.state import GameState, Phase
from tests.support.engine import (
    RandomGame,
    hands_with,
    in_the_middle,
    play_round,
    random_generator,
)

FOUR = Rules(players=4)


def refusal(action: Callable[..., object], *arguments: object) -> tuple[str, object]:
    with pytest.raises(IllegalAction) as caught:
        action(*arguments)
    return caught.value.code, caught.value.details


def bidding() -> GameState:
    """Four players, tides 4 and 7 on offer, the third seat eliminated."""
    return turn_tides(in_the_middle(FOUR, (44, 27, None, 2)), (4, 7))


# ------------------------------------------------------------------------------------ refusals


def test_bids_before_the_tides_are_turned_up() -> None:
    state = in_the_middle(FOUR, (44, 27, 16, 2))
    assert refusal(check_bid, state, 0, 44) == ("no_tides", {})
    assert refusal(reveal, state, (44, 27, 16, 2)) == ("no_tides", {})


@pytest.mark.parametrize("card", [0, 44, 61])
def test_a_bid_of_a_card_that_is_not_in_the_hand(card: int) -> None:
    why = ("not_in_hand", {"seat": 1, "card": card})
    assert refusal(check_bid, bidding(), 1, card) == why
    assert refusal(reveal, bidding(), (44, card, None, 2)) == why


def test_a_bid_of_a_card_that_has_been_played() -> None:
    after, _ = play_round(in_the_middle(FOUR, (44, 27, 16, 2)), (4, 7), (44, 27, 16, 2))
    after = turn_tides(after, (5, 6))
    assert refusal(check_bid, after, 0, 44)[0] == "not_in_hand"


@pytest.mark.parametrize("card", [0, 16])
def test_a_bid_of_an_eliminated_seat(card: int) -> None:
    assert refusal(check_bid, bidding(), 2, card) == ("eliminated", {"seat": 2})
    assert refusal(reveal, bidding(), (44, 27, card, 2)) == ("eliminated", {"seat": 2})


@pytest.mark.parametrize("seat", [-1, 4, 99])
def test_a_bid_of_a_seat_that_does_not_exist(seat: int) -> None:
    assert refusal(check_bid, bidding(), seat, 44) == ("no_such_seat", {"seat": seat})
    assert legal_actions(bidding(), seat) == ()


def test_a_round_in_which_somebody_has_not_bid() -> None:
    assert refusal(reveal, bidding(), (44, None, None, 2)) == ("missing_bid", {"seat": 1})


@pytest.mark.parametrize("bids", [(44, 27, None), (44, 27, None, 2, None), ()])
def test_bids_for_other_seats_than_there_are(bids: tuple[int | None, ...]) -> None:
    assert refusal(reveal, bidding(), bids) == ("seats", {"bids": len(bids), "players": 4})


def test_tides_while_tides_are_on_offer() -> None:
    assert refusal(turn_tides, bidding(), (1, 2)) == ("tides_on_offer", {})


@pytest.mark.parametrize(("pair", "tide"), [((0, 4), 0), ((4, 13), 13), ((-3, 1), -3)])
def test_tides_that_do_not_exist(pair: tuple[int, int], tide: int) -> None:
    state = in_the_middle(FOUR, (44, 27, 16, 2))
    assert refusal(turn_tides, state, pair) == ("tide_range", {"tide": tide, "highest": 12})


def test_six_players_have_no_tides_11_and_12() -> None:
    state = new_game(
        Rules(Edition.BGA, 6), hands_with((60, 59, 58, 57, 56, 55), Rules(Edition.BGA, 6))
    )
    assert refusal(turn_tides, state, (1, 11)) == ("tide_range", {"tide": 11, "highest": 10})
    assert turn_tides(state, (10, 10)).offer == (10, 10)


def test_a_third_copy_of_a_tide_card() -> None:
    state, _ = play_round(in_the_middle(FOUR, (44, 27, 16, 2)), (4, 7), (44, 27, 16, 2))
    assert refusal(turn_tides, state, (7, 7)) == ("tide_copies", {"tide": 7})
    cards = [hand[0] for hand in state.stage.hands]
    state, _ = play_round(state, (1, 7), cards)
    assert refusal(turn_tides, state, (7, 3)) == ("tide_copies", {"tide": 7})


def test_nothing_happens_after_the_end() -> None:
    over = RandomGame(FOUR, random_generator()).play().state
    assert over.phase is Phase.OVER
    assert refusal(turn_tides, over, (1, 2)) == ("game_over", {})
    assert refusal(check_bid, over, 0, 44) == ("game_over", {})
    assert refusal(reveal, over, (None,) * 4) == ("game_over", {})
    assert not list(legal_tides(over))
    assert not legal_actions(over, 0)


# --------------------------------------------------------------------------- a round, its events


def test_the_events_of_a_round_in_order() -> None:
    before = in_the_middle(FOUR, (44, 27, 16, 2))
    _, events = play_round(before, (7, 4), (44, 27, 16, 2))
    turned, resolved = events
    assert turned == TidesTurned(0, 0, (4, 7))
    assert isinstance(resolved, RoundResolved)


def test_a_new_game_waits_for_tides_with_everybody_in() -> None:
    state = new_game(FOUR, hands_with((44, 27, 16, 2), FOUR))
    assert state.phase is Phase.TIDES
    assert events_of(state) == (StageStarted(0, state.stage.start),)
    assert state.scores == (0, 0, 0, 0)
    assert state.winners == ()
    assert [list(hand) for hand in state.deal] == [sorted(hand) for hand in state.deal]


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
    wrong: list[Any] = [[1], {}, 5.0, True, "5", None]
    for card in wrong:
        with pytest.raises(BadDeal) as caught:
            new_game(FOUR, ((card, *good[0][1:]), *good[1:]))
        assert caught.value.code == "no_such_card"


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
