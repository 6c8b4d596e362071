"""What is kept of a game that is over."""

from datetime import UTC, datetime
from typing import Any

from engine.record import record_of
from server.coordinator.messages import Ended, Occupant
from server.coordinator.table.model import Seat, Table
from server.storage.store import FinishedGame


def finished_game(key: str, table: Table, now: float) -> FinishedGame:
    """The record of the game that has just ended at a table, and whose results they are."""
    assert table.game is not None
    more: dict[str, Any] = {
        "id": f"{key}-{table.number}",
        "table": table.title,
        "pace": table.options.pace.value,
        "times": {"ended": datetime.fromtimestamp(now, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")},
        "seats": [_seat(seat) for seat in table.seats],
    }
    if table.options.rated:
        more["rated"] = True
    if table.ended:
        more["ended"] = table.ended.value
    record = record_of(
        table.game,
        tuple(seat.name for seat in table.seats),
        seed=table.seed,
        more=more,
        ended_early=table.ended is not Ended.NO,
    )
    return FinishedGame(
        record.fields(),
        tuple(seat.player.id if seat.player else "" for seat in table.seats),
        now,
        tuple(table.sources.get(seat.player.id, "") if seat.player else "" for seat in table.seats),
    )


def _seat(seat: Seat) -> dict[str, str | int]:
    """Who sat there. ``left``: a bot played on for a player who had left; ``joined``: a person played on
    for a bot, from stage ``since`` (counted from 1).
    """
    if seat.since:
        return {"kind": "joined", "since": seat.since + 1}
    if seat.left:
        return {"kind": "left"}
    if seat.occupant is Occupant.BOT:
        return {"kind": "bot", "strategy": seat.strategy}
    return {"kind": "human"}
