"""What reviews say of bots: `python -m bench.strength.accuracy [--help]`.

Bots of different strength play whole games at one table, and every seat is reviewed. The accuracy of a
stronger one should be clearly higher.
"""

import argparse
from collections import Counter
from collections.abc import Sequence
from functools import partial
from statistics import fmean

from bench.strength.imitate import played
from engine import bots
from engine.bots.estimates import JUDGE
from engine.bots.review import Grade, ReviewedBid, accuracy, decisions, reviewed
from engine.editions import Rules
from engine.records.record_format import record_of
from engine.records.replay import fold


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m bench.strength.accuracy", description=__doc__)
    parser.add_argument(
        "--bots", nargs="+", default=["random", "greedy", "tidal", "expert", "master"]
    )
    parser.add_argument("--games", type=int, default=5)
    parser.add_argument("--seed", default="accuracy")
    chosen = parser.parse_args(arguments)
    told: dict[str, list[list[ReviewedBid]]] = {name: [] for name in chosen.bots}
    for number in range(chosen.games):
        turned = chosen.bots[number % len(chosen.bots) :] + chosen.bots[: number % len(chosen.bots)]
        for name, bids in zip(turned, reviews(turned, f"{chosen.seed} {number}"), strict=True):
            told[name].append(bids)
    for line in table(told):
        print(line)


def reviews(names: Sequence[str], seed: str) -> list[list[ReviewedBid]]:
    """Play a game between these bots, and review each seat."""
    rules = Rules(players=len(names))
    state = played(rules, [partial(bots.choose, name) for name in names], seed)
    replay = fold(record_of(state, tuple(names)))
    return [[*map(reviewed, decisions(replay, seat))] for seat in range(len(names))]


def table(told: dict[str, list[list[ReviewedBid]]]) -> list[str]:
    """Return by bot: the mean accuracy of its games, the lowest and the highest, and its grades."""
    lines = [
        f"judged by {JUDGE.bot}, version {JUDGE.version}",
        "",
        "| bot | games | accuracy | lowest, highest | " + " | ".join(Grade) + " |",
        "|---" * (4 + len(Grade)) + "|",
    ]
    for name, games in told.items():
        found = [100 * kept for bids in games if (kept := accuracy(bids)) is not None]
        grades = Counter(one.grade for bids in games for one in bids)
        shares = [f"{100 * grades[grade] / grades.total():.0f}%" for grade in Grade]
        ends = f"{min(found):.0f}%, {max(found):.0f}%"
        cells = (f"`{name}`", str(len(found)), f"{fmean(found):.0f}%", ends, *shares)
        lines.append(f"| {' | '.join(cells)} |")
    return lines


if __name__ == "__main__":
    main()
