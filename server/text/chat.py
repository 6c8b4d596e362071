"""What somebody said, in the reader's words."""

from typing import Final

from server.coordinator.messages import Block, ChatLine, Mute, Phrase, Room, Status, TableSnapshot
from server.i18n.catalogues import Words
from server.text.rounds import time_in_words

RECENT: Final = 300.0
"""Seconds for which nobody needs to be told how long ago something was said."""


def phrases(words: Words) -> tuple[tuple[Phrase, str], ...]:
    """The phrases there are and what they say, in the order of the menu."""
    said = {
        Phrase.HELLO: words.t("Hello!"),
        Phrase.GOOD_LUCK: words.t("Good luck!"),
        Phrase.WELL_PLAYED: words.t("Well played!"),
        Phrase.THANKS: words.t("Thank you!"),
        Phrase.OUCH: words.t("Ouch!"),
        Phrase.ONE_MOMENT: words.t("One moment, please."),
        Phrase.STILL_THERE: words.t("Are you still there?"),
        Phrase.SORRY: words.t("Sorry!"),
        Phrase.AGAIN: words.t("Another game?"),
        Phrase.HAVE_TO_GO: words.t("I have to go. Goodbye!"),
    }
    return tuple(said.items())


def said_in_words(line: ChatLine, words: Words) -> str:
    """The text, or the phrase in the reader's language."""
    return dict(phrases(words)).get(Phrase(line.phrase), "") if line.phrase else line.text


def age_in_words(line: ChatLine, now: float, words: Words) -> str:
    """How long ago an old line was said; empty when that is not worth a word."""
    age = now - line.time
    if not line.old or age < RECENT:
        return ""
    return words.t("{time} ago", time=time_in_words(int(age // 60) * 60, words))


def who_in_words(line: ChatLine, me: str, here: str, words: Words) -> str:
    """Who said it to whom, as briefly as a column of a screen wants it. ``here`` is the code of the reader's
    table, empty in the lobby.
    """
    if line.room is Room.DIRECT:
        if line.sender == me:
            return words.t("to {name}", name=line.to)
        return words.t("{name} to you", name=line.sender)
    who = line.sender
    if line.watching:
        who = words.t("{name}, watching", name=who)
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
    said, name = said_in_words(line, words), line.sender
    if line.room is Room.DIRECT:
        if name == me:
            return words.t("You tell {name}: {said}", name=line.to, said=said)
        return words.t("{name} tells you: {said}", name=name, said=said)
    if line.room is Room.LOBBY and here:
        if name == me:
            return words.t("You say in the lobby: {said}", said=said)
        return words.t("{name} says in the lobby: {said}", name=name, said=said)
    if name == me:
        return words.t("You say: {said}", said=said)
    if line.watching:
        return words.t("{name}, who watches, says: {said}", name=name, said=said)
    return words.t("{name} says: {said}", name=name, said=said)


def shut_out_in_words(command: Mute | Block, name: str, words: Words) -> str:
    """What has come of muting or blocking somebody, or of the contrary, and for how long."""
    if not command.on:
        return words.t("You hear {name} again.", name=name)
    if isinstance(command, Block):
        return words.t(
            "You hear nothing more from {name}, today and later; unblock changes that.", name=name
        )
    return words.t(
        "You hear nothing more from {name} until you leave; unmute changes that.", name=name
    )
