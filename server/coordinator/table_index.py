"""Where everybody is: that follows from what tables say of themselves, and from where people want to be."""

from typing import Final

from server.coordinator.messages import Status
from server.coordinator.table.facts_for_lobby_and_chat import Listing

_NEEDED: Final = (Status.OVER, Status.OPEN, Status.PLAYING)
"""Who has two live seats is needed most at the one whose table has the status that comes last here ..."""


def need(status: Status, created: float, *, preferred: bool) -> tuple[int, bool, float]:
    """... of two of the same at the preferred one, which is a rated one, then at the older one: the more, the
    higher.
    """
    return _NEEDED.index(status), preferred, -created


class TableIndex:
    """At which tables people are, by their ids: as many as say so."""

    def __init__(self) -> None:
        self.listings: Final[dict[str, Listing]] = {}
        """What is known of each table, by its code; changed by ``put`` and ``remove`` alone."""
        self._tables: Final[dict[str, tuple[str, ...]]] = {}
        """Codes of tables where somebody sits or watches, by the id."""

    def put(self, listing: Listing) -> Listing | None:
        """A table is new, or looks different; how it looked before."""
        before = self.listings.get(listing.id)
        self.listings[listing.id] = listing
        for player in before.members_since(listing) if before is not None else ():
            self._leave(player, listing.id)
        for player in listing.members_since(before):
            self._tables[player] = (*self.of(player), listing.id)
        return before

    def remove(self, code: str) -> Listing:
        """A table is no more; how it looked."""
        listing = self.listings.pop(code)
        for player in listing.members:
            self._leave(player, code)
        return listing

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
        return [code for code in self.of(player) if player in self.listings[code].seated]

    def live(self, player: str) -> list[str]:
        """Those of them that are not by correspondence: one at most, in the end."""
        return [code for code in self.seats(player) if not self.listings[code].daily]

    def letters(self, player: str) -> list[str]:
        """Those of them that are: any number."""
        return [code for code in self.seats(player) if self.listings[code].daily]

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
        table = self.listings.get(code)
        return table is not None and table.row.status is Status.OVER

    def at(self, player: str, goal: str) -> str:
        """The code of the table that somebody looks at who has gone to the ``goal`` last; empty in the lobby.
        A live seat at a game that is not over comes before everything else. Nobody watches who does not want
        to, nor looks at a game by correspondence.
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
        row, created = self.listings[code].row, self.listings[code].created
        match row.status:
            case Status.PLAYING:
                return need(row.status, created, preferred=row.options.rated)
            case Status.OPEN:
                return need(row.status, created, preferred=code == goal)
        return need(row.status, -created, preferred=False)
