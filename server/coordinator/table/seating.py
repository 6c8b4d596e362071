"""Where everybody sits before the start: the owner may change it."""

from dataclasses import replace
from typing import TYPE_CHECKING

from server.coordinator.messages import Moved, MoveSeat, Reply, Status

if TYPE_CHECKING:
    from server.coordinator.table.actor import Table


async def move_seat(table: "Table", command: MoveSeat) -> Reply:
    """Somebody moves to another seat; who sits there changes places."""
    state = table.state
    if state.status is not Status.OPEN:
        return Reply("not_open")
    here, there = command.seat, command.to
    if not {here, there} <= set(range(len(state.seats))):
        return Reply("no_such_seat")
    mover, other = state.seats[here], state.seats[there]
    if mover.empty:
        return Reply("seat_empty")
    if here == there:
        return Reply()
    # Also what is kept for somebody changes places: as many seats are kept afterwards.
    after = state.with_seat(here, other).with_seat(there, mover)
    owner = {here: there, there: here}.get(state.owner, state.owner)
    await table.commit(replace(after, owner=owner), [Moved(there, mover.name, other.name)])
    return Reply()
