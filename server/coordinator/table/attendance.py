"""Attendance at a table: admission, connections, leaving, and coming back to a seat."""

import asyncio
import hashlib
import secrets
import unicodedata
from typing import Final

from msgspec.structs import replace

from server.coordinator import messages as m
from server.coordinator.table import pause, seats
from server.coordinator.table.seats import freed, handed_on
from server.coordinator.table.state import Member, Table
from server.coordinator.table.steps import (
    Asked,
    By,
    CheckWord,
    Env,
    Release,
    Show,
    Step,
    WordChecked,
    command,
)
from server.networks import RateLimiter, take_all
from server.timers import Clock

LEAST, MOST = 4, 24
"""Characters of an invitation word."""

_SUFFIXES: Final = frozenset({"plain", "rename", "watch"})
"""Words that mean something else when they follow a login name."""

_SALT: Final = 16
_BRIEFLY: Final = 5.0
"""Seconds after a restart in which no return is announced: people at doors have never been away."""

_Coming = m.JoinTable | m.WatchTable


def plain_word(typed: str) -> str:
    """A word as it is compared: without regard to capitals; empty when it cannot be one."""
    word = unicodedata.normalize("NFKC", typed).strip().casefold()
    good = all(char.isalnum() or char == "-" for char in word)
    return word if LEAST <= len(word) <= MOST and good and word not in _SUFFIXES else ""


def hashed(word: str, salt: bytes = b"") -> str:
    """What is kept of a word: slow to guess from (some milliseconds), as people choose poor ones."""
    salt = salt or secrets.token_bytes(_SALT)
    digest = hashlib.scrypt(word.encode(), salt=salt, n=1 << 11, r=8, p=1, dklen=32)
    return f"{salt.hex()}${digest.hex()}"


def is_word(typed: str, kept: str) -> bool:
    """Whether ``typed`` is the word that ``kept`` was made of."""
    word, salt = plain_word(typed), kept.partition("$")[0]
    return bool(word) and secrets.compare_digest(hashed(word, bytes.fromhex(salt)), kept)


class WordChecks:
    """The invitation words of one table, of which only so many may be tried."""

    def __init__(self, clock: Clock) -> None:
        self._clock: Final = clock
        # Of one player, from one place, and of all together, as whoever guesses may come back as somebody
        # else; one place alone does not use up what all have.
        self._limiters: Final = RateLimiter(5, 20.0), RateLimiter(10, 12.0), RateLimiter(60, 2.0)

    async def checked(self, table: Table, effect: CheckWord) -> WordChecked:
        """Beside the event loop, unless the word itself is known (not after a restart, until it is said)."""
        who, answer = effect.asked.who, WordChecked(effect.asked, effect.word)
        if isinstance(effect.asked.command, m.SetWord):
            return replace(answer, kept=await asyncio.to_thread(hashed, effect.word))
        counted = list(zip(self._limiters, (who.player.id, who.source, "all"), strict=True))
        if take_all(counted, self._clock.time()):
            return replace(answer, reply=m.Reply(m.Refusal.WORD_WAIT))
        if table.told_word:
            typed = plain_word(effect.word)
            fits = secrets.compare_digest(typed.encode(), table.told_word.encode())
        else:
            fits = await asyncio.to_thread(is_word, effect.word, table.word)
        if not fits:
            return replace(answer, reply=m.Reply(m.Refusal.WRONG_WORD))
        # It was no guess but the right word.
        for limiter, source in counted:
            limiter.give_back(source)
        return answer


def comes(table: Table, asked: Asked, coming: _Coming, env: Env, *, checked: bool = False) -> Step:
    """Let a player sit down or watch who may; ``checked``: with the right invitation word."""
    who, to_sit = asked.who, isinstance(coming, m.JoinTable)
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
    known = checked or player.id in table.spectators or (awaited and not player.guest)
    if table.word and not known:
        m.refuse_if(not coming.word, m.Refusal.WORD_NEEDED)
        return Step(table, effects=(CheckWord(asked, coming.word),))
    if isinstance(coming, m.JoinTable):
        return seats.sit(table, who, coming, env)
    return seats.watch(table, who, env)


def word_checked(table: Table, given: WordChecked, env: Env) -> Step:
    """Take over a new word; or let a player in whose word was right, and who thereby makes it known."""
    asked = given.asked.command
    given.reply.raise_if_refused()
    if isinstance(asked, m.SetWord):
        return _with_word(table, given.word, given.kept)
    assert isinstance(asked, _Coming)
    if not table.told_word:
        table = replace(table, told_word=plain_word(given.word))
    try:
        return comes(table, given.asked, asked, env, checked=True)
    except m.Refused as refused:
        return Step(table, reply=refused.reply)


@command(m.SetWord, owner=True)
def set_word(table: Table, by: By, wanted: m.SetWord, env: Env) -> Step:
    """Make the table private, give it another word, or make it public again."""
    word = plain_word(wanted.word)
    m.refuse_if(bool(word) and table.options.rated, m.Refusal.RATED_PRIVATE)
    if word:
        return Step(table, effects=(CheckWord(by.asked, word),))
    m.refuse_if(wanted.word, m.Refusal.WORD_FORM, {"least": LEAST, "most": MOST})
    return _with_word(table, "", "")


def _with_word(table: Table, word: str, kept: str) -> Step:
    m.refuse_if(bool(word) and table.options.rated, m.Refusal.RATED_PRIVATE)
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
