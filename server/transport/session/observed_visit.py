"""A visit whose updates somebody else gets, too: the frontend shows them, and GMCP sends them as data."""

from collections.abc import Callable
from typing import Final

from typing_extensions import override

from server.coordinator.messages import Command, Player, Reply, Update
from server.coordinator.ports import Feed, Visit


class ObservedVisit(Visit):
    """``heard`` gets every update when it is taken."""

    def __init__(self, visit: Visit, heard: Callable[[Update], None]) -> None:
        self._visit: Final = visit
        self._feed: Final = _ObservedFeed(visit.feed, heard)

    @property
    @override
    def player(self) -> Player:
        return self._visit.player

    @property
    @override
    def feed(self) -> Feed:
        return self._feed

    @override
    async def submit(self, command: Command) -> Reply:
        return await self._visit.submit(command)

    @override
    def close(self) -> None:
        self._visit.close()


class _ObservedFeed(Feed):
    """The feed of such a visit."""

    def __init__(self, feed: Feed, heard: Callable[[Update], None]) -> None:
        self._feed: Final = feed
        self._heard: Final = heard

    @override
    def listen(self, ready: Callable[[], None]) -> None:
        self._feed.listen(ready)

    @override
    def take(self) -> Update | None:
        update = self._feed.take()
        if update is not None:
            self._heard(update)
        return update

    @property
    @override
    def can_wait(self) -> bool:
        return self._feed.can_wait

    @override
    def rewind(self) -> None:
        self._feed.rewind()

    @override
    async def next(self) -> Update:
        update = await self._feed.next()
        self._heard(update)
        return update
