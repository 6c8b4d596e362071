"""How many whole games a second the rules play: `python -m bench.engine [SECONDS]`.

Random five-player games on one core, from the shuffled pack to the final scores, a round at a time.
Seconds are the processor's, not the clock's, because others may use the machine as well. Machines and Python
builds differ: to compare commits, run both in turn.
"""

import gc
import json
import random
import sys
from collections.abc import Callable, Sequence
from functools import partial
from statistics import median
from time import perf_counter, process_time
from typing import Final

from bench.load.figures import table
from engine.cards import TIDE_COPIES, WEATHER_CARDS
from engine.deal import deal_game
from engine.editions import Rules
from engine.rules import new_game, reveal, turn_tides
from engine.state import GameState
from engine.views import seat_view, table_view

RULES: Final = Rules(players=5)
GAMES: Final = 40
"""Games between two looks at the clock."""
SEED: Final = 20
TIDES: Final = tuple(tide for tide in range(1, RULES.highest_tide + 1) for _ in range(TIDE_COPIES))

Chance = Callable[[], float]
Choose = Callable[[GameState, Chance], list[int | None]]


def shuffled(cards: Sequence[int], chance: Chance) -> list[int]:
    """All orders equally likely, and quicker than ``random.shuffle``."""
    return sorted(cards, key=lambda _: chance())


def any_card(state: GameState, chance: Chance) -> list[int | None]:
    """Everybody still in bids any card."""
    return [hand[int(chance() * len(hand))] if hand else None for hand in state.stage.hands]


def any_card_of_the_view(state: GameState, chance: Chance) -> list[int | None]:
    """As a table with five bots does: each sees its view and bids from that."""
    seen = table_view(state)
    hands = [seat_view(state, seat, seen).hand for seat in range(RULES.players)]
    return [hand[int(chance() * len(hand))] if hand else None for hand in hands]


KINDS: Final[dict[str, Choose]] = {
    "a round at a time": any_card,
    "a round at a time, each from its view": any_card_of_the_view,
}


def play(bids: Choose, chance: Chance) -> GameState:
    """A whole game between players who bid any card."""
    cards = shuffled(WEATHER_CARDS, chance)
    size = RULES.hand_size
    deal = tuple(tuple(cards[size * seat : size * (seat + 1)]) for seat in range(RULES.players))
    state, _ = new_game(RULES, deal)
    tides: list[int] = []
    while not state.over:
        if not state.stage.rounds:
            tides = shuffled(TIDES, chance)
        state, _ = turn_tides(state, (tides.pop(), tides.pop()))
        state, _ = reveal(state, bids(state, chance))
    return state


def a_second(count: int, work: Callable[[], object]) -> float:
    """How often it is done in a second of the processor's time."""
    start = process_time()
    for _ in range(count):
        work()
    return count / (process_time() - start)


def main(seconds: float) -> None:
    """Measure and print."""
    gc.disable()  # as a server does (`server.runtime.gc_policy`): states refer to nothing that refers to them
    chance = random.Random(SEED).random
    work = {name: partial(play, bids, chance) for name, bids in KINDS.items()}
    found: dict[str, list[float]] = {name: [] for name in KINDS}
    end = perf_counter() + seconds
    while perf_counter() < end:
        for name, game in work.items():
            found[name].append(a_second(GAMES, game))
    medians = {name: median(rates) for name, rates in found.items()}
    rows = [(name, f"{medians[name]:,.0f}", f"{max(found[name]):,.0f}") for name in KINDS]
    print(table(("whole random five-player games", "a second, median", "best"), rows))
    deals = a_second(200, lambda: deal_game(bytes(32), RULES))
    print(f"\ndealing from a secret seed (SHA-256 stream): {deals:,.0f} games a second")
    print(f"\nfigures {json.dumps(medians)}")


if __name__ == "__main__":
    main(float(sys.argv[1]) if sys.argv[1:] else 10)
