"""Votes of the connected players: to let a bot bid for somebody absent, to pause, to end the game."""

from dataclasses import replace

from server.coordinator.messages import Ended, Motion, Pause, Reply, Status, Vote, Voted, WentAway
from server.coordinator.table import motions, pause
from server.coordinator.table.effects import Env, Step
from server.coordinator.table.model import Ballot, Table


def vote(table: Table, number: int, command: Vote) -> Step | Reply:
    """A player agrees to a motion, or no longer does."""
    if table.status is not Status.PLAYING:
        return Reply("not_playing")
    motion = command.motion
    target = command.seat if motion is Motion.REPLACE else -1
    if motion is Motion.REPLACE:
        if target not in range(len(table.seats)) or not table.is_replaceable(target):
            return Reply("not_absent")
    elif motion is Motion.PAUSE and table.pause:
        return Reply("paused")
    ballot = Ballot(motion, target, number)
    if (ballot in table.ballots) == command.agree:
        return Step(table)
    cast = Voted(number, table.seats[number].name, motion, target, command.agree)
    return Step(replace(table, ballots=table.ballots ^ {ballot}), (cast,))


def carry_out(table: Table, env: Env) -> Step:
    """Do what enough players agree to."""
    info = motions.carried(table)
    if info is None:
        return Step(table)
    if info.motion is Motion.END:
        return pause.ended(table, Ended.VOTED)
    if info.motion is Motion.PAUSE:
        return pause.paused(table, Pause.VOTED, env)
    # A bot bids for this player until he or she is back.
    lasting = frozenset(b for b in table.ballots if b[:2] != (info.motion, info.seat))
    seat = table.seats[info.seat]
    after = replace(table, ballots=lasting).with_seat(info.seat, replace(seat, away=True))
    return Step(after, (WentAway(info.seat, seat.name),))
