"""Games of bots among themselves, and the logit policies that are nearest to how they bid."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from bench.strength.matches import Player
from engine.bots.policies import Policies
from engine.bots.shown import Decisions, around, bid_arrays, fit, products, shown_rounds
from engine.bots.simulator import Floats, start
from engine.deal import SEED_BYTES, deal_game
from engine.editions import Rules
from engine.rules import new_game, reveal, turn_tides
from engine.state import GameState
from engine.views import history_of, seat_view, table_view


def played(rules: Rules, players: Sequence[Player], seed: str) -> GameState:
    """Play a whole game."""
    chance = random.Random(seed)
    deal = deal_game(chance.randbytes(SEED_BYTES), rules)
    state = new_game(rules, deal.hands)
    while not state.over:
        state = turn_tides(state, deal.offer(state.stage.number, len(state.stage.rounds)))
        table = table_view(state)
        bids: list[int | None] = []
        for seat, hand in enumerate(state.stage.hands):
            if len(hand) > 1:
                view = seat_view(state, seat, table)
                bids.append(players[seat](view, history_of(state, seat), chance))
            else:
                bids.append(hand[0] if hand else None)
        state = reveal(state, bids)
    return state


def imitation(known: Policies, seats: Sequence[tuple[GameState, int]]) -> Floats:
    """Return [contexts, basis]: the policy that fits the bids of these seats best, around the typical one."""
    bids = [pair for game, seat in seats for pair in products(list(_decisions(game)), seat)]
    typical = replace(known, types=known.typical[None], prior=np.ones(1, np.float32))
    policy, _ = fit(*around(typical, np.ones(1)), bids, share=1.0, steps=12)
    return policy.reshape(known.typical.shape).astype(np.float32)


def _decisions(game: GameState) -> Iterator[Decisions]:
    """All rounds of a game that is over, seen from all seats, with the true hands."""
    rules = game.rules
    seats = range(rules.players)
    for number, stage in enumerate(game.finished):
        hands = np.array([game.deal[(seat - number) % rules.players] for seat in seats], np.int8)
        stages = start(rules, hands.T[:, :, None], np.array(stage.start)[:, None])
        yield from shown_rounds(stages, bid_arrays([stage.rounds], rules, 1), seats)[0]
