"""A table is a function: what it is and what comes to it decide what it is then, what is written and told.

Nothing here waits, writes, reads a clock or draws by lot on its own, and ``decide`` raises for nothing that
can come: what cannot be done is a refusal (the modules of the subjects raise ``Refused``), and what is out of
date changes nothing.
"""

from typing import Final

from msgspec.structs import replace

from engine.errors import IllegalAction
from server.coordinator import messages as m
from server.coordinator.table import attendance, bids, pause, seats, start, steps
from server.coordinator.table.state import Table, Thought
from server.coordinator.table.steps import By, Env, Shut, Step, carried_out
from server.coordinator.table.timers import TableTimer, TimerKind, due

_COMING: Final = m.OpeningCommand | m.JoinTable | m.WatchTable


def decide(table: Table, given: steps.Input, env: Env) -> Step:
    """What ``given`` leads to."""
    try:
        step = _decide(table, given, env)
    except m.Refused as refused:
        return Step(table, reply=refused.reply)
    except IllegalAction as error:
        return Step(table, reply=m.Reply(error.code, dict(error.details)))
    if step.table is table:
        return step
    after = bids.with_bot_times(table, _with_absences(table, step.table, env), env)
    effects = step.effects
    if after.status is m.Status.OVER and after.left_to_bots:
        shuts = any(isinstance(effect, Shut) for effect in effects)
        effects = effects if shuts else (*effects, Shut())
    return replace(step, table=after, effects=effects)


def _with_absences(before: Table, table: Table, env: Env) -> Table:
    """Note since when nobody who plays here is connected, and where people came from who do."""
    deserted = 0.0
    if not table.connected:
        over = before.status is m.Status.PLAYING and table.status is m.Status.OVER
        deserted = env.now if over else table.deserted or env.now
    if deserted != table.deserted:
        table = replace(table, deserted=deserted)
    if table.people is not before.people or table.number != before.number:
        here = {id_: member.source for id_, member in table.people.items() if member.source}
        table = replace(table, sources={**table.sources, **here})
    return table


def _decide(table: Table, given: steps.Input, env: Env) -> Step:
    match given:
        case steps.Asked():
            return _asked(table, given, env)
        case TableTimer():
            return _due(table, given, env)
        case steps.BotsChose():
            return bids.bots_chose(table, given, env)
        case Thought():
            return bids.thought(table, given)
        case steps.Arranged():
            return start.arranged(table, given, env)
        case steps.Came():
            return attendance.came(table, given.who, env)
        case steps.Gone():
            return attendance.gone(table, given.player, env)
        case steps.Rated():
            changed = table.with_changed(given.player, rating=given.rating, level=given.level)
            return Step(changed)
        case steps.Alone():
            return bids.ask_bots(table, given, env) if table.plays_alone else Step(table)
        case steps.Announced():
            return Step(replace(table, closing=given.when), (m.Closing(given.when),), apart=True)
        case steps.Close():
            return pause.close(table, given)
        case steps.Restarted():
            return Step(replace(table, restarted=env.now))


def _due(table: Table, timer: TableTimer, env: Env) -> Step:
    if timer.when > env.now or timer not in due(table, env.timing):
        return Step(table)
    match timer.kind:
        case TimerKind.BID | TimerKind.TIME_UP:
            return bids.ask_bots(table, timer, env)
        case TimerKind.OVERDUE:
            return attendance.overdue(table, timer.seat)
        case TimerKind.FREE_SEAT:
            return seats.freed(table, timer.seat)
        case TimerKind.NOBODY:
            return pause.nobody(table, env)
        case TimerKind.RENAME:
            return attendance.renamed(table, timer.seat)
        case TimerKind.RESUME:
            return pause.resumed(table, timer.seat, env)
        case TimerKind.VOTES:
            return pause.carry_out(table, env)
        case TimerKind.REMATCH:
            return start.begin_rematch(table, env)
        case TimerKind.BEGIN:
            return start.begun(table, env)


def _asked(table: Table, asked: steps.Asked, env: Env) -> Step:
    who, command = asked.who, asked.command
    player = who.player.id
    number = table.seat_of(player)
    if number >= 0 and isinstance(command, _COMING):
        # Who plays by correspondence has looked at something else.
        looks = table.daily and isinstance(command, m.JoinTable | m.WatchTable)
        m.refuse_if(not looks, m.Refusal.SEATED_ELSEWHERE)
        return attendance.came(table, who, env)
    match command:
        case steps.GoAway(soon=True) if number >= 0:
            return start.no_rematch(table, number)
        case steps.GoAway() if number >= 0 and table.status is m.Status.PLAYING:
            raise m.Refused(m.Refusal.ALREADY_PLAYING)
        case m.LeaveTable() | steps.GoAway():
            return attendance.leave(table, player, env)
        case m.JoinTable() if (stepped_out := table.stepped_out(player)) >= 0:
            return attendance.back(table, who, stepped_out)
        case m.JoinTable() | m.WatchTable():
            return attendance.comes(table, who, command, env)
        case m.QuickGame() | m.CreateTable() | m.QuickJoin():
            return start.fill(table, who, command, env)
    m.refuse_if(number < 0, m.Refusal.NOT_SEATED)
    return carried_out(table, By(number, asked), env)
