"""What the lobby, its list and the chat know of a table, and what everybody there may: built field by field;
whatever shows or finds tables is made from it.
"""

from collections.abc import Collection, Mapping
from itertools import islice
from operator import attrgetter
from typing import Final, NamedTuple

from engine.bots import SUBSTITUTE_STRATEGY
from engine.state import Phase
from server.coordinator import messages as m
from server.coordinator.table.spectators import unseen_round
from server.coordinator.table.state import RoundEpoch, Table
from server.coordinator.table.timers import kept_for, rematch_begins
from server.settings.settings import Timing

all_but_bids: Final = attrgetter(
    *[it for it in Table.__struct_fields__ if it not in ("bids", "bot_due", "thoughts")]
)
"""What all here is made of, with the settings, but for whom a game by correspondence waits."""

_NAMED: Final = 20
"""Of so many spectators the names are told."""


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


def listing(key: str, table: Table) -> Listing:
    """What the lobby may know of ``table``."""
    return Listing(
        key=key,
        row=table_row(table),
        private=bool(table.word),
        seated=tuple(table.people),
        watching=tuple(table.spectators),
        stepped_out=tuple([s.player.id for s in table.seats if s.stepped_out and s.player]),
        stays=bool(table.shared and table.event and not table.shared.waits)
        and table.status is not m.Status.OVER,
        unseen_round=unseen_round(table),
        epoch=table.epoch if table.game is not None else None,
        opened_by=table.opened_by,
        opened_from=table.opened_from,
        guests_only=table.guests_only,
        deserted_since=0.0 if table.connected or table.spectators else table.deserted,
        created=table.created,
        game=_game_now(table),
        awaited={id_: it.player.name for id_, it in table.people.items() if table.waits_for(id_)}
        if table.daily
        else {},
        due=table.deadline if table.daily and table.running else 0.0,
        since=table.opened if table.daily and table.running else 0.0,
    )


def _game_now(table: Table) -> m.GameNow | None:
    """What spectators would see, where there may be some: nothing of a deal that others are still to play. At
    a delayed table nothing of the round that goes on, either: bids and tides on offer are no part of it.
    """
    game, watched = table.game, table.options.spectators.allowed
    if game is None or table.status is not m.Status.PLAYING or not watched:
        return None
    if table.word or table.event:
        return None
    stage = game.stage
    return m.GameNow(
        table.id,
        len(stage.rounds),
        tuple([-1 if level is None else level for level in stage.levels]),
        game.scores,
        stage.life_preservers,
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
        seed=table.seed.hex() if over and not table.event else "",
        deadline=table.deadline if table.running else 0.0,
        spectators=len(table.spectators),
        watching=_watching(table),
        pause=table.pause,
        ended=table.ended,
        votes=table.votes,
        closing=table.closing,
        private=bool(table.word),
        played_by=table.played_by,
        wins=table.wins,
        begins=rematch_begins(table, timing) or 0.0,
        kept_for=kept_for(table, timing) if table.status is m.Status.PLAYING else 0.0,
        event=table.event,
        known=table.shared is not None and not table.event,
        skip=table.skip,
    )


def _seat(table: Table, number: int, claimed: str) -> m.SeatInfo:
    seat, absent = table.seats[number], table.absent_since(number)
    goes_on, here = table.status is m.Status.PLAYING, table.epoch[1:3]
    return m.SeatInfo(
        occupant=seat.occupant,
        name=seat.name,
        strategy=seat.strategy or (SUBSTITUTE_STRATEGY if seat.away else ""),
        manner=table.manner(number),
        # By correspondence nobody is expected to be there.
        connected=seat.occupant is m.Occupant.BOT or (seat.human and (table.daily or not absent)),
        away=seat.away,
        rematch=seat.rematch,
        left=seat.left,
        absent_since=absent,
        replaceable=table.is_replaceable(number),
        kept=seat.kept,
        claimed=claimed,
        program=seat.human and seat.player is not None and seat.player.program,
        guesses=table.guessed.get(number),
        # In the round that goes on, nobody else may see that such a bid is replaced.
        bot_bids=tuple([each for each in seat.bot_bids if not goes_on or each < here]),
    )


def _watching(table: Table) -> tuple[str, ...]:
    return tuple([each.player.name for each in islice(table.spectators.values(), _NAMED)])


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
        watching=_watching(table),
        kept=sum(bool(seat.kept) for seat in table.seats),
        ratings=(min(ratings), max(ratings)) if ratings else None,
        present=len(table.connected),
        programs=tuple([player.name for _, player in table.seated if player.program]),
        event=table.event,
        known=table.shared is not None and not table.event,
    )
