"""What is kept of a game that is over."""

from engine.record import record_of
from server.coordinator.messages import Ended, Occupant
from server.coordinator.state import TableState
from server.storage.store import FinishedGame


def finished_game(key: str, state: TableState, now: float) -> FinishedGame:
    """The record of the game that has just ended at a table, and whose results they are."""
    assert state.game is not None
    kinds = [
        "left" if seat.left else "bot" if seat.occupant is Occupant.BOT else "human"
        for seat in state.seats
    ]
    more = {
        "id": f"{key}-{state.number}",
        "table": state.title,
        "pace": state.options.pace.value,
        "finished": round(now),
        "seats": kinds,
    }
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
    )
