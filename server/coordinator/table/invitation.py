"""Who may come to a table: invitation words of private tables, seats that are kept, players removed."""

import asyncio
import hashlib
import secrets
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from server.cleaning import clean_text
from server.coordinator.messages import KeepSeat, Privacy, Reply, SeatKept, SetWord, Status
from server.coordinator.people.names import NAME_WIDTH
from server.coordinator.people.presence import Presence

if TYPE_CHECKING:
    from server.coordinator.table.actor import Table

LEAST, MOST = 4, 24
"""Characters of an invitation word."""

_SUFFIXES: Final = frozenset({"plain", "watch"})
"""Words that mean something else when they follow a login name."""

_SALT: Final = 16


def plain_word(typed: str) -> str:
    """A word as it is compared: without regard to capitals; empty when it cannot be one."""
    word = typed.strip().casefold()
    good = all(char.isalnum() or char == "-" for char in word)
    return word if LEAST <= len(word) <= MOST and good and word not in _SUFFIXES else ""


def hashed(word: str, salt: bytes) -> str:
    """What is kept of a word: slow to guess from (some milliseconds), as people choose poor ones."""
    digest = hashlib.scrypt(word.encode(), salt=salt, n=1 << 11, r=8, p=1, dklen=32)
    return f"{salt.hex()}${digest.hex()}"


def is_word(typed: str, kept: str) -> bool:
    """Whether ``typed`` is the word that ``kept`` was made of."""
    word, salt = plain_word(typed), kept.partition("$")[0]
    return bool(word) and secrets.compare_digest(hashed(word, bytes.fromhex(salt)), kept)


async def may_come(table: "Table", presence: Presence, word: str, *, to_sit: bool) -> Reply:
    """Whether the player may come to this table, with this word."""
    now, player = table.house.clock.time(), presence.player
    awaited = any(seat.kept and not seat.is_kept_from(player.name) for seat in table.state.seats)
    if to_sit and not awaited and table.removed.get(player.id, 0.0) > now:
        return Reply("removed")
    # A name is only proven by a key: a guest may have taken it because nobody had it.
    known = awaited and not player.guest
    if not table.state.word or known or player.id in table.spectators:
        return Reply()
    if not word:
        return Reply("word_needed")
    # Whoever guesses may come back as somebody else, so that all guesses from one place count together; and
    # from elsewhere, so that all at a table do. One place alone does not use up what all have.
    counted = [(table.guesses, player.id), (table.all_guesses, "")]
    if presence.source:
        counted.append((table.guesses_there, presence.source))
    if any(patience.wait(who, now) > 0 for patience, who in counted):
        return Reply("word_wait")
    for patience, who in counted:
        patience.take(who, now)
    if not await _fits(table, word):
        return Reply("wrong_word")
    for patience, who in counted:
        patience.give_back(who)
    return Reply()


async def _fits(table: "Table", word: str) -> bool:
    """Whether that is the word. Beside the event loop, unless the word itself is known: only after a restart
    it is not, until somebody says it.
    """
    state = table.state
    if state.told_word:
        return secrets.compare_digest(plain_word(word).encode(), state.told_word.encode())
    fits = await asyncio.to_thread(is_word, word, state.word)
    if fits:
        table.state = replace(state, told_word=plain_word(word))
    return fits


async def keep_seat(table: "Table", command: KeepSeat) -> Reply:
    """Keep a seat for somebody, or no longer."""
    state, number = table.state, command.seat
    if state.status is not Status.OPEN:
        return Reply("not_open")
    if number not in range(len(state.seats)):
        return Reply("no_such_seat")
    seat, name = state.seats[number], clean_text(command.name, NAME_WIDTH)
    if not seat.empty:
        return Reply("seat_not_empty")
    if seat.kept != name:
        after = state.with_seat(number, replace(seat, kept=name))
        await table.commit(after, [SeatKept(number, name)])
    return Reply()


async def set_word(table: "Table", command: SetWord) -> Reply:
    """Make the table private, give it another word, or make it public again."""
    state = table.state
    word = plain_word(command.word)
    if command.word and not word:
        return Reply("word_form", {"least": LEAST, "most": MOST})
    salt = secrets.token_bytes(_SALT)
    kept = await asyncio.to_thread(hashed, word, salt) if word else ""
    await table.commit(replace(state, word=kept, told_word=word), [Privacy(bool(word))])
    return Reply()
