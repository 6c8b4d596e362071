"""Any game: which open tables are right for somebody who does not want to choose."""

from collections.abc import Iterable

from server.coordinator.messages import Player, TableOptions, TableRow


def candidates(
    rows: Iterable[TableRow], wanted: TableOptions, player: Player
) -> tuple[TableRow, ...]:
    """Open tables with a seat for this player, the best first: those that play what is ``wanted``, then
    those that need the fewest more people to begin.
    """
    fit = [row for row in rows if row.has_room and not (row.options.rated and player.guest)]
    return tuple(sorted(fit, key=lambda row: (not _alike(row.options, wanted), _missing(row))))


def _missing(row: TableRow) -> int:
    return row.names.count("")


def _alike(one: TableOptions, other: TableOptions) -> bool:
    return (one.rules.edition, one.pace, one.rated) == (
        other.rules.edition,
        other.pace,
        other.rated,
    )
