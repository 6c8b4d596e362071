"""The lobby as everybody sees it, made together and not too often; games to watch; its tournaments.

Also games by correspondence, as their players see them, and what is kept for players who are not connected.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Any, Final, NamedTuple

from server.coordinator import messages as m
from server.coordinator.contract import Broadcaster
from server.coordinator.messages import Pace, Status, TableRow, TournamentInfo, TournamentPhase
from server.coordinator.presence import Presence
from server.coordinator.table.actor import TableActor
from server.coordinator.table.ports import TableEnvironment
from server.coordinator.table.state import Table
from server.timers import Clock, OneTimer


class Directory:
    """Where none are held, this is all there is; else ``tournaments.actor`` takes its place."""

    anybody_opens: bool = False
    """Whether not only operators open one."""

    async def recover(self) -> None:
        """Take up what the store has, when the tables are back. Raises ``StoreError``."""

    async def carry_out(
        self, player: m.Player | None, command: m.TournamentCommand, source: str = ""
    ) -> m.Reply:
        """Carry out a command of a player, or without one of the operators.

        ``source`` is the player's address, empty where that does not count. Raises ``Refused`` and
        ``StoreError``.
        """
        raise m.Refused(m.Refusal.NO_SUCH_TOURNAMENT)

    async def record(self, which: str) -> dict[str, Any]:
        """The record (``engine.tournament.standings``). Raises ``Refused`` and ``StoreError``."""
        raise m.Refused(m.Refusal.NO_SUCH_TOURNAMENT)

    def shown_to(self, player: str) -> tuple[m.TournamentInfo, ...]:
        """The tournaments as the player with this id sees them, the newest first."""
        return ()

    def knows(self, player: str) -> bool:
        """Whether this player is registered in one that is not over: then a guest is not forgotten."""
        return False

    def table_changed(self, event: str) -> None:
        """A table of this event is new, over or closed."""


RESULT_SECONDS: Final = 120.0
"""How long the result of a tournament stays, and, while nothing is played, that of a game."""

_RUNNING: Final = (TournamentPhase.PLAYING, TournamentPhase.BREAK)


class Following(NamedTuple):
    """What somebody is shown now."""

    standings: bool = False
    """Standings of tournaments come before tables."""
    table: str = ""
    """The code of a table; empty in the lobby."""
    rank: int = 0
    """How lively it is (``rank``) ..."""
    since: float = 0.0
    """... and since when."""


class Decision(NamedTuple):
    """What to show: a table, the standings of a tournament, or, without either, how to join."""

    table: str = ""
    tournament: str = ""
    until: float = inf
    """When to decide again, in seconds since 1970, if nothing changes before."""


def rank(row: TableRow) -> int:
    """How lively a table is: a game in progress, people who wait for others, a game by correspondence.

    0 for what is over, and where nobody is connected.
    """
    if not row.present or row.status is Status.OVER:
        return 0
    if row.options.pace is Pace.CORRESPONDENCE:
        return 1
    return 3 if row.status is Status.PLAYING else 2


def what_to_show(
    rows: Sequence[TableRow],
    tournaments: Iterable[TournamentInfo],
    now: Following,
    time: float,
    *,
    most: int,
    stay: float,
) -> Decision:
    """For who is shown ``now``: the newest tournament that runs, or has just ended.

    Then the liveliest table that fewer than ``most`` watch, but for ``stay`` seconds the one that is
    shown; then how to join.
    """
    if now.standings:
        shown = tuple(tournaments)
        for each in shown:
            if each.phase in _RUNNING:
                return Decision(tournament=each.id)
        ended = max(shown, key=lambda each: each.ended, default=None)
        if ended is not None and time < ended.ended + RESULT_SECONDS:
            return Decision(tournament=ended.id, until=ended.ended + RESULT_SECONDS)
    lively = [row for row in _watchable(rows, most) if rank(row)]
    best = max(lively, key=lambda row: (*_busy(row), row.spectators), default=None)
    # A table that has become private is nothing for a screen that anybody sees.
    here = next((row for row in rows if row.id == now.table), None)
    if here is None:
        return Decision(best.id if best is not None else "")
    if best is None:
        until = inf if rank(here) else now.since + RESULT_SECONDS
    else:
        until = now.since + stay if _busy(best) > _busy(here) else inf
    if until <= time:
        return Decision(best.id if best is not None else "")
    return Decision(here.id, until=until)


def next_busiest(rows: Sequence[TableRow], here: str, most: int) -> TableRow | None:
    """Return the table after the one with the code ``here``, from the busiest to the quietest.

    After the last one comes the first; ``None`` where there is no other.
    """
    others = [row for row in _watchable(rows, most) if row.id != here]
    current = next((row for row in rows if row.id == here), None)
    if current is None:
        return max(others, key=_busy, default=None)
    place = _busy(current), current.id
    quieter = [row for row in others if (_busy(row), row.id) < place]
    return max(quieter or others, key=lambda row: (_busy(row), row.id), default=None)


def _busy(row: TableRow) -> tuple[int, int]:
    """The higher, the busier. Who watches does not count: that changes as somebody looks around."""
    return rank(row), row.present


def _watchable(rows: Iterable[TableRow], most: int) -> list[TableRow]:
    return [row for row in rows if row.options.spectators.allowed and row.spectators < most]


_CROWD: Final = 50
"""With so many here, whoever comes is shown a list of names that may be ..."""
_RECENT_SECONDS: Final = 1.0
"""... so old: to make it anew for each costs the more the more there are. Everybody is told soon anyway."""

_NEWS_SECONDS: Final = 3600.0
"""Seconds for which something is news."""
_MOST_MISSED: Final = 1000
_MOST_OF_ONE: Final = 20


def table_row(table: m.TablePublic) -> m.TableRow:
    """A line of the lobby's list."""
    people = [seat for seat in table.seats if seat.occupant is m.Occupant.HUMAN]
    return m.TableRow(
        id=table.id,
        title=table.title,
        options=table.options,
        status=table.status,
        names=tuple([seat.name for seat in table.seats]),
        bots=sum(seat.occupant is m.Occupant.BOT for seat in table.seats),
        stage=table.stage,
        spectators=table.spectators,
        kept=sum(bool(seat.kept) for seat in table.seats),
        ratings=table.ratings,
        present=sum(seat.connected and not seat.absent_since for seat in people),
        programs=tuple([seat.name for seat in people if seat.program]),
        event=table.event,
        known=table.known,
        watching=table.watching,
    )


