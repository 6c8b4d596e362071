"""Which handler does what: commands of players, and what is due on a table's agenda."""

from typing import TYPE_CHECKING

from server.coordinator.messages import (
    AddBot,
    ChangeOptions,
    Command,
    HandOver,
    JoinTable,
    KeepSeat,
    LeaveTable,
    MoveSeat,
    PlaceBid,
    Rematch,
    RemoveSeat,
    Reply,
    Resume,
    SetWord,
    StartGame,
    Status,
    Touch,
    Vote,
    WatchTable,
)
from server.coordinator.people.presence import Presence
from server.coordinator.table import absence, bids, invitation, pausing, seating, setup, votes
from server.coordinator.table.inputs import Fill, StopWatching
from server.coordinator.table.timers import Task, TimerKind
from server.storage.store import StoreError

if TYPE_CHECKING:
    from server.coordinator.table.actor import Table

_Owners = AddBot | RemoveSeat | ChangeOptions | StartGame | HandOver | MoveSeat | KeepSeat | SetWord


async def command(
    table: "Table", presence: Presence, asked: Command | Fill | StopWatching
) -> Reply:
    """Carry out a command, or say why not."""
    number = table.state.seat_of(presence.player.id)
    if isinstance(asked, JoinTable):
        return await setup.sit(table, presence, asked)
    if isinstance(asked, WatchTable):
        return await setup.watch(table, presence, asked)
    if isinstance(asked, LeaveTable):
        return await absence.leave(table, presence)
    if number < 0:
        return await _unseated(table, presence, asked)
    if isinstance(asked, _Owners):
        if number != table.state.owner:
            return Reply("not_owner")
        return await _owners(table, presence, asked)
    return await _players(table, number, asked)


async def _unseated(
    table: "Table", presence: Presence, asked: Command | Fill | StopWatching
) -> Reply:
    if isinstance(asked, Fill):
        return await setup.fill(table, presence, asked.quick, asked.instead)
    if isinstance(asked, StopWatching):
        return await absence.leave(table, presence)
    return Reply("not_seated")


async def _owners(table: "Table", presence: Presence, asked: _Owners) -> Reply:
    match asked:
        case AddBot():
            return await setup.add_bot(table, asked)
        case RemoveSeat():
            return await setup.remove_seat(table, presence, asked)
        case ChangeOptions():
            return await setup.change_options(table, asked)
        case HandOver():
            return await setup.hand_over(table, asked)
        case MoveSeat():
            return await seating.move_seat(table, asked)
        case KeepSeat():
            return await invitation.keep_seat(table, asked)
        case SetWord():
            return await invitation.set_word(table, asked)
        case StartGame():
            return await setup.start_game(table, presence)


async def _players(table: "Table", number: int, asked: Command | Fill | StopWatching) -> Reply:
    match asked:
        case PlaceBid():
            return await bids.place_bid(table, number, asked)
        case Touch():
            return await absence.touch(table, number)
        case Vote():
            return await votes.vote(table, number, asked)
        case Resume():
            return await pausing.resume(table, number)
        case Rematch():
            return await setup.rematch(table, number)
        case _:
            return Reply("seated_elsewhere")


async def due(table: "Table") -> None:
    """Do everything on the agenda that has come due."""
    for task in table.agenda.due():
        if not table.is_open:
            return
        try:
            await _do(table, task)
        except StoreError as error:
            table.storage_failed(error)
            again = table.house.clock.time() + table.house.timing.retry
            table.agenda.plan(again, task.kind, task.seat, task.moment)


async def _do(table: "Table", task: Task) -> None:
    match task.kind:
        case TimerKind.BID:
            await bids.bot_bids(table, task)
        case TimerKind.TIME_UP:
            await bids.time_up(table, task)
        case TimerKind.REPLACEABLE:
            table.tell()
            if table.state.status is Status.PLAYING:
                await votes.settle(table)
        case TimerKind.FREE_SEAT:
            await absence.free_seats(table)
        case TimerKind.COUNT:
            await absence.count_again(table)
        case TimerKind.NOBODY:
            await pausing.nobody(table)
