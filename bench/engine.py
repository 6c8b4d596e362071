"""How many whole games a second the rules play: `python -m bench.engine [SECONDS]`.

Random five-player games on one core, from the shuffled pack to the final scores, a round at a time; nobody
asks for the events. Seconds are the processor's, not the clock's, because others may use the machine as well.
Machines and Python builds differ: to compare commits, run both in turn.
"""

import gc
import json
import random
import sys
from collections.abc import Callable, Sequence
from statistics import median
from time import perf_counter, process_time
from typing import Final

from engine.cards import TIDE_COPIES, WEATHER_CARDS
from engine.editions import Rules
from engine.rules import new_game, reveal, turn_tides
from engine.state import GameState

RULES: Final = Rules(players=5)
GAMES: Final = 40
"""Games between two looks at the clock."""
SEED: Final = 20
TIDES: Final = tuple(tide for tide in range(1, RULES.highest_tide + 1) for _ in range(TIDE_COPIES))

Chance = Callable[[], float]


def shuffled(cards: Sequence[int], chance: Chance) -> list[int]:
    """All orders equally likely, and quicker than ``random.shuffle``."""
    return sorted(cards, key=lambda _: chance())


def play(chance: Chance) -> GameState:
    """A whole game between players who bid any card."""
    cards = shuffled(WEATHER_CARDS, chance)
    size = RULES.hand_size
    deal = tuple(tuple(cards[size * seat : size * (seat + 1)]) for seat in range(RULES.players))
    state = new_game(RULES, deal)
    tides: list[int] = []
    while not state.over:
        if not state.stage.rounds:
            tides = shuffled(TIDES, chance)
        state = turn_tides(state, (tides.pop(), tides.pop()))
        bids = [hand[int(chance() * len(hand))] if hand else None for hand in state.stage.hands]
        state = reveal(state, bids)
    return state


def main(seconds: float) -> None:
    """Measure and print."""
    gc.disable()  # as a server does (`server.runtime.gc_policy`): states refer to nothing that refers to them
    chance, found = random.Random(SEED).random, list[float]()
    end = perf_counter() + seconds
    while perf_counter() < end:
        start = process_time()
        for _ in range(GAMES):
            play(chance)
        found.append(GAMES / (process_time() - start))
    print(f"Whole random five-player games: {median(found):,.0f} a second (median).")
    print(f"\nfigures {json.dumps({'a round at a time': median(found)})}")


if __name__ == "__main__":
    main(float(sys.argv[1]) if sys.argv[1:] else 10)
