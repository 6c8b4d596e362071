"""Chat lines and phrases as sentences, and what comes of muting somebody."""

from typing import Final

from server.coordinator.messages import Block, ChatLine, Mute, Phrase, Room, Status, TableSnapshot
from server.i18n.lookup import Words, _
from server.text.times import time_in_words

RECENT: Final = 300.0
"""Seconds for which nobody needs to be told how long ago something was said."""


_PHRASES: Final = {
    Phrase.HELLO: _("Hello!"),
    Phrase.GOOD_LUCK: _("Good luck!"),
    Phrase.WELL_PLAYED: _("Well played!"),
    Phrase.THANKS: _("Thank you!"),
    Phrase.OUCH: _("Ouch!"),
    Phrase.ONE_MOMENT: _("One moment, please."),
    Phrase.STILL_THERE: _("Are you still there?"),
    Phrase.SORRY: _("Sorry!"),
    Phrase.AGAIN: _("Another game?"),
    Phrase.HAVE_TO_GO: _("I have to go. Goodbye!"),
}


def phrases(words: Words) -> tuple[tuple[Phrase, str], ...]:
    """The phrases there are and what they say, in the order of the menu."""
    return tuple((phrase, words.t(said)) for phrase, said in _PHRASES.items())


def said_in_words(line: ChatLine, words: Words) -> str:
    """The text, or the phrase in the reader's language."""
    return words.t(_PHRASES[Phrase(line.phrase)]) if line.phrase else line.text


def age_in_words(line: ChatLine, now: float, words: Words) -> str:
    """How long ago an old line was said; empty when that is not worth a word."""
    age = now - line.time
    if not line.old or age < RECENT:
        return ""
    return words.t("{time} ago", time=time_in_words(int(age // 60) * 60, words))


def who_in_words(line: ChatLine, me: str, here: str, words: Words) -> str:
    """Name sender and recipient, as briefly as a column of a screen wants it.

    ``here`` is the code of the reader's table, empty in the lobby.
    """
    if line.room is Room.DIRECT:
        if line.sender == me:
            return words.t("to {name}", name=line.to)
        return words.t("{name} to you", name=line.sender)
    who = words.t("{name}, watching", name=line.sender) if line.watching else line.sender
    if line.place == here:
        return who
    where = words.t("lobby") if line.room is Room.LOBBY else line.place
    return f"{where}: {who}"


def only_spectators_hear(table: TableSnapshot) -> bool:
    """Whether what this visitor says at the table does not reach its players."""
    info = table.info
    return table.seat < 0 and info.options.rated and info.status is Status.PLAYING


def chat_sentence(line: ChatLine, me: str, here: str, words: Words) -> str:
    """The line as a sentence to be read out."""
    mine = line.sender == me
    if line.room is Room.DIRECT:
        text = _("You tell {name}: {said}") if mine else _("{name} tells you: {said}")
    elif line.room is Room.LOBBY and here:
        text = _("You say in the lobby: {said}") if mine else _("{name} says in the lobby: {said}")
    elif mine:
        text = _("You say: {said}")
    elif line.watching:
        text = _("{name}, watching, says: {said}")
    else:
        text = _("{name} says: {said}")
    return words.t(text, name=line.to if mine else line.sender, said=said_in_words(line, words))


def shut_out_in_words(command: Mute | Block, name: str, words: Words) -> str:
    """What has come of muting or blocking somebody, or of the contrary, and for how long."""
    text = _('Messages from {name} are hidden until you leave; "unmute {name}" changes that.')
    if not command.on:
        text = _("You see {name}'s messages again.")
    elif isinstance(command, Block):
        text = _('Messages from {name} are hidden, today and later; "unblock {name}" changes that.')
    return words.t(text, name=name)
