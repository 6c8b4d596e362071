"""Where people are, and where their tables have them: what was lost or came too late is put right."""

from collections import defaultdict
from collections.abc import Callable, Coroutine
from typing import Final, NamedTuple

import structlog

from server.coordinator import messages as m
from server.coordinator.chat_room import Presence
from server.coordinator.lobby.lobby import Lobby
from server.coordinator.lobby.open_tables import member_of
from server.coordinator.lobby.tables import need
from server.coordinator.nodes.peer import RemoteFeed
from server.coordinator.nodes.peers import Peers
from server.coordinator.nodes.remote_tables import RemoteTables
from server.coordinator.table import steps

_log = structlog.get_logger("nodes")

LOOK_SECONDS: Final = 3.0
"""Between two looks: what is wrong both times is put right, what is on its way has the time to arrive."""


class _Place(NamedTuple):
    """Where somebody is who is connected to this node."""

    table: str
    """As this node believes."""
    shown: str
    """The table that he or she sees; empty for the lobby, or before anything is shown."""
    seat: int
    """On which seat there; -1 for none."""
    absent: bool
    """As the table shows it."""
    blank: bool
    """Nothing is shown."""
    seats: tuple[str, ...]
    """Tables where he or she has a seat."""
    watched: tuple[str, ...]
    """Tables that believe that he or she watches."""

    @property
    def right(self) -> bool:
        """Whether all of that fits together."""
        if self.blank or self.absent or len(self.seats) + len(self.watched) > 1:
            return False
        there = (*self.seats, *self.watched, "")[0]
        return (self.table, self.shown, self.seat >= 0) == (there, there, bool(self.seats))


class Whereabouts:
    """``spawn`` runs what nobody waits for."""

    def __init__(
        self,
        lobby: Lobby,
        peers: Peers,
        remote: RemoteTables,
        spawn: Callable[[Coroutine[None, None, None], str], None],
    ) -> None:
        self._lobby: Final = lobby
        self._peers: Final = peers
        self._remote: Final = remote
        self._spawn: Final = spawn
        self._wrong: dict[str, _Place] = {}
        """What was not right at the last look, by player id."""
        self._unreached: set[tuple[str, str]] = set()
        """Tables of this node and the ids of people there whom nothing reached at the last look."""

    async def keep(self) -> None:
        """Look as long as this runs."""
        clock = self._lobby.shared.clock
        while True:
            await clock.sleep_until(clock.time() + LOOK_SECONDS)
            try:
                self.look()
            except Exception as error:
                _log.error("node_failed", error=type(error).__name__)

    def look(self) -> None:
        """Put right what was wrong the last time and still is."""
        self._look_after_visitors()
        self._look_after_tables()

    # ------------------------------------------------------------ who is connected here

    def _look_after_visitors(self) -> None:
        seats: defaultdict[str, list[str]] = defaultdict(list)
        watched: defaultdict[str, list[str]] = defaultdict(list)
        for code, listing in self._lobby.listings.items():
            for id_ in listing.seated:
                seats[id_].append(code)
            for id_ in listing.watching:
                watched[id_].append(code)
        before, self._wrong = self._wrong, {}
        for id_, presence in list(self._lobby.people.items()):
            if self._remote.person(id_) is None or self._busy(presence):
                continue
            place = _place(presence, seats.get(id_, ()), watched.get(id_, ()))
            if place.right or any(map(self._is_moving, (*place.seats, *place.watched))):
                continue
            if before.get(id_) == place:
                self._spawn(self._put_right(presence, place), "whereabouts")
            else:
                self._wrong[id_] = place

    def _busy(self, presence: Presence) -> bool:
        return bool(presence.asked or presence.submitted or presence.lock.locked())

    def _is_moving(self, code: str) -> bool:
        table = self._remote.known(code)
        return table is not None and (table.peer.gone or table.peer.silent)

    async def _put_right(self, presence: Presence, place: _Place) -> None:
        id_, listings, tables = presence.player.id, self._lobby.listings, self._lobby.tables
        _log.info("place_mended", seats=len(place.seats), watched=len(place.watched))
        async with presence.lock:
            if self._remote.person(id_) is not presence:
                return
            keep = max(place.seats, key=lambda it: self._need(it, presence), default="")
            for code in place.seats:
                if code != keep:
                    await tables.ask(code, presence, m.LeaveTable())
            for code in place.watched:
                if keep or code != place.table:
                    await tables.ask(code, presence, steps.StopWatching())
            if self._remote.person(id_) is not presence:
                return
            if keep and keep in listings and id_ in listings[keep].seated:
                presence.table = keep
                self._lobby.unfollow(presence)
                if table := tables.get(keep):
                    table.post(steps.Came(member_of(presence), presence.visit))
                return
            if presence.table in place.watched and (table := tables.get(presence.table)):
                # As after a command to watch, but whoever waits for a seat there still does.
                table.post(steps.Came(member_of(presence), presence.visit))
                return
            if presence.table and place.seat < 0:
                reply = await tables.ask(presence.table, presence, m.WatchTable(presence.table))
                if reply.ok:
                    return
            self._lobby.released(presence.table, id_, None)

    def _need(self, code: str, presence: Presence) -> tuple[int, bool, float]:
        listing = self._lobby.listings.get(code)
        if listing is None:
            return -1, False, 0.0
        row = listing.row
        if row.status is m.Status.PLAYING:
            return need(row.status, listing.created, preferred=row.options.rated)
        return need(row.status, 0.0, preferred=code == presence.table)

    # ------------------------------------------------------------ who is at tables of this node

    def _look_after_tables(self) -> None:
        for id_, presence in list(self._lobby.people.items()):
            if isinstance(presence.feed, RemoteFeed):
                door = self._peers.with_person(id_)
                if door is not None and door is not presence.feed.peer:
                    presence.feed = door.feed(id_)
        self._peers.prune(self._lobby.people)
        before, self._unreached = self._unreached, set()
        for code, actor in self._lobby.tables.actors.items():
            table = actor.table
            here = [id_ for id_, member in table.people.items() if not member.absent]
            for id_ in (*here, *table.spectators):
                if self._reached(id_):
                    continue
                if (code, id_) in before:
                    actor.post(steps.Gone(id_))
                else:
                    self._unreached.add((code, id_))

    def _reached(self, id_: str) -> bool:
        return self._remote.person(id_) is not None or self._peers.with_person(id_) is not None


def _place(
    presence: Presence, seats: list[str] | tuple[()], watched: list[str] | tuple[()]
) -> _Place:
    assert presence.feed is not None
    now, code, seat, absent = presence.feed.now, "", -1, False
    if now.table is not None:
        code, seat = now.table.info.id, now.table.seat
        absent = seat >= 0 and not now.table.info.seats[seat].connected
    blank = now.table is None and now.lobby is None
    return _Place(presence.table, code, seat, absent, blank, tuple(seats), tuple(watched))
