"""A table is a function: what it is and what comes to it decide what it is then, what is written and told.

Nothing here waits, writes, reads a clock or draws by lot on its own, and nothing raises for anything that
can come: what cannot be done is a refusal, and what is out of date changes nothing.
"""

from dataclasses import replace

from server.coordinator.messages import (
    AddBot,
    ChangeOptions,
    Closing,
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
from server.coordinator.table import bids, connections, invitation, pause, seats, setup, votes
from server.coordinator.table.effects import Effect, Env, Shut, Step
from server.coordinator.table.inputs import (
    Announced,
    Asked,
    BotsChose,
    Came,
    Close,
    Due,
    Fill,
    Gone,
    Input,
    Rated,
    Restarted,
    StopWatching,
    Turn,
    WordChecked,
    WordHashed,
)
from server.coordinator.table.model import Member, Table
from server.coordinator.table.timers import Timer, TimerKind, due

_OwnersCommand = (
    AddBot | RemoveSeat | ChangeOptions | StartGame | HandOver | MoveSeat | KeepSeat | SetWord
)


def decide(table: Table, given: Input, env: Env) -> Step:
    """What ``given`` leads to."""
    result = _decide(table, given, env)
    if isinstance(result, Reply):
        return Step(table, reply=result)
    if result.table is table:
        return result
    after = bids.with_bot_times(table, _with_absences(table, result.table, env), env)
    effects = result.effects
    if after.status is Status.OVER and after.left_to_bots and not _shuts(effects):
        effects = (*effects, Shut())
    return replace(result, table=after, effects=effects)


def _shuts(effects: tuple[Effect, ...]) -> bool:
    return any(isinstance(effect, Shut) for effect in effects)


def _with_absences(before: Table, table: Table, env: Env) -> Table:
    """Note since when nobody who plays here is connected, and where people came from who do."""
    deserted = 0.0
    if not table.connected:
        over = before.status is Status.PLAYING and table.status is Status.OVER
        deserted = env.now if over else table.deserted or env.now
    if deserted != table.deserted:
        table = replace(table, deserted=deserted)
    if table.people is not before.people or table.number != before.number:
        here = {id_: member.source for id_, member in table.people.items() if member.source}
        table = replace(table, sources={**table.sources, **here})
    return table


def _decide(table: Table, given: Input, env: Env) -> Step | Reply:
    match given:
        case Asked():
            return _asked(table, given, env)
        case Due():
            return _due(table, given.timer, env)
        case BotsChose():
            return bids.bots_chose(table, given, env)
        case Came():
            return connections.came(table, given.who)
        case Gone():
            return connections.gone(table, given.player, env)
        case Rated():
            return connections.rated(table, given)
        case Turn():
            return bids.ask_bots(table, given) if wants_turn(table) else Step(table)
        case WordChecked():
            return invitation.word_checked(table, given, env)
        case WordHashed():
            return invitation.word_hashed(table, given)
        case Announced():
            return Step(replace(table, closing=given.when), (Closing(given.when),), apart=True)
        case Close():
            return pause.close(table, given)
        case Restarted():
            return Step(replace(table, restarted=env.now))


def wants_turn(table: Table) -> bool:
    """Whether bots have a round to bid and nobody waits for them."""
    return table.running and table.left_to_bots


def _due(table: Table, timer: Timer, env: Env) -> Step | Reply:
    if timer.when > env.now or timer not in due(table, env.timing):
        return Step(table)
    match timer.kind:
        case TimerKind.BID | TimerKind.TIME_UP:
            return bids.ask_bots(table, timer)
        case TimerKind.OVERDUE:
            return connections.overdue(table, timer.seat)
        case TimerKind.FREE_SEAT:
            return seats.freed(table, timer.seat)
        case TimerKind.NOBODY:
            return pause.nobody(table, env)
        case TimerKind.RENAME:
            return connections.renamed(table, timer.seat)
        case TimerKind.RESUME:
            return pause.resumed(table, timer.seat, env)
        case TimerKind.VOTES:
            return votes.carry_out(table, env)
        case TimerKind.REMATCH:
            return setup.begin_rematch(table, env)


def _asked(table: Table, asked: Asked, env: Env) -> Step | Reply:
    who, command = asked.who, asked.command
    number = table.seat_of(who.player.id)
    match command:
        case JoinTable() | WatchTable() if number >= 0:
            return Reply("seated_elsewhere")
        case JoinTable() | WatchTable():
            return invitation.comes(table, asked, command, env)
        case LeaveTable():
            return connections.leave(table, who.player.id, env)
        case Fill() if number < 0:
            return setup.fill(table, who, command, env)
        case StopWatching() if number < 0:
            return connections.leave(table, who.player.id, env)
        case Fill() | StopWatching():
            return Reply("seated_elsewhere")
    if number < 0:
        return Reply("not_seated")
    if isinstance(command, _OwnersCommand):
        return _owner(table, who, command, env) if number == table.owner else Reply("not_owner")
    return _player(table, number, command, env)


def _owner(table: Table, who: Member, command: _OwnersCommand, env: Env) -> Step | Reply:
    match command:
        case AddBot():
            return seats.add_bot(table, command, env)
        case RemoveSeat():
            return seats.remove_seat(table, who, command, env)
        case ChangeOptions():
            return setup.change_options(table, command)
        case HandOver():
            return seats.hand_over(table, command)
        case MoveSeat():
            return seats.move_seat(table, command)
        case KeepSeat():
            return seats.keep_seat(table, command)
        case SetWord():
            return invitation.set_word(table, command)
        case StartGame():
            return setup.start_game(table, who, env)


def _player(table: Table, number: int, command: Command, env: Env) -> Step | Reply:
    match command:
        case PlaceBid():
            return bids.place_bid(table, number, command, env)
        case Touch():
            return connections.touch(table, number)
        case Vote():
            return votes.vote(table, number, command)
        case Resume():
            return pause.resume(table, number, env)
        case Rematch():
            return setup.rematch(table, number, env)
        case _:
            return Reply("seated_elsewhere")
