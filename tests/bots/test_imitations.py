"""The bots of the house as rivals: what ``tidal`` bids, computed for many decisions at once, and whether
``tidal`` and ``expert`` are recognised.
"""

import random

import numpy as np
import pytest

from bench.strength.imitate import played
from engine.bots import bot
from engine.bots.evidence import Evidence, bid_arrays, evidence, shown_rounds, start_of
from engine.bots.hands import knowledge, sample
from engine.bots.imitations import curves, merits
from engine.bots.policies import policies
from engine.bots.simulator import start
from engine.editions import Rules
from engine.views import History, SeatView


def told(names: list[str], until: int) -> tuple[SeatView, Evidence]:
    """What the first of these bots sees, and can say about the others, when that many bids were made."""
    seen: list[tuple[SeatView, History]] = []

    def first(view: SeatView, history: History, rng: random.Random) -> int:
        seen.append((view, history))
        return bot(names[0]).choose(view, history, rng)

    rules = Rules(players=len(names))
    played(rules, [first, *(bot(name).choose for name in names[1:])], "recognised")
    view, history = seen[until]
    known, rng = policies(rules.players), np.random.default_rng(1)
    about, rivals = knowledge(view, history), list(range(1, rules.players))
    stages = start_of(view, sample(about, 40, rng))
    now, _ = shown_rounds(stages, bid_arrays([view.table.rounds], rules, 40), rivals)
    return view, evidence(rules, history, about, rivals, known, now)


def test_tidal_and_expert_are_recognised_in_the_last_stage() -> None:
    known = policies(4)
    view, found = told(["greedy", "tidal", "expert", "cautious"], 35)
    assert view.table.stage == 3
    tidal, expert, cautious = found.posterior.T
    assert tidal[known.tidal] > 0.9
    assert expert[known.expert] > 0.5
    assert cautious[known.tidal] + cautious[known.expert] < 0.1


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
