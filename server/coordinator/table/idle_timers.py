"""What is planned while people are not connected."""

from dataclasses import replace
from typing import TYPE_CHECKING

from server.coordinator.messages import DAY, Pace, Pause, Status
from server.coordinator.table.model import TableState
from server.coordinator.table.timers import TimerKind
from server.coordinator.timing import Timing

if TYPE_CHECKING:
    from server.coordinator.table.actor import Table


def plan_vote(table: "Table", number: int) -> None:
    """If the player on this seat is absent: plan when the others may vote about it, or without it."""
    since, state = table.absent_since(number), table.state
    daily = state.options.pace is Pace.CORRESPONDENCE
    if since and state.status is Status.PLAYING and not daily:
        table.agenda.plan(since + table.house.timing.absent, TimerKind.REPLACEABLE, number)


def kept_for(state: TableState, timing: Timing) -> float:
    """So many seconds this game is kept with nobody connected. Guests hardly ever come back for one; who has
    an account, has voted to pause it, or plays a round a day does.
    """
    lasting = state.pause is Pause.VOTED or state.options.pace is Pace.CORRESPONDENCE
    return min(timing.guests, timing.keep) if state.guests_only and not lasting else timing.keep


def kept_until(table: "Table") -> float:
    """Until when this game is kept, if nobody comes. After a restart everybody is given a day, or what there
    is for guests, anew: they could not come back before, and the clock may have been put right meanwhile.
    """
    state, house = table.state, table.house
    seconds = kept_for(state, house.timing)
    return max(state.deserted + seconds, house.started + min(seconds, DAY))


async def close_if_empty(table: "Table") -> None:
    """A table whose game is over and where nobody sits or watches is no more."""
    if table.state.status is Status.OVER and not table.state.has_people and not table.spectators:
        await table.shut()


def deserted(table: "Table") -> None:
    """If no person is connected: plan what becomes of the table."""
    if table.connected:
        return
    state, timing, now = table.state, table.house.timing, table.house.clock.time()
    if state.status is Status.OPEN:
        table.agenda.plan(now + timing.open_seat, TimerKind.NOBODY)
    elif state.status is Status.OVER:
        # Who plays a round a day looks in once a day.
        daily = state.options.pace is Pace.CORRESPONDENCE
        table.agenda.plan(now + (timing.keep if daily else timing.over), TimerKind.NOBODY)
    else:
        table.state = state = replace(state, deserted=state.deserted or now)
        if state.options.pace is Pace.CORRESPONDENCE or not state.has_people:
            return
        end = kept_until(table)
        table.agenda.plan(
            end if state.pause else min(end, state.deserted + timing.suspend), TimerKind.NOBODY
        )
