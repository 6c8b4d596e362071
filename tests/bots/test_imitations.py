"""What ``tidal`` bids, computed for many decisions at once, compared with ``tidal``."""

import numpy as np
import pytest

from bench.strength.imitate import played
from engine.bots import bot
from engine.bots.evidence import bid_arrays, shown_rounds
from engine.bots.imitations import curves, merits
from engine.bots.simulator import start
from engine.editions import Rules


@pytest.mark.parametrize(("players", "agreement"), [(3, 0.85), (4, 0.95), (5, 0.9)])
def test_the_bids_of_tidal(players: int, agreement: float) -> None:
    """In the first stage, when nobody is out and nobody's hand is known, all of them; later most."""
    rules = Rules(players=players)
    names = ["tidal", "tidal", "greedy", "cautious", "random"][:players]
    seats = [0, 1]
    found: list[bool] = []
    for number in range(2):
        game = played(rules, [bot(name).choose for name in names], f"{number}")
        for stage, result in enumerate(game.finished):
            hands = [game.deal[(seat - stage) % players] for seat in range(players)]
            begin = start(
                rules, np.array(hands, np.int8).T[:, :, None], np.array(result.start)[:, None]
            )
            shown, _ = shown_rounds(begin, bid_arrays([result.rounds], rules, 1), seats)
            rounds = [(one.stages, one.offer) for one in shown]
            for one, curve in zip(shown, curves(rounds, seats, np.array([stage > 0])), strict=True):
                right = merits(curve, one.stages, seats).argmax(axis=0) == one.slots
                some = [bool(right[seat, 0]) for seat in seats if one.acting[seat, 0]]
                if not stage and one.stages.alive.all():
                    assert all(some)
                found += some
    assert sum(found) >= agreement * len(found)
