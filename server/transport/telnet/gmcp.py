"""Tells a program over GMCP how things stand, whenever that has changed, and what is said.

The message ``Tide.State`` (docs/telnet.md) has what a visitor may know: it is built field by field from the
visitor's own snapshot, which holds nothing else. Seats are numbered from 0, as in records; stages and rounds
from 1, as on the screen.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from engine.results import RoundResult
from engine.views import TableView
from server.coordinator import messages as m
from server.i18n.catalogues import Words
from server.rate_limiter import TokenBucket
from server.terminal.timers import EventLoopTimers, TimerHandle
from server.text.chat import said_in_words
from server.viewmodels.lobby import LOBBY_A_SECOND, LOBBY_AT_ONCE

PACKAGE: Final = "Tide.State"
CHAT: Final = "Comm.Channel.Text"
"""The message that MUD clients know for what is said on a channel."""
VERSION: Final = 1
MOST: Final = 30
"""Tables, and players, of the lobby that are told: MUD clients are cut off from lines that fill up."""


@dataclass(eq=False)
class GmcpPublisher:
    """Asks ``can_tell`` before each ``tell``. What cannot be told is passed over: the next has everything."""

    can_tell: Callable[[], bool]
    tell: Callable[[str, dict[str, Any]], object]
    words: Callable[[], Words]
    """The player's language, for phrases."""
    timers: EventLoopTimers
    told: dict[str, Any] | None = field(default=None, init=False)
    """The last message."""
    _newest: m.Update | None = field(default=None, init=False)
    _later: TimerHandle | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self._budget = TokenBucket(LOBBY_AT_ONCE, LOBBY_A_SECOND, self.timers.time())

    def heard(self, update: m.Update) -> None:
        """The visitor's frontend has been told this."""
        self._newest = update
        self.catch_up()
        for line in update.chat:
            if not line.old and self.can_tell():
                self.tell(CHAT, chat_message(line, self.words()))

    def forget(self) -> None:
        """The line is gone: let go of it."""
        self.can_tell = lambda: False
        if self._later is not None:
            self._later.cancel()
            self._later = None
        del self.tell, self.words

    def catch_up(self) -> None:
        """It may be possible now."""
        if self._newest is None or self._later is not None or not self.can_tell():
            return
        now = self.timers.time()
        if self._budget.left(now) <= 0:
            self._later = self.timers.call_later(self._budget.seconds_until(1, now), self._waited)
            return
        state = tide_state(self._newest)
        if state != self.told:
            self.told = state
            self._budget.charge(len(str(state)))
            self.tell(PACKAGE, state)

    def _waited(self) -> None:
        self._later = None
        self.catch_up()


def chat_message(line: m.ChatLine, words: Words) -> dict[str, Any]:
    """What was said, ready for JSON; ``channel`` is a value of ``messages.Room``."""
    return {
        "channel": line.room.value,
        "talker": line.sender,
        "text": said_in_words(line, words),
        "to": line.to or None,
        "watching": line.watching,
    }


def tide_state(update: m.Update) -> dict[str, Any]:
    """The newest snapshot, ready for JSON."""
    if update.table is not None:
        return {"version": VERSION, "place": "table", **_table(update.table)}
    if update.lobby is not None:
        return {"version": VERSION, "place": "lobby", **_lobby(update.lobby)}
    return {"version": VERSION, "place": "nowhere"}


def _lobby(lobby: m.LobbySnapshot) -> dict[str, Any]:
    return {
        "players": list(lobby.players[:MOST]),
        "players_here": len(lobby.players),
        "tables": [
            {
                "table": row.id,
                "title": row.title,
                "status": row.status.value,
                "edition": row.options.rules.edition.value,
                "seats": [name or None for name in row.names],
                "bots": row.bots,
                "watching": row.spectators,
            }
            for row in lobby.tables[:MOST]
        ],
        "tables_here": len(lobby.tables),
    }


def _table(snapshot: m.TableSnapshot) -> dict[str, Any]:
    info, view = snapshot.info, snapshot.table
    rules = info.options.rules
    state: dict[str, Any] = {
        "table": info.id,
        "title": info.title,
        "status": info.status.value,
        "edition": rules.edition.value,
        "stages": rules.stages,
        "paused": info.pause.value or None,
        "due": round(info.deadline) or None,
        "watching": info.spectators,
        "seats": [_seat(info, view, number) for number in range(len(info.seats))],
        "you": None,
    }
    if view is not None:
        state |= {
            "stage": view.stage + 1,
            "round": view.round + 1,
            "rounds": rules.rounds,
            "phase": view.phase.value,
            "tides": list(view.offer) if view.offer else None,
            "last": _round(view.rounds[-1]) if view.rounds else None,
            "points": [list(points) for points in view.points],
            "winners": list(view.winners),
            "played_by": list(info.played_by) or None,
        }
    if snapshot.seat >= 0:
        state["you"] = {"seat": snapshot.seat}
        if (own := snapshot.own) is not None:
            dealt = list(own.dealt)
            state["you"] |= {"hand": list(own.hand), "bid": own.bid or None, "dealt": dealt}
    return state


def _seat(info: m.TableInfo, view: TableView | None, number: int) -> dict[str, Any]:
    who = info.seats[number]
    seat: dict[str, Any] = {
        "name": who.name or None,
        "kind": who.occupant.value,
        "program": who.program,
        "here": who.connected and not who.away if who.occupant is m.Occupant.HUMAN else None,
    }
    if view is not None:
        public = view.seats[number]
        seat |= {
            "score": public.score,
            "level": None if public.eliminated else public.level,
            "life_preservers": public.life_preservers,
            "start": public.start,
            "eliminated": public.eliminated,
            "bid": public.has_bid,
            "played": list(public.played),
        }
        if public.earlier:
            seat["earlier"] = list(public.earlier)
    return seat


def _round(result: RoundResult) -> dict[str, Any]:
    return {
        "tides": list(result.offer),
        "bids": list(result.bids),
        "takers": list(result.takers),
        "lost": list(result.lost),
        "eliminated": list(result.eliminated),
    }
