"""What bots are worth on the players' scale, and which of them are as strong as a player."""

from collections.abc import Awaitable, Callable, Iterable
from typing import TYPE_CHECKING, Final

from engine.bots import BOTS, LADDER
from server.storage.history import MetBots
from server.storage.ratings import Rating, rated

if TYPE_CHECKING:
    from server.storage.history_store import HistoryStore

BOT_RATINGS: Final = {name: Rating(*row.rating) for name, row in BOTS.items() if row.rating}
"""By the name of the strategy."""


def level_of(games: Iterable[MetBots]) -> int:
    """Return the level of the bots nearest to a player (``engine.bots.LADDER``); 0 if there is none.

    ``games`` against bots decide it, the oldest first.
    """
    met = Rating()
    for place, bots in games:
        known = [(BOT_RATINGS[name], other) for name, other in bots if name in BOT_RATINGS]
        if known:
            ratings, places = zip((met, place), *known, strict=True)
            met = rated(ratings, places)[0]
    if not met.games:
        return 0
    gaps = [abs(BOT_RATINGS[name].mu - met.mu) for name in LADDER]
    return 1 + gaps.index(min(gaps))


def strength_by(history: "HistoryStore") -> Callable[[str], Awaitable[tuple[int | None, int]]]:
    """Tells how strong the account with an id is: the rating as people are told it, and the level."""

    async def strength(player: str) -> tuple[int | None, int]:
        rating, games = await history.strength(player)
        return rating, level_of(games)

    return strength
