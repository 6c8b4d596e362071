"""The tables of the store, as they were."""

from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

import structlog
from msgspec.structs import replace

from server.coordinator.messages import Status
from server.coordinator.presence import need
from server.coordinator.table.state import EMPTY, Table
from server.coordinator.table.stored import Unreadable, from_stored
from server.storage.store import StoreError
from server.storage.tables import TableLog, TableStore

_log = structlog.get_logger("lobby")


class Recovered(NamedTuple):
    """A table as it was."""

    table: Table
    log: TableLog
    as_stored: bool = True


async def _read(store: TableStore, only: str) -> list[Recovered]:
    """All that can be read, as they are; or only the one with this code. Raises ``StoreError``."""
    found = []
    for stored in await store.load():
        if only and stored.row.get("id") != only:
            continue
        try:
            log = TableLog(store, stored.key, stored.position)
            found.append(Recovered(from_stored(stored), log))
        except Unreadable as error:
            # It stays in the store, for somebody to look at.
            _log.error("table_unreadable", key=stored.key, reason=str(error))
    return found


async def tables_in(store: TableStore, only: str = "") -> list[Recovered]:
    """All that can be read and go on, nobody with two live seats, the oldest first.

    Or only the one with this code. Raises ``StoreError``.

    A table that was closed may not have been forgotten, and its people have gone to others since. So the
    store may have two seats for somebody.
    """
    found = await _read(store, only)
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
    live = [table for table in found if not table.table.daily]
    at = {
        player.id: table.log.key
        for table in sorted(live, key=_need)
        for _, player in table.table.seated
    }
    return [table if table.table.daily else _without(table, at) for table in found]


def _need(found: Recovered) -> tuple[int, bool, float]:
    table = found.table
    return need(table.status, table.created, preferred=table.options.rated)


def _without(table: Recovered, at: dict[str, str]) -> Recovered:
    """The table without those who sit at another one, as ``at`` says."""
    state = table.table
    for number, player in state.seated:
        if at[player.id] != table.log.key:
            _log.warning("second_seat", table=state.id, seat=number)
            playing = state.status is Status.PLAYING
            left = state.seats[number].left_to_bot() if playing else EMPTY
            state = state.with_seat(number, left)
    if state is table.table:
        return table
    people = [number for number, _ in state.seated]
    owner = state.owner if state.owner in people else next(iter(people), -1)
    return table._replace(table=replace(state, owner=owner), as_stored=False)
