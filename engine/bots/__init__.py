"""Players that see what a player sees. docs/bots.md tells how they think and how well they do."""

import random
from typing import Final

from engine.bots.manners import MANNERS
from engine.bots.nicknames import MANNER_OF, NAMES
from engine.bots.question import Question, question
from engine.bots.registry import (
    ALIKE,
    BOTS,
    DEFAULT_STRATEGY,
    FALLBACK_STRATEGY,
    LADDER,
    OFFERED,
    STRATEGIES,
    SUBSTITUTE_STRATEGY,
    WANTED,
    Bot,
    NoSuchStrategy,
    Strategy,
    bot,
)
from engine.views import History, SeatView

_EXACT: Final = 2
"""With so many cards, some bots count out which one is better: nobody follows a manner."""


def choose(
    strategy: str, view: SeatView, history: History, rng: random.Random, manner: str = ""
) -> int:
    """The card of ``view.hand`` that ``strategy`` bids; tides are on offer. ``history`` is of
    the same seat (``engine.views.history_of``). ``manner``: one of ``MANNERS``, or none.

    Raises ``NoSuchStrategy``, and ``ValueError`` when there is nothing to bid for or to bid.
    """
    player = bot(strategy)
    if view.table.offer is None or not view.hand:
        raise ValueError("there is nothing to choose")
    if len(view.hand) == 1:
        return view.hand[0]
    return player.choose(view, history, rng, manner if len(view.hand) > _EXACT else "")


__all__ = [
    "ALIKE",
    "BOTS",
    "DEFAULT_STRATEGY",
    "FALLBACK_STRATEGY",
    "LADDER",
    "MANNERS",
    "MANNER_OF",
    "NAMES",
    "OFFERED",
    "STRATEGIES",
    "SUBSTITUTE_STRATEGY",
    "WANTED",
    "Bot",
    "NoSuchStrategy",
    "Question",
    "Strategy",
    "bot",
    "choose",
    "question",
]
