"""People who are connected or have a seat, and where each of them is.

That follows from what tables say of themselves, and from where people want to be.
"""

from asyncio import Lock
from collections.abc import Collection, Set
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from server.coordinator import messages as m
from server.coordinator.contract import NOBODY, Feed
from server.coordinator.table.state import Table

_NEEDED: Final = (m.Status.OVER, m.Status.OPEN, m.Status.PLAYING)
"""Statuses of tables, in ascending order of need: a person with two live seats is needed most at the table
whose status comes last ...
"""


def need(status: m.Status, created: float, *, preferred: bool) -> tuple[int, bool, float]:
    """... of two of the same at the preferred one, which is a rated one, then at the older one.

    The more, the higher.
    """
    return _NEEDED.index(status), preferred, -created


def members_of(table: Table) -> tuple[str, ...]:
    """Ids of who sits or watches there."""
    return (*table.people, *table.spectators)


class TableIndex:
    """At which tables people are, by their ids: as many as say so."""

    def __init__(self) -> None:
        self.tables: Final[dict[str, Table]] = {}
        """Each as it was published last, by its code; changed by ``put`` and ``remove`` alone."""
        self._tables: Final[dict[str, tuple[str, ...]]] = {}
        """Codes of tables where somebody sits or watches, by the id."""

    def put(self, table: Table) -> Collection[str]:
        """Take in a table that is new or looks different. Returns the ids of those who are there only now."""
        before = self.tables.get(table.id)
        self.tables[table.id] = table
        if before and before.people is table.people and before.spectators is table.spectators:
            return ()
        then, now = {*members_of(before)} if before else set(), dict.fromkeys(members_of(table))
        for player in then.difference(now):
            self._leave(player, table.id)
        came = [player for player in now if player not in then]
        for player in came:
            self._tables[player] = (*self.of(player), table.id)
        return came

    def remove(self, code: str) -> Table:
        """A table is no more; how it looked."""
        table = self.tables.pop(code)
        for player in members_of(table):
            self._leave(player, code)
        return table

    def _leave(self, player: str, code: str) -> None:
        left = tuple([it for it in self.of(player) if it != code])
        if left:
            self._tables[player] = left
        else:
            self._tables.pop(player, None)

    def of(self, player: str) -> tuple[str, ...]:
        """The codes of all tables where somebody sits or watches."""
        return self._tables.get(player, ())

    def seats(self, player: str) -> list[str]:
        """The codes of all tables where somebody has a seat."""
        return [code for code in self.of(player) if player in self.tables[code].people]

    def live(self, player: str) -> list[str]:
        """Return the codes of those of them that are not by correspondence: one at most, in the end."""
        return [code for code in self.seats(player) if not self.tables[code].daily]

    def letters(self, player: str) -> list[str]:
        """Return the codes of those of them that are: any number."""
        return [code for code in self.seats(player) if self.tables[code].daily]

    def besides(self, player: str, at: str) -> list[str]:
        """The codes of tables to leave for the table ``at``: all but it and games by correspondence."""
        letters = self.letters(player)
        return [code for code in self.of(player) if code != at and code not in letters]

    def plays(self, player: str) -> bool:
        """Whether somebody has a live seat at a game that is not over: there may be one at a time."""
        return any(not self.is_over(code) for code in self.live(player))

    def corresponds(self, player: str) -> int:
        """At how many games by correspondence that are not over somebody has a seat."""
        return sum(not self.is_over(code) for code in self.letters(player))

    def is_over(self, code: str) -> bool:
        """Whether there is a table with this code whose game is over."""
        table = self.tables.get(code)
        return table is not None and table.status is m.Status.OVER

    def at(self, player: str, goal: str) -> str:
        """The code of the table that somebody looks at who has gone to the ``goal`` last.

        Empty in the lobby. A live seat at a game that is not over comes before everything else.
        Nobody watches who does not want to, nor looks at a game by correspondence.
        """
        tables = self._tables.get(player)
        if tables is None:
            return ""
        if tables == (goal,):
            return goal
        seats = self.live(player)
        seat = max(seats, key=lambda it: self._need(it, goal), default="")
        chosen = goal in tables and goal not in seats
        return goal if chosen and (not seat or self.is_over(seat)) else seat

    def _need(self, code: str, goal: str) -> tuple[int, bool, float]:
        table = self.tables[code]
        match table.status:
            case m.Status.PLAYING:
                return need(table.status, table.created, preferred=table.options.rated)
            case m.Status.OPEN:
                return need(table.status, table.created, preferred=code == goal)
        return need(table.status, -table.created, preferred=False)


class Spoken(NamedTuple):
    """A line, and what only the server knows of it."""

    line: m.ChatLine
    sender: str
    """The id of who said it: names can change."""
    apart: bool = False
    """Said by a spectator while a rated game ran: not for who plays it."""
    until_after: tuple[int, int, int] | None = None
    """Said by a player at a table whose spectators are a round behind: the round after which they hear it."""
    among: Set[str] | None = None
    """Said while the table was private: the ids of those who were there then, and of nobody else."""


@dataclass(slots=True, eq=False)
class Presence:
    """Somebody who is connected, or has a seat at a table, or both."""

    player: m.Player
    places: TableIndex
    feed: Feed = NOBODY
    """Feed of the current visit; ``NOBODY`` while there is none."""
    goal: str = ""
    """The code of the table to which this visit has gone last; empty for the lobby."""
    submitted: int = 0
    """Commands whose sender waits for an answer."""
    asked: int = 0
    """Commands that lie in a table's inbox or are being carried out, whether or not somebody waits."""
    rating: int | None = None
    """How strong the player is, as people are told it; ``None`` for guests, and before it is known."""
    level: int = 0
    """Level of the bots that are as strong (``engine.bots.LADDER``); 0 for guests, and while it is not
    known.
    """
    source: str = ""
    """Where the current visit comes from; empty when that does not count."""
    lock: Lock = field(default_factory=Lock)
    """A player's commands are carried out one after the other, in the order submitted."""
    muted: dict[str, str] = field(default_factory=dict)
    """Ids of people who are not heard during this stay, and their names."""
    blocked: dict[str, str] = field(default_factory=dict)
    """People muted for good, by id, with their names."""
    direct: list[Spoken] = field(default_factory=list)
    """What was said to and by this person alone."""
    opened: dict[str, str] = field(default_factory=dict)
    """At which tables requests with a key have ended, by their keys; the latest ones."""
    opening: tuple[str, str] = "", ""
    """The key of a request that is being carried out, or was when the connection was cut; and its table."""
    room: str = ""
    """The room whose history the present connection has been given."""

    @property
    def table(self) -> str:
        """The code of the table that the player looks at, sitting or watching; empty in the lobby."""
        return self.places.at(self.player.id, self.goal)

    @property
    def shown(self) -> str:
        """The code of the table that is on the screen; empty for the lobby, or for who is not here."""
        shown = self.feed.now.table
        return shown.info.id if shown is not None else ""

    @property
    def connected(self) -> bool:
        """Whether the player is connected."""
        return self.feed is not NOBODY

    def shuts_out(self, person: str) -> bool:
        """Whether nothing that this person says is heard."""
        return person in self.muted or person in self.blocked
