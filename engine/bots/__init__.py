"""The bots: players that see what a player sees.

A bot gets a seat view and what could have been written down in earlier stages, and answers with a card of its
hand. Given the same view, history and a generator in the same state it answers the same. Randomness comes
from the caller and tells nothing of the deal (``question``).
"""

import importlib
import random
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple, cast

from engine.bots.manners import Bot, Slips, slipping
from engine.deal import bots_chance
from engine.errors import EngineError
from engine.state import GameState
from engine.views import History, SeatView, history_of, seat_view

_EXACT: Final = 2
"""Cards of a hand with which some bots count out the better one: nobody follows a manner."""


class Strategy(NamedTuple):
    """A row of ``BOTS``."""

    place: str
    """The module and the name of its function (a ``Bot``); imported when the bot is first asked for."""
    level: int
    """How strong it is, from 1; the last row of each is the one on the ``LADDER``."""
    line: str
    """How it plays, in a line for people; the frontends translate it."""
    rating: tuple[float, float] | None = None
    """What it is worth on the players' scale, and the standard deviation of that: from the arena, never from
    players' games, as ``python -m bench.strength.bot_ratings`` plays them (docs/bots.md).
    """
    version: int = 1
    """Version of its play; one that is raised needs a fresh rating."""
    thinks: bool = False
    """Whether a bid takes milliseconds of the processor, and numpy: too long for an event loop."""
    slips: Slips | None = None
    """What it forgets and cannot resist."""
    heeds_manners: bool = True
    """Whether it likes some of its good cards better than others."""


class NoSuchStrategy(EngineError):
    """``no_such_strategy``: no bot goes by that name."""


BOTS: Final[Mapping[str, Strategy]] = MappingProxyType(
    {
        "random": Strategy(
            "engine.bots.simple.any_card",
            1,
            "bids any card of its hand",
            (6.8, 0.5),
            heeds_manners=False,
        ),
        "newcomer": Strategy(
            "engine.bots.simple.cautious",
            1,
            "bids its highest card for most tides, and otherwise low",
            (9.4, 0.4),
            slips=Slips(tempted=0.9, tempting=9),
        ),
        "novice": Strategy(
            "engine.bots.simple.cautious",
            2,
            "often bids its highest card for a low tide, and otherwise low",
            (18.1, 0.3),
            version=2,
            slips=Slips(tempted=0.35, tempting=6),
        ),
        "cautious": Strategy(
            "engine.bots.simple.cautious",
            3,
            "bids low, and high when its tide is the highest; does not count cards",
            (23.3, 0.3),
        ),
        "greedy": Strategy(
            "engine.bots.simple.greedy",
            3,
            "counts cards, and avoids having the highest tide after this round",
            (25.0, 0.0),
        ),
        "forgetful": Strategy(
            "engine.bots.tidal.choose",
            4,
            "plans ahead, but forgets cards, overlooks tides and cannot resist the lowest",
            (31.3, 0.3),
            version=4,
            slips=Slips(hands=1.0, cards=0.1, tide=0.08, tempted=0.06),
        ),
        "tidal": Strategy(
            "engine.bots.tidal.choose",
            5,
            "counts and remembers cards, and plans for the rounds to come",
            (35.1, 0.4),
            version=4,
        ),
        "expert": Strategy(
            "engine.bots.expert.choose",
            6,
            "remembers cards, learns how you bid, and answers at once",
            (43.7, 0.5),
            version=3,
            thinks=True,
        ),
        "master": Strategy(
            "engine.bots.master.choose",
            7,
            "learns how you bid, and tries each card in thousands of simulated stages",
            (52.1, 1.3),
            version=7,
            thinks=True,
        ),
    }
)
"""Every strategy by its name, weakest first."""

LADDER: Final = tuple({row.level: name for name, row in BOTS.items()}.values())
"""The strategy of each level, from 1."""

ALIKE: Final = "alike"
"""Stands for the strategy of the ladder that is as strong as those who play."""


STRATEGIES: Final = tuple(BOTS)
"""The names of all strategies, weakest first."""

WANTED: Final = (*STRATEGIES, ALIKE)
"""What a table can be asked for ..."""

OFFERED: Final = (*LADDER, ALIKE)
"""... what people are offered, a bot for each level ..."""

TYPED: Final[Mapping[str, str]] = MappingProxyType(
    {**dict(zip(WANTED, WANTED, strict=True)), "skilled": "tidal", "champion": "master"}
)
"""... and what they may type, with the bot that is meant."""

DEFAULT_STRATEGY: Final = "greedy"
"""The bot that sits down when nobody asks for a certain one."""

SUBSTITUTE_STRATEGY: Final = "cautious"
"""The bot that bids for an absent player: a modest one, so that dropping out never buys a stronger player."""

FALLBACK_STRATEGY: Final = "tidal"
"""The bot that bids for one that has not finished thinking in time."""


def bot(strategy: str) -> Bot:
    """Return the bot of that name. Raises ``NoSuchStrategy``."""
    row = BOTS.get(strategy)
    if row is None:
        raise NoSuchStrategy("no_such_strategy", strategy=strategy)
    module, _, name = row.place.rpartition(".")
    player = cast(Bot, getattr(importlib.import_module(module), name))
    return player if row.slips is None else slipping(player, row.slips)


def choose(
    strategy: str, view: SeatView, history: History, rng: random.Random, manner: str = ""
) -> int:
    """Return the card of ``view.hand`` that ``strategy`` bids; tides are on offer. ``history`` is of the same
    seat (``engine.views.history_of``). ``manner``: one of ``engine.bots.manners.MANNERS``, or none.

    Raises ``NoSuchStrategy``, and ``ValueError`` when there is nothing to bid for or to bid.
    """
    player = bot(strategy)
    if view.table.offer is None or not view.hand:
        raise ValueError("there is nothing to choose")
    if len(view.hand) == 1:
        return view.hand[0]
    return player(view, history, rng, manner if len(view.hand) > _EXACT else "")


Choose = Callable[[str, SeatView, History, random.Random, str], int]
"""A function like ``choose``."""


class Question(NamedTuple):
    """A request for the card that a strategy bids here. It is small and plain, so that another process can
    answer it, and the same game makes the same question, whenever it is asked.
    """

    strategy: str
    view: SeatView
    """The seat's view, without who has bid already."""
    history: History
    seed: bytes
    """Seed of the bot's random generator."""
    manner: str = ""
    """One of ``engine.bots.manners.MANNERS``, or none."""

    def answer(self, choose: Choose) -> int:
        """Return the card. Raises what ``choose`` raises."""
        rng = random.Random(self.seed)
        return choose(self.strategy, self.view, self.history, rng, self.manner)


def question(strategy: str, state: GameState, seat: int, seed: bytes, manner: str = "") -> Question:
    """Return what to ask ``strategy`` for ``seat``; ``seed`` is a secret one, of the game or of its table.

    Raises ``ValueError`` unless ``seed`` is 32 bytes long.
    """
    stage = state.stage
    chance = bots_chance(seed, stage.number, len(stage.rounds), seat)
    return Question(strategy, seat_view(state, seat), history_of(state, seat), chance, manner)
