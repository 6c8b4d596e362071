"""Who is there and who is not: lines that drop and come back, away seats, leaving for good."""

from dataclasses import replace
from typing import TYPE_CHECKING

from engine.bots import SUBSTITUTE_STRATEGY
from server.coordinator.messages import (
    CameBack,
    Disconnected,
    Happening,
    LeftForGood,
    Occupant,
    Pause,
    Reconnected,
    Reply,
    Resumed,
    Status,
)
from server.coordinator.people.presence import Presence
from server.coordinator.table import bids, idle_timers, pausing, setup, votes
from server.coordinator.table.timers import TimerKind

if TYPE_CHECKING:
    from server.coordinator.table.actor import Table


async def look(table: "Table", presence: Presence) -> None:
    """A player came or is gone."""
    player = presence.player
    here = presence.feed is not None
    number = table.state.seat_of(player.id)
    if number >= 0:
        if here and player.id in table.absent:
            await _back(table, presence, number)
        elif here:
            table.show(presence)
            await _rename(table, presence, number)
        elif player.id not in table.absent:
            await _gone(table, presence, number)
    elif player.id in table.spectators:
        if here:
            table.show(presence)
        else:
            table.release(presence)
            table.tell()
            await idle_timers.close_if_empty(table)


async def _back(table: "Table", presence: Presence, number: int) -> None:
    player = presence.player
    del table.absent[player.id]
    table.agenda.drop(TimerKind.NOBODY)
    # Only in memory so far: whoever comes back sees the table even when nothing can be written just now.
    ballots = frozenset(ballot for ballot in table.state.ballots if ballot.target != number)
    table.state = state = replace(table.state, deserted=0.0, ballots=ballots)
    table.tell([Reconnected(number, player.name)])
    await _rename(table, presence, number)
    if state.pause is Pause.SUSPENDED:
        await pausing.go_on(table, number)
    else:
        # Nobody was here to wait for the bots of those who are away.
        for other, sitting in enumerate(state.seats):
            if sitting.away:
                bids.plan_bot(table, other)


async def _rename(table: "Table", presence: Presence, number: int) -> None:
    """Players may come back under another name."""
    seat, player = table.state.seats[number], presence.player
    if seat.player != player:
        renamed = replace(seat, name=player.name, player=player)
        await table.commit(table.state.with_seat(number, renamed))


async def _gone(table: "Table", presence: Presence, number: int) -> None:
    state, timing, now = table.state, table.house.timing, table.house.clock.time()
    table.absent[presence.player.id] = now
    table.state = replace(
        state, ballots=frozenset(ballot for ballot in state.ballots if ballot.seat != number)
    )
    if state.status is Status.OPEN:
        table.agenda.plan(now + timing.open_seat, TimerKind.FREE_SEAT, number)
    idle_timers.plan_vote(table, number)
    idle_timers.deserted(table)
    table.tell([Disconnected(number, presence.player.name)])
    await count_again(table)


async def count_again(table: "Table") -> None:
    """With fewer people around, or on another attempt, a vote or a rematch may be settled."""
    if table.state.status is Status.PLAYING:
        await votes.settle(table)
    elif table.state.status is Status.OVER:
        await setup.rematch_if_all_agree(table)


async def free_seats(table: "Table") -> None:
    """Seats at an open table are not kept for ever."""
    latest = table.house.clock.time() - table.house.timing.open_seat
    for player, since in list(table.absent.items()):
        if table.state.status is Status.OPEN and since <= latest:
            await setup.free_seat(table, table.state.seat_of(player))


async def touch(table: "Table", number: int) -> Reply:
    """A player pressed a key."""
    seat = table.state.seats[number]
    if seat.away or seat.missed:
        after = table.state.with_seat(number, replace(seat, away=False, missed=0))
        happenings = [CameBack(number, seat.name)] if seat.away else []
        await table.commit(after, happenings, only=None if happenings else number)
    if table.state.pause is Pause.SUSPENDED:
        await pausing.go_on(table, number)
    return Reply()


async def leave(table: "Table", presence: Presence) -> Reply:
    """A player goes to the lobby; in a running game a bot plays on for good."""
    number = table.state.seat_of(presence.player.id)
    if number < 0:
        table.release(presence)
        table.tell()
        await idle_timers.close_if_empty(table)
        return Reply()
    if table.state.status is not Status.PLAYING:
        await setup.free_seat(table, number)
        if table.state.status is Status.OVER:
            await setup.rematch_if_all_agree(table)
        return Reply()
    seat = table.state.seats[number]
    bot = replace(
        seat,
        occupant=Occupant.BOT,
        strategy=SUBSTITUTE_STRATEGY,
        away=False,
        missed=0,
        left=True,
    )
    after = table.state.with_seat(number, bot)
    ballots = frozenset(b for b in after.ballots if number not in (b.seat, b.target))
    after, owners = setup.handed_on(table, replace(after, ballots=ballots), number)
    happenings: list[Happening] = [LeftForGood(number, seat.name), *owners]
    deserted = not any(seat.human for seat in after.seats)
    if deserted and after.pause:
        # Nobody could have the game go on later.
        after = pausing.running_again(table, after)
        happenings.append(Resumed(-1))
    await table.commit(after, happenings)
    table.release(presence)
    if not deserted:
        bids.plan_bot(table, number)
        idle_timers.deserted(table)
        table.tell()
        await votes.settle(table)
    else:
        # Nobody to wait for: the bots finish it, for the sake of the leavers' results.
        idle_timers.deserted(table)
        bids.plan_round(table, 0.0)
    return Reply()
