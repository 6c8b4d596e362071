"""Whole games a second that the rules play, beside an earlier commit: `python -m bench.engine [SECONDS]`.

Random five-player games, from the shuffled pack to the final scores, a round at a time: the states alone,
nobody asks for the events. Seconds are the processor's, because others may use the machine as well.
"""

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from statistics import median
from time import perf_counter
from typing import Final

from engine.editions import TIDE_COPIES, WEATHER_CARDS, Rules
from engine.rules import new_game, reveal, turn_tides
from engine.state import GameState

RULES: Final = Rules(players=5)
EARLIER: Final = "ffcb53b6"
PLAYS: Final = """
import gc, random, time
from bench.engine import play
gc.disable()  # as a server does: states refer to nothing that refers to them
chance = random.Random(20).random
for games in (20, 100):  # the first ones warm up
    start = time.process_time()
    for _ in range(games):
        play(chance)
print(games / (time.process_time() - start))
"""
"""What runs in a checkout of each commit, and says how many games a second its rules play."""
TIDES: Final = tuple(tide for tide in range(1, RULES.highest_tide + 1) for _ in range(TIDE_COPIES))


def shuffled(cards: Sequence[int], chance: Callable[[], float]) -> list[int]:
    """Shuffle with all orders equally likely, and quicker than ``random.shuffle``."""
    return sorted(cards, key=lambda _: chance())


def play(chance: Callable[[], float]) -> GameState:
    """Play a whole game between players who bid any card."""
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
    """Measure, in turn with the earlier commit, and print."""
    from bench.price import ROOT, environment, git  # what only plays need not wait for all of it

    places, pairs = (environment(git("rev-parse", EARLIER)), ROOT), list[list[float]]()
    command, end = (sys.executable, "-c", PLAYS), perf_counter() + seconds
    while perf_counter() < end:
        pairs.append([float(subprocess.check_output(command, cwd=place)) for place in places])
    earlier, ours, ratio = map(median, zip(*((a, b, b / a) for a, b in pairs), strict=True))
    told = f"{ours:,.0f} a second, {earlier:,.0f} in {EARLIER} in the same run"
    print(f"Whole random five-player games: {told}; {ratio:.2f} times (medians).")
    print(f"\nfigures {json.dumps({'ratio': ratio, 'told': told})}")


if __name__ == "__main__":
    main(float(sys.argv[1]) if sys.argv[1:] else 60)
