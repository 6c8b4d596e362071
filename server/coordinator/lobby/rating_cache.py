"""How strong people are, as tables are to show it: asked for when they come and after rated games."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

import structlog

from server.coordinator.people.presence import Presence
from server.storage.store import StoreError

_log = structlog.get_logger("lobby")


class RatingCache:
    """``ask`` tells the rating of the account with an id, as people are shown it, or ``None``; it may raise
    ``StoreError``. Without it nothing is known of anybody. ``changed`` is called with whoever has another
    rating than before.
    """

    def __init__(
        self,
        ask: Callable[[str], Awaitable[int | None]] | None,
        changed: Callable[[Presence], None],
    ) -> None:
        self._ask: Final = ask
        self._changed: Final = changed
        self._asking: Final[set[asyncio.Task[None]]] = set()

    def learn(self, presence: Presence) -> None:
        """Find out how strong a player is by now; nobody waits for it."""
        if self._ask is None or presence.player.guest:
            return
        task = asyncio.get_running_loop().create_task(
            self._note(presence, self._ask), name="strength"
        )
        self._asking.add(task)
        task.add_done_callback(self._asking.discard)

    def close(self) -> None:
        """Nobody wants to know any more."""
        for task in self._asking:
            task.cancel()

    async def _note(self, presence: Presence, ask: Callable[[str], Awaitable[int | None]]) -> None:
        try:
            rating = await ask(presence.player.id)
        except StoreError as error:
            _log.warning("rating_unknown", code=error.code)
            return
        if rating != presence.rating:
            presence.rating = rating
            self._changed(presence)
