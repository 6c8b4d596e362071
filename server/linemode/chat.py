"""Chat in line mode: what is heard is told, what is typed is said."""

from collections.abc import Iterable
from typing import Final

from server.coordinator.messages import Block, ChatLine, Mute, Room, Say
from server.coordinator.people.profile import blocked_in
from server.i18n.lookup import Words, _
from server.linemode.context import HANGING, LineContext
from server.session.command_words import Verb, full_word
from server.session.preferences import Verbosity
from server.terminal.drawing.frame import wrap
from server.text.chat import (
    age_in_words,
    chat_sentence,
    only_spectators_hear,
    phrases,
    shut_out_in_words,
)

_ON_ARRIVAL: Final = 3
"""Earlier lines that are told unasked: a voice takes its time for each."""
_LAST: Final = 20
"""Lines that ``chat`` alone tells."""


# ------------------------------------------------------------------- hearing


def hear(session: LineContext, lines: Iterable[ChatLine]) -> str:
    """Tell what is new; who has spoken to this player and may ring for it, if anybody."""
    history, quiet, table = session.chat_history, session.talk is Verbosity.QUIET, session.table
    history.moved(table.info.id if table is not None else "", session.preferences.chat)
    fresh = [line for line in history.hear(lines) if history.concerns(line)]
    before = [line for line in fresh if line.old]
    if before and not quiet:
        session.say(*(_sentence(session, line) for line in before[-_ON_ARRIVAL:]))
        if len(before) > _ON_ARRIVAL:
            session.say(session.words.t('There is more: type "chat".'))
    # Who wants it quiet is still to be reached: what is said to one person alone is told.
    told = [line for line in fresh if not line.old and (not quiet or line.room is Room.DIRECT)]
    session.say(*(_sentence(session, line) for line in told))
    return history.calls(told)


def _sentence(session: LineContext, line: ChatLine) -> str:
    words = session.words
    said = chat_sentence(line, session.player.name, session.chat_history.place, words)
    age = age_in_words(line, session.clock.time(), words)
    sentence = f"{said} ({age})" if age else said
    if not session.abilities.wraps:
        return sentence
    # Otherwise broken nowhere else, but by the far end: anywhere, without a mark.
    return "\r\n".join(wrap(sentence, session.width, HANGING))


# ------------------------------------------------------------------- saying


def here(session: LineContext) -> Room:
    """Where what is said is for everybody."""
    return Room.TABLE if session.chat_history.place else Room.LOBBY


def is_answer(text: str, words: Words) -> bool:
    """Whether it is just yes or no."""
    return full_word(text, words) in (Verb.YES, Verb.NO)


def say_here(session: LineContext, text: str) -> None:
    """To everybody here. Who says just a command may have meant that."""
    words = session.words
    if full_word(text, words) is None or is_answer(text, words):
        say(session, here(session), text)
        return
    question = words.t(
        'Did you mean the command "{word}"? Type it alone for that, or "yes" to say it to everybody here.',
        word=text,
    )
    session.ask(question, lambda: say(session, here(session), text))


def say(session: LineContext, room: Room, text: str, to: str = "") -> None:
    """To everybody there, or to one person."""
    if text:
        _submit(session, Say(room, text, to=to))
    else:
        session.say(session.words.t('Say what? For example: "say hello", or "tell NAME hello".'))


def tell(session: LineContext, rest: str) -> None:
    """To one person."""
    name, _, text = rest.partition(" ")
    say(session, Room.DIRECT, text.lstrip(), name)


def reply(session: LineContext, rest: str) -> None:
    """To whom the last direct words were changed with."""
    if session.chat_history.partner:
        say(session, Room.DIRECT, rest, session.chat_history.partner)
    else:
        session.say(session.words.t("Nobody has written to you yet."))


def phrase(session: LineContext, rest: str) -> None:
    """A sentence that everybody reads in his or her own language."""
    words, known = session.words, phrases(session.words)
    number, _, name = rest.partition(" ")
    if number.isdecimal() and len(number) < 3 and 0 < int(number) <= len(known):
        room = Room.DIRECT if name else here(session)
        _submit(session, Say(room, phrase=known[int(number) - 1][0], to=name.strip()))
        return
    session.say_not_listed(number)
    session.say(
        words.t('These are shown in each reader\'s own language; type "phrase" and the number:'),
        *(f"{place}: {said}" for place, (_, said) in enumerate(known, 1)),
    )


def history(session: LineContext, rest: str) -> None:
    """What has been said."""
    last = int(rest) if rest.isdecimal() and len(rest) < 4 else _LAST
    lines = session.chat_history.lines[-last:] if last else []
    if lines:
        session.read([_sentence(session, line) for line in lines])
    else:
        session.say(session.words.t("Nothing has been said yet."))


def _submit(session: LineContext, said: Say) -> None:
    def warn() -> None:
        """Tell once who hears a spectator of a rated game."""
        table = session.table if said.room is Room.TABLE else None
        if table and session.spectators_told != table.info.id and only_spectators_hear(table):
            session.spectators_told = table.info.id
            text = _("Until the rated game is over, only spectators hear that.")
            session.say(session.words.t(text))

    session.do(said, warn)


# ------------------------------------------------------------------- shutting people out


def shut_out(
    session: LineContext, rest: str, kind: type[Mute] | type[Block], on: bool = True
) -> None:
    """Hear nothing more from somebody, until one of the two leaves or for good; or hear him or her again."""
    words, name = session.words, rest.split(" ", maxsplit=1)[0]
    if not name:
        blocked = blocked_in(session.account.settings).values() if kind is Block else ()
        text = _("Blocked: {names}.") if blocked else _('Whom? For example: "mute NAME".')
        session.say(words.t(text, names=", ".join(blocked)))
        return
    command = kind(name, on)

    def done() -> None:
        if on:
            session.chat_history.forget(name)
        session.say(shut_out_in_words(command, name, session.words))

    session.do(command, done)
