"""What the house's bots are worth on the players' scale.

`python -m bench.strength.bot_ratings [DEALS [BOT...]]`: of all bots, or of these, weakest first. Bots get
their ratings from games among themselves, never from players' games: four neighbours in that order at one
table. A bot that searches makes the most of weaker rivals; so that all of those meet the same ones, each also
plays against the three strongest others. Every deal is played once from every seat, as in `tide arena`.
Tables with a bot that searches take long, and get one deal of eight only, if there are others.

The ratings are the likeliest ones of all games together, by the model that players are rated by (Weng and
Lin, "A Bayesian approximation method for online ranking", 2011: Plackett-Luce, with every rating certain).
The standard deviations take the deals, not the games, as independent (the sandwich estimator). They are those
of the difference to the anchor: the bot that sits down when nobody asks for another, which is worth what a
new player is thought to be worth; without that bot, the first one, which is worth what it was. The result
goes into `engine/bots/__init__.py` by hand.
"""

import random
import sys
from collections.abc import Iterable
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from engine.bots import BOTS, DEFAULT_STRATEGY, STRATEGIES, choose
from engine.deal import deal_game
from engine.editions import Rules
from engine.rules import new_game, reveal, turn_tides
from engine.views import history_of, seat_view
from server.storage.ratings import MU, SIGMA

SEED: Final = 2026
_SEATS: Final = 4
_SLOW: Final = {name for name, row in BOTS.items() if row.place == BOTS[STRATEGIES[-1]].place}
_RARELY: Final = 8
_SCALE: Final = SIGMA / 2 * _SEATS**0.5
"""Difference of two ratings at one table of which the better one comes first e times as often."""
_STEPS: Final = 10
"""Newton's steps."""


class Deal(NamedTuple):
    """The games of one deal, once from every seat: [game, seat] each."""

    bots: npt.NDArray[np.intp]
    scores: npt.NDArray[np.intp]


def play(bots: list[str], deal_seed: bytes, chance: random.Random) -> tuple[int, ...]:
    """Return the scores of one game."""
    rules = Rules(players=len(bots))
    deal = deal_game(deal_seed, rules)
    state = new_game(rules, deal.hands)
    while not state.over:
        stage = state.stage
        state = turn_tides(state, deal.offer(stage.number, len(stage.rounds)))
        bids = [
            choose(bots[seat], seat_view(state, seat), history_of(state, seat), chance)
            if hand
            else None
            for seat, hand in enumerate(state.stage.hands)
        ]
        state = reveal(state, bids)
    return state.scores


def deals(names: list[str], numbers: Iterable[int]) -> list[Deal]:
    """Return the deals of these numbers, each at one of the tables in turn."""
    tables = [names[first : first + _SEATS] for first in range(len(names) - _SEATS + 1)]
    strongest = [name for name in names if name not in _SLOW][1 - _SEATS :]
    for name in names:
        if name in _SLOW and len(strongest) == _SEATS - 1 and [*strongest, name] not in tables:
            tables.append([*strongest, name])
    quick = [table for table in tables if _SLOW.isdisjoint(table)]
    slow = [table for table in tables if table not in quick]
    played = []
    for number in numbers:
        chance = random.Random(f"{SEED}/{number}")
        some = (quick or slow) if number % _RARELY else (slow or quick)
        table = some[number // _RARELY % len(some)]
        order = chance.sample(table, _SEATS)
        seed = chance.randbytes(32)
        turns = [order[turn:] + order[:turn] for turn in range(_SEATS)]
        scores = [play(turn, seed, chance) for turn in turns]
        bots = [[names.index(bot) for bot in turn] for turn in turns]
        played.append(Deal(np.array(bots), np.array(scores)))
    return played


def fit(
    played: list[Deal], bots: int, anchor: int
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return [bots] each: how far a bot is above the anchor, and the standard deviation of that."""
    others = np.delete(np.arange(bots), anchor)
    worth, deviations = np.zeros(bots), np.zeros(bots)
    for _ in range(_STEPS):
        slopes, curvature = _likelihood(played, worth)
        steps = np.linalg.solve(curvature[np.ix_(others, others)], slopes[:, others].T)
        worth[others] += steps.sum(axis=1)
        deviations[others] = np.sqrt((steps**2).sum(axis=1))
    return worth * _SCALE, deviations * _SCALE


def _likelihood(
    played: list[Deal], worth: npt.NDArray[np.float64]
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """The slope of the logarithm of the likelihood, [deal, bot], and its negative curvature, [bot, bot].

    Everybody comes before those who score no more, in proportion to ``exp(worth)``; who shares a place counts
    as one together with those.
    """
    slopes = np.zeros((len(played), len(worth)))
    curvature = np.zeros((len(worth), len(worth)))
    for number, deal in enumerate(played):
        for bots, scores in zip(deal.bots, deal.scores, strict=True):
            for bot, score in zip(bots, scores, strict=True):
                share = 1 / np.count_nonzero(scores == score)
                chances = np.zeros(len(worth))
                chances[bots] = np.exp(worth[bots]) * (scores <= score)
                chances /= chances.sum()
                slopes[number] -= share * chances
                slopes[number, bot] += share
                curvature += share * (np.diag(chances) - np.outer(chances, chances))
    return slopes, curvature


def main() -> None:
    count = int(sys.argv[1]) if sys.argv[1:] else 800
    names = sys.argv[2:] or list(STRATEGIES)
    played = deals(names, range(count))
    anchor = names.index(DEFAULT_STRATEGY) if DEFAULT_STRATEGY in names else 0
    known, _ = BOTS[names[anchor]].rating or (MU, SIGMA)
    print(f"{count * _SEATS} games")
    for name, above, deviation in zip(names, *fit(played, len(names), anchor), strict=True):
        print(f"{name}: ({above + known:.1f}, {deviation:.1f})")


if __name__ == "__main__":
    main()
