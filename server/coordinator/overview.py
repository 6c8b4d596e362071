"""A table as operators see it: what stands on its lobby row, and how far the game has come. No cards."""

from typing import TYPE_CHECKING

from server.coordinator.operators import TableFacts

if TYPE_CHECKING:
    from server.coordinator.table import Table


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
    )
