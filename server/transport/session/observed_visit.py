"""A visit whose news somebody else hears, too: the face takes them, and the line passes them on as data."""

from collections.abc import Callable
from typing import Final

from server.coordinator.messages import Command, Player, Reply, Update
from server.coordinator.ports import Feed, Visit


class ObservedVisit:
    """See ``ports.Visit``. ``heard`` gets every update when it is taken."""

    def __init__(self, visit: Visit, heard: Callable[[Update], None]) -> None:
        self._visit: Final = visit
        self.feed: Final = _ObservedFeed(visit.feed, heard)

    @property
    def player(self) -> Player:
        """See ``ports.Visit``."""
        return self._visit.player

    async def submit(self, command: Command) -> Reply:
        """See ``ports.Visit``."""
        return await self._visit.submit(command)

    def close(self) -> None:
        """See ``ports.Visit``."""
        self._visit.close()


class _ObservedFeed:
    """See ``ports.Feed``."""

    def __init__(self, feed: Feed, heard: Callable[[Update], None]) -> None:
        self._feed: Final = feed
        self._heard: Final = heard

    def listen(self, ready: Callable[[], None]) -> None:
        self._feed.listen(ready)

    def take(self) -> Update | None:
        update = self._feed.take()
        if update is not None:
            self._heard(update)
        return update

    @property
    def can_wait(self) -> bool:
        return self._feed.can_wait

    def rewind(self) -> None:
        self._feed.rewind()

    async def next(self) -> Update:
        update = await self._feed.next()
        self._heard(update)
        return update
