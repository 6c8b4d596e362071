"""What a store has, taken up again: every table that can be read, and nobody with two seats.

A write that failed may have been kept all the same, and a table that was closed may not have been forgotten;
its people have gone elsewhere since. So the store may have two seats for somebody.
"""

from collections.abc import Sequence
from contextlib import suppress
from typing import Final, NamedTuple

import structlog
from msgspec.structs import replace

from server.coordinator.messages import Status
from server.coordinator.table.model import EMPTY, Table
from server.coordinator.table.stored import Unreadable, from_stored
from server.storage.store import Store, StoreError, TableLog

_log = structlog.get_logger("lobby")

_NEEDED: Final = (Status.OVER, Status.OPEN, Status.PLAYING)
"""Who has a seat at two tables is needed most at the one whose status comes last here."""


class Recovered(NamedTuple):
    """A table as it was."""

    table: Table
    log: TableLog
    as_stored: bool = True


async def tables_in(store: Store, only: str = "") -> list[Recovered]:
    """All that can go on, the oldest first; or only the one with this code. Raises ``StoreError``."""
    found = []
    for stored in await store.load():
        if only and stored.row.get("id") != only:
            continue
        try:
            log = TableLog(store, stored.key, stored.position, stored.epoch)
            found.append(Recovered(from_stored(stored), log))
        except Unreadable as error:
            # It stays in the store, for somebody to look at.
            _log.error("table_unreadable", key=stored.key, reason=str(error))
    kept = []
    for table in _one_seat_each(found):
        needed = table.as_stored or table.table.status is Status.PLAYING
        if needed or any(seat.human for seat in table.table.seats):
            kept.append(table)
            continue
        with suppress(StoreError):  # then it is tried again after the next start
            await table.log.drop()
    return kept


def _one_seat_each(found: Sequence[Recovered]) -> list[Recovered]:
    at = {
        seat.player.id: table.log.key
        for table in sorted(found, key=lambda table: _NEEDED.index(table.table.status))
        for seat in table.table.seats
        if seat.human and seat.player is not None
    }
    return [_without(table, at) for table in found]


def _without(table: Recovered, at: dict[str, str]) -> Recovered:
    """The table without those who sit at another one, as ``at`` says."""
    state = table.table
    for number, seat in enumerate(state.seats):
        if seat.human and seat.player is not None and at[seat.player.id] != table.log.key:
            _log.warning("second_seat", table=state.id, seat=number)
            playing = state.status is Status.PLAYING
            state = state.with_seat(number, seat.left_to_bot() if playing else EMPTY)
    if state is table.table:
        return table
    people = [number for number, seat in enumerate(state.seats) if seat.human]
    owner = state.owner if state.owner in people else next(iter(people), -1)
    return table._replace(table=replace(state, owner=owner), as_stored=False)
