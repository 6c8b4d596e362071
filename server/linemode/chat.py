"""Chat in line mode: what is heard is told, what is typed is said."""

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, Final

from server.coordinator.messages import Block, ChatLine, Mute, Phrase, Room, Say
from server.fullscreen.widgets.drawing import wrap
from server.i18n.catalogues import Words
from server.session.chat_history import ChatHistory
from server.session.command_words import Verb
from server.session.verbosity import Verbosity
from server.text.chat import (
    age_in_words,
    chat_sentence,
    only_spectators_hear,
    phrases,
    shut_out_in_words,
)

if TYPE_CHECKING:
    from server.linemode.session import LineSession

HANGING: Final = "  "
"""What the second and later lines of a sentence begin with."""

_ON_ARRIVAL: Final = 3
"""Earlier lines that are told unasked: a voice takes its time for each."""
_LAST: Final = 20
"""Lines that ``chat`` alone tells."""

VERBS: Final = frozenset(
    {
        *(Verb.SAY, Verb.TELL, Verb.REPLY, Verb.SHOUT, Verb.PHRASE, Verb.CHAT),
        *(Verb.MUTE, Verb.UNMUTE, Verb.BLOCK, Verb.UNBLOCK),
    }
)


class LineChat:
    """The chat of one session."""

    def __init__(self, session: "LineSession") -> None:
        self._session: Final = session
        self.book: Final = ChatHistory(session.name)
        self._warned_at = ""
        """The table at which it has been told that only spectators hear this one."""

    @property
    def _words(self) -> Words:
        return self._session.words

    # ---------------------------------------------------------------- hearing

    def hear(self, lines: Iterable[ChatLine]) -> str:
        """Tell what is new; who has spoken to this player and may ring for it, if anybody."""
        quiet, table = self._session.talk is Verbosity.QUIET, self._session.table
        self.book.moved(table.info.id if table is not None else "")
        self.book.want(self._session.preferences.chat)
        fresh = [line for line in self.book.hear(lines) if self.book.concerns(line)]
        before = [line for line in fresh if line.old]
        if before and not quiet:
            self._tell(before[-_ON_ARRIVAL:])
            if len(before) > _ON_ARRIVAL:
                self._session.say(self._words.t("There is more: say chat."))
        # Who wants it quiet is still to be reached: what is said to one person alone is told.
        told = [line for line in fresh if not line.old and (not quiet or line.room is Room.DIRECT)]
        self._tell(told)
        return self.book.calls(told)

    def _tell(self, lines: Iterable[ChatLine]) -> None:
        self._session.say(*map(self._sentence, lines))

    def _sentence(self, line: ChatLine) -> str:
        said = chat_sentence(line, self._session.name, self.book.place, self._words)
        age = age_in_words(line, self._session.now, self._words)
        sentence = f"{said} ({age})" if age else said
        if not self._session.abilities.echoes:
            return sentence
        # Otherwise broken nowhere else, but by the terminal: anywhere, without a mark.
        return "\r\n".join(wrap(sentence, self._session.width, HANGING))

    # ---------------------------------------------------------------- saying

    def do(self, verb: Verb, rest: str) -> None:
        """Carry out one of ``VERBS``."""
        match verb:
            case Verb.SAY:
                self._say(Say(self._room, rest), rest)
            case Verb.SHOUT:
                self._say(Say(Room.LOBBY, rest), rest)
            case Verb.TELL:
                name, _, text = rest.partition(" ")
                self._say(Say(Room.DIRECT, text, to=name), text.strip())
            case Verb.REPLY:
                self._reply(rest)
            case Verb.PHRASE:
                self._phrase(rest)
            case Verb.CHAT:
                self._history(rest)
            case _ if not rest:
                self._whom(verb)
            case _:
                self._shut_out(verb, rest.split(" ", maxsplit=1)[0])

    @property
    def _room(self) -> Room:
        return Room.TABLE if self.book.place else Room.LOBBY

    def _say(self, command: Say, text: str) -> None:
        if text:
            self._session.submit(command, partial(self._warn, command))
        else:
            self._session.say(
                self._words.t("Say what? For example: say hello, or tell NAME hello.")
            )

    def _warn(self, said: Say) -> None:
        """Tell once who hears a spectator of a rated game."""
        table = self._session.table
        if table is None or said.room is not Room.TABLE or self._warned_at == table.info.id:
            return
        if only_spectators_hear(table):
            self._warned_at = table.info.id
            words = self._words
            self._session.say(
                words.t("Until the rated game is over, only those who watch hear that.")
            )

    def _reply(self, text: str) -> None:
        if self.book.partner:
            self._say(Say(Room.DIRECT, text, to=self.book.partner), text)
        else:
            self._session.say(self._words.t("Nobody has told you anything yet."))

    def _phrase(self, rest: str) -> None:
        known = phrases(self._words)
        number, _, name = rest.partition(" ")
        if number.isdecimal() and len(number) < 3 and 0 < int(number) <= len(known):
            phrase: Phrase = known[int(number) - 1][0]
            room = Room.DIRECT if name else self._room
            said = Say(room, phrase=phrase, to=name.strip())
            self._session.submit(said, partial(self._warn, said))
            return
        self._session.say(
            self._words.t(
                "These are shown in each reader's own language; say phrase and the number:"
            ),
            *(f"{place}: {said}" for place, (_, said) in enumerate(known, 1)),
        )

    def _history(self, rest: str) -> None:
        last = int(rest) if rest.isdecimal() and len(rest) < 4 else _LAST
        lines = self.book.lines[-last:] if last else []
        if lines:
            self._session.read([self._sentence(line) for line in lines])
        else:
            self._session.say(self._words.t("Nothing has been said yet."))

    # ---------------------------------------------------------------- shutting people out

    def _whom(self, verb: Verb) -> None:
        words = self._words
        if verb in (Verb.BLOCK, Verb.UNBLOCK) and (names := self._session.blocked):
            self._session.say(words.t("Blocked: {names}.", names=", ".join(names)))
        else:
            self._session.say(words.t("Whom? For example: mute NAME."))

    def _shut_out(self, verb: Verb, name: str) -> None:
        on = verb in (Verb.MUTE, Verb.BLOCK)
        blocks = verb in (Verb.BLOCK, Verb.UNBLOCK)
        command = Block(name, on) if blocks else Mute(name, on)

        def done() -> None:
            if on:
                self.book.forget(name)
            self._session.say(shut_out_in_words(command, name, self._words))

        self._session.submit(command, done)