def _game_now(actor: TableActor) -> m.GameNow | None:
    """What spectators would see, where there may be some: nothing of a deal that others are still to play.

    At a delayed table nothing of the round that goes on, either: bids and tides on offer are no part of
    it.
    """
    table, view = actor.publisher.public, actor.publisher.view
    if view is None or table.status is not m.Status.PLAYING:
        return None
    if table.private or table.event or not table.options.spectators.allowed:
        return None
    return m.GameNow(
        table.id,
        len(view.rounds),
        tuple([-1 if seat.eliminated else seat.level for seat in view.seats]),
        tuple([seat.score for seat in view.seats]),
        tuple([seat.life_preservers for seat in view.seats]),
    )


def correspondence_game(table: Table, player: str) -> m.CorrespondenceGame:
    """The table in the list of this player's games by correspondence."""
    awaited = _awaited(table)
    return m.CorrespondenceGame(
        table=table.id,
        title=table.title,
        options=table.options,
        status=table.status,
        names=table.names,
        stage=table.epoch.stage,
        round=table.epoch.round,
        due=table.deadline if table.running else 0.0,
        waits=player in awaited,
        awaited=tuple(awaited.values()),
        since=table.opened if table.running else 0.0,
    )


def calls(table: Table, player: str, before: Table) -> bool:
    """Whether it is this player's turn in a game by correspondence, and was not ``before``."""
    if player not in _awaited(table):
        return False
    return table.epoch != before.epoch or player not in _awaited(before)


def _awaited(table: Table) -> dict[str, str]:
    """Ids and names of those for whom it waits, to bid or, as the owner, to start."""
    people = table.people.items() if table.daily else ()
    return {id_: it.player.name for id_, it in people if table.waits_for(id_)}


