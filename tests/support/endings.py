"""Games before the last choice of their last stage, in which every player knows every card."""

import random
from collections.abc import Sequence

from engine.editions import Rules
from engine.rules import reveal, turn_tides
from engine.state import GameState, Phase
from tests.support.engine import RandomGame


def last_choice(number: int, rules: Rules) -> tuple[RandomGame, GameState]:
    """A game by chance, and its state before that choice; one that is over if its last stage ended before."""
    game = RandomGame(rules, random.Random(number))
    while game.state.phase is not Phase.OVER:
        stage = game.state.stage
        last = stage.number == rules.stages - 1 and len(stage.rounds) == rules.hand_size - 2
        if last and game.state.phase is Phase.BIDDING:
            return game, game.state
        game.step()
    return game, game.state


def points_after(game: RandomGame, state: GameState, bids: Sequence[int | None], seat: int) -> int:
    """The points of the stage after these bids. The tides of the last round are those that are left."""
    now, stage = reveal(state, bids), state.stage.number
    if now.phase is Phase.TIDES:
        now = turn_tides(now, game.deal.offer(stage, len(now.stage.rounds)))
        now = reveal(now, [hand[0] if hand else None for hand in now.stage.hands])
    return now.finished[stage].points[seat]
