"""What ``master`` makes if it is told what its rivals are: `python -m bench.strength.told [--help]`.

The prior of their type is 1 from the first bid on, so nothing has to be found out. With more rollouts as
well, that tells about how much there is to be had against three copies of a bot that is modelled well:
``random`` (the type that bids any card) and ``expert``.
"""

import argparse
import random
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from bench.strength.deals import SEED
from bench.strength.matches import Figures, Player, figures, play_deal
from engine.bots import bot
from engine.bots.master import search
from engine.bots.policies import Policies, policies
from engine.bots.rollouts import ROLLOUTS
from engine.editions import Rules
from engine.views import History, SeatView

TOLD = ("random", "expert")


def main(arguments: Sequence[str] | None = None) -> None:
    """Print what it made."""
    parser = argparse.ArgumentParser(prog="python -m bench.strength.told", description=__doc__)
    parser.add_argument("rival", choices=TOLD)
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--deals", type=int, default=20)
    parser.add_argument("--rollouts", type=int, default=ROLLOUTS)
    chosen = parser.parse_args(arguments)
    one = measured(chosen.rival, chosen.players, chosen.deals, chosen.rollouts)
    print(f"{one.points:.3f} ± {one.error:.3f} points a stage, {one.wins:.3f} of the games won")


def measured(rival: str, players: int, deals: int, rollouts: int) -> Figures:
    """The figures of ``master`` against copies of ``rival``; the deals are those of `bench.strength`."""
    rules = Rules(players=players)
    player = partial(_search, told_of(rival, policies(players)), rollouts)
    draw = partial(_copies, rival, players - 1)
    return figures(
        [play_deal(rules, player, draw, f"{SEED} {players} {number}") for number in range(deals)]
    )


def told_of(rival: str, known: Policies) -> Policies:
    """``known`` with all of the prior on one type."""
    # The first type that `bench.strength.train` makes has no weights: it bids any card.
    place = known.expert if rival == "expert" else 0
    prior = np.full_like(known.prior, 1e-30)
    prior[place] = 1
    if rival == "expert":
        return replace(known, prior=prior, thumb=0)
    return replace(known, prior=prior, expert=-1, tidal=-1, thumb=0)


def _copies(name: str, count: int, _rng: random.Random) -> list[Player]:
    return [bot(name).choose] * count


def _search(
    known: Policies, rollouts: int, view: SeatView, history: History, rng: random.Random
) -> int:
    return search(view, history, rng, known, rollouts)


if __name__ == "__main__":
    main()
