"""The guide at one player's side: which lessons were given, and which are still to be read."""

from collections import deque
from collections.abc import Sequence
from typing import Final

from engine.events import RoundResolved
from server.coordinator.messages import Happening, TableSnapshot
from server.ui.tutor import Lesson, Topic, lessons


class Guide:
    """Silent until ``begin``, and from ``end`` on."""

    def __init__(self) -> None:
        self._here = False
        self._told: frozenset[Topic] = frozenset()
        self._unread: Final[deque[Lesson]] = deque()
        self._table = ""

    @property
    def here(self) -> bool:
        """Whether the guide is at this player's side."""
        return self._here

    @property
    def lesson(self) -> Lesson | None:
        """The lesson to read now; it stays until there is another, or the next round is revealed."""
        return self._unread[0] if self._unread else None

    @property
    def unread(self) -> tuple[Lesson, ...]:
        """The lesson to read now, and all after it."""
        return tuple(self._unread)

    @property
    def more(self) -> int:
        """How many are to be read after it."""
        return max(0, len(self._unread) - 1)

    def begin(self, now: TableSnapshot | None) -> tuple[Lesson, ...]:
        """Come along, to this table or the next one the player sits down at. What there is to say already."""
        self.end()
        self._here = True
        return self.updated(None, now, ()) if now is not None else ()

    def end(self) -> None:
        """Go away."""
        self._here = False
        self._told = frozenset()
        self._table = ""
        self._unread.clear()

    def updated(
        self,
        before: TableSnapshot | None,
        now: TableSnapshot | None,
        happenings: Sequence[Happening],
    ) -> tuple[Lesson, ...]:
        """Something has happened; what there is to say about it. The guide stays with the game it came to."""
        if not self._here:
            return ()
        if now is None or (self._table and self._table != _game(now)):
            if self._table:
                self.end()
            return ()
        if now.table is not None and now.own is not None:
            self._table = _game(now)
        new = lessons(self._told, before, now, happenings)
        plays = now.own is not None and now.own.hand
        if (
            not new
            and plays
            and not self.more
            and any(isinstance(e, RoundResolved) for e in happenings)
        ):
            # Read, and no longer about how things stand.
            self._unread.clear()
        if new:
            # What has been read gives way to what is new.
            if self._unread:
                self._unread.popleft()
            self._unread.extend(new)
            self._told |= {lesson.topic for lesson in new}
        return new

    def read(self) -> None:
        """On to the next lesson, if there is one."""
        if self.more:
            self._unread.popleft()


def _game(now: TableSnapshot) -> str:
    return f"{now.info.id}/{now.info.game}"
