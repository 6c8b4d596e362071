"""Games that go on, stand still or are broken off: the clock, pauses, votes, nobody there, a restart."""

from msgspec.structs import replace

from server.coordinator import messages as m
from server.coordinator.table.state import Ballot, Member, Table
from server.coordinator.table.steps import By, Close, Env, Shut, Step, command
from server.coordinator.table.timers import kept_until
from server.settings.settings import Timing


def paused(table: Table, why: m.Pause, env: Env) -> Step:
    """Stop the clock."""
    left = max(0.0, table.deadline - env.now) if table.deadline else 0.0
    after = replace(table, pause=why, pauses=table.pauses + 1, remaining=left, ballots=frozenset())
    return Step(after, (m.Paused(why),))


@command(m.Resume, in_events=False)
def resume(table: Table, by: By, _: m.Resume, env: Env) -> Step:
    """A player wants to go on after a pause."""
    return resumed(table, by.seat, env)


def resumed(table: Table, number: int, env: Env) -> Step:
    """Resume a paused game, or one that a player has come back to."""
    m.refuse_if(table.status is not m.Status.PLAYING or not table.pause, m.Refusal.NOT_PAUSED)
    return Step(running_again(table, env), (m.Resumed(number),))


def running_again(table: Table, env: Env) -> Table:
    """Return the table with its clock running."""
    # After a standstill nobody remembers what was left: everybody has the full time again.
    fresh = table.pause is m.Pause.SUSPENDED or not table.remaining
    left = env.timing.recovery + table.options.seconds if fresh else table.remaining
    table = replace(table, pause=m.Pause.NONE, pauses=table.pauses + 1, remaining=0.0)
    return table.with_deadline(env.now, env.timing.reveal, left)


def ended(table: Table, why: m.Ended) -> Step:
    """Break the game off."""
    return Step(table.over(why), (m.GameEnded(why),))


def nobody(table: Table, env: Env) -> Step:
    """No person has been connected for long."""
    if table.status is not m.Status.PLAYING:
        return Step(table, effects=(Shut(),))
    # A game of guests that is watched ends when those who watch have gone, too.
    watched = table.guests_only and table.spectators
    if watched or env.now < kept_until(table, env.timing):
        return paused(table, m.Pause.SUSPENDED, env)
    return replace(ended(table, m.Ended.ABANDONED), effects=(Shut(),))


def close(table: Table, given: Close) -> Step:
    """The table has to go, whatever goes on there; with ``deserted``, unless somebody plays there."""
    m.refuse_if(given.deserted and table.connected, m.Refusal.BUSY)
    step = ended(table, m.Ended.ABANDONED) if table.status is m.Status.PLAYING else Step(table)
    return replace(step, effects=(Shut(m.SentBack(given.code, table.title)),))


def taken_up(table: Table, now: float, timing: Timing) -> Table:
    """A table from the store, after a restart of the server: nobody is connected yet."""
    people = {player.id: Member(player, absent=now) for _, player in table.seated}
    deserted = table.deserted if table.status is m.Status.PLAYING and table.deserted else now
    table = replace(table, people=people, restarted=now, deserted=deserted)
    # Who is back after a restart decides anew, unless nobody had to be there for a vote.
    table = replace(table, ballots=table.ballots if table.daily else frozenset(), deadline=0.0)
    if table.status is not m.Status.PLAYING:
        return table
    if table.daily:
        least = now + timing.correspondence
        deadline = max(table.opened + timing.reveal + table.options.seconds, least)
        return replace(table, deadline=deadline, remaining=deadline - now)
    if table.event and table.shared and not table.shared.waits:
        # Nobody is waited for; but all have time to come back.
        deadline = now + timing.recovery + table.options.seconds
        return replace(table, deadline=deadline)
    if not table.pause and people:
        # The clock waits for the first who comes back; it would only run against everybody.
        return replace(table, pause=m.Pause.SUSPENDED)
    return table


@command(m.Vote, in_events=False)
def vote(table: Table, by: By, given: m.Vote, env: Env) -> Step:
    """A player agrees to a motion, or no longer does."""
    m.refuse_if(table.status is not m.Status.PLAYING, m.Refusal.NOT_PLAYING)
    motion, number = given.motion, by.seat
    target = given.seat if motion is m.Motion.REPLACE else -1
    replaceable = [n for n in range(len(table.seats)) if table.is_replaceable(n)]
    m.refuse_if(motion is m.Motion.REPLACE and target not in replaceable, m.Refusal.NOT_ABSENT)
    m.refuse_if(motion is m.Motion.PAUSE and table.pause, m.Refusal.PAUSED)
    ballot = Ballot(motion, target, number)
    if (ballot in table.ballots) == given.agree:
        return Step(table)
    cast = m.Voted(number, table.seats[number].name, motion, target, given.agree)
    return Step(replace(table, ballots=table.ballots ^ {ballot}), (cast,))


def carry_out(table: Table, env: Env) -> Step:
    """Do what enough players agree to."""
    info = table.carried
    if info is None:
        return Step(table)
    if info.motion is m.Motion.END:
        return ended(table, m.Ended.VOTED)
    if info.motion is m.Motion.PAUSE:
        return paused(table, m.Pause.VOTED, env)
    # A bot bids for this player until he or she is back.
    lasting = frozenset(b for b in table.ballots if b[:2] != (info.motion, info.seat))
    seat = table.seats[info.seat]
    after = replace(table, ballots=lasting).with_seat(info.seat, replace(seat, away=True))
    return Step(after, (m.WentAway(info.seat, seat.name),))