@dataclass(slots=True, eq=False)
class LobbyFeed:
    """Made once for each lobby, whose tables, people and tournaments these are, as they are now."""

    shared: TableEnvironment
    _tables: dict[str, TableActor]
    _people: Mapping[str, Presence]
    _directory: Callable[[], Directory]
    _lead: Callable[[Presence, str], object]
    """Brings who follows to a table, or to the lobby when it is none."""
    _following: dict[Presence, Following] = field(default_factory=dict)
    """People who are shown whatever goes on, and what that is."""
    _next_look: OneTimer = field(init=False)
    _visitors: dict[Presence, None] = field(default_factory=dict)
    """People in the lobby; some may have gone to a table since."""
    _listed: dict[str, m.TablePublic] = field(default_factory=dict)
    """The public tables as they are in the last snapshot, by their codes ..."""
    _rows: dict[str, m.TableRow] = field(default_factory=dict)
    """... and their rows."""
    _made: m.LobbySnapshot | None = None
    """The last snapshot, even when it is no longer true."""
    _made_at: float = 0.0
    _stale: bool = True
    _told: m.LobbySnapshot | None = None
    """The last one that everybody in the lobby was told ..."""
    _told_at: float = 0.0
    """... and when."""
    _news: tuple[tuple[m.News, ...], m.TodayNow] = (), m.TodayNow()
    _other_tournaments: bool = False
    """Everybody is to be shown them."""
    _broadcaster: Broadcaster = field(init=False)

    def __post_init__(self) -> None:
        clock = self.shared.clock
        self._next_look = OneTimer(clock)
        self._broadcaster = Broadcaster(OneTimer(clock), "lobby", self._delay, self._tell)

    def follow(self, presence: Presence, *, standings: bool) -> Decision:
        """Somebody is shown whatever goes on from now on: that, to begin with."""
        self._following[presence] = Following(standings)
        return self._decided(presence, self._directory().shown_to(""))

    def unfollow(self, presence: Presence) -> bool:
        """Somebody wants to see something else; whether that is new."""
        follows = self._following.pop(presence, None) is not None
        presence.feed.offer_standings(None)
        return follows

    def follows(self, presence: Presence) -> bool:
        """Whether somebody is shown whatever goes on."""
        return presence in self._following

    def snapshot(self) -> m.LobbySnapshot:
        """Return the lobby as it looks now: the same object as long as it looks the same."""
        made = self._made
        if made is not None and not self._stale:
            return made
        listed, before, rows = self._public_tables(), self._listed, self._rows
        if made is None or listed != before:
            # What is as before keeps its row.
            self._rows = {
                code: rows[code] if before.get(code) is public else table_row(public)
                for code, public in listed.items()
            }
            self._listed = listed
        here = [it.player for it in self._people.values() if it.connected]
        now = m.LobbySnapshot(
            tuple(sorted(self._rows.values(), key=lambda row: row.place)),
            tuple([player.name for player in here]),
            self.shared.closing,
            tuple([player.name for player in here if player.program]),
            tuple(filter(None, map(_game_now, self._tables.values()))),
            *self._news,
        )
        self._made_at, self._stale = self.shared.clock.time(), False
        if made is None or now != made:
            self._made = made = now
        return made

    def _public_tables(self) -> dict[str, m.TablePublic]:
        """Return the pictures of the tables in the list, the newest first, by their codes."""
        shown = {code: each.publisher.public for code, each in reversed(self._tables.items())}
        return {code: public for code, public in shown.items() if not public.private}

    def _recent(self) -> m.LobbySnapshot:
        """How it looks now; in a crowd, the names may be those of a moment ago."""
        made = self._made
        if (
            made is not None
            and len(self._people) >= _CROWD
            and made.closing == self.shared.closing
            and self.shared.clock.time() - self._made_at < _RECENT_SECONDS
            and self._public_tables() == self._listed
        ):
            return made
        return self.snapshot()

    def show(self, presence: Presence, why: Sequence[m.Happening]) -> None:
        """Show it to somebody who is in the lobby from now on; ``why`` is to be told."""
        self._visitors[presence] = None
        presence.feed.offer_lobby(self._recent(), why)
        if self._stale:
            self._broadcaster.changed()

    def tell_news(self, news: tuple[m.News, ...], today: m.TodayNow) -> None:
        """This is what has happened lately."""
        if (news, today) != self._news:
            self._news = news, today
            self.changed()

    def changed(self) -> None:
        """Tell everybody in the lobby soon, once for all that changes until then."""
        self._stale = True
        if self._visitors or self._following:
            self._broadcaster.changed()

    def show_tournaments(self, presence: Presence) -> None:
        """Show them to somebody, wherever that is."""
        if presence.connected:
            presence.feed.offer_tournaments(self._directory().shown_to(presence.player.id))

    def tournaments_changed(self) -> None:
        """Show everybody soon, once for all that changes until then."""
        sooner, self._other_tournaments = not self._other_tournaments, True
        self._stale = True
        self._broadcaster.changed(sooner=sooner)

    def close(self) -> None:
        """Nobody is told anything any more, nor led anywhere."""
        self._broadcaster.close()
        self._following.clear()
        self._next_look.cancel()

    def _delay(self) -> float:
        timing = self.shared.timing
        if self._other_tournaments:
            # Somebody may have to come to a table.
            return timing.lobby + timing.lobby_each * len(self._people)
        rest = self._told_at + timing.lobby_again - self.shared.clock.time()
        return max(rest, timing.lobby + timing.lobby_each * len(self._visitors))

    def _tell(self) -> Iterator[None]:
        other_tournaments, self._other_tournaments = self._other_tournaments, False
        visitors = list(self._visitors)
        snapshot = self.snapshot() if visitors else None
        if other_tournaments or snapshot is not self._told:
            self._told, self._told_at = snapshot, self.shared.clock.time()
        self._look()
        for presence in list(self._people.values()) if other_tournaments else ():
            self.show_tournaments(presence)
            yield
        for presence in visitors:
            if presence.table or not presence.connected:
                self._visitors.pop(presence, None)
            elif snapshot is not None:
                presence.feed.offer_lobby(snapshot)
            yield

    def _look(self) -> None:
        """Something has changed, or the time has come: lead on whoever should not stay."""
        self._next_look.cancel()
        if not self._following:
            return
        now, again = self.shared.clock.time(), inf
        tournaments = self._directory().shown_to("")
        for presence in list(self._following):
            decided = self._decided(presence, tournaments)
            again = min(again, max(decided.until, now + 1.0))
            if decided.table != presence.table:
                again = min(again, now + 1.0)
                if not presence.lock.locked():
                    self._lead(presence, decided.table)
        if again < inf:
            self._next_look.start(again, self._look)

    def _decided(self, presence: Presence, tournaments: Sequence[m.TournamentInfo]) -> Decision:
        """What to show somebody who follows, who is told at once where it is a tournament."""
        shared, own = self.shared, presence.places.seats(presence.player.id)
        rows = [row for row in self.snapshot().tables if row.id not in own]
        before, now = self._following[presence], shared.clock.time()
        here = "" if presence.table in own else presence.table
        lively = next((rank(row) for row in rows if row.id == here), 0)
        if (before.table, before.rank) != (here, lively):
            before = Following(before.standings, here, lively, now)
            self._following[presence] = before
        most, stay = shared.limits.spectators, shared.timing.follow
        decided = what_to_show(rows, tournaments, before, now, most=most, stay=stay)
        if before.standings:
            presence.feed.offer_standings(decided.tournament)
        return decided


class MissedEvents:
    """Why people have no seat any more, by player id."""

    def __init__(self, clock: Clock) -> None:
        self._clock: Final = clock
        self._kept: Final[dict[str, tuple[tuple[m.Happening, ...], float]]] = {}
        """And until when; the oldest first."""

    def keep(self, player: str, why: m.Happening) -> None:
        """For when this player comes back."""
        now, before = self._clock.time(), self.take(player)
        self._kept[player] = (*before, why)[-_MOST_OF_ONE:], now + _NEWS_SECONDS
        while len(self._kept) > _MOST_MISSED or next(iter(self._kept.values()))[1] <= now:
            del self._kept[next(iter(self._kept))]

    def take(self, player: str) -> tuple[m.Happening, ...]:
        """What there is to tell, once."""
        why, until = self._kept.pop(player, ((), 0.0))
        return why if until > self._clock.time() else ()

    def __contains__(self, player: str) -> bool:
        return player in self._kept and self._kept[player][1] > self._clock.time()
