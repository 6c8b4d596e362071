"""The guide at one player's side: which lessons were given, and which are still to be read."""

from collections.abc import Callable, Sequence
from typing import Final

from server.coordinator.messages import Happening, RoundResolved, Status, TableSnapshot
from server.session.lessons import Lesson, Topic, caught_up, lessons


class Tutorial:
    """Silent until ``begin``, and from ``end`` on."""

    def __init__(self, remember: Callable[[str], None] = lambda _: None) -> None:
        """``remember`` is told to which game the guide has come, and "" when it has left it."""
        self.here = False
        """Whether the guide is at this player's side."""
        self.unread: tuple[Lesson, ...] = ()
        """The lesson to read now, and all after it."""
        self._remember: Final = remember
        self._told: frozenset[Topic] = frozenset()
        self._table = ""

    @property
    def lesson(self) -> Lesson | None:
        """The lesson to read now; it stays until there is another, or the next round is revealed."""
        return self.unread[0] if self.unread else None

    @property
    def more(self) -> int:
        """How many are to be read after it."""
        return max(0, len(self.unread) - 1)

    def begin(self, now: TableSnapshot | None) -> tuple[Lesson, ...]:
        """Come along, to this table or the next one the player sits down at. What there is to say already."""
        self.end()
        self.here = True
        return self.updated(None, now, ()) if now is not None else ()

    def end(self) -> None:
        """Go away."""
        self.here = False
        self._told = frozenset()
        self.unread = ()
        self._stay_at("")

    def come_back(self, now: TableSnapshot | None, game: str) -> tuple[Lesson, ...]:
        """Be there again for who has come back to ``game``, which was remembered. What there is to say."""
        if self.here or now is None or not game or game != _game(now):
            return ()
        if now.own is None or now.info.status is not Status.PLAYING:
            return ()
        self.here, self._table = True, game
        told, again = caught_up(now)
        self._told = told | {lesson.topic for lesson in again}
        self.unread += again
        return again

    def _stay_at(self, game: str) -> None:
        if game != self._table:
            self._table = game
            self._remember(game)

    def updated(
        self,
        before: TableSnapshot | None,
        now: TableSnapshot | None,
        happenings: Sequence[Happening],
    ) -> tuple[Lesson, ...]:
        """Something has happened; what there is to say about it. The guide stays with the game it came to."""
        if not self.here:
            return ()
        if now is None or (self._table and self._table != _game(now)):
            if self._table:
                self.end()
            return ()
        if now.table is not None and now.own is not None:
            self._stay_at(_game(now))
        new = lessons(self._told, before, now, happenings)
        plays = now.own is not None and now.own.hand
        revealed = any(isinstance(each, RoundResolved) for each in happenings)
        if new:
            # What has been read gives way to what is new.
            self.unread = (*self.unread[1:], *new)
            self._told |= {lesson.topic for lesson in new}
        elif plays and revealed and not self.more:
            # Read, and no longer about how things stand.
            self.unread = ()
        return new

    def read(self) -> None:
        """On to the next lesson, if there is one."""
        if self.more:
            self.unread = self.unread[1:]


def _game(now: TableSnapshot) -> str:
    return f"{now.info.id}/{now.info.game}"
