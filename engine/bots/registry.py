"""What a bot is, and which there are.

A bot gets what a player gets, a seat view and what could have been written down in earlier stages, and
answers with a card of its hand. Given the same view, history and a generator in the same state it answers
the same. Randomness comes from the caller and tells nothing of the deal (``engine.bots.question``).
"""

import importlib
import random
from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final, NamedTuple, Protocol, cast

from engine.errors import EngineError
from engine.history import History
from engine.views import SeatView


class Bot(Protocol):
    """A strategy; each is a module of this package."""

    def choose(self, view: SeatView, history: History, rng: random.Random) -> int:
        """A card of ``view.hand``. Tides are on offer and the hand is not empty."""
        ...


class Level(StrEnum):
    """How strong a bot is, in a word for people; the frontends translate it."""

    BEGINNER = "beginner"
    STEADY = "steady"
    STRONG = "strong"
    STRONGEST = "strongest"


class Strategy(NamedTuple):
    """A row of ``BOTS``."""

    module: str
    """Imported when the bot is first asked for."""
    level: Level
    line: str
    """How it plays, in a line for people; the frontends translate it."""
    rating: tuple[float, float] | None = None
    """What it is worth on the players' scale, and the standard deviation of that: from the arena, never from
    players' games. The output of ``python -m bench.strength.bot_ratings 320``.
    """
    version: int = 1
    """Raised when its play changes; then it needs a fresh rating."""
    thinks: bool = False
    """Whether a bid takes milliseconds of the processor, and numpy: too long for an event loop."""


class NoSuchStrategy(EngineError):
    """``no_such_strategy``: no bot goes by that name."""


BOTS: Final[Mapping[str, Strategy]] = MappingProxyType(
    {
        "random": Strategy(
            "engine.bots.chance", Level.BEGINNER, "bids any card of its hand", (13.3, 1.4)
        ),
        "cautious": Strategy(
            "engine.bots.cautious",
            Level.BEGINNER,
            "bids low, and high when it stands highest; does not count cards",
            (22.5, 1.2),
        ),
        "greedy": Strategy(
            "engine.bots.greedy",
            Level.STEADY,
            "counts cards, and avoids standing highest after this round",
            (25.0, 1.1),
        ),
        "tidal": Strategy(
            "engine.bots.tidal",
            Level.STEADY,
            "counts and remembers cards, and plans for the rounds to come",
            (34.7, 1.2),
            version=4,
        ),
        "expert": Strategy(
            "engine.bots.expert",
            Level.STRONG,
            "remembers cards, learns how you bid, and answers at once",
            (46.9, 1.3),
            version=3,
            thinks=True,
        ),
        "master": Strategy(
            "engine.bots.master",
            Level.STRONGEST,
            "learns how you bid, and tries each card in thousands of simulated stages",
            (66.7, 4.1),
            version=4,
            thinks=True,
        ),
    }
)
"""Every strategy by its name, weakest first."""


def bot(strategy: str) -> Bot:
    """The bot of that name. Raises ``NoSuchStrategy``."""
    row = BOTS.get(strategy)
    if row is None:
        raise NoSuchStrategy("no_such_strategy", strategy=strategy)
    return cast(Bot, importlib.import_module(row.module))


def thinks(strategy: str) -> bool:
    """Whether it is a bot that must not choose on an event loop."""
    row = BOTS.get(strategy)
    return row is not None and row.thinks
