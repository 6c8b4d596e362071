"""GMCP messages for MUD clients, and MSSP variables for directories of games.

``Tide.State`` (docs/telnet.md) has what a visitor may know: it is built field by field from the visitor's own
snapshot, which holds nothing else. Seats are numbered from 0, as in records; stages and rounds from 1, as on
the screen.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from engine.state import RoundResult
from engine.views import SeatPublic, SeatView, TableView
from server import version
from server.coordinator import messages as m
from server.i18n.lookup import Words, languages
from server.jsonapi.fields import Part, each, made
from server.networks import TokenBucket
from server.text.chat import said_in_words
from server.timers import OneTimer, Timers
from server.transport.session.server import GameServer
from server.viewmodels.lobby import LOBBY_A_SECOND, LOBBY_AT_ONCE


def variables(
    server: GameServer, port: int, tls_port: int, opened: float
) -> dict[str, str | list[str]]:
    """Return the MSSP variables by name. ``tls_port`` is 0 without TLS, ``opened`` in seconds since 1970."""
    players = {session.player.id for session in server.sessions if session.player is not None}
    return {
        "NAME": "Turn the Tide",
        "PLAYERS": str(len(players)),
        "UPTIME": str(int(opened)),
        "CODEBASE": f"Turn the Tide {version()}",
        "FAMILY": "Custom",
        "GENRE": "None",
        "GAMEPLAY": "Strategy",
        "GAMESYSTEM": "Card game",
        "STATUS": "Live",
        "LANGUAGE": "English",
        "LANGUAGES": list(languages()),
        "ANSI": "1",
        "UTF-8": "1",
        "VT100": "1",
        "XTERM 256 COLORS": "1",
        "XTERM TRUE COLORS": "1",
        "GMCP": "1",
        "MCCP": "0",
        "PORT": str(port),
        "SSL": str(tls_port),
        "PAY TO PLAY": "0",
    }


PACKAGE: Final = "Tide.State"
CHAT: Final = "Comm.Channel.Text"
"""The message for chat that MUD clients know."""
VERSION: Final = 1
MOST: Final = 30
"""Maximum tables, and players, of the lobby in a message: MUD clients lose long ones."""


@dataclass(eq=False)
class GmcpPublisher:
    """Sends the newest state by ``tell`` whenever ``can_tell`` allows it; states in between are skipped."""

    can_tell: Callable[[], bool]
    tell: Callable[[str, dict[str, Any]], object]
    words: Callable[[], Words]
    """Returns the player's language, for phrases."""
    timers: Timers
    told: dict[str, Any] | None = field(default=None, init=False)
    """The last state sent."""
    _newest: m.Update | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self._budget = TokenBucket(LOBBY_AT_ONCE, LOBBY_A_SECOND, self.timers.time())
        self._later = OneTimer(self.timers)

    def heard(self, update: m.Update) -> None:
        """Take an update that the visitor's frontend gets as well."""
        self._newest = update
        self.catch_up()
        for line in update.chat:
            if not line.old and self.can_tell():
                self.tell(CHAT, chat_message(line, self.words()))

    def forget(self) -> None:
        """Drop all references to the connection, which has ended."""
        self.can_tell = lambda: False
        self._later.cancel()
        del self.tell, self.words

    def catch_up(self) -> None:
        """Send the newest state if that is possible now."""
        if self._newest is None or self._later.running or not self.can_tell():
            return
        now = self.timers.time()
        if self._budget.left(now) <= 0:
            self._later.after(self._budget.seconds_until(1, now), self.catch_up)
            return
        state = tide_state(self._newest)
        if state != self.told:
            self.told = state
            self._budget.charge(len(str(state)))
            self.tell(PACKAGE, state)


def chat_message(line: m.ChatLine, words: Words) -> dict[str, Any]:
    """Return a chat line, ready for JSON; ``channel`` is a value of ``messages.Room``."""
    return {
        "channel": line.room.value,
        "talker": line.sender,
        "text": said_in_words(line, words),
        "to": line.to or None,
        "watching": line.watching,
    }


_ROW: Final = Part(
    m.TableRow,
    "table=id title status edition=options.rules.edition bots watching=spectators",
    seats=made(Any, "names", lambda names: [name or None for name in names]),
)
_LOBBY: Final = Part(
    m.LobbySnapshot,
    "",
    players=made(Any, "players", lambda players: players[:MOST]),
    players_here=made(int, "players", len),
    tables=each(_ROW, "tables", MOST),
    tables_here=made(int, "tables", len),
)
_TABLE: Final = Part(
    m.TablePublic,
    "table=id title status edition=options.rules.edition stages=options.rules.stages paused=pause?"
    " watching=spectators",
    due=made(Any, "deadline", lambda deadline: round(deadline) or None),
)
_ROUND: Final = Part(RoundResult, "tides=offer bids takers lost eliminated")
_GAME: Final = Part(
    TableView,
    "rounds=rules.rounds phase tides=offer? points winners",
    stage=made(int, "stage", lambda stage: stage + 1),
    round=made(int, "round", lambda number: number + 1),
    last=made(Any, "rounds", lambda rounds: _ROUND(rounds[-1]) if rounds else None),
)
_WHO: Final = Part(
    m.SeatInfo,
    "name? kind=occupant program",
    here=(
        bool | None,
        lambda who: who.connected and not who.away if who.occupant is m.Occupant.HUMAN else None,
    ),
)
_PLAYER: Final = Part(
    SeatPublic,
    "score life_preservers start eliminated bid=has_bid played",
    level=(int | None, lambda seat: None if seat.eliminated else seat.level),
)
_OWN: Final = Part(SeatView, "hand bid? dealt")


def tide_state(update: m.Update) -> dict[str, Any]:
    """Return a snapshot, ready for JSON."""
    if update.table is not None:
        return {"version": VERSION, "place": "table", **_table(update.table)}
    if update.lobby is not None:
        return {"version": VERSION, "place": "lobby", **_LOBBY(update.lobby)}
    return {"version": VERSION, "place": "nowhere"}


def _table(snapshot: m.TableSnapshot) -> dict[str, Any]:
    info, view, own = snapshot.info, snapshot.table, snapshot.own
    seats = [_WHO(who) for who in info.seats]
    state = {**_TABLE(info), "seats": seats, "you": None}
    if view is not None:
        state |= {**_GAME(view), "played_by": list(info.played_by) or None}
        for seat, public in zip(seats, view.seats, strict=True):
            seat.update(_PLAYER(public))
            if public.earlier:
                seat["earlier"] = list(public.earlier)
    if snapshot.seat >= 0:
        state["you"] = {"seat": snapshot.seat} | ({} if own is None else _OWN(own))
    return state
