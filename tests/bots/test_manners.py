"""Which of several cards that are about as good a bot bids, by its manner."""

import random

import pytest

from engine.bots import BOTS, LADDER, choose
from engine.bots.manners import MANNER_OF, MANNERS, preferred
from engine.deal import deal_game
from engine.editions import Rules
from engine.rules import new_game, reveal, turn_tides
from engine.views import NOTHING, history_of, seat_view
from tests.support.bots import seat, view_of

QUICK = [name for name in LADDER if not BOTS[name].thinks]
HAND = [5, 20, 33, 58]


def test_everybody_has_a_manner_and_every_manner_somebody() -> None:
    assert set(MANNER_OF.values()) == set(MANNERS)
    assert len({manner.line for manner in MANNERS.values()}) == len(MANNERS)


@pytest.mark.parametrize(
    ("manner", "card"),
    [("high_last", 5), ("high_first", 58), ("middle_last", 58), ("middle_first", 33)],
)
def test_a_manner_chooses_by_the_card(manner: str, card: int) -> None:
    view = view_of([seat(), seat(), seat()], (2, 9), HAND)
    assert preferred(manner, view, HAND) == card


def test_who_likes_to_stay_close_begins_low() -> None:
    first = view_of([seat(), seat(), seat()], (2, 9), HAND)
    assert preferred("close", first, HAND) == 5
    later = view_of([seat(played=[50, 22]), seat(), seat()], (2, 9), HAND)
    assert preferred("close", later, HAND) == 20


@pytest.mark.parametrize(
    ("others", "low", "high"),
    [((12, 12), {5, 20, 40}, {20, 40, 60}), ((9, 9), {60}, {60})],
    ids=["safe", "not safe"],
)
def test_only_cards_that_are_as_good_are_chosen_from(
    others: tuple[int, int], low: set[int], high: set[int]
) -> None:
    """Where two stand at 12, nothing can happen to ``greedy``; else one of its cards is the safest."""
    view = view_of([seat(3), *map(seat, others)], (1, 9), [5, 20, 40, 60])
    for manner, cards in (("high_last", low), ("high_first", high)):
        chosen = {choose("greedy", view, NOTHING, random.Random(n), manner) for n in range(40)}
        assert chosen == cards


@pytest.mark.parametrize("strategy", QUICK)
def test_a_manner_changes_bids_but_none_of_two_cards(
    strategy: str,
) -> None:
    rules = Rules(players=4, stages=2)
    deal = deal_game(bytes(32), rules)
    state = new_game(rules, deal.hands)
    changed = 0
    while not state.over:
        state = turn_tides(state, deal.offer(state.stage.number, len(state.stage.rounds)))
        bids: list[int | None] = []
        for number, hand in enumerate(state.stage.hands):
            if not hand:
                bids.append(None)
                continue
            view, history = seat_view(state, number), history_of(state, number)
            plain, other = (
                choose(strategy, view, history, random.Random(7), manner)
                for manner in ("", "high_first")
            )
            changed += plain != other
            assert other in hand
            assert len(hand) > 2 or plain == other
            bids.append(other)
        state = reveal(state, bids)
    assert changed
