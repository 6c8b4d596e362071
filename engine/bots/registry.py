"""What a bot is, and which there are.

A bot gets what a player gets, a seat view and what could have been written down in earlier stages, and
answers with a card of its hand. Given the same view, history and a generator in the same state it answers
the same. Randomness comes from the caller and tells nothing of the deal (``engine.bots.question``).
"""

import importlib
import random
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple, Protocol, cast

from engine.bots.slips import Human, Slips
from engine.errors import EngineError
from engine.views import History, SeatView


class Bot(Protocol):
    """A strategy; each is a module of this package."""

    def choose(self, view: SeatView, history: History, rng: random.Random, manner: str = "") -> int:
        """A card of ``view.hand``. Tides are on offer and the hand is not empty. ``manner``: which of several
        that are about as good (``engine.bots.manners``); empty for any.
        """
        ...


class Strategy(NamedTuple):
    """A row of ``BOTS``."""

    module: str
    """Imported when the bot is first asked for."""
    level: int
    """How strong it is, from 1; the last row of each is the one on the ``LADDER``."""
    line: str
    """How it plays, in a line for people; the frontends translate it."""
    rating: tuple[float, float] | None = None
    """What it is worth on the players' scale, and the standard deviation of that: from the arena, never from
    players' games, as ``python -m bench.strength.bot_ratings`` plays them (docs/bots.md).
    """
    version: int = 1
    """Raised when its play changes; then it needs a fresh rating."""
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
            "engine.bots.chance",
            1,
            "bids any card of its hand",
            (6.8, 0.5),
            heeds_manners=False,
        ),
        "newcomer": Strategy(
            "engine.bots.cautious",
            1,
            "bids its highest card for most tides, and otherwise low",
            (9.4, 0.4),
            slips=Slips(tempted=0.9, tempting=9),
        ),
        "novice": Strategy(
            "engine.bots.cautious",
            2,
            "often bids its highest card for a low tide, and otherwise low",
            (18.1, 0.3),
            version=2,
            slips=Slips(tempted=0.35, tempting=6),
        ),
        "cautious": Strategy(
            "engine.bots.cautious",
            3,
            "bids low, and high when its tide is the highest; does not count cards",
            (23.3, 0.3),
        ),
        "greedy": Strategy(
            "engine.bots.greedy",
            3,
            "counts cards, and avoids having the highest tide after this round",
            (25.0, 0.0),
        ),
        "forgetful": Strategy(
            "engine.bots.tidal",
            4,
            "plans ahead, but forgets cards, overlooks tides and cannot resist the lowest",
            (31.3, 0.3),
            version=4,
            slips=Slips(hands=1.0, cards=0.1, tide=0.08, tempted=0.06),
        ),
        "tidal": Strategy(
            "engine.bots.tidal",
            5,
            "counts and remembers cards, and plans for the rounds to come",
            (35.1, 0.4),
            version=4,
        ),
        "skilled": Strategy(
            "engine.bots.expert",
            5,
            "learns how you bid, but forgets the earlier stages, and answers at once",
            (37.5, 0.4),
            version=4,
            thinks=True,
            slips=Slips(hands=1.0, tide=0.115),
        ),
        "expert": Strategy(
            "engine.bots.expert",
            6,
            "remembers cards, learns how you bid, and answers at once",
            (43.7, 0.5),
            version=3,
            thinks=True,
        ),
        "champion": Strategy(
            "engine.bots.master",
            7,
            "tries each card in thousands of simulated stages, but often forgets earlier ones",
            (50.4, 0.7),
            version=7,
            thinks=True,
            slips=Slips(hands=0.6),
        ),
        "master": Strategy(
            "engine.bots.master",
            8,
            "learns how you bid, and tries each card in thousands of simulated stages",
            (57.8, 0.9),
            version=6,
            thinks=True,
        ),
    }
)
"""Every strategy by its name, weakest first."""

LADDER: Final = tuple({row.level: name for name, row in BOTS.items()}.values())
"""The strategy of each level, from 1."""

ALIKE: Final = "alike"
"""In place of a strategy: the one of the ladder that is as strong as who plays."""


STRATEGIES: Final = tuple(BOTS)
"""The names of all strategies, weakest first."""

WANTED: Final = (*STRATEGIES, ALIKE)
"""What a table can be asked for ..."""

OFFERED: Final = (*LADDER, ALIKE)
"""... and what people are offered: a bot for each level."""

DEFAULT_STRATEGY: Final = "greedy"
"""Who sits down when nobody asks for a certain bot."""

SUBSTITUTE_STRATEGY: Final = "cautious"
"""Who bids for an absent player: a modest one, so that dropping out never buys a stronger player."""

FALLBACK_STRATEGY: Final = "tidal"
"""Who bids for a bot that has not finished thinking in time."""


def bot(strategy: str) -> Bot:
    """The bot of that name. Raises ``NoSuchStrategy``."""
    row = BOTS.get(strategy)
    if row is None:
        raise NoSuchStrategy("no_such_strategy", strategy=strategy)
    player = cast(Bot, importlib.import_module(row.module))
    return player if row.slips is None else Human(player, row.slips)
