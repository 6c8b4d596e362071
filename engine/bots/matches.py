"""Games between bots, dealt fairly: every deal is played once from every seat, and counted."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt
from operator import add
from typing import Final, NamedTuple

from engine.bots import choose
from engine.deal import SEED_BYTES, GameDeal, deal_game
from engine.editions import Rules
from engine.rules import new_game, reveal, turn_tides
from engine.views import history_of, seat_view, table_view

_WIN: Final = 60
"""A win in the unit in which shared wins are whole numbers, among up to six."""
_NORMAL_95: Final = 1.96


@dataclass(frozen=True, slots=True)
class Match:
    """What is played. ``bots`` are the strategies' names, as many as players; one may occur twice."""

    bots: tuple[str, ...]
    rules: Rules
    seed: int

    @property
    def names(self) -> tuple[str, ...]:
        """Every strategy once, in the order given."""
        return tuple(dict.fromkeys(self.bots))


class MatchTally(NamedTuple):
    """What a strategy did: sums, so that tallies can be added in any order."""

    deals: int = 0
    """Deals, each played once from every seat."""
    points: int = 0
    """Points of all stages, of all seats the strategy took."""
    squares: int = 0
    """The sum over the deals of the squared points of a deal."""
    wins: int = 0
    """Games won, in sixtieths: a shared win counts as a share."""
    choices: int = 0
    seconds: float = 0.0
    """Processor time spent choosing."""

    def plus(self, other: "MatchTally") -> "MatchTally":
        """Return the sum of both."""
        return MatchTally(*map(add, self, other))


class StrategyFigures(NamedTuple):
    """What a tally says about a strategy."""

    points: float
    """Mean points a stage."""
    margin: float | None
    """Half the width of their 95% confidence interval; ``None`` when one deal is all there is."""
    wins: float
    """The share of games won, a seat: equal players have one divided by the number of players."""
    milliseconds: float
    """Processor time a choice."""


def figures_of(match: Match, name: str, tally: MatchTally) -> StrategyFigures:
    """Return the figures of a strategy after at least one deal.

    The deals are what varies independently: games of one deal share its luck, and are counted together.
    """
    games = tally.deals * match.rules.players
    seats = match.bots.count(name)
    stages = match.rules.players * seats * match.rules.stages
    margin = None
    if tally.deals > 1:
        spread = tally.squares - tally.points**2 / tally.deals
        deviation = sqrt(max(spread, 0.0) / (tally.deals - 1))
        margin = _NORMAL_95 * deviation / sqrt(tally.deals) / stages
    return StrategyFigures(
        tally.points / tally.deals / stages,
        margin,
        tally.wins / _WIN / games / seats,
        1000 * tally.seconds / max(tally.choices, 1),
    )


def _untimed() -> float:
    return 0.0


def play_deal(
    match: Match, number: int, timer: Callable[[], float] = _untimed
) -> dict[str, MatchTally]:
    """Play deal ``number`` once from every seat: everybody gets every hand with every order of tides.

    Who sits left of whom is drawn anew for every deal. The result depends on nothing but the arguments;
    ``timer`` tells seconds of processor time.
    """
    chance = random.Random(f"{match.seed}/{number}")
    deal = deal_game(chance.randbytes(SEED_BYTES), match.rules)
    order = list(match.bots)
    chance.shuffle(order)
    tallies = {name: MatchTally() for name in match.names}
    for turn in range(len(order)):
        bots = order[turn:] + order[:turn]
        for name, tally in zip(bots, _play(match.rules, deal, bots, chance, timer), strict=True):
            tallies[name] = tallies[name].plus(tally)
    return {
        name: tally._replace(deals=1, squares=tally.points**2) for name, tally in tallies.items()
    }


def _play(
    rules: Rules,
    deal: GameDeal,
    bots: Sequence[str],
    chance: random.Random,
    timer: Callable[[], float],
) -> list[MatchTally]:
    """Play one game, and return what was done on each seat."""
    state = new_game(rules, deal.hands)
    # A generator for each: what one draws must not change what another sees in the same seat.
    own = [random.Random(chance.getrandbits(64)) for _ in bots]
    tallies = [MatchTally() for _ in bots]
    while not state.over:
        state = turn_tides(state, deal.offer(state.stage.number, len(state.stage.rounds)))
        table, cards = table_view(state), list[int | None]()
        for seat, bot in enumerate(bots):
            view = seat_view(state, seat, table)
            if len(view.hand) < 2:
                # Eliminated, or the last card, which nobody chooses.
                cards.append(view.hand[0] if view.hand else None)
                continue
            start = timer()
            cards.append(choose(bot, view, history_of(state, seat), own[seat]))
            chosen = MatchTally(choices=1, seconds=timer() - start)
            tallies[seat] = tallies[seat].plus(chosen)
        state = reveal(state, tuple(cards))
    won = _WIN // len(state.winners)
    return [
        tally._replace(points=state.scores[seat], wins=won if seat in state.winners else 0)
        for seat, tally in enumerate(tallies)
    ]
