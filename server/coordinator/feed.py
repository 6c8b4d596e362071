"""A session's visit with its bounded feed: nobody waits for a slow reader; and telling many something."""

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import structlog
from msgspec import structs

from server.coordinator import messages as m
from server.timers import OneTimer

LIMIT: Final = 256
"""Happenings that wait to be taken; with more, all are dropped and the reader is resynced."""
CHAT_LIMIT: Final = 60
"""Chat lines that wait to be taken, or are kept for another frontend; beyond it the oldest go."""
WORDS: Final = 20
"""What the server says that waits to be taken; with more, the oldest is dropped."""

NOTHING: Final = m.Update(None, None, (), False, "")

_log = structlog.get_logger("feed")


@dataclass(slots=True, eq=False)
class Feed:
    """A bounded stream of updates to one visitor: the lobby or a table offers, the session takes.

    Updates that are not taken are merged: the newest snapshot wins, happenings queue up to a limit and
    are then dropped with ``resynced``.
    """

    now: m.Update = NOTHING
    """How things are, and what has come since the last ``take``."""
    _heard: tuple[m.ChatLine, ...] = ()
    _pending: bool = False
    _ready: Callable[[], object] | None = None
    _observer: Callable[[m.Update], None] | None = None

    @property
    def closed(self) -> str:
        """Why it has ended; empty while it has not."""
        return self.now.closed

    # ------------------------------------------------------------ the session's side

    def listen(self, ready: Callable[[], object]) -> None:
        """Call ``ready`` when there is something to take (perhaps at once), once until it has been taken."""
        self._ready = ready
        if self._pending:
            self._wake(again=True)

    def observe(self, heard: Callable[[m.Update], None]) -> None:
        """Give every update that is taken to ``heard`` first."""
        self._observer = heard

    def take(self) -> m.Update | None:
        """What has come since the last ``take``; ``None`` when nothing has."""
        if not self._pending:
            return None
        update, self._pending = self.now, False
        self._heard = (*self._heard, *update.chat)[-CHAT_LIMIT:]
        self.now = structs.replace(update, happenings=(), resynced=False, chat=(), said=())
        if self._observer is not None:
            self._observer(update)
        return update

    @property
    def can_wait(self) -> bool:
        """What there is to take is no more than another look of the lobby, and what is said there."""
        now = self.now
        return now.table is None and not (now.closed or now.said or now.happenings)

    @property
    def _shows(self) -> bool:
        """There is a place to show already."""
        return self.now.lobby is not None or self.now.table is not None

    def rewind(self) -> None:
        """Another frontend takes over: forget the listener, and have the newest snapshot taken once more."""
        self._ready = None
        if not self.closed and self._shows:
            heard = [structs.replace(line, old=True) for line in self._heard]
            chat = (*heard, *self.now.chat)[-CHAT_LIMIT:]
            self.now = structs.replace(self.now, happenings=(), chat=chat)
            self._heard = ()
            self._pending = True

    # ------------------------------------------------------------ the coordinator's side

    def offer_lobby(self, lobby: m.LobbySnapshot, happenings: Sequence[m.Happening] = ()) -> None:
        """The visitor is in the lobby, which looks like this now; ``happenings`` led there."""
        now = self.now
        if now.closed or (lobby is now.lobby and not happenings):
            return
        if now.table is not None:
            now = structs.replace(now, table=None, happenings=(), resynced=False)
        self.now = structs.replace(now, lobby=lobby, happenings=(*now.happenings, *happenings))
        self._wake()

    def offer_table(
        self,
        table: m.TableSnapshot,
        happenings: Sequence[m.Happening],
        *,
        resynced: bool = False,
    ) -> None:
        """The visitor is at a table, which looks like this now, after these happenings.

        ``resynced``: others before them have been dropped.
        """
        now = self.now
        if now.closed:
            return
        moved = now.table is None or now.table.info.id != table.info.id
        if moved:
            now = structs.replace(now, lobby=None, happenings=(), resynced=False)
        elif not (happenings or resynced) and table == now.table:
            return
        if resynced:
            now = structs.replace(now, happenings=(), resynced=True)
        happened, resynced = (*now.happenings, *happenings), now.resynced
        if len(happened) > LIMIT:
            happened, resynced = (), True
        self.now = structs.replace(now, table=table, happenings=happened, resynced=resynced)
        self._wake(again=moved)

    def say(self, word: m.ServerMessage) -> None:
        """The server says something."""
        if not self.closed:
            said = (*self.now.said[1 - WORDS :], word)
            self.now = structs.replace(self.now, said=said)
            # Before there is a place to show, it waits for that.
            if self._shows:
                self._wake(again=True)

    def offer_tournaments(self, tournaments: tuple[m.TournamentInfo, ...]) -> None:
        """These are the tournaments now, as this visitor sees them."""
        if tournaments != self.now.tournaments:
            self._offer(tournaments=tournaments)

    def offer_correspondence(self, games: tuple[m.CorrespondenceGame, ...]) -> None:
        """These are the visitor's games by correspondence now."""
        if games != self.now.correspondence:
            self._offer(correspondence=games)

    def offer_standings(self, tournament: str | None) -> None:
        """What a screen shows that shows everybody whatever goes on (``Update.standings``)."""
        if tournament != self.now.standings:
            self._offer(standings=tournament)

    def offer_chat(self, lines: Iterable[m.ChatLine]) -> None:
        """The visitor hears these."""
        if chat := (*self.now.chat, *lines)[-CHAT_LIMIT:]:
            self._offer(chat=chat)

    def _offer(self, **news: object) -> None:
        if not self.closed:
            self.now = structs.replace(self.now, **news)
            # Before there is a place to show, nobody knows where to see or hear it.
            if self._shows:
                self._wake()

    def close(self, reason: str) -> None:
        """End it. What was not taken yet still can be, together with ``reason``."""
        if not self.closed:
            self.now = structs.replace(self.now, closed=reason)
            self._wake(again=True)

    def _wake(self, *, again: bool = False) -> None:
        """There is something to take; ``again``: who has left it for later hears of it once more."""
        told, self._pending = self._pending and not again, True
        if told or self._ready is None:
            return
        try:
            self._ready()
        except Exception as error:
            # A broken screen must not keep the news from everybody else at the table.
            self._ready = None
            _log.error("listener_failed", error=type(error).__name__)


