"""The last choice of a stage, where every card is known: bots that count know what it comes to."""

import random
from collections.abc import Callable, Iterator
from itertools import count, product

import pytest

from engine.bots.counting import Ending, ending_of, known_hands
from engine.bots.expert import choose as expert
from engine.bots.master import choose as master
from engine.bots.tidal import choose as tidal
from engine.editions import Edition, Rules
from engine.state import GameState, Phase
from engine.views import NOTHING, History, SeatView, history_of, seat_view
from tests.support.endings import last_choice, points_after
from tests.support.engine import RandomGame

Choose = Callable[[SeatView, History, random.Random], int]

TRIED = 12
RULES = [
    Rules(),
    Rules(players=3),
    Rules(Edition.GAMEWRIGHT, 5),
    Rules(Edition.BGA, 6),
]


def choices(rules: Rules, games: int) -> Iterator[tuple[RandomGame, GameState, int, Ending]]:
    """Games before the last choice of their last stage, and each seat that has it."""
    for number in range(games):
        game, state = last_choice(number, rules)
        for seat, hand in enumerate(state.stage.hands if state.phase is not Phase.OVER else ()):
            if hand:
                ending = ending_of(seat_view(state, seat), history_of(state, seat))
                assert ending is not None
                yield game, state, seat, ending


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_every_outcome_is_counted_as_the_rules_have_it(rules: Rules) -> None:
    found = list(choices(rules, 12))
    assert found
    for game, state, seat, ending in found:
        rivals = [other for other, hand in enumerate(state.stage.hands) if hand and other != seat]
        assert ending.rivals == tuple(rivals)
        expected = []
        for way in product(*ending.hands):
            bids: list[int | None] = [None] * rules.players
            for rival, card in zip(rivals, way, strict=True):
                bids[rival] = card
            brought = []
            for card in state.stage.hands[seat]:
                bids[seat] = card
                brought.append(points_after(game, state, bids, seat))
            expected.append(tuple(brought))
        assert list(ending.points) == expected


@pytest.mark.parametrize("choose", [tidal, expert, pytest.param(master, marks=pytest.mark.slow)])
@pytest.mark.parametrize("rules", RULES, ids=str)
def test_no_bid_is_one_that_never_brings_more_and_sometimes_less(
    choose: Choose, rules: Rules
) -> None:
    tried = 0
    for _, state, seat, ending in choices(rules, 100):
        gaps = [high - low for low, high in ending.points]
        if not any(gaps) or min(gaps) < 0 < max(gaps):
            continue
        view, history = seat_view(state, seat), history_of(state, seat)
        tried += 1
        assert choose(view, history, random.Random(tried)) == view.hand[max(gaps) > 0]
        if tried == TRIED:
            return
    raise AssertionError


def test_the_card_is_taken_that_brings_more_as_rivals_are_expected_to_bid() -> None:
    ending = Ending((1, 2), ((1, 2), (3, 4)), ((0, 1), (2, 0), (1, 1), (1, 1)))
    assert ending.better([0.6, 0.2, 0.1, 0.1]) == 1
    assert ending.better([0.3, 0.4, 0.2, 0.1]) == 0
    never = Ending((1, 2), ((1, 2), (3, 4)), ((1, 0), (1, 1), (1, 1), (1, 1)))
    assert (ending.dominant, never.dominant) == (None, 0)
    equal = Ending((1, 2), ((1, 2), (3, 4)), ((1, 1), (0, 0), (2, 2), (1, 1)))
    assert (equal.better([0.25] * 4), equal.dominant) == (None, None)


def test_nothing_is_counted_out_while_a_hand_is_unknown() -> None:
    game = RandomGame(Rules(), random.Random(1)).play(2 * 10 + 1)
    assert len(game.state.stage.rounds) == 10
    assert ending_of(seat_view(game.state, 0), NOTHING) is None


def test_the_only_hand_that_was_not_seen_follows_from_all_others() -> None:
    game = one_was_eliminated()
    # The seat that neither had the hand that was not seen nor has it now.
    seat = (game.state.finished[0].eliminated.index(True) + 2) % 5
    known = known_hands(seat_view(game.state, seat), history_of(game.state, seat))
    assert [tuple(sorted(cards)) for cards in known] == list(game.state.stage.hands)


def one_was_eliminated() -> RandomGame:
    """Five players, who hold all cards, in their second stage; of one hand nobody has seen the rest."""
    for number in count():
        game = RandomGame(Rules(players=5), random.Random(number))
        while not game.state.stage.number or game.state.phase is Phase.TIDES:
            game.step()
        if game.state.finished[0].rounds[-1].bids.count(None) == 1:
            return game
    raise AssertionError
