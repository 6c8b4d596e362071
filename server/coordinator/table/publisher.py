"""How everybody at a table gets to see it: what all see alike is built once a change and shared."""

import asyncio
import weakref
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from engine.views import SeatView, TableView, seat_view, table_view
from server.coordinator.feed import LIMIT
from server.coordinator.messages import (
    Happening,
    Status,
    TableInfo,
    TableRow,
    TableSnapshot,
    TidesTurned,
)
from server.coordinator.people.presence import Presence
from server.coordinator.table.idle_timers import kept_for
from server.coordinator.table.table_info import TableContext, table_info, table_row

if TYPE_CHECKING:
    from server.coordinator.table.actor import Table

_SPECTATORS_AT_ONCE: Final = 8
"""So many spectators are told before others get a turn."""


class Publisher:
    """Keeps what was shown last, so that where nothing differs the very same objects are shown again."""

    def __init__(self, table: "Table") -> None:
        # Weakly: a closed table is to be gone at once, without anybody looking for garbage.
        self._table: Table = weakref.proxy(table)
        self._view: TableView | None = None
        self._view_of: object = None
        self._info: TableInfo | None = None
        self._made_of: object = None
        self._row: TableRow | None = None
        self._listed = True
        self._unheard: list[Happening] = []
        self._untold = False
        self._told_of: object = None
        """The round that was going on when spectators of a delayed table were told something."""
        self._behind: tuple[TableInfo, TableView, TableSnapshot] | None = None
        """What spectators of a delayed table see, and what it was made of."""

    @property
    def row(self) -> TableRow:
        """For the lobby's list."""
        if self._row is None:
            self._row = self._make_row()
        return self._row

    def tell(self, happenings: Sequence[Happening], only: int | None, apart: bool = False) -> bool:
        """Show the table to all seats, or to one; ``tell_spectators`` has to follow. ``apart``: what happened
        has nothing to do with the round, so that spectators hear it at once even where they are behind.

        True when the lobby's list has to show something else.
        """
        table = self._table
        changed = self._renew()
        for number, seat in enumerate(table.state.seats):
            if seat.human and seat.player and (only is None or number == only):
                feed = table.people[seat.player.id].feed
                if feed is not None:
                    feed.offer_table(self._snapshot(number), happenings)
        if apart and table.spectators_are_behind is not None:
            for presence in table.spectators.values():
                if presence.feed is not None:
                    presence.feed.offer_table(self._snapshot(-1), happenings)
        elif only is None:
            self._keep_for_spectators(happenings)
        return changed

    def _keep_for_spectators(self, happenings: Sequence[Happening]) -> None:
        table = self._table
        now = (table.state.status, table.state.moment[:3])
        if not table.spectators:
            self._unheard = []
            if now != self._told_of:
                # Nobody watches, so nobody waits: who comes from now on finds it told.
                self._told_of = now
                table.caught_up()
            return
        self._unheard += happenings
        # More than a feed holds makes it resync, however much more: a round can last for days.
        del self._unheard[: -2 * LIMIT]
        if table.spectators_are_behind is None or now != self._told_of:
            self._untold, self._told_of = True, now

    async def tell_spectators(self) -> None:
        """Show the table to all who watch, if there is something to show; others get a turn in between."""
        if not self._untold:
            return
        happenings, self._unheard, self._untold = self._unheard, [], False
        if self._table.spectators_are_behind is not None:
            # The tides of the round that has just begun are told when it is over.
            happenings, self._unheard = self._without_new_tides(happenings)
        snapshot = self._snapshot(-1)
        for number, presence in enumerate(list(self._table.spectators.values()), 1):
            if presence.feed is not None:
                presence.feed.offer_table(snapshot, happenings)
            if not number % _SPECTATORS_AT_ONCE:
                await asyncio.sleep(0)
        self._table.caught_up()

    def _without_new_tides(
        self, happenings: Sequence[Happening]
    ) -> tuple[list[Happening], list[Happening]]:
        """What is not of the round that goes on, and what is."""
        moment = self._table.state.moment
        told: list[Happening] = []
        held: list[Happening] = []
        for each in happenings:
            new = isinstance(each, TidesTurned) and (each.stage, each.round) == (
                moment.stage,
                moment.round,
            )
            (held if new else told).append(each)
        return told, held

    def show(self, presence: Presence) -> None:
        """Show the table to one player."""
        if presence.feed is not None:
            if self._info is None:
                self._renew()
            seat = self._table.state.seat_of(presence.player.id)
            presence.feed.offer_table(self._snapshot(seat), ())

    def view_of(self, seat: int) -> SeatView:
        """What the seat may know; a game must be there."""
        game = self._table.state.game
        assert game is not None
        return seat_view(game, seat, self._table_view(), self._table.state.bids[seat] or 0)

    def _table_view(self) -> TableView | None:
        """The very same as long as it looks the same: also behind a replaced bid."""
        game, bidders = self._table.state.game, self._table.state.bidders
        if self._view_of != (game, bidders):
            self._view_of = game, bidders
            self._view = table_view(game, bidders) if game else None
        return self._view

    def _renew(self) -> bool:
        table = self._table
        state = table.state
        self._table_view()
        stage = state.game.stage.number if state.game else 0
        watching, closing = len(table.spectators), table.closing
        claims = {seat: player for player, seat in table.claims.items()}
        ratings = self._ratings()
        # Everything below is made of these; a mere bid changes none of them.
        made_of = (
            (state.seats, state.status, state.number, state.owner, state.options, state.pause)
            + (state.ended, state.deadline, state.ballots, stage, watching, closing)
            + (state.word, claims, ratings)
        )  # fmt: skip
        if made_of == self._made_of and not table.absent:
            return False
        # While somebody is absent, time alone changes what may be voted on.
        self._made_of = None if table.absent else made_of
        seats = range(len(state.seats))
        around = TableContext(
            tuple([table.absent_since(number) for number in seats]),
            tuple([table.is_replaceable(number) for number in seats]),
            table.votes,
            watching,
            closing,
            tuple([self._name_of(claims.get(number, "")) for number in seats]),
            kept_for(state, table.house.timing) if state.status is Status.PLAYING else 0.0,
        )
        info = table_info(state, around)
        if info != self._info:
            self._info = info
        row, listed = self._make_row(), not state.word
        if row == self._row and listed == self._listed:
            return False
        self._row, self._listed = row, listed
        return True

    def _make_row(self) -> TableRow:
        table = self._table
        return table_row(table.state, len(table.spectators), len(table.connected), self._ratings())

    def _ratings(self) -> tuple[int, ...]:
        people = self._table.people.values()
        return tuple([each.rating for each in people if each.rating is not None])

    def _name_of(self, spectator: str) -> str:
        presence = self._table.spectators.get(spectator)
        return presence.player.name if presence is not None else ""

    def _for_spectators(self) -> TableSnapshot:
        game = self._table.state.game
        assert self._info is not None
        assert game is not None
        # Before the tides of this round were turned up.
        view = table_view(game._replace(offer=None))
        if self._behind is None or self._behind[:2] != (self._info, view):
            info = self._info._replace(deadline=0.0, votes=())
            snapshot = TableSnapshot(info, -1, view, None, behind=True)
            self._behind = self._info, view, snapshot
        return self._behind[2]

    def _snapshot(self, seat: int) -> TableSnapshot:
        assert self._info is not None
        if seat < 0 and self._table.spectators_are_behind is not None:
            return self._for_spectators()
        seated = seat >= 0 and self._table.state.game is not None
        own = self.view_of(seat) if seated else None
        owner = seat >= 0 and seat == self._table.state.owner
        word = self._table.state.told_word if owner else ""
        return TableSnapshot(self._info, seat, self._view, own, word)
