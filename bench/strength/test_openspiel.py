"""OpenSpiel's search at our table, where OpenSpiel is installed."""

import random

import pytest

from engine.editions import Rules
from engine.views import history_of, seat_view
from tests.support.engine import RandomGame

openspiel = pytest.importorskip("bench.strength.openspiel", exc_type=ModuleNotFoundError)


@pytest.mark.parametrize("players", [3, 4, 5])
def test_a_stage_by_chance_ends_with_points(players: int) -> None:
    chance = random.Random(players)
    state = openspiel.TurnTheTide({"players": players}).new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            actions, shares = zip(*state.chance_outcomes(), strict=True)
            assert sum(shares) == pytest.approx(1)
            state.apply_action(chance.choice(actions))
        else:
            state.apply_action(chance.choice(state.legal_actions()))
    assert len(state.returns()) == players
    assert max(state.returns()) > -1


def test_the_search_bids_a_card_of_the_hand() -> None:
    state = RandomGame(Rules(), random.Random(1)).play(2 * 5 + 1).state
    view, history = seat_view(state, 2), history_of(state, 2)
    assert openspiel.ismcts(12, view, history, random.Random(1)) in view.hand
