"""What the house's bots are worth on the players' scale.

`python -m bench.strength.bot_ratings [DEALS [BOT...]]`: of all bots, or of these. Bots get their ratings from
games among themselves, never from players' games: four of them at one table, drawn anew for every deal, which
is played once from every seat as in `tide arena`. Those that search take long, and are drawn in one deal of
eight only, if there are enough others. The scale is anchored at the bot that sits down when nobody asks for
another: it is worth what a new player is thought to be worth; without that bot, at the first one, which is
worth what it was. The result goes into `engine/bots/registry.py` by hand.
"""

import random
import sys
from typing import Final

from openskill.models import PlackettLuce

from engine.bots import BOTS, DEFAULT_STRATEGY, STRATEGIES, choose
from engine.deal import deal_game
from engine.editions import Rules
from engine.history import history_of
from engine.rules import new_game, reveal, turn_tides
from engine.views import seat_view
from server.storage.ratings import MU, SIGMA

SEED: Final = 2025
_SEATS: Final = 4
_SLOW: Final = {name for name, row in BOTS.items() if row.module == BOTS[STRATEGIES[-1]].module}
_RARELY: Final = 8


def play(bots: list[str], deal_seed: bytes, chance: random.Random) -> tuple[int, ...]:
    """The scores of one game."""
    rules = Rules(players=len(bots))
    deal = deal_game(deal_seed, rules)
    state, _ = new_game(rules, deal.hands)
    while not state.over:
        stage = state.stage
        state, _ = turn_tides(state, deal.offer(stage.number, len(stage.rounds)))
        bids = [
            choose(bots[seat], seat_view(state, seat), history_of(state, seat), chance)
            if hand
            else None
            for seat, hand in enumerate(state.stage.hands)
        ]
        state, _ = reveal(state, bids)
    return state.scores


def main() -> None:
    deals = int(sys.argv[1]) if sys.argv[1:] else 300
    names = sys.argv[2:] or list(STRATEGIES)
    chance = random.Random(SEED)
    # Without the slow forgetting that suits people, who learn: what is measured here does not change.
    model = PlackettLuce(mu=MU, sigma=SIGMA, tau=0.0)
    ratings = {name: model.rating(name=name) for name in names}
    quick = [name for name in names if name not in _SLOW]
    for number in range(deals):
        without_slow = number % _RARELY and len(quick) >= _SEATS
        order = chance.sample(quick if without_slow else names, _SEATS)
        seed = chance.randbytes(32)
        for turn in range(len(order)):
            bots = order[turn:] + order[:turn]
            scores = play(bots, seed, chance)
            ranks = [1.0 + sum(other > score for other in scores) for score in scores]
            after = model.rate([[ratings[bot]] for bot in bots], ranks=ranks)
            for bot, (rating,) in zip(bots, after, strict=True):
                ratings[bot] = rating
    anchor = DEFAULT_STRATEGY if DEFAULT_STRATEGY in names else names[0]
    known, _ = BOTS[anchor].rating or (MU, SIGMA)
    print(f"{deals * _SEATS} games")
    for name, rating in ratings.items():
        print(f"{name}: ({rating.mu - ratings[anchor].mu + known:.1f}, {rating.sigma:.1f})")


if __name__ == "__main__":
    main()
