"""What everybody in the lobby sees: made once a change, and told together, in turns, and not too often; who
follows what goes on; and what somebody is told on coming back who was not connected when it happened.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Final

from server.coordinator import messages as m
from server.coordinator.feed import Broadcaster, Feed
from server.coordinator.lobby.following import Decision, Following, rank, what_to_show
from server.coordinator.lobby.tournaments import Directory
from server.coordinator.presence import Presence
from server.coordinator.table.facts_for_lobby_and_chat import Listing
from server.coordinator.table.ports import TableEnvironment
from server.coordinator.time_source import Clock
from server.timers import OneTimer

_CROWD: Final = 50
"""With so many here, whoever comes is shown a list of names that may be ..."""
_RECENT_SECONDS: Final = 1.0
"""... so old: to make it anew for each costs the more the more there are. Everybody is told soon anyway."""

_NEWS_SECONDS: Final = 3600.0
"""So long it is news."""
_MOST_MISSED: Final = 1000
_MOST_OF_ONE: Final = 20


@dataclass(slots=True, eq=False)
class LobbyFeed:
    """Made once for each lobby, whose tables, people and tournaments these are, as they are now."""

    shared: TableEnvironment
    _tables: dict[str, Listing]
    _people: Mapping[str, Presence]
    _directory: Callable[[], Directory]
    _lead: Callable[[Presence, str], object]
    """Brings who follows to a table, or to the lobby when it is none."""
    _following: dict[Presence, Following] = field(default_factory=dict)
    """Who is shown whatever goes on, and what that is."""
    _next_look: OneTimer = field(init=False)
    _visitors: dict[Presence, None] = field(default_factory=dict)
    """Who is in the lobby; some may have gone to a table since."""
    _rows: tuple[m.TableRow, ...] | None = None
    _made: m.LobbySnapshot | None = None
    """The last snapshot, even when it is no longer true."""
    _made_at: float = 0.0
    _stale: bool = True
    _told_at: float = 0.0
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
        """How the lobby looks now."""
        if self._rows is None:
            listed = [each.row for each in reversed(self._tables.values()) if not each.private]
            self._rows = tuple(sorted(listed, key=lambda row: row.place))
        if self._made is None or self._stale:
            here = [it.player for it in self._people.values() if it.connected]
            names = tuple([player.name for player in here])
            programs = tuple([player.name for player in here if player.program])
            shown = (each.game for each in self._tables.values() if not each.private)
            games, closing = tuple([game for game in shown if game]), self.shared.closing
            self._made = m.LobbySnapshot(self._rows, names, closing, programs, games, *self._news)
            self._made_at, self._stale = self.shared.clock.time(), False
        return self._made

    def _recent(self) -> m.LobbySnapshot:
        """How it looks now; in a crowd, the names may be those of a moment ago."""
        made = self._made
        if (
            made is not None
            and len(self._people) >= _CROWD
            and made.tables is self._rows
            and made.closing == self.shared.closing
            and self.shared.clock.time() - self._made_at < _RECENT_SECONDS
        ):
            return made
        return self.snapshot()

    def show(self, presence: Presence, feed: Feed, why: Sequence[m.Happening]) -> None:
        """Show it to somebody who is in the lobby from now on; ``why`` is to be told."""
        self._visitors[presence] = None
        feed.offer_lobby(self._recent(), why)

    def rows_changed(self) -> None:
        """There are other tables, or they look different."""
        self._rows = None
        self.changed()

    def tell_news(self, news: tuple[m.News, ...], today: m.TodayNow) -> None:
        """This is what has happened lately."""
        if (news, today) != self._news:
            self._news = news, today
            self.changed()

    def changed(self) -> None:
        """Tell everybody in the lobby soon, once for all that changes until then."""
        self._stale = True
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
        snapshot, other_tournaments = self.snapshot(), self._other_tournaments
        self._other_tournaments = False
        self._told_at = self.shared.clock.time()
        self._look()
        for presence in list(self._people.values()) if other_tournaments else ():
            self.show_tournaments(presence)
            yield
        for presence in list(self._visitors):
            if presence.table or not presence.connected:
                self._visitors.pop(presence, None)
            else:
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
