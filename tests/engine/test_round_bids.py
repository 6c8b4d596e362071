"""A whole round's bids in one action: the same as one at a time, and what it refuses."""

import pytest

from engine.actions import Bid, RoundBids, TurnTides
from engine.editions import Rules
from engine.errors import IllegalAction
from engine.rules import apply
from engine.state import GameState, Phase
from tests.support.engine import ALL_RULES, RandomGame, act, in_the_middle, random_generator

FOUR = Rules(players=4)


def refusal(state: GameState, *cards: int | None) -> tuple[str, object]:
    with pytest.raises(IllegalAction) as caught:
        apply(state, RoundBids(cards))
    return caught.value.code, caught.value.details


def bidding() -> GameState:
    """Four players, tides 4 and 7 on offer, the third seat eliminated."""
    return act(in_the_middle(FOUR, (44, 27, None, 2)), TurnTides(4, 7))[0]


@pytest.mark.parametrize("rules", ALL_RULES, ids=str)
def test_bids_at_once_come_to_the_same_as_one_at_a_time(rules: Rules) -> None:
    game = RandomGame(rules, random_generator())
    rng = random_generator(1)
    while game.state.phase is not Phase.OVER:
        game.step()
        state = game.state
        cards = tuple(rng.choice(cards) if cards else None for cards in state.choices)
        bids = [Bid(seat, card) for seat, card in enumerate(cards) if card is not None]
        game.state, events = apply(state, RoundBids(cards))
        assert (game.state, events) == act(state, *bids)


def test_bids_at_once_before_the_tides_are_turned_up() -> None:
    state = in_the_middle(FOUR, (44, 27, 16, 2))
    assert refusal(state, 44, 27, 16, 2) == ("no_tides", {})


def test_bids_at_once_after_the_game() -> None:
    state = RandomGame(FOUR, random_generator()).play().state
    assert refusal(state, None, None, None, None) == ("game_over", {})


@pytest.mark.parametrize("cards", [(44, 27, None), (44, 27, None, 2, None), ()])
def test_bids_at_once_for_other_seats_than_there_are(cards: tuple[int | None, ...]) -> None:
    assert refusal(bidding(), *cards) == ("seats", {"bids": len(cards), "players": 4})


def test_bids_at_once_without_one_that_is_due() -> None:
    assert refusal(bidding(), 44, None, None, 2) == ("missing_bid", {"seat": 1})


def test_bids_at_once_of_an_eliminated_seat() -> None:
    state = bidding()
    card = state.stage.hands[2][0]
    assert refusal(state, 44, 27, card, 2) == ("eliminated", {"seat": 2})


@pytest.mark.parametrize("card", [0, 44, 61])
def test_bids_at_once_of_a_card_that_is_not_in_the_hand(card: int) -> None:
    assert refusal(bidding(), 44, card, None, 2) == ("not_in_hand", {"seat": 1, "card": card})


def test_bids_at_once_never_override_a_sealed_one() -> None:
    state, _ = act(bidding(), Bid(0, 44))
    assert refusal(state, 44, 27, None, 2) == ("bids_sealed", {})
