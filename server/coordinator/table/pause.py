"""Games that stand still, go on or are broken off: pauses, nobody there, a restarted server."""

from dataclasses import replace

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
from server.coordinator.table.effects import Env, Shut, Step
from server.coordinator.table.inputs import Close
from server.coordinator.table.model import Member, Table
from server.coordinator.table.timers import kept_until
from server.coordinator.timing import Timing


def paused(table: Table, why: Pause, env: Env) -> Step:
    """Stop the clock."""
    left = max(0.0, table.deadline - env.now) if table.deadline else 0.0
    after = replace(table, pause=why, pauses=table.pauses + 1, remaining=left, ballots=frozenset())
    return Step(after, (Paused(why),))


def resume(table: Table, number: int, env: Env) -> Step | Reply:
    """A player wants to go on after a pause."""
    if table.status is not Status.PLAYING or not table.pause:
        return Reply("not_paused")
    return resumed(table, number, env)


def resumed(table: Table, number: int, env: Env) -> Step:
    """The clock runs again. ``number`` is the seat that brought it about; -1 for none."""
    return Step(running_again(table, env), (Resumed(number),))


def running_again(table: Table, env: Env) -> Table:
    """The same with its clock running."""
    read_until = env.now + env.timing.reveal
    deadline = 0.0
    if table.options.pace is not Pace.UNTIMED:
        # After a standstill nobody remembers what was left: everybody has the full time again.
        fresh = table.pause is Pause.SUSPENDED or not table.remaining
        left = env.timing.recovery + table.options.seconds if fresh else table.remaining
        deadline = read_until + left
    return replace(
        table,
        pause=Pause.NONE,
        pauses=table.pauses + 1,
        opened=env.now,
        read_until=read_until,
        deadline=deadline,
        remaining=0.0,
    )


def ended(table: Table, why: Ended) -> Step:
    """Break the game off."""
    after = replace(
        table,
        status=Status.OVER,
        ended=why,
        played_by=table.names,
        pause=Pause.NONE,
        deadline=0.0,
        ballots=frozenset(),
    )
    return Step(after, (GameEnded(why),))


def nobody(table: Table, env: Env) -> Step:
    """No person has been connected for long."""
    if table.status is not Status.PLAYING:
        return Step(table, effects=(Shut(),))
    if env.now < kept_until(table, env.timing):
        return paused(table, Pause.SUSPENDED, env)
    if table.guests_only and table.spectators:
        # It ends when they have gone, too.
        return paused(table, Pause.SUSPENDED, env)
    return replace(ended(table, Ended.ABANDONED), effects=(Shut(),))


def close(table: Table, command: Close) -> Step | Reply:
    """The table has to go, whatever goes on there; with ``deserted``, unless somebody plays there."""
    if command.deserted and table.connected:
        return Reply("busy")
    step = ended(table, Ended.ABANDONED) if table.status is Status.PLAYING else Step(table)
    return replace(step, effects=(Shut(SentBack(command.code, table.title)),))


def taken_up(table: Table, now: float, timing: Timing) -> Table:
    """A table from the store, after a restart of the server: nobody is connected yet."""
    people = {
        seat.player.id: Member(seat.player, absent=now)
        for seat in table.seats
        if seat.human and seat.player is not None
    }
    deserted = table.deserted if table.status is Status.PLAYING and table.deserted else now
    table = replace(table, people=people, restarted=now, deserted=deserted)
    if table.status is not Status.PLAYING:
        return table
    if table.daily:
        least = now + timing.correspondence
        deadline = max(table.opened + timing.reveal + table.options.seconds, least)
        return replace(table, deadline=deadline, remaining=deadline - now)
    if not table.pause and people:
        # The clock waits for the first who comes back; it would only run against everybody.
        return replace(table, pause=Pause.SUSPENDED)
    return table
