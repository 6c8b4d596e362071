"""Attendance at a table: admission, connections, leaving, and coming back to a seat."""

import unicodedata
from hashlib import scrypt
from secrets import compare_digest
from typing import Final

from msgspec.structs import replace

from server.coordinator import messages as m
from server.coordinator.table import pause, seats
from server.coordinator.table.seats import freed, handed_on
from server.coordinator.table.state import Member, Table
from server.coordinator.table.steps import (
    By,
    CountGuess,
    Env,
    Release,
    Show,
    Step,
    command,
)

LEAST, MOST = 4, 24
"""Characters of an invitation word."""

_SUFFIXES: Final = frozenset({"plain", "rename", "watch"})
"""Words that mean something else when they follow a login name."""

_BRIEFLY: Final = 5.0
"""Seconds after a restart in which no return is announced: people at doors have never been away."""


def plain_word(typed: str) -> str:
    """A word as it is compared: without regard to capitals; empty when it cannot be one."""
    word = unicodedata.normalize("NFKC", typed).strip().casefold()
    good = all(char.isalnum() or char == "-" for char in word)
    return word if LEAST <= len(word) <= MOST and good and word not in _SUFFIXES else ""


def kept_word(table: Table, word: str) -> str:
    """Return what is kept of an invitation word: slow to guess from (7 ms), as people choose poor ones."""
    return scrypt(word.encode(), salt=table.key.encode(), n=1 << 11, r=8, p=1, dklen=32).hex()


def _fits(table: Table, word: str) -> bool:
    if table.told_word:
        return compare_digest(word.encode(), table.told_word.encode())
    # After a restart only its hash is known, until somebody says it.
    return bool(word) and compare_digest(kept_word(table, word), table.word)


def comes(table: Table, who: Member, coming: m.JoinTable | m.WatchTable, env: Env) -> Step:
    """Let a player sit down or watch who may."""
    to_sit = isinstance(coming, m.JoinTable)
    player = who.player
    if table.event and to_sit:
        return seats.take_back(table, who, env)
    if not to_sit and player.id in table.spectators:
        claims = {id_: seat for id_, seat in table.claims.items() if id_ != player.id}
        return Step(table if claims == table.claims else replace(table, claims=claims))
    awaited = any(seat.kept and not seat.is_kept_from(player.name) for seat in table.seats)
    removed = table.removed.get(player.id, 0.0) > env.now
    m.refuse_if(to_sit and not awaited and removed, m.Refusal.REMOVED)
    # A name is only proven by a key: a guest may have taken it because nobody had it.
    known = player.id in table.spectators or (awaited and not player.guest)
    if table.word and not known:
        m.refuse_if(not coming.word, m.Refusal.WORD_NEEDED)
        m.refuse_if(env.guessed_too_often, m.Refusal.WORD_WAIT)
        word = plain_word(coming.word)
        if not _fits(table, word):
            return Step(table, effects=(CountGuess(who),), reply=m.Reply(m.Refusal.WRONG_WORD))
        table = replace(table, told_word=word)
    if isinstance(coming, m.JoinTable):
        return seats.sit(table, who, coming, env)
    return seats.watch(table, who, env)


@command(m.SetWord, owner=True)
def set_word(table: Table, by: By, wanted: m.SetWord, env: Env) -> Step:
    """Make the table private, give it another word, or make it public again."""
    word = plain_word(wanted.word)
    m.refuse_if(bool(word) and table.options.rated, m.Refusal.RATED_PRIVATE)
    m.refuse_if(wanted.word and not word, m.Refusal.WORD_FORM, {"least": LEAST, "most": MOST})
    kept = kept_word(table, word) if word else ""
    return Step(replace(table, word=kept, told_word=word), (m.Privacy(bool(word)),))


def came(table: Table, who: Member, env: Env) -> Step:
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
    # The restart itself was the absence, of which nobody has heard.
    unheard = before.absent <= table.restarted and env.now < table.restarted + _BRIEFLY
    if not before.absent or unheard or table.daily:
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
    member = table.members.get(number)
    return Step(table.with_changed(member.player.id, overdue=True) if member else table)


def renamed(table: Table, number: int) -> Step:
    """The player on this seat has come back under another name."""
    seat, member = table.seats[number], table.members.get(number)
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
