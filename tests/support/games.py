"""Whole games by chance, and their records."""

import random
from typing import Any

from engine.actions import TurnTides
from engine.deal import deal_game
from engine.editions import Rules
from engine.record import Record, record_of
from engine.rules import apply, legal_actions, new_game
from engine.state import GameState, Phase


def played(rules: Rules, seed: bytes, chance: random.Random, rounds: int = 10_000) -> GameState:
    """A game by chance, to its end or for so many rounds."""
    deal = deal_game(seed, rules)
    state, _ = new_game(rules, deal.hands)
    while state.phase is not Phase.OVER and rounds:
        rounds -= 1
        state, _ = apply(state, TurnTides(*deal.offer(state.stage.number, len(state.stage.rounds))))
        inside = [seat for seat in range(rules.players) if not state.stage.eliminated[seat]]
        for seat in inside:
            state, _ = apply(state, chance.choice(list(legal_actions(state, seat))))
    return state


def record(
    number: int = 1,
    names: tuple[str, ...] = ("ada", "bo", "cem", "dora"),
    *,
    rules: Rules | None = None,
    rounds: int = 10_000,
    **more: Any,
) -> Record:
    """The record of game ``number``; always the same for the same arguments."""
    chance = random.Random(number)
    seed = chance.randbytes(32)
    state = played(rules or Rules(players=len(names)), seed, chance, rounds)
    over = state.phase is Phase.OVER
    return record_of(state, names, seed=seed, more=more, ended_early=not over)
