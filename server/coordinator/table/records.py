"""What is kept of a game that is over."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from engine.record import record_of
from server.coordinator.messages import Ended, Occupant
from server.coordinator.table.model import Seat, TableState
from server.storage.store import FinishedGame


def finished_game(
    key: str, state: TableState, now: float, sources: Mapping[str, str]
) -> FinishedGame:
    """The record of the game that has just ended at a table, and whose results they are. ``sources`` says
    where people came from, by their ids.
    """
    assert state.game is not None
    more: dict[str, Any] = {
        "id": f"{key}-{state.number}",
        "table": state.title,
        "pace": state.options.pace.value,
        "times": {"ended": datetime.fromtimestamp(now, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")},
        "seats": [_seat(seat) for seat in state.seats],
    }
    if state.options.rated:
        more["rated"] = True
    if state.ended:
        more["ended"] = state.ended.value
    record = record_of(
        state.game,
        tuple(seat.name for seat in state.seats),
        seed=state.seed,
        more=more,
        ended_early=state.ended is not Ended.NO,
    )
    return FinishedGame(
        record.fields(),
        tuple(seat.player.id if seat.player else "" for seat in state.seats),
        now,
        tuple(sources.get(seat.player.id, "") if seat.player else "" for seat in state.seats),
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
