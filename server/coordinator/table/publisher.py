"""How everybody gets to see a table: built field by field, once a change, shared where all see it alike."""

import asyncio
from collections.abc import Sequence
from itertools import islice
from operator import attrgetter
from typing import Final

from msgspec import structs

from engine.bots import SUBSTITUTE_STRATEGY
from engine.state import Phase
from engine.views import NOTHING, TableView, history_of, public_history_of, seat_view, table_view
from server.coordinator import messages as m
from server.coordinator.contract import LIMIT
from server.coordinator.table.ports import TableEnvironment
from server.coordinator.table.state import Table
from server.coordinator.table.timers import kept_for, rematch_begins
from server.settings.settings import Timing

_SPECTATORS_AT_ONCE: Final = 8
"""Spectators who are sent an update before others get a turn."""
_NAMED: Final = 20
"""Spectators whose names are told."""

all_but_bids: Final = attrgetter(
    *[it for it in Table.__struct_fields__ if it not in ("bids", "bot_due", "thoughts")]
)
"""What the public picture is made of, with the settings."""


def table_public(table: Table, timing: Timing) -> m.TablePublic:
    """What everybody may know of ``table``. The seed is shown only when nothing follows from it any more."""
    over, game = table.status is m.Status.OVER, table.game
    ratings = [each.rating for each in table.people.values() if each.rating is not None]
    claimed = {seat: table.spectators[id_].player.name for id_, seat in table.claims.items()}
    return m.TablePublic(
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
        watching=tuple([each.player.name for each in islice(table.spectators.values(), _NAMED)]),
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
        stage=game.stage.number if game and game.phase is not Phase.OVER else 0,
        ratings=(min(ratings), max(ratings)) if ratings else None,
    )


def _seat(table: Table, number: int, claimed: str) -> m.SeatInfo:
    seat, member = table.seats[number], table.members.get(number)
    absent = member.absent if member else 0.0
    goes_on, here = table.status is m.Status.PLAYING, table.epoch[1:3]
    return m.SeatInfo(
        occupant=seat.occupant,
        name=seat.name,
        strategy=seat.strategy or (SUBSTITUTE_STRATEGY if seat.away else ""),
        manner=table.manner(number),
        # By correspondence nobody is expected to be there.
        connected=seat.occupant is m.Occupant.BOT
        or (seat.human and not seat.stepped_out and (table.daily or not absent)),
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


def public_view(table: Table) -> TableView | None:
    """The game on ``table``, as everybody there sees it."""
    if table.game is None:
        return None
    bidders = [seat for seat, card in enumerate(table.bids) if card is not None]
    view = table_view(table.game, bidders)
    # Others still play the deal of an event.
    return view._replace(deal=()) if table.event else view


class Publisher:
    """Keeps what was shown last, so that where nothing differs the very same objects are shown again."""

    def __init__(self, table: Table, shared: TableEnvironment) -> None:
        self._host: Final = shared.host
        self._shared: Final = shared
        self._table = table
        self.view = public_view(table)
        """The game on it, as everybody there sees it."""
        self._timing = shared.timing
        self.public: m.TablePublic = table_public(table, shared.timing)
        """What everybody may know of the table."""
        self._unheard: list[m.Happening] = []
        self._untold = False
        self._told_of: object = None
        """The round that was going on when spectators of a delayed table were told something."""

    def tell(self, table: Table, events: Sequence[m.Happening], *, apart: bool = False) -> None:
        """Show ``table`` to all seats; ``tell_spectators`` has to follow.

        ``apart``: what happened has nothing to do with the round, so that spectators hear it at
        once even where they are behind.
        """
        before, self._table, events = self._table, table, tuple(events)
        # The very same objects as long as they look the same: also behind a replaced bid.
        if (view := public_view(table)) != self.view:
            self.view = view
        timing, self._timing = self._timing, self._shared.timing
        others = self._timing is not timing or all_but_bids(table) != all_but_bids(before)
        if others:
            public = table_public(table, self._timing)
            if public != self.public:
                self.public = public
        # By correspondence, the list of those who play there says for whom it waits.
        if others or table.daily:
            self._host.published(table)
        for number, player in table.seated:
            # Who plays by correspondence may look at something else.
            if not (table.daily and table.absent_since(number)):
                self._host.show(player.id, self._snapshot(number), events)
        behind = table.unseen_round is not None
        if apart and behind:
            snapshot = self._snapshot(-1)
            for spectator in table.spectators:
                self._host.show(spectator, snapshot, events)
            return
        # Where nobody watches, nobody waits: who comes from now on finds it told. More than a feed holds
        # makes it resync, however much more: a round can last for days.
        self._unheard = [*self._unheard, *events][-2 * LIMIT :] if table.spectators else []
        now = (table.status, table.epoch[:3])
        if not behind or now != self._told_of:
            self._untold, self._told_of = True, now

    async def tell_spectators(self) -> None:
        """Show the table to all who watch, if there is something to show; others get a turn in between."""
        if not self._untold:
            return
        events, self._unheard, self._untold = self._unheard, [], False
        if self._table.unseen_round is not None:
            # The tides of the round that has just begun are told when it is over.
            here = self._table.epoch[1:3]
            self._unheard = [
                each
                for each in events
                if isinstance(each, m.TidesTurned) and (each.stage, each.round) == here
            ]
            events = [each for each in events if each not in self._unheard]
        if watching := self._table.spectators:
            snapshot, events_of_all = self._snapshot(-1), tuple(events)
            for number, player in enumerate(watching, 1):
                self._host.show(player, snapshot, events_of_all)
                if not number % _SPECTATORS_AT_ONCE:
                    await asyncio.sleep(0)
        if self._table.options.spectators is m.Spectating.DELAYED:
            self._host.caught_up(self._table.id)

    def show(self, player: str) -> None:
        """Show the table to one player."""
        self._host.show(player, self.picture(player), ())

    def picture(self, player: str) -> m.TableSnapshot:
        """The table as this player sees it."""
        return self._snapshot(self._table.seat_of(player))

    def _snapshot(self, seat: int) -> m.TableSnapshot:
        table = self._table
        if seat < 0 and table.unseen_round is not None:
            assert table.game is not None
            # Before the tides of this round were turned up.
            view = table_view(table.game._replace(offer=None))
            info = structs.replace(self.public, deadline=0.0, votes=())
            past = public_history_of(table.game)
            return m.TableSnapshot(info, -1, view, None, behind=True, history=past)
        own, past = None, NOTHING
        if table.game is not None and seat >= 0:
            own = seat_view(table.game, seat, self.view, table.bids[seat] or 0)
            past = history_of(table.game, seat)
        elif table.game is not None:
            past = public_history_of(table.game)
        word = table.told_word if seat >= 0 and seat == table.owner else ""
        guess = table.guesses.get(seat, -1)
        return m.TableSnapshot(self.public, seat, self.view, own, word, history=past, guess=guess)
