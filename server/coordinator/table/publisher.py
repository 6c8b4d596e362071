"""How everybody gets to see a table: built field by field, once a change, shared where all see it alike."""

import asyncio
from collections.abc import Sequence
from typing import Final

from msgspec import structs

from engine.history import NOTHING, history_of, public_history_of
from engine.views import TableView, seat_view, table_view
from server.coordinator import messages as m
from server.coordinator.feed import LIMIT
from server.coordinator.table.facts_for_lobby_and_chat import (
    Listing,
    all_but_bids,
    listing,
    table_info,
)
from server.coordinator.table.ports import TableEnvironment
from server.coordinator.table.spectators import unseen_round
from server.coordinator.table.state import Table

_SPECTATORS_AT_ONCE: Final = 8
"""So many spectators are told before others get a turn."""


class Publisher:
    """Keeps what was shown last, so that where nothing differs the very same objects are shown again."""

    def __init__(self, key: str, table: Table, shared: TableEnvironment) -> None:
        self._host: Final = shared.host
        self._shared: Final = shared
        self._table = table
        self._view: TableView | None = None
        self._timing = shared.timing
        self._info: m.TableInfo = table_info(table, shared.timing)
        self.listing: Listing = listing(key, table)
        """What the lobby knows of the table."""
        self._unheard: list[m.Happening] = []
        self._untold = False
        self._told_of: object = None
        """The round that was going on when spectators of a delayed table were told something."""

    def tell(self, table: Table, events: Sequence[m.Happening], *, apart: bool = False) -> None:
        """Show ``table`` to all seats; ``tell_spectators`` has to follow. ``apart``: what happened
        has nothing to do with the round, so that spectators hear it at once even where they are behind.
        """
        before, self._table, events = self._table, table, tuple(events)
        self._renew_view()
        timing, self._timing = self._timing, self._shared.timing
        others = self._timing is not timing or all_but_bids(table) != all_but_bids(before)
        if table.daily or others:
            self._renew_facts()
        for number, player in table.seated:
            # Who plays by correspondence may look at something else.
            if not (table.daily and table.absent_since(number)):
                self._host.show(player.id, self._snapshot(number), events)
        if apart and unseen_round(table) is not None:
            snapshot = self._snapshot(-1)
            for spectator in table.spectators:
                self._host.show(spectator, snapshot, events)
        else:
            self._keep_for_spectators(events)

    def _keep_for_spectators(self, events: Sequence[m.Happening]) -> None:
        table = self._table
        now = (table.status, table.epoch[:3])
        if not table.spectators:
            # Nobody watches, so nobody waits: who comes from now on finds it told.
            events, self._unheard = (), []
        self._unheard += events
        # More than a feed holds makes it resync, however much more: a round can last for days.
        del self._unheard[: -2 * LIMIT]
        if unseen_round(table) is None or now != self._told_of:
            self._untold, self._told_of = True, now

    async def tell_spectators(self) -> None:
        """Show the table to all who watch, if there is something to show; others get a turn in between."""
        if not self._untold:
            return
        events, self._unheard, self._untold = self._unheard, [], False
        if unseen_round(self._table) is not None:
            # The tides of the round that has just begun are told when it is over.
            here = self._table.epoch[1:3]
            self._unheard = [
                each
                for each in events
                if isinstance(each, m.TidesTurned) and (each.stage, each.round) == here
            ]
            events = [each for each in events if each not in self._unheard]
        snapshot, events_of_all = self._snapshot(-1), tuple(events)
        for number, player in enumerate(self._table.spectators, 1):
            self._host.show(player, snapshot, events_of_all)
            if not number % _SPECTATORS_AT_ONCE:
                await asyncio.sleep(0)
        self._host.caught_up(self._table.id)

    def show(self, player: str) -> None:
        """Show the table to one player."""
        self._host.show(player, self.picture(player), ())

    def picture(self, player: str) -> m.TableSnapshot:
        """The table as this player sees it."""
        return self._snapshot(self._table.seat_of(player))

    def _renew_view(self) -> None:
        """The very same object as long as it looks the same: also behind a replaced bid."""
        table = self._table
        bidders = [seat for seat, card in enumerate(table.bids) if card is not None]
        view = table_view(table.game, bidders) if table.game else None
        if view is not None and table.event:
            # Others still play it.
            view = view._replace(deal=())
        if view != self._view:
            self._view = view

    def _renew_facts(self) -> None:
        """The same of what goes with it."""
        table = self._table
        info, found = table_info(table, self._shared.timing), listing(self.listing.key, table)
        if info != self._info:
            self._info = info
        before = self.listing
        if found.row == before.row:
            found = found._replace(row=before.row)
        if found != before:
            self.listing = found
            self._host.published(found)

    def _snapshot(self, seat: int) -> m.TableSnapshot:
        table = self._table
        if seat < 0 and unseen_round(table) is not None:
            assert table.game is not None
            # Before the tides of this round were turned up.
            view = table_view(table.game._replace(offer=None))
            info = structs.replace(self._info, deadline=0.0, votes=())
            past = public_history_of(table.game)
            return m.TableSnapshot(info, -1, view, None, behind=True, history=past)
        own, past = None, NOTHING
        if table.game is not None and seat >= 0:
            own = seat_view(table.game, seat, self._view, table.bids[seat] or 0)
            past = history_of(table.game, seat)
        elif table.game is not None:
            past = public_history_of(table.game)
        word = table.told_word if seat >= 0 and seat == table.owner else ""
        guess = table.guesses.get(seat, -1)
        return m.TableSnapshot(self._info, seat, self._view, own, word, history=past, guess=guess)
