"""Whole games by chance, and their records."""

import random
from typing import Any

from engine.deal import deal_game
from engine.editions import Rules
from engine.records.record_format import Record, record_of
from engine.records.replay import fold
from engine.rules import new_game, reveal, turn_tides
from engine.state import GameState, Phase
from server.playback import ReplayedGame, shown


def played(rules: Rules, seed: bytes, chance: random.Random, rounds: int = 10_000) -> GameState:
    """A game by chance, to its end or for so many rounds."""
    deal = deal_game(seed, rules)
    state = new_game(rules, deal.hands)
    while state.phase is not Phase.OVER and rounds:
        rounds -= 1
        state = turn_tides(state, deal.offer(state.stage.number, len(state.stage.rounds)))
        bids = [chance.choice(hand) if hand else None for hand in state.stage.hands]
        state = reveal(state, bids)
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


NAMES = ("ada", "bo", "cem", "dora", "eve", "fay")


def game(
    number: int = 3, *, rules: Rules | None = None, rounds: int = 10_000, **more: object
) -> ReplayedGame:
    rules = rules or Rules()
    over = record(number, NAMES[: rules.players], rules=rules, rounds=rounds, **more)
    return shown(fold(over), over.players, "Harbour")
