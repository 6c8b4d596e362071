"""What hints tell of a round: corrected shares, and what can come of a card at all."""

import random
from itertools import product

import numpy as np
import pytest

from bench.strength.calibration import outcome
from engine.bots.analysis import PLACES, RISKS, Correction, analyse, corrected, possible
from engine.editions import Rules
from engine.state import Phase
from engine.views import NOTHING, history_of, seat_view
from tests.support.bots import seat, view_of
from tests.support.endings import last_choice
from tests.support.engine import RandomGame


@pytest.mark.parametrize("how", [*PLACES, *RISKS])
def test_a_higher_share_is_told_as_a_higher_one(how: Correction) -> None:
    outcomes = len(how.odds)
    for outcome_ in range(outcomes):
        share = np.linspace(0, 1, 101)
        shares = np.repeat((1 - share)[None] / (outcomes - 1), outcomes, axis=0)
        shares[outcome_] = share
        told = corrected(shares, np.ones_like(shares, np.bool_), how)
        assert told.sum(axis=0) == pytest.approx(np.ones(101))
        assert (np.diff(told[outcome_]) > 0).all()
        assert told[outcome_, 0] > 0, "rollouts can miss what is possible"
        assert told[outcome_, 100] < 1


def test_what_is_certain_is_told_as_certain() -> None:
    can = np.array([[True, True, False], [False, True, True], [False, False, True]])
    told = corrected(np.array([[1.0, 0.9, 0.0], [0.0, 0.1, 0.3], [0.0, 0.0, 0.7]]), can, PLACES[0])
    assert told[:, 0].tolist() == [1, 0, 0]
    assert (told[2, 1], told[0, 2]) == (0, 0)
    assert told.sum(axis=0) == pytest.approx(np.ones(3))


@pytest.mark.parametrize("players", [3, 4, 5])
def test_all_that_can_come_of_a_card_is_possible_and_no_more(players: int) -> None:
    """Before the last choice of a game, when all hands are known."""
    certain = 0
    for number in range(60):
        _game, state = last_choice(number, Rules(players=players))
        if state.phase is Phase.OVER:
            continue
        for own, hand in enumerate(state.stage.hands):
            if not hand:
                continue
            view = seat_view(state, own)
            places, risks = possible(view, history_of(state, own))
            for column, card in enumerate(hand):
                came = [
                    outcome(view, bids, card)
                    for bids in product(*[cards or (None,) for cards in state.stage.hands])
                ]
                each = {(one.highest, one.second) for one in came}
                found = [(1, 0) in each, (0, 1) in each, (0, 0) in each]
                assert places[:, column].tolist() == found
                lost = {bool(one.risk) for one in came}
                assert risks[:, column].tolist() == [True in lost, False in lost]
                certain += risks[:, column].sum() == 1
    assert certain > 20


@pytest.mark.parametrize("players", [3, 4, 5])
def test_nothing_that_comes_of_a_card_was_told_as_impossible(players: int) -> None:
    """Also when few of the rivals' cards are known."""
    for number in range(6):
        rng = random.Random(number)
        game = RandomGame(Rules(players=players), rng)
        while game.state.phase is not Phase.OVER:
            if game.state.phase is Phase.BIDDING:
                own = rng.randrange(players)
                bids = [rng.choice(hand) if hand else None for hand in game.state.stage.hands]
                view = seat_view(game.state, own)
                places, risks = possible(view, history_of(game.state, own))
                for column, card in enumerate(view.hand):
                    came = outcome(view, bids, card)
                    place = 0 if came.highest else 1 if came.second else 2
                    assert places[place, column]
                    assert risks[0 if came.risk else 1, column]
            game.step()


def test_a_risk_that_nobody_has_is_told_as_none() -> None:
    view = view_of([seat(5), seat(9), seat(9), seat(9)], (2, 4), [10, 20, 57, 60])
    told = analyse(view, NOTHING, random.Random(1), rollouts=100)
    assert [card.risk for card in told.cards] == [0] * 4
    assert (told.of(60).highest, told.of(60).second) == (1, 0)
    assert 0 < told.of(57).highest < 1


def test_who_has_no_life_preserver_left_risks_elimination() -> None:
    for number in range(8):
        game = RandomGame(Rules(players=4), random.Random(number)).play(2 * 5 + 1)
        for own, hand in enumerate(game.state.stage.hands):
            if hand:
                view = seat_view(game.state, own)
                left = view.table.seats[own].life_preservers
                told = analyse(view, NOTHING, random.Random(1), rollouts=100)
                for card in told.cards:
                    assert card.eliminated == (0 if left else card.risk)
