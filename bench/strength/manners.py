"""What a manner costs a bot, or brings it: `python -m bench.strength.manners [--help]`.

The bot plays the deals of `bench.strength` from every seat, with and without each manner. The differences are
between the same deals and rivals.
"""

import argparse
import random
from collections.abc import Sequence
from functools import partial
from statistics import mean, stdev

from bench.strength.deals import SEED, held_out
from bench.strength.matches import play_deal
from engine.bots import LADDER, choose
from engine.bots.manners import MANNERS
from engine.editions import Rules
from engine.views import History, SeatView


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the differences."""
    parser = argparse.ArgumentParser(prog="python -m bench.strength.manners", description=__doc__)
    parser.add_argument("bots", nargs="*", default=list(LADDER), help="names of bots")
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--deals", type=int, default=60)
    chosen = parser.parse_args(arguments)
    for name in chosen.bots:
        plain = points(name, "", chosen.players, chosen.deals)
        for manner in MANNERS:
            with_it = points(name, manner, chosen.players, chosen.deals)
            gains = [after - before for before, after in zip(plain, with_it, strict=True)]
            error = stdev(gains) / len(gains) ** 0.5
            print(f"{name}, {manner}: {mean(gains):+.3f} ± {error:.3f} points a stage", flush=True)


def points(name: str, manner: str, players: int, deals: int) -> list[float]:
    """Return points a stage in each of so many deals, at least two."""
    rules, draw = Rules(players=players), partial(held_out, players - 1)

    def player(view: SeatView, history: History, rng: random.Random) -> int:
        return choose(name, view, history, rng, manner)

    return [
        play_deal(rules, player, draw, f"{SEED} {players} {number}").points
        for number in range(deals)
    ]


if __name__ == "__main__":
    main()