NOBODY: Final = Feed(structs.replace(NOTHING, closed="left"))
"""In place of the feed of somebody who is not connected: it has ended, and what it is offered is lost."""

_AT_ONCE: Final = 32
"""Feeds that are notified before others get a turn."""


@dataclass(slots=True, eq=False)
class Visit:
    """One connection of one player: all that a frontend may use of the coordinator."""

    player: m.Player
    """The player of this visit."""
    feed: Feed
    """What this player sees."""
    submit: Callable[[m.Command], Coroutine[Any, Any, m.Reply]]
    """Carries out a command, or says why not. Never raises for anything that a player can cause."""
    close: Callable[[], None]
    """The connection has ended; the seat stays."""


@dataclass(slots=True, eq=False)
class Broadcaster:
    """Tells many something, in turns."""

    _timer: OneTimer
    _name: str
    _delay: Callable[[], float]
    """Returns the seconds between a change and its broadcast."""
    _tell: Callable[[], Iterable[object]]
    """Tells one person and yields, then the next."""
    _closed: bool = False
    _telling: asyncio.Task[None] | None = None

    def changed(self, *, sooner: bool = False) -> None:
        """There is something to tell: soon, once for all that changes until then.

        ``sooner``: the delay has become shorter.
        """
        if (sooner or not self._timer.running) and not self._closed:
            self._timer.after(self._delay(), self._begin)

    def close(self) -> None:
        """Nobody is told anything any more."""
        self._closed = True
        self._timer.cancel()
        if self._telling is not None:
            self._telling.cancel()

    def _begin(self) -> None:
        if self._telling is not None and not self._telling.done():
            self._timer.after(self._delay(), self._begin)
            return
        loop = asyncio.get_running_loop()
        self._telling = loop.create_task(self._tell_all(), name=self._name)

    async def _tell_all(self) -> None:
        for number, _ in enumerate(self._tell(), 1):
            if not number % _AT_ONCE:
                await asyncio.sleep(0)
