"""Games of one bot against others, every deal played from every seat, and what came of them."""

import random
from collections.abc import Callable, Sequence
from math import sqrt
from time import process_time
from typing import NamedTuple

from engine.deal import SEED_BYTES, GameDeal, deal_game
from engine.editions import Rules
from engine.rules import new_game, reveal, turn_tides
from engine.views import History, SeatView, history_of, seat_view, table_view

Player = Callable[[SeatView, History, random.Random], int]
"""What a seat bids: a bot's ``choose``."""
Drawn = Callable[[random.Random], Sequence[Player]]
"""The opponents at a table."""


class DealResult(NamedTuple):
    """One deal, played from every seat."""

    points: float
    """The bot's mean points a stage."""
    others: float
    """The mean points a stage of its opponents."""
    wins: float
    """The share of the games won; a shared win is a share."""
    stages: tuple[float, ...]
    """The bot's mean points in each stage."""
    milliseconds: list[float]
    """Processor time of each of the bot's bids."""


class Figures(NamedTuple):
    """What some deals say."""

    deals: int
    points: float
    error: float
    """Standard error of ``points``; deals vary independently."""
    others: float
    wins: float
    wins_error: float
    stages: tuple[float, ...]
    """Mean points in each stage."""
    median: float
    """Milliseconds a bid."""
    p99: float
    longest: float
    by_deal: tuple[float, ...]
    """The points of each, in the order of their numbers."""

    def less(self, other: "Figures") -> tuple[int, float, float]:
        """Return the number of deals both have played, the mean difference of the points, and its error."""
        found = [one - another for one, another in zip(self.by_deal, other.by_deal, strict=False)]
        return len(found), *_mean(found)


def play_deal(rules: Rules, bot: Player, opponents: Drawn, seed: str) -> DealResult:
    """Play the deal of that seed once from every seat; the opponents keep their order around the table."""
    chance = random.Random(seed)
    deal = deal_game(chance.randbytes(SEED_BYTES), rules)
    others = opponents(chance)
    wins = rest = 0.0
    stages = [0.0] * rules.stages
    times: list[float] = []
    for seat in range(rules.players):
        players: list[Player] = [*others[: rules.players - 1]]
        players.insert(seat, bot)
        table = play_game(rules, deal, players, chance, seat, times)
        scores = [sum(column) for column in zip(*table, strict=True)]
        for number, row in enumerate(table):
            stages[number] += row[seat] / rules.players
        rest += (sum(scores) - scores[seat]) / rules.stages / rules.players / (rules.players - 1)
        best = max(scores)
        wins += (scores[seat] == best) / scores.count(best) / rules.players
    points = sum(stages) / rules.stages
    return DealResult(points, rest, wins, tuple(stages), times)


def play_game(
    rules: Rules,
    deal: GameDeal,
    players: Sequence[Player],
    chance: random.Random,
    watched: int,
    times: list[float],
) -> tuple[tuple[int, ...], ...]:
    """Return the points of one game, a stage each, a seat each; ``times`` gets the milliseconds of each bid
    of the seat ``watched``.
    """
    state = new_game(rules, deal.hands)
    own = [random.Random(chance.getrandbits(64)) for _ in players]
    while not state.over:
        state = turn_tides(state, deal.offer(state.stage.number, len(state.stage.rounds)))
        table = table_view(state)
        bids: list[int | None] = []
        for seat, player in enumerate(players):
            view = seat_view(state, seat, table)
            if len(view.hand) < 2:
                bids.append(view.hand[0] if view.hand else None)
                continue
            history = history_of(state, seat)
            began = process_time()
            bids.append(player(view, history, own[seat]))
            if seat == watched:
                times.append(1000 * (process_time() - began))
        state = reveal(state, bids)
    return tuple(result.points for result in state.finished)


def figures(results: Sequence[DealResult]) -> Figures:
    """Means and standard errors over deals; at least two."""
    stages = tuple(
        [
            sum(column) / len(results)
            for column in zip(*(result.stages for result in results), strict=True)
        ]
    )
    times = sorted(time for result in results for time in result.milliseconds)
    points, error = _mean([result.points for result in results])
    wins, wins_error = _mean([result.wins for result in results])
    others, _ = _mean([result.others for result in results])
    return Figures(
        len(results),
        points,
        error,
        others,
        wins,
        wins_error,
        stages,
        times[len(times) // 2],
        times[len(times) * 99 // 100],
        times[-1],
        tuple([result.points for result in results]),
    )


def _mean(values: Sequence[float]) -> tuple[float, float]:
    mean = sum(values) / len(values)
    spread = sum((value - mean) ** 2 for value in values)
    return mean, sqrt(spread / max(len(values) - 1, 1) / len(values))
