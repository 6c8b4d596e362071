"""What a bot is asked for one bid. It is small and plain, so that another process can answer it.

The same game gives the same question and the same question the same card, whenever it is asked: before a
restart or after it, before others have bid or after them.
"""

import random
from collections.abc import Callable
from typing import NamedTuple

from engine.deal import bots_chance
from engine.state import GameState
from engine.views import History, SeatView, history_of, seat_view

Choose = Callable[[str, SeatView, History, random.Random, str], int]
"""Chooses a card as ``engine.bots.choose`` does."""


class Question(NamedTuple):
    """Which card does this strategy bid here?"""

    strategy: str
    view: SeatView
    """Without who has bid already."""
    history: History
    seed: bytes
    """Of the bot's random generator."""
    manner: str = ""
    """One of ``engine.bots.MANNERS``, or none."""

    def answer(self, choose: Choose) -> int:
        """The card. Raises what ``choose`` raises."""
        rng = random.Random(self.seed)
        return choose(self.strategy, self.view, self.history, rng, self.manner)


def question(strategy: str, state: GameState, seat: int, seed: bytes, manner: str = "") -> Question:
    """What to ask ``strategy`` for ``seat``; ``seed`` is a secret one, of the game or of its table.

    Raises ``ValueError`` unless ``seed`` is 32 bytes long.
    """
    stage = state.stage
    chance = bots_chance(seed, stage.number, len(stage.rounds), seat)
    return Question(strategy, seat_view(state, seat), history_of(state, seat), chance, manner)
