"""Votes of the connected players: to let a bot bid for somebody absent, to pause, to end the game."""

from msgspec.structs import replace

from server.coordinator import messages as m
from server.coordinator.table import pause
from server.coordinator.table.effects import Env, Step
from server.coordinator.table.model import Ballot, Table


def vote(table: Table, number: int, command: m.Vote) -> Step:
    """A player agrees to a motion, or no longer does."""
    if table.status is not m.Status.PLAYING:
        raise m.Refused(m.Refusal.NOT_PLAYING)
    motion = command.motion
    target = command.seat if motion is m.Motion.REPLACE else -1
    if motion is m.Motion.REPLACE:
        if target not in range(len(table.seats)) or not table.is_replaceable(target):
            raise m.Refused(m.Refusal.NOT_ABSENT)
    elif motion is m.Motion.PAUSE and table.pause:
        raise m.Refused(m.Refusal.PAUSED)
    ballot = Ballot(motion, target, number)
    if (ballot in table.ballots) == command.agree:
        return Step(table)
    cast = m.Voted(number, table.seats[number].name, motion, target, command.agree)
    return Step(replace(table, ballots=table.ballots ^ {ballot}), (cast,))


def carry_out(table: Table, env: Env) -> Step:
    """Do what enough players agree to."""
    info = table.carried
    if info is None:
        return Step(table)
    if info.motion is m.Motion.END:
        return pause.ended(table, m.Ended.VOTED)
    if info.motion is m.Motion.PAUSE:
        return pause.paused(table, m.Pause.VOTED, env)
    # A bot bids for this player until he or she is back.
    lasting = frozenset(b for b in table.ballots if b[:2] != (info.motion, info.seat))
    seat = table.seats[info.seat]
    after = replace(table, ballots=lasting).with_seat(info.seat, replace(seat, away=True))
    return Step(after, (m.WentAway(info.seat, seat.name),))
