"""The simulator of many stages plays as `engine.rules`, in every edition and with every option."""

import random

import numpy as np
import pytest

from engine.bots.simulator import Stages, play, start
from engine.deal import GameDeal, deal_game
from engine.editions import Rules
from engine.rules import new_game, reveal, turn_tides
from engine.state import GameState
from tests.support.bots import KINDS

GAMES = 25


def same(stages: Stages, number: int, state: GameState) -> None:
    """Stage ``number`` of the simulator is the stage in progress of ``state``."""
    stage = state.stage
    levels = [-1 if level is None else level for level in stage.levels]
    assert stages.levels[:, number].tolist() == levels
    assert stages.life_preservers[:, number].tolist() == list(stage.life_preservers)
    shown = {bid for told in stage.rounds for bid in told.bids}
    for seat, hand in enumerate(stage.hands):
        if hand:
            assert stages.hands[:, seat, number].tolist() == list(hand)
            below = [len(set(range(1, card)) - shown) for card in hand]
            assert stages.below[:, seat, number].tolist() == below


@pytest.mark.parametrize("rules", KINDS, ids=str)
def test_whole_games_are_as_in_the_engine(rules: Rules) -> None:
    chance = random.Random(f"{rules}")
    deals = [deal_game(chance.randbytes(32), rules) for _ in range(GAMES)]
    states = [new_game(rules, deal.hands) for deal in deals]
    for number in range(rules.stages):
        states = one_stage(rules, number, deals, states, chance)


def one_stage(
    rules: Rules,
    number: int,
    deals: list[GameDeal],
    states: list[GameState],
    chance: random.Random,
) -> list[GameState]:
    """Play a stage of all games with any bids, here and there."""
    hands = np.array([state.stage.hands for state in states]).transpose(2, 1, 0)
    stages = start(rules, hands, np.array([state.stage.start for state in states]).T)
    states = [*states]
    for round_ in range(rules.rounds):
        offers = np.zeros((2, GAMES), np.int8)
        slots = np.zeros((rules.players, GAMES), np.intp)
        running = [game for game, state in enumerate(states) if len(state.finished) == number]
        assert np.flatnonzero(stages.running).tolist() == running or not stages.left
        for game in running:
            state = turn_tides(states[game], deals[game].offer(number, round_))
            assert state.offer is not None
            offers[:, game] = state.offer
            bids: list[int | None] = []
            for seat, hand in enumerate(state.stage.hands):
                slots[seat, game] = chance.randrange(len(hand)) if hand else 0
                bids.append(hand[slots[seat, game]] if hand else None)
            states[game] = reveal(state, bids)
        before = stages.levels.copy()
        after = play(stages, offers, slots)
        assert (stages.levels == before).all()
        stages = after
        for game in running:
            if len(states[game].finished) == number:
                same(stages, game, states[game])
    for game, state in enumerate(states):
        assert stages.points[:, game].tolist() == list(state.finished[number].points)
    return states
