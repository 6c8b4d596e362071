"""Votes of the players: to pause a game, to end it, to let a bot bid for somebody."""

from msgspec.structs import replace

from server.coordinator import messages as m
from server.coordinator.table.dispatch import By, command
from server.coordinator.table.pause import ended, paused
from server.coordinator.table.state import Ballot, Table
from server.coordinator.table.steps import Env, Step


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
