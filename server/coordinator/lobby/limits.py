"""Who may open a table, and which deserted one goes for it."""

from collections import Counter
from collections.abc import Collection
from dataclasses import fields
from typing import Final

from server.coordinator.messages import Refusal, Reply, Status
from server.coordinator.table.state import Table
from server.networks import mark
from server.settings.settings import TableLimits

LIMITS: Final = (*(limit.name for limit in fields(TableLimits)), "chat")
"""By their names in the settings; ``chat`` is how fast somebody may write."""
LIMIT_BY_CODE: Final = {refusal.value: refusal.limit for refusal in Refusal if refusal.limit}
"""Refusals that mean that a limit has bitten."""

_LEAST_SHARE: Final = 5
"""An address may always have this part of ``tables_per_address``, and more ..."""
_OF_WHAT_IS_LEFT: Final = 4
"""... as long as that is no more than this part of the places that are left: some twenty addresses that take
all they can get leave a sixth of them to others."""


def room_for(tables: Collection[Table], player: str, source: str, limits: TableLimits) -> Reply:
    """Whether the player with this id may open a table beside these; ``source`` is a mark. Both are empty for
    one that the server opens.
    """
    going = [table for table in tables if table.status is not Status.OVER]
    own = [table for table in going if table.opened_by == mark(player, "")]
    # How many of those where one plays by correspondence there may be is counted for itself.
    letters = sum(table.daily and player in table.people for table in own)
    apart = min(letters, limits.correspondence_per_player)
    if player and len(own) - apart >= limits.tables_per_player:
        return Reply(Refusal.TOO_MANY_OPENED)
    most = limits.tables_per_address
    left = (limits.tables - len(tables)) // _OF_WHAT_IS_LEFT
    share = min(most, max(most // _LEAST_SHARE, left, 1))
    if source and sum(table.opened_from == source for table in going) >= share:
        return Reply(Refusal.TOO_MANY_FROM_THERE)
    return Reply(Refusal.TOO_MANY_TABLES) if len(tables) >= limits.tables else Reply()


def dispensable(tables: Collection[Table], source: str = "") -> str:
    """The deserted table that goes first: one without a game before others, then one of guests, then one of
    the address that has most tables, then the one that has been deserted for longest; empty without any. With
    ``source``, a mark, only guests' tables that were opened from there.
    """
    opened = Counter(table.opened_from for table in tables)

    def rank(table: Table) -> tuple[bool, bool, bool, bool, int, float]:
        counts, has_account = bool(table.event), not table.guests_only
        return (
            counts,
            table.playing,
            has_account,
            table.daily,
            -opened[table.opened_from],
            table.deserted,
        )

    deserted = [
        table
        for table in tables
        if table.deserted
        and not (table.connected or table.spectators or table.stays)
        and (not source or (table.opened_from == source and table.guests_only))
    ]
    return min(deserted, key=rank).id if deserted else ""
