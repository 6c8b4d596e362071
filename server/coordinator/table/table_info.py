"""What others may know of a table, built field by field from its state."""

from typing import NamedTuple

from engine.bots import SUBSTITUTE_STRATEGY
from engine.state import Phase
from server.coordinator import messages as m
from server.coordinator.table.model import RoundEpoch, Table
from server.coordinator.table.timers import kept_for
from server.coordinator.timing import Timing


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
    unseen_round: tuple[int, int, int] | None
    """The round that spectators see only when it is over; ``None`` when they see everything at once."""
    epoch: RoundEpoch | None
    """Which round it is; ``None`` before the first game."""
    opened_by: str
    opened_from: str
    guests_only: bool
    deserted_since: float
    """Since when nobody is connected there, nor watches; 0 while somebody does."""

    @property
    def id(self) -> str:
        """The speakable code."""
        return self.row.id

    @property
    def members(self) -> tuple[str, ...]:
        """Ids of who sits or watches there."""
        return (*self.seated, *self.watching)

    @property
    def playing(self) -> bool:
        """Whether a game goes on there."""
        return self.row.status is m.Status.PLAYING


def listing(key: str, table: Table) -> Listing:
    """What the lobby may know of ``table``."""
    return Listing(
        key=key,
        row=table_row(table),
        private=bool(table.word),
        seated=tuple(table.people),
        watching=tuple(table.spectators),
        unseen_round=table.unseen_round,
        epoch=table.epoch if table.game is not None else None,
        opened_by=table.opened_by,
        opened_from=table.opened_from,
        guests_only=table.guests_only,
        deserted_since=0.0 if table.connected or table.spectators else table.deserted,
    )


def table_info(table: Table, timing: Timing) -> m.TableInfo:
    """What everybody there may know. The seed is shown only when nothing can follow from it any more."""
    over = table.status is m.Status.OVER
    claimed = {seat: table.spectators[id_].player.name for id_, seat in table.claims.items()}
    return m.TableInfo(
        id=table.id,
        title=table.title,
        options=table.options,
        status=table.status,
        owner=table.owner,
        seats=tuple([_seat(table, n, claimed.get(n, "")) for n in range(len(table.seats))]),
        game=table.number,
        commitment=table.commitment,
        seed=table.seed.hex() if over else "",
        deadline=table.deadline if table.running else 0.0,
        spectators=len(table.spectators),
        pause=table.pause,
        ended=table.ended,
        votes=table.votes,
        closing=table.closing,
        private=bool(table.word),
        played_by=table.played_by,
        kept_for=kept_for(table, timing) if table.status is m.Status.PLAYING else 0.0,
    )


def _seat(table: Table, number: int, claimed: str) -> m.SeatInfo:
    seat, absent = table.seats[number], table.absent_since(number)
    return m.SeatInfo(
        occupant=seat.occupant,
        name=seat.name,
        strategy=seat.strategy or (SUBSTITUTE_STRATEGY if seat.away else ""),
        connected=seat.occupant is m.Occupant.BOT or (seat.human and not absent),
        away=seat.away,
        rematch=seat.rematch,
        left=seat.left,
        absent_since=absent,
        replaceable=table.is_replaceable(number),
        kept=seat.kept,
        claimed=claimed,
    )


def table_row(table: Table) -> m.TableRow:
    """A line of the lobby's list."""
    game = table.game
    ratings = [each.rating for each in table.people.values() if each.rating is not None]
    return m.TableRow(
        id=table.id,
        title=table.title,
        options=table.options,
        status=table.status,
        names=table.names,
        bots=sum(seat.occupant is m.Occupant.BOT for seat in table.seats),
        stage=game.stage.number if game and game.phase is not Phase.OVER else 0,
        spectators=len(table.spectators),
        kept=sum(bool(seat.kept) for seat in table.seats),
        ratings=(min(ratings), max(ratings)) if ratings else None,
        present=len(table.connected),
    )
