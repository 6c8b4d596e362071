"""A server as operators and figures see it: how much goes on, who is where, how far games are. No cards."""

from collections.abc import Mapping
from typing import NamedTuple

from server.coordinator.messages import Status
from server.coordinator.moderation.orders import TableFacts
from server.coordinator.table.table_info import Listing


class Counts(NamedTuple):
    """How much is going on."""

    visits: int
    """People who are connected."""
    remembered: int
    """The same, and those whose seat waits for them."""
    tables: int
    playing: int
    """Tables with a game that is not over."""
    seated: int
    """People with a seat, connected or not."""
    spectators: int
    by_status: Mapping[Status, int]
    """Tables."""


class Whereabouts(NamedTuple):
    """Where somebody is who is not in the lobby."""

    code: str
    title: str
    seated: bool


def facts_of(table: Listing) -> TableFacts:
    """What operators are told of a table."""
    row, epoch = table.row, table.epoch
    return TableFacts(
        title=row.title,
        status=row.status.value,
        edition=row.options.rules.edition.value,
        names=row.names,
        bots=row.bots,
        stage=epoch.stage + 1 if epoch else 0,
        stages=row.options.rules.stages,
        round=epoch.round + 1 if epoch else 0,
        spectators=row.spectators,
        code=table.id,
    )
