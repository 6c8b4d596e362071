"""What is planned while people are not connected."""

from dataclasses import replace
from typing import TYPE_CHECKING

from server.coordinator.agenda import Kind
from server.coordinator.messages import Pace, Status

if TYPE_CHECKING:
    from server.coordinator.table import Table


def plan_vote(table: "Table", number: int) -> None:
    """If the player on this seat is absent: plan when the others may vote about it."""
    since = table.absent_since(number)
    if since and table.state.status is Status.PLAYING and table.state.options.pace is Pace.UNTIMED:
        table.agenda.plan(since + table.house.timing.absent, Kind.REPLACEABLE, number)


def deserted(table: "Table") -> None:
    """If no person is connected: plan what becomes of the table."""
    if table.connected:
        return
    state, timing, now = table.state, table.house.timing, table.house.clock.time()
    if state.status is Status.OPEN:
        table.agenda.plan(now + timing.open_seat, Kind.NOBODY)
    elif state.status is Status.OVER:
        # Who plays a round a day looks in once a day.
        daily = state.options.pace is Pace.CORRESPONDENCE
        table.agenda.plan(now + (timing.keep if daily else timing.over), Kind.NOBODY)
    elif state.options.pace is not Pace.CORRESPONDENCE:
        since = state.deserted or now
        table.state = replace(state, deserted=since)
        table.agenda.plan(since + (timing.keep if state.pause else timing.suspend), Kind.NOBODY)
