"""Games that stand still, go on or are broken off: pauses, nobody there, a restarted server."""

from dataclasses import replace
from typing import TYPE_CHECKING

from server.coordinator.messages import (
    Ended,
    GameEnded,
    Pace,
    Pause,
    Paused,
    Reply,
    Resumed,
    SentBack,
    Status,
)
from server.coordinator.table import bids, idle_timers
from server.coordinator.table.model import TableState
from server.coordinator.table.timers import TimerKind

if TYPE_CHECKING:
    from server.coordinator.table.actor import Table


async def stand_still(table: "Table", pause: Pause) -> None:
    """Stop the clock; whatever was planned for this round is stale from now on."""
    state = table.state
    left = max(0.0, state.deadline - table.house.clock.time()) if state.deadline else 0.0
    after = replace(
        state, pause=pause, pauses=state.pauses + 1, remaining=left, ballots=frozenset()
    )
    await table.commit(after, [Paused(pause)])
    bids.stop_clock(table)


async def resume(table: "Table", number: int) -> Reply:
    """A player wants to go on after a pause."""
    if table.state.status is not Status.PLAYING or not table.state.pause:
        return Reply("not_paused")
    await go_on(table, number)
    return Reply()


async def go_on(table: "Table", number: int) -> None:
    """The clock runs again. ``number`` is the seat that brought it about; -1 for none."""
    await table.commit(running_again(table, table.state), [Resumed(number)])
    bids.plan_round(table, table.house.timing.reveal)


def running_again(table: "Table", state: TableState) -> TableState:
    """``state``, which stands still, with its clock running."""
    timing, now = table.house.timing, table.house.clock.time()
    deadline = 0.0
    if state.options.pace is not Pace.UNTIMED:
        # After a standstill nobody remembers what was left: everybody has the full time again.
        fresh = state.pause is Pause.SUSPENDED or not state.remaining
        left = timing.recovery + state.options.seconds if fresh else state.remaining
        deadline = now + timing.reveal + left
    return replace(
        state,
        pause=Pause.NONE,
        pauses=state.pauses + 1,
        opened=now,
        deadline=deadline,
        remaining=0.0,
    )


async def end_game(table: "Table", ended: Ended) -> None:
    """Break the game off."""
    after = replace(
        table.state,
        status=Status.OVER,
        ended=ended,
        played_by=table.state.names,
        pause=Pause.NONE,
        deadline=0.0,
        ballots=frozenset(),
    )
    await table.commit(after, [GameEnded(ended)])
    bids.stop_clock(table)


async def nobody(table: "Table") -> None:
    """No person has been connected for long."""
    state = table.state
    if table.connected:
        return
    now = table.house.clock.time()
    if state.status is not Status.PLAYING:
        await table.shut()
    elif not state.has_people:
        # Its bots finish it.
        return
    elif now < idle_timers.kept_until(table):
        if not state.pause:
            await stand_still(table, Pause.SUSPENDED)
        idle_timers.deserted(table)
    elif state.guests_only and table.spectators:
        # It ends when they have gone, too.
        table.agenda.plan(now + table.house.timing.over, TimerKind.NOBODY)
    else:
        await end_game(table, Ended.ABANDONED)
        await table.shut()


async def close(table: "Table", code: str, *, deserted: bool) -> Reply:
    """The table has to go, whatever goes on there; with ``deserted``, unless somebody plays there."""
    if deserted and table.connected:
        return Reply("busy")
    if table.state.status is Status.PLAYING:
        await end_game(table, Ended.ABANDONED)
    await table.shut(SentBack(code, table.state.title))
    return Reply()


async def begin_again(table: "Table") -> None:
    """The server was restarted, and nobody is connected yet."""
    state, timing, now = table.state, table.house.timing, table.house.clock.time()
    table.absent = dict.fromkeys(table.people, now)
    table.back_by = now + timing.recovery
    if state.status is Status.PLAYING:
        if state.options.pace is Pace.CORRESPONDENCE:
            due = state.opened + timing.reveal + state.options.seconds
            deadline = max(due, now + timing.correspondence)
            table.state = replace(state, deadline=deadline, remaining=deadline - now)
        elif not state.pause and table.people:
            # The clock waits for the first who comes back; it would only run against everybody.
            table.state = replace(state, pause=Pause.SUSPENDED)
        bids.plan_round(table, 0.0)
    for number, seat in enumerate(state.seats):
        if seat.human and state.status is Status.OPEN:
            table.agenda.plan(now + timing.open_seat, TimerKind.FREE_SEAT, number)
        idle_timers.plan_vote(table, number)
    idle_timers.deserted(table)
    table.tell()
