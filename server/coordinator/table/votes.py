"""Votes of the connected players: to let a bot bid for somebody absent, to pause, to end the game."""

from dataclasses import replace
from typing import TYPE_CHECKING

from server.coordinator.messages import (
    Ended,
    Happening,
    Motion,
    Pause,
    Reply,
    Status,
    Vote,
    Voted,
    WentAway,
)
from server.coordinator.table import bids, pausing
from server.coordinator.table.model import Ballot, TableState

if TYPE_CHECKING:
    from server.coordinator.table.actor import Table


async def vote(table: "Table", number: int, command: Vote) -> Reply:
    """A player agrees to a motion, or no longer does."""
    state = table.state
    if state.status is not Status.PLAYING:
        return Reply("not_playing")
    target = command.seat if command.motion is Motion.REPLACE else -1
    if command.motion is Motion.REPLACE:
        if target not in range(len(state.seats)) or not table.is_replaceable(target):
            return Reply("not_absent")
    elif command.motion is Motion.PAUSE and state.pause:
        return Reply("paused")
    ballot = Ballot(command.motion, target, number)
    if (ballot in state.ballots) != command.agree:
        ballots = state.ballots ^ {ballot}
        cast: Happening = Voted(
            number, state.seats[number].name, command.motion, target, command.agree
        )
        await table.commit(replace(state, ballots=ballots), [cast])
    await settle(table)
    return Reply()


async def settle(table: "Table") -> None:
    """Carry out what enough players agree to."""
    for info in table.votes:
        if len(info.agreed) < max(1, info.needed):
            continue
        if info.motion is Motion.END:
            await pausing.end_game(table, Ended.VOTED)
            return
        if info.motion is Motion.PAUSE:
            await pausing.stand_still(table, Pause.VOTED)
            return
        lasting = frozenset(
            ballot
            for ballot in table.state.ballots
            if (ballot.motion, ballot.target) != (info.motion, info.seat)
        )
        await _send_away(table, replace(table.state, ballots=lasting), info.seat)


async def _send_away(table: "Table", state: TableState, number: int) -> None:
    """A bot bids for this player until he or she is back."""
    seat = state.seats[number]
    await table.commit(
        state.with_seat(number, replace(seat, away=True)), [WentAway(number, seat.name)]
    )
    bids.plan_bot(table, number)
