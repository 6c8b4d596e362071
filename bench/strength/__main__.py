"""Bots against opponents that they do not know: `python -m bench.strength [--help]`.

Every deal has rivals drawn from ``bench.strength.heldout`` and is played once from every seat. The same
deals and rivals meet every bot, so that differences between bots are more exact than each figure.
`bench.strength.report` writes `bench/strength.md`.
"""

import argparse
from collections.abc import Iterator, Sequence
from functools import partial
from multiprocessing import get_context
from typing import Final

from bench.strength.deals import SEED, deal_of
from bench.strength.matches import Figures, figures
from engine.bots import STRATEGIES
from engine.editions import Rules

_PLAYERS: Final = (3, 4, 5)


def main(arguments: Sequence[str] | None = None) -> None:
    """Play and print the tables."""
    parser = argparse.ArgumentParser(prog="python -m bench.strength", description=__doc__)
    parser.add_argument("bots", nargs="*", default=list(STRATEGIES), help="names of bots")
    parser.add_argument("--players", type=int, nargs="+", default=list(_PLAYERS))
    parser.add_argument("--deals", type=int, default=60, help="for each number of players")
    parser.add_argument("--seed", default=SEED)
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument(
        "--rivals", nargs="+", default=[], help="bots at the other seats, or naive ones (naive)"
    )
    chosen = parser.parse_args(arguments)
    for players in chosen.players:
        for line in _table(chosen, players):
            print(line, flush=True)


def _table(chosen: argparse.Namespace, players: int) -> Iterator[str]:
    against = " and ".join(chosen.rivals) or "held-out opponents"
    yield f"## {players} players, {chosen.deals} deals, against {against}"
    yield ""
    yield (
        "| bot | points a stage | games won | rivals' points | in each stage "
        "| ms a bid, median | 99% | most |"
    )
    yield "|---|---|---|---|---|---|---|---|"
    for name in chosen.bots:
        yield _row(name, measured(name, players, chosen))
    yield ""


def _row(name: str, one: Figures) -> str:
    stages = " ".join(f"{points:.2f}" for points in one.stages)
    return (
        f"| `{name}` | {one.points:.3f} ± {one.error:.3f} | {one.wins:.3f} ± {one.wins_error:.3f} "
        f"| {one.others:.2f} | {stages} | {one.median:.2f} | {one.p99:.2f} | {one.longest:.0f} |"
    )


def measured(name: str, players: int, chosen: argparse.Namespace) -> Figures:
    """Return the figures of one bot."""
    play = partial(deal_of, name, Rules(players=players), tuple(chosen.rivals), chosen.seed)
    if chosen.jobs == 1:
        return figures([play(number) for number in range(chosen.deals)])
    with get_context("spawn").Pool(chosen.jobs) as pool:
        return figures(pool.map(play, range(chosen.deals), chunksize=1))


if __name__ == "__main__":
    main()
