"""Which hands the others may have: everything that is known holds, and all the rest is left to chance."""

import random
from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from engine.bots.hands import Knowledge, knowledge, sample
from engine.editions import Rules, hand_life_preservers
from engine.state import Phase
from engine.views import history_of, seat_view
from tests.support.bots import KINDS
from tests.support.engine import RandomGame


@pytest.mark.parametrize("rules", KINDS, ids=str)
def test_sampled_hands_agree_with_all_that_is_known(rules: Rules) -> None:
    game = RandomGame(rules, random.Random(f"{rules}"))
    rng = np.random.default_rng(1)
    while game.play(game.steps + 7).state.phase is not Phase.OVER:
        view, history = seat_view(game.state, 1), history_of(game.state, 1)
        about = knowledge(view, history)
        moved = game.state.stage.number
        dealt = [game.state.deal[(seat - moved) % rules.players] for seat in range(rules.players)]
        assert all(cards <= set(hand) for cards, hand in zip(about.known, dealt, strict=True))
        hands = sample(about, 20, rng)
        assert hands.shape == (rules.hand_size, rules.players, 20)
        for number in range(20):
            drawn = [hands[:, seat, number].tolist() for seat in range(rules.players)]
            assert len(set().union(*drawn)) == rules.hand_size * rules.players
            for seat, cards in enumerate(drawn):
                assert cards == sorted(cards)
                assert about.known[seat] <= set(cards)
                assert hand_life_preservers(cards) == about.start[seat]


def test_in_the_last_stage_every_hand_has_been_held() -> None:
    game = RandomGame(Rules(players=3), random.Random(5))
    while game.state.stage.number < 2:
        game.step()
    about = knowledge(seat_view(game.state, 0), history_of(game.state, 0))
    assert about.certain
    held = sample(about, 2, np.random.default_rng(1))[:, :, 0].T
    assert [tuple(hand) for hand in held.tolist()] == [
        game.state.deal[(seat - 2) % 3] for seat in range(3)
    ]


def test_every_possible_deal_is_as_likely() -> None:
    """Two hands of two cards from five, with one life preserver and none."""
    pool = (1, 2, 13, 14, 25)
    about = Knowledge((frozenset({60, 59}), frozenset(), frozenset()), (0, 1, 0), pool, 2)
    possible = [
        (first, second)
        for first in combinations(pool, 2)
        for second in combinations([card for card in pool if card not in first], 2)
        if (hand_life_preservers(first), hand_life_preservers(second)) == (1, 0)
    ]
    hands = sample(about, 20_000, np.random.default_rng(1))
    drawn = Counter(
        (tuple(first), tuple(second))
        for first, second in zip(hands[:, 1].T.tolist(), hands[:, 2].T.tolist(), strict=True)
    )
    assert set(drawn) == set(possible)
    assert all(count == pytest.approx(20_000 / len(possible), rel=0.1) for count in drawn.values())


def test_life_preservers_that_no_deal_has_are_ignored() -> None:
    pool = tuple(range(1, 13))
    about = Knowledge((frozenset(range(49, 53)), frozenset(), frozenset()), (0, 6, 6), pool, 4)
    hands = sample(about, 5, np.random.default_rng(1))
    assert len(set(hands[:, :, 0].ravel().tolist())) == 12
