"""New tables: who may open one, which deserted one goes for it, how it is called; and those of the store."""

import random
from collections import Counter
from collections.abc import Collection, Container, Mapping, Sequence
from contextlib import suppress
from dataclasses import fields
from itertools import count
from typing import Final, NamedTuple

import structlog
from msgspec.structs import replace

from server.coordinator.messages import Refusal, Reply, Status
from server.coordinator.places import need
from server.coordinator.table.model import EMPTY, Table
from server.coordinator.table.ports import Listing
from server.coordinator.table.stored import Unreadable, from_stored
from server.coordinator.table_settings import TableLimits
from server.networks import mark
from server.storage.store import StoreError
from server.storage.tables import TableLog, TableStore

LIMITS: Final = (*(limit.name for limit in fields(TableLimits)), "chat")
"""By their names in the settings; ``chat`` is how fast somebody may write."""
LIMIT_BY_CODE: Final[Mapping[str, str]] = {
    Refusal.TOO_MANY_TABLES: "tables",
    Refusal.TOO_MANY_OPENED: "tables_per_player",
    Refusal.TOO_MANY_FROM_THERE: "tables_per_address",
    Refusal.TOO_MANY_GAMES: "games_per_player",
    Refusal.TOO_MANY_GAMES_THERE: "games_per_address",
    Refusal.TOO_MANY_SPECTATORS: "spectators",
    Refusal.CHAT_WAIT: "chat",
}
"""Refusals that mean that a limit has bitten."""

_LEAST_SHARE: Final = 5
"""An address may always have this part of ``tables_per_address``, and more ..."""
_OF_WHAT_IS_LEFT: Final = 4
"""... as long as that is no more than this part of the places that are left: some twenty addresses that take
all they can get leave a sixth of them to others."""


def opener(player: str) -> str:
    """What is kept of who opened a table, by the id: always the same, enough to count by, and of no use once
    the person is forgotten.
    """
    return mark(player, "") if player else ""


def room_for(tables: Collection[Listing], player: str, source: str, limits: TableLimits) -> Reply:
    """Whether the player with this id may open a table beside these; ``source`` is a mark. Both are empty for
    one that the server opens.
    """
    going = [table for table in tables if table.row.status is not Status.OVER]
    if (
        player
        and sum(table.opened_by == opener(player) for table in going) >= limits.tables_per_player
    ):
        return Reply(Refusal.TOO_MANY_OPENED)
    most = limits.tables_per_address
    left = (limits.tables - len(tables)) // _OF_WHAT_IS_LEFT
    share = min(most, max(most // _LEAST_SHARE, left, 1))
    if source and sum(table.opened_from == source for table in going) >= share:
        return Reply(Refusal.TOO_MANY_FROM_THERE)
    return Reply(Refusal.TOO_MANY_TABLES) if len(tables) >= limits.tables else Reply()


def dispensable(tables: Collection[Listing], source: str = "") -> str:
    """The deserted table that goes first: one without a game before others, then one of guests, then one of
    the address that has most tables, then the one that has been deserted for longest; empty without any. With
    ``source``, a mark, only guests' tables that were opened from there.
    """
    opened = Counter(table.opened_from for table in tables)

    def rank(table: Listing) -> tuple[bool, bool, bool, int, float]:
        counts, has_account = bool(table.row.event), not table.guests_only
        return counts, table.playing, has_account, -opened[table.opened_from], table.deserted_since

    deserted = [
        table
        for table in tables
        if table.deserted_since
        and not table.stays
        and (not source or (table.opened_from == source and table.guests_only))
    ]
    return min(deserted, key=rank).id if deserted else ""


_CONSONANTS: Final = "bdklmnprstvz"
_VOWELS: Final = "aeiou"
_SYLLABLES: Final = 4
"""Of a code, a consonant and a vowel each: easy to say in any language; 60 ** 4 codes are hard to guess."""

TITLES: Final = (
    "Anchorage", "Atoll", "Bay", "Beacon", "Boathouse", "Breakwater", "Buoy", "Cape", "Causeway",
    "Channel", "Cove", "Creek", "Delta", "Dike", "Dock", "Estuary", "Ferry", "Fjord", "Harbour",
    "Headland", "Inlet", "Island", "Isthmus", "Jetty", "Lagoon", "Landing", "Lighthouse", "Lock",
    "Marina", "Marsh", "Meadow", "Mudflat", "Pier", "Pilot", "Polder", "Pontoon", "Port", "Quay",
    "Rapids", "Reef", "River", "Saltings", "Sandbank", "Shallows", "Shingle", "Shipyard", "Shoal",
    "Skerry", "Slipway", "Sluice", "Sound", "Spit", "Strait", "Strand", "Tidemill", "Wharf", "Weir",
)  # fmt: skip
"""Names of places by the water, for tables to be told apart."""


def new_code(taken: Container[str], rng: random.Random) -> str:
    """A code that is not in ``taken``. ``rng`` must be unpredictable (``random.SystemRandom``)."""
    while True:
        code = "".join(rng.choice(_CONSONANTS) + rng.choice(_VOWELS) for _ in range(_SYLLABLES))
        if code not in taken:
            return code


def new_title(taken: Container[str], rng: random.Random) -> str:
    """A title that is not in ``taken``, numbered when all places are."""
    start = rng.randrange(len(TITLES))
    places = TITLES[start:] + TITLES[:start]
    titles = (f"{place} {n}" if n > 1 else place for n in count(1) for place in places)
    return next(title for title in titles if title not in taken)


_log = structlog.get_logger("lobby")


class Recovered(NamedTuple):
    """A table as it was."""

    table: Table
    log: TableLog
    as_stored: bool = True


async def read(
    store: TableStore, keys: Sequence[str] | None = None, only: str = ""
) -> list[Recovered]:
    """All that can be read, as they are; or those with these keys, or only the one with this code. Raises
    ``StoreError``.
    """
    found = []
    for stored in await store.load(keys):
        if only and stored.row.get("id") != only:
            continue
        try:
            log = TableLog(store, stored.key, stored.position, stored.epoch)
            found.append(Recovered(from_stored(stored), log))
        except Unreadable as error:
            # It stays in the store, for somebody to look at.
            _log.error("table_unreadable", key=stored.key, reason=str(error))
    return found


async def tables_in(
    store: TableStore, only: str = "", keys: Sequence[str] | None = None
) -> list[Recovered]:
    """All that can be read and go on, nobody with two seats, the oldest first; or only the one with this
    code, or those with these keys. Raises ``StoreError``.

    A write that failed may have been kept all the same, and a table that was closed may not have been
    forgotten; its people have gone to others since. So the store may have two seats for somebody.
    """
    found = await read(store, keys, only)
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
        player.id: table.log.key
        for table in sorted(found, key=_need)
        for _, player in table.table.seated
    }
    return [_without(table, at) for table in found]


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
