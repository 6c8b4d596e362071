"""One deal from every seat, against held-out opponents or bots: what processes play that share a match."""

import random
from collections.abc import Mapping
from functools import partial
from typing import Final

from bench.strength.heldout import HELD_OUT, NAIVE, Rule
from bench.strength.matches import DealResult, Drawn, Player, play_deal
from engine.bots import bot
from engine.editions import Rules
from engine.views import History, SeatView

SEED: Final = "held out"
NAIVES: Final = ("naive",)


def deal_of(name: str, rules: Rules, rivals: tuple[str, ...], seed: str, number: int) -> DealResult:
    """Play one deal from every seat; against held-out opponents if there are no ``rivals``, and against naive
    ones if these are ``NAIVES``.
    """
    players = rules.players
    if rivals and rivals != NAIVES:
        draw: Drawn = partial(_named, rivals)
    else:
        draw = partial(held_out, players - 1, family=NAIVE if rivals else HELD_OUT)
    return play_deal(rules, bot(name), draw, f"{seed} {players} {number}")


def held_out(count: int, rng: random.Random, family: Mapping[str, Rule] = HELD_OUT) -> list[Player]:
    """Draw opponents at random; one may occur twice."""
    return [partial(_plain, rule) for rule in rng.choices(tuple(family.values()), k=count)]


def _plain(rule: Rule, view: SeatView, _history: History, rng: random.Random) -> int:
    return rule(view, rng)


def _named(names: tuple[str, ...], _rng: random.Random) -> list[Player]:
    return [bot(name) for name in names]
