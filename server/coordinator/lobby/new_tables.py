"""New tables: who may open another one, which deserted one goes for it, what it is called."""

import hashlib
import random
import secrets
from collections import Counter
from collections.abc import Collection, Container, Mapping
from dataclasses import fields
from itertools import count
from typing import Final

from server.coordinator.messages import Refusal, Reply, Status
from server.coordinator.table.ports import Listing
from server.coordinator.timing import TableLimits

LIMITS: Final = (*(limit.name for limit in fields(TableLimits)), "chat")
"""By their names in the settings; ``chat`` is how fast somebody may write."""
BY_CODE: Final[Mapping[str, str]] = {
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


def mark(source: str, salt: str) -> str:
    """What is kept of where a table was opened: enough to count by, and shared by so many addresses that none
    can be told from it. Empty for an empty ``source``, which does not count.
    """
    if not source:
        return ""
    return f"{salt}-{hashlib.blake2s(f'{salt} {source}'.encode()).hexdigest()[:4]}"


def salt_of(marks: Collection[str]) -> str:
    """The salt that these have, or a new one."""
    return next((one.partition("-")[0] for one in marks if one), "") or secrets.token_hex(8)


def room_for(tables: Collection[Listing], player: str, source: str, limits: TableLimits) -> Reply:
    """Whether the player with this id may open a table beside these; ``source`` is a mark."""
    going = [table for table in tables if table.row.status is not Status.OVER]
    if sum(table.opened_by == player for table in going) >= limits.tables_per_player:
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

    def rank(table: Listing) -> tuple[bool, bool, int, float]:
        has_account = not table.guests_only
        return table.playing, has_account, -opened[table.opened_from], table.deserted_since

    deserted = [
        table
        for table in tables
        if table.deserted_since
        and (not source or (table.opened_from == source and table.guests_only))
    ]
    return min(deserted, key=rank).id if deserted else ""


_CONSONANTS: Final = "bdklmnprstvz"
_VOWELS: Final = "aeiou"
_SYLLABLES: Final = 4
"""Of a code, a consonant and a vowel each: 60 ** 4, nearly 13 million; easy to say in any language, hard to
guess."""

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
