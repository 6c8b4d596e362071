"""Presence at a table: connections that come and go, leaving, and coming back to a seat."""

from msgspec.structs import replace

from server.coordinator import messages as m
from server.coordinator.table import pause
from server.coordinator.table.seats import freed, handed_on
from server.coordinator.table.state import Member, Table
from server.coordinator.table.steps import Env, Release, Show, Step


def came(table: Table, who: Member) -> Step:
    """Somebody is connected, perhaps anew.

    Or, where people play by correspondence, looks at something else (``who.absent``). Nothing of this
    is kept, so it never fails: whoever comes back sees the table even when nothing can be written just
    now.
    """
    player = who.player
    before = table.people.get(player.id)
    if before is None:
        if who.absent or player.id not in table.spectators:
            return Step(table)
        return Step(table.with_member(who, seated=False), effects=(Show(player.id),))
    if who.absent:
        away = replace(who, absent=before.absent or who.absent)
        return Step(table if away == before else table.with_member(away, seated=True))
    after = table.with_member(who, seated=True)
    if not before.absent or table.daily:
        # By correspondence nobody is expected to be there all the time.
        return Step(after, effects=(Show(player.id),))
    number = table.seat_of(player.id)
    ballots = frozenset(ballot for ballot in table.ballots if ballot.target != number)
    return Step(replace(after, ballots=ballots), (m.Reconnected(number, player.name),))


def gone(table: Table, player: str, env: Env) -> Step:
    """Somebody's connection is down; a seat is kept."""
    if player in table.spectators:
        return Step(table.without(player), effects=(Release(player),))
    member = table.people.get(player)
    if member is None or member.absent:
        return Step(table)
    number = table.seat_of(player)
    after = table.with_changed(player, absent=env.now)
    if table.daily:
        return Step(after)
    ballots = frozenset(ballot for ballot in table.ballots if ballot.seat != number)
    lost = m.Disconnected(number, member.player.name)
    return Step(replace(after, ballots=ballots), (lost,))


def overdue(table: Table, number: int) -> Step:
    """From now on the others may vote about this absent player, or without him or her."""
    member = table.member(number)
    return Step(table.with_changed(member.player.id, overdue=True) if member else table)


def renamed(table: Table, number: int) -> Step:
    """The player on this seat has come back under another name."""
    seat, member = table.seats[number], table.member(number)
    if member is None:
        return Step(table)
    renamed_ = replace(seat, name=member.player.name, player=member.player)
    wins = tuple((renamed_.name if name == seat.name else name, n) for name, n in table.wins)
    return Step(replace(table, wins=wins).with_seat(number, renamed_))


def leave(table: Table, player: str, env: Env) -> Step:
    """A player goes to the lobby; in a running game a bot plays on for good."""
    number = table.seat_of(player)
    released = (Release(player),)
    if number < 0:
        return Step(table.without(player), effects=released)
    if table.status is not m.Status.PLAYING and not (table.event and table.status is m.Status.OPEN):
        return freed(table, number)
    seat = table.seats[number]
    if table.shared and table.shared.waits and table.status is m.Status.PLAYING:
        return _stepped_out(table, number, env)
    ballots = frozenset(b for b in table.ballots if number not in (b.seat, b.target))
    after = replace(table.with_seat(number, seat.left_to_bot()).without(player), ballots=ballots)
    after, owners = handed_on(after, number)
    events: list[m.Happening] = [m.LeftForGood(number, seat.name), *owners]
    if not after.has_people and after.pause:
        # Nobody could have the game go on later: the bots finish it, for the sake of the leavers' results.
        after = pause.running_again(after, env)
        events.append(m.Resumed(-1))
    return Step(after, tuple(events), effects=released)


def _stepped_out(table: Table, number: int, env: Env) -> Step:
    """A player goes to the lobby and comes back later: nothing happens meanwhile."""
    seat = table.seats[number]
    assert seat.player is not None
    after = table.with_seat(number, replace(seat, stepped_out=True)).without(seat.player.id)
    told: tuple[m.Happening, ...] = (m.Disconnected(number, seat.name),)
    if not after.connected and not after.pause:
        stopped = pause.paused(after, m.Pause.SUSPENDED, env)
        after, told = stopped.table, (*told, *stopped.events)
    return Step(after, told, effects=(Release(seat.player.id),))


def back(table: Table, who: Member, number: int) -> Step:
    """Handle the return of a player who has stepped out; the game goes on by itself."""
    seat = replace(table.seats[number], stepped_out=False)
    after = table.with_seat(number, seat).with_member(who, seated=True)
    return Step(after, (m.Reconnected(number, seat.name),))
