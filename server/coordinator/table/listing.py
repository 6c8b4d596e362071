"""What the lobby and the chat know of a table; whatever shows or finds tables is made from it."""

from collections.abc import Collection, Mapping
from typing import NamedTuple

from server.coordinator import messages as m
from server.coordinator.table.model import RoundEpoch


class Listing(NamedTuple):
    """What the lobby and its chat know of a table, besides what everybody may."""

    key: str
    """Unique for all time; the speakable code is not."""
    row: m.TableRow
    private: bool
    seated: tuple[str, ...]
    """Ids of who has a seat, connected or not."""
    watching: tuple[str, ...]
    """Ids of who only watches."""
    stepped_out: tuple[str, ...]
    """Ids of who is not there, and can come back to a game that waits."""
    stays: bool
    """It is not closed to make room for others: people are expected there."""
    unseen_round: tuple[int, int, int] | None
    """The round that spectators see only when it is over; ``None`` when they see everything at once."""
    epoch: RoundEpoch | None
    """Which round it is; ``None`` before the first game."""
    opened_by: str
    opened_from: str
    guests_only: bool
    deserted_since: float
    """Since when nobody is connected there, nor watches; 0 while somebody does."""
    created: float = 0.0
    """When it was opened, in seconds since 1970."""
    game: m.GameNow | None = None
    """How the game goes; ``None`` where it is not for everybody to see."""
    awaited: Mapping[str, str] = {}
    """In a game by correspondence: ids and names of those for whom it waits, to bid or, as the owner, to
    start.
    """
    due: float = 0.0
    """There: when the bids of this round are due; 0 when none are."""
    since: float = 0.0
    """There: since when they are waited for; 0 when they are not."""

    @property
    def id(self) -> str:
        """The speakable code."""
        return self.row.id

    @property
    def members(self) -> tuple[str, ...]:
        """Ids of who sits or watches there."""
        return (*self.seated, *self.watching)

    def members_since(self, before: "Listing | None") -> Collection[str]:
        """Those of them who were not there before."""
        if before is None:
            return self.members
        if before.seated == self.seated and before.watching == self.watching:
            return ()
        return set(self.members).difference(before.members)

    @property
    def daily(self) -> bool:
        """Whether people play there by correspondence."""
        return self.row.options.pace is m.Pace.CORRESPONDENCE

    @property
    def playing(self) -> bool:
        """Whether a game goes on there."""
        return self.row.status is m.Status.PLAYING

    def game_of(self, player: str) -> m.CorrespondenceGame:
        """The table in the list of this player's games by correspondence."""
        row, here = self.row, self.epoch or RoundEpoch(0, 0, 0, 0)
        return m.CorrespondenceGame(
            table=self.id,
            title=row.title,
            options=row.options,
            status=row.status,
            names=row.names,
            stage=here.stage,
            round=here.round,
            due=self.due,
            waits=player in self.awaited,
            awaited=tuple(self.awaited.values()),
            since=self.since,
        )

    def calls(self, player: str, before: "Listing | None") -> bool:
        """Whether it is this player's turn in a game by correspondence, and was not ``before``."""
        if player not in self.awaited:
            return False
        return before is None or before.epoch != self.epoch or player not in before.awaited

    def without(self, player: str) -> "Listing":
        """The same when this player is not there any more."""
        seated = tuple([it for it in self.seated if it != player])
        watching = tuple([it for it in self.watching if it != player])
        return self._replace(seated=seated, watching=watching)
