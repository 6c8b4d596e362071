"""What the house's bots are worth on the players' scale: from the arena, never from players' games.

The output of ``python -m bench.bot_ratings 2000``; made anew when a bot changes. Bots do not learn, so
these stay as they are, and a player can see where on their ladder he or she stands.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from server.storage.ratings import Rating

BOT_RATINGS: Final[Mapping[str, Rating]] = MappingProxyType(
    {
        "random": Rating(13.0, 0.6),
        "cautious": Rating(22.7, 0.5),
        "greedy": Rating(25.0, 0.5),
        "tidal": Rating(33.0, 0.5),
    }
)
"""By the name of the strategy."""
