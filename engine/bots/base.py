"""What a bot is, and which there are.

A bot gets what a player gets, a seat view and what could have been written down in earlier stages, and
answers with a card of its hand. Given the same view, history and a generator in the same state it answers
the same. Randomness comes from the caller, never from the seed of the deal.
"""

import importlib
import random
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Protocol, cast

from engine.errors import EngineError
from engine.history import History
from engine.views import SeatView


class Bot(Protocol):
    """A strategy; each is a module of this package."""

    def choose(self, view: SeatView, history: History, rng: random.Random) -> int:
        """A card of ``view.hand``. Tides are on offer and the hand is not empty."""
        ...


class NoSuchStrategy(EngineError):
    """``no_such_strategy``: no bot goes by that name."""


BOTS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "random": "engine.bots.chance",
        "cautious": "engine.bots.cautious",
        "greedy": "engine.bots.greedy",
        "tidal": "engine.bots.tidal",
    }
)
"""The module of each strategy that tables offer, by its name, weakest first; imported when it is first asked
for.
"""

THINKERS: Final[Mapping[str, str]] = MappingProxyType(
    {"expert": "engine.bots.expert", "master": "engine.bots.master"}
)
"""The same of those that think for so long that the event loop of a server would stand still meanwhile: for
the arena and for measurements.
"""


def bot(strategy: str) -> Bot:
    """The bot of that name. Raises ``NoSuchStrategy``."""
    module = BOTS.get(strategy) or THINKERS.get(strategy)
    if module is None:
        raise NoSuchStrategy("no_such_strategy", strategy=strategy)
    return cast(Bot, importlib.import_module(module))
