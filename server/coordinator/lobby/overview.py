"""A house as operators and figures see it: how much goes on, who is where, how far games are. No cards."""

from collections import Counter
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, NamedTuple

from server.coordinator.messages import Status
from server.coordinator.moderation.orders import TableFacts

if TYPE_CHECKING:
    from server.coordinator.people.presence import Presence
    from server.coordinator.table.actor import Table


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


def counts_of(people: Collection["Presence"], tables: Collection["Table"]) -> Counts:
    """``people`` is everybody who is remembered."""
    by_status = Counter(table.state.status for table in tables)
    return Counts(
        visits=sum(presence.feed is not None for presence in people),
        remembered=len(people),
        tables=len(tables),
        playing=by_status[Status.PLAYING],
        seated=sum(len(table.people) for table in tables),
        spectators=sum(len(table.spectators) for table in tables),
        by_status=by_status,
    )


def in_play(tables: Collection["Table"]) -> int:
    """How many games are not over and have somebody connected who plays."""
    return sum(
        table.state.status is Status.PLAYING
        and any(presence.feed is not None for presence in table.people.values())
        for table in tables
    )


def place_at(presence: "Presence") -> Whereabouts | None:
    """At which table somebody is; ``None`` in the lobby."""
    table = presence.table
    if table is None:
        return None
    return Whereabouts(table.id, table.state.title, table.state.seat_of(presence.player.id) >= 0)


def facts_of(table: "Table") -> TableFacts:
    """What operators are told of a table."""
    row, moment = table.row, table.state.moment
    begun = table.state.game is not None
    return TableFacts(
        title=row.title,
        status=row.status.value,
        edition=row.options.rules.edition.value,
        names=row.names,
        bots=row.bots,
        stage=moment.stage + 1 if begun else 0,
        stages=row.options.rules.stages,
        round=moment.round + 1 if begun else 0,
        spectators=row.spectators,
        code=table.id,
    )
