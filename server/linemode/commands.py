"""Carrying out what was typed in line mode."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from engine import bots
from engine.errors import BadRules
from server.coordinator.messages import (
    DAY,
    AddBot,
    ChangeOptions,
    CreateTable,
    HandOver,
    LeaveTable,
    Motion,
    PlaceBid,
    QuickGame,
    Rematch,
    RemoveSeat,
    Reply,
    Resume,
    StartGame,
    Status,
    TableOptions,
    TableSnapshot,
    Vote,
)
from server.i18n.catalogues import Words
from server.linemode import admin, chat, history, status, table_setup
from server.linemode.help import help_lines, rules_lines
from server.linemode.history import LineHistory
from server.linemode.settings_commands import set_something, tell_account
from server.linemode.table_options import BadOption, parse_options
from server.session.command_words import Said, Unclear, Verb, understand
from server.session.presets import first_game, is_first_game, lone_game, new_table
from server.session.quick_start import fill_and_start
from server.session.turn_status import waits_for
from server.text.rounds import refusal, time_in_words
from server.viewmodels.dealt_hands import hands_in_words
from server.viewmodels.lobby_presenter import options_in_words

if TYPE_CHECKING:
    from server.linemode.session import LineSession

_LEADING: Final = frozenset({Verb.LEARN, Verb.PLAY, Verb.NEW, Verb.ANY, Verb.JOIN, Verb.WATCH})
_ASKED: Final = frozenset({Verb.HAND, Verb.TIDES, Verb.LOG, Verb.PLAYED, Verb.SCORES})
"""What can be asked of every table, also of one that is over."""


class CommandRunner:
    """What each verb does in one session."""

    def __init__(self, session: "LineSession") -> None:
        self._session: Final = session
        self.past: Final = LineHistory(session)
        self._question: Callable[[], None] | None = None
        """What ``yes`` would do."""

    @property
    def _words(self) -> Words:
        return self._session.words

    def take(self, line: str) -> None:
        """Carry out one line."""
        words = self._words
        meant = understand(line, words)
        question, self._question = self._question, None
        match meant:
            case None:
                self._go_on()
            case Unclear(word, ()):
                self._say(words.t('"{word}" means nothing here; say help.', word=word))
            case Unclear(word, could_be):
                choice = ", ".join(could_be)
                self._say(words.t('"{word}" could be: {words}.', word=word, words=choice))
            case Said(Verb.YES) if question is not None:
                question()
            case Said(Verb.NO) if question is not None:
                self._say(words.t("All right, nothing is done."))
            case Said(verb, rest):
                self._do(verb, rest)

    def _go_on(self) -> None:
        """Enter alone: the rest of a long answer, or the next moment of a replay."""
        session = self._session
        if session.reading.more:
            session.read_on()
        elif self.past.table is not None:
            self.past.take(Verb.NEXT, "")

    def leave_for_good(self) -> None:
        """Ctrl-C, Ctrl-D or ``quit``: asks first in a running game, and when asked again goes."""
        session, words, table = self._session, self._words, self._session.table
        goodbye = words.t("Goodbye, {name}.", name=session.name)
        if table is None or table.seat < 0 or table.info.status is not Status.PLAYING:
            session.end(goodbye)
        elif self._question == self._go:
            self._go()
        else:
            self._question = self._go
            if 0 < table.info.kept_for < DAY:
                time = time_in_words(round(table.info.kept_for), words)
                self._say(
                    words.t("The game ends when nobody is back for it within {time}.", time=time)
                )
            self._say(words.t("Your game goes on, and your seat is kept. Say yes to leave now."))

    def ask(self, question: str, then: Callable[[], None]) -> None:
        """Ask something; ``yes`` does it."""
        self._question = then
        self._say(question)

    def _go(self) -> None:
        self._session.end(self._words.t("Goodbye, {name}.", name=self._session.name))

    def _say(self, *lines: str) -> None:
        self._session.say(*lines)

    # ---------------------------------------------------------------- verbs

    def _do(self, verb: Verb, rest: str) -> None:
        session, words = self._session, self._words
        match verb:
            case Verb.HELP | Verb.RULES | Verb.MORE:
                self._read(verb)
            case Verb.WHO | Verb.LOBBY:
                self._who(verb, rest)
            case Verb.SET | Verb.ACCOUNT:
                (set_something if verb is Verb.SET else tell_account)(session, rest)
            case Verb.ADMIN | Verb.REPORT:
                self._operators(verb, rest)
            case Verb.QUIT | Verb.SCREEN:
                (self.leave_for_good if verb is Verb.QUIT else self._screen)()
            case Verb.YES | Verb.NO:
                self._say(words.t("There was no question."))
            case _ if verb in chat.VERBS:
                session.chat.do(verb, rest)
            case _ if verb in _LEADING:
                self._go_somewhere(verb, rest)
            case _ if verb in history.VERBS or verb in history.IN_A_REPLAY:
                self._past(verb, rest)
            case _ if self.past.table is not None:
                self._in_the_replay(verb, rest, self.past.table)
            case _ if session.table is None:
                self._say(words.t("You are not at a table; say play, join or new."))
            case _:
                self._at_the_table(verb, rest, session.table)

    def _at_the_table(self, verb: Verb, rest: str, table: TableSnapshot) -> None:
        match verb:
            case Verb.LEAVE:
                self._leave(table)
            case Verb.TABLE:
                self._say(*status.place_lines(None, table, self._words))
            case _ if verb in table_setup.VERBS:
                table_setup.gather(self._session, verb, rest, table)
            case Verb.OPTIONS | Verb.ADD | Verb.REMOVE | Verb.GIVE | Verb.START:
                self._before_the_game(verb, rest, table)
            case _ if table.table is None:
                self._say(self._words.t("The game has not begun yet."))
            case _:
                self._in_the_game(verb, rest, table)

    def _operators(self, verb: Verb, rest: str) -> None:
        if verb is Verb.REPORT:
            admin.report(self._session, rest)
        else:
            admin.give_order(self._session, rest, self._ask)

    def _ask(self, question: str, work: Callable[[], None]) -> None:
        self._question = work
        self._say(question)

    def _read(self, verb: Verb) -> None:
        session, words = self._session, self._words
        match verb:
            case Verb.HELP:
                operator = session.account.office is not None
                session.read(help_lines(session.table, words, operator=operator))
            case Verb.RULES:
                session.read(rules_lines(self.past.table or session.table, words))
            case _ if session.reading.more:
                session.read_on()
            case _:
                self._say(words.t("There is no more."))

    def _in_the_replay(self, verb: Verb, rest: str, told: TableSnapshot) -> None:
        """While a game is told again, wherever the player is, all that can be asked is asked of that."""
        words, here = self._words, self._session.table
        if verb is Verb.LEAVE:
            self.past.leave()
            self._say(
                words.t("You are in the lobby.")
                if here is None
                else words.t(
                    "The replay is closed; you are at table {title}.", title=here.info.title
                )
            )
        elif verb is Verb.TABLE:
            self._say(*status.table_lines(told, words))
        elif verb in _ASKED:
            self._in_the_game(verb, rest, told)
        elif here is None:
            self._say(words.t("This is a game that is over; leave goes back to the lobby."))
        else:
            self._say(words.t("This is a game that is over; leave goes back to your table."))

    def _go_somewhere(self, verb: Verb, rest: str) -> None:
        session = self._session
        if verb is Verb.LEARN:
            self._learn()
        elif verb is Verb.PLAY:
            session.submit(QuickGame(self._options(rest, lone_game()) or lone_game()))
        elif verb is Verb.NEW:
            options = self._options(rest, new_table())
            if options is not None:
                session.submit(CreateTable(options))
        elif verb is Verb.ANY:
            options = self._options(rest, new_table())
            if options is not None:
                table_setup.any_game(session, options)
        elif verb is Verb.JOIN:
            table_setup.join(session, rest)
        else:
            table_setup.watch(session, rest)

    def _learn(self) -> None:
        session, words = self._session, self._words
        if session.table is None:
            session.submit(QuickGame(first_game()), session.guide_comes)
        elif session.guide.here:
            session.guide.end()
            self._say(words.t("The guide goes."))
        elif session.table.seat < 0:
            self._say(words.t("The guide comes only to players."))
        else:
            self._say(words.t("The guide is here."))
            session.guide_comes()

    def _options(self, text: str, start: TableOptions) -> TableOptions | None:
        """The options typed; ``None`` after saying what is wrong with them."""
        words = self._words
        try:
            return parse_options(text, start, words)
        except BadRules as error:
            self._say(refusal(Reply(error.code, error.details), words))
        except BadOption as error:
            self._say(words.t('"{word}" is no option of a table; say help.', word=str(error)))
        return None

    def _who(self, verb: Verb, wanted: str) -> None:
        session, words = self._session, self._words
        if session.lobby is not None:
            session.read(status.lobby_lines(session.lobby, words, wanted))
        elif session.table is not None and verb is Verb.LOBBY:
            self._say(
                words.t(
                    "You are at a table, and the list of tables is in the lobby: leave goes there."
                    " Say who for who is here."
                )
            )
        elif session.table is not None:
            names = [seat.name for seat in session.table.info.seats if seat.name]
            watch = session.table.info.spectators
            self._say(words.t("Here: {names}.", names=", ".join(names)))
            if watch:
                self._say(words.n("{count} watches.", "{count} watch.", watch))

    def _past(self, verb: Verb, rest: str) -> None:
        table = self._session.table
        here = verb is Verb.REVEAL and not rest and self.past.table is None
        hands = hands_in_words(table.info, self._words) if here and table is not None else ()
        if hands:  # of the game that is over at this table, for whoever is at it
            self._say(*hands)
        else:
            self.past.take(verb, rest)

    def _leave(self, table: TableSnapshot) -> None:
        words = self._words
        if table.seat < 0 or table.info.status is not Status.PLAYING:
            self._session.submit(LeaveTable())
            return
        self._question = lambda: self._session.submit(LeaveTable())
        self._say(
            words.t("A bot would play on for you, and its result would be yours. Say yes to leave.")
        )

    def _screen(self) -> None:
        if self._session.abilities.cursor:
            self._session.show_screen()
        else:
            self._say(self._words.t("Your terminal cannot show the full screen on this line."))

    def _before_the_game(self, verb: Verb, rest: str, table: TableSnapshot) -> None:
        session, words = self._session, self._words
        number = int(rest) if rest.isdecimal() and len(rest) < 3 else 0
        match verb:
            case Verb.OPTIONS if rest:
                options = self._options(rest, table.info.options)
                if options is not None:
                    session.submit(ChangeOptions(options), lambda: self._tell_options(options))
            case Verb.OPTIONS:
                self._tell_options(table.info.options)
            case Verb.ADD:
                self._add(rest)
            case Verb.START:
                self._start(table)
            case _ if not number:
                self._say(words.t("Which seat? They are numbered from 1."))
            case Verb.REMOVE:
                session.submit(RemoveSeat(number - 1))
            case Verb.GIVE:
                session.submit(HandOver(number - 1))

    def _start(self, table: TableSnapshot) -> None:
        """Begin; seats that are still empty are not given to bots without asking."""
        session, empty = self._session, any(not seat.name for seat in table.info.seats)
        info = table.info
        may = table.seat == info.owner and info.status is Status.OPEN and not info.options.rated
        if not (empty and may):
            session.submit(StartGame())
            return

        def fill() -> None:
            if session.table is not None and session.table.info.id == table.info.id:
                fill_and_start(session.table, session.submit)

        kept = any(seat.kept for seat in table.info.seats)
        words = self._words
        self.ask(
            words.t(
                "Kept seats are empty. Shall bots take them, and the game begin? Say yes or no."
            )
            if kept
            else words.t(
                "Seats are empty. Shall bots take them, and the game begin? Say yes or no."
            ),
            fill,
        )

    def _tell_options(self, options: TableOptions) -> None:
        words = self._words
        facts = ", ".join(options_in_words(options, words))
        self._say(words.t("Options: {facts}.", facts=facts))

    def _add(self, rest: str) -> None:
        """A bot, so many of them, or of which kind: "2", "tidal", "2 tidal"."""
        number, strategy = 1, ""
        for word in rest.casefold().split():
            if word.isdecimal() and len(word) < 3:
                number = int(word)
            elif word in bots.STRATEGIES:
                strategy = word
            else:
                known = ", ".join(bots.STRATEGIES)
                self._say(
                    self._words.t(
                        'There is no bot "{word}", only: {names}.', word=word, names=known
                    )
                )
                return
        self._add_bots(number, strategy)

    def _add_bots(self, number: int, strategy: str) -> None:
        if number:
            command = AddBot(strategy=strategy)
            self._session.submit(command, lambda: self._add_bots(number - 1, strategy))

    def _in_the_game(self, verb: Verb, rest: str, table: TableSnapshot) -> None:
        words = self._words
        match verb:
            case Verb.BID:
                self._bid(rest, table)
            case Verb.HAND:
                self._say(*status.hand_lines(table, words))
            case Verb.TIDES:
                self._say(*status.tides_lines(table, words))
            case Verb.LOG:
                last = int(rest) if rest.isdecimal() and len(rest) < 3 else 0
                self._say(*status.log_lines(table, words, last))
            case Verb.PLAYED:
                self._say(*status.played_lines(table, words))
            case Verb.SCORES:
                self._say(*status.scores_lines(table, words))
                if table.info.status is Status.OVER:
                    self._say(*status.fairness_lines(table, words))
            case Verb.AGAIN:
                if (
                    table.seat >= 0
                    and is_first_game(table.info)
                    and table.info.status is Status.OVER
                ):
                    self._session.submit(LeaveTable(), self._whole_game)
                else:
                    self._session.submit(Rematch(), self._ready_again)
            case Verb.RESUME:
                self._session.submit(Resume())
            case Verb.VOTE:
                self._vote(rest, table)

    def _whole_game(self) -> None:
        self._session.submit(QuickGame(lone_game()))

    def _ready_again(self) -> None:
        # Where all others were ready already, the next game has begun, and been told.
        table = self._session.table
        if table is not None and table.info.status is Status.OVER:
            self._say(self._words.t("You are ready for another game."))

    def _bid(self, text: str, table: TableSnapshot) -> None:
        words, view = self._words, table.table
        assert view is not None
        if not text.isdecimal() or len(text) > 2:
            self._say(words.t("Which card? For example: bid 44."))
            return
        command = PlaceBid(int(text), view.stage, view.round)

        def bid() -> None:
            self._session.submit(command, sealed)

        def sealed() -> None:
            now = self._session.table
            # When it was the last bid, the round has been told by now.
            if now and now.table and (now.table.stage, now.table.round) == (view.stage, view.round):
                self._say(words.t("{card} is sealed.", card=command.card))

        if self._session.preferences.sure and waits_for(table):
            self._question = bid
            self._say(words.t("That reveals the round. Say yes to bid {card}.", card=command.card))
        else:
            bid()

    def _vote(self, text: str, table: TableSnapshot) -> None:
        words = self._words
        typed = text.casefold().split()
        agree = not (typed and typed[0] in ("no", words.p("table option", "no")))
        kinds = {
            words.p("vote", "pause"): Motion.PAUSE,
            words.p("vote", "end"): Motion.END,
            words.p("vote", "replace"): Motion.REPLACE,
        } | {motion.value: motion for motion in Motion}
        rest = typed if agree else typed[1:]
        motion = kinds.get(rest[0]) if rest else None
        if motion is None:
            self._say(words.t("Say vote pause, vote end, or vote replace and a name."))
            return
        seat = -1
        if motion is Motion.REPLACE:
            wanted = " ".join(rest[1:])
            seats = enumerate(table.info.seats)
            found = [number for number, who in seats if who.name.casefold() == wanted]
            if not found:
                self._say(words.t('Nobody at this table is called "{name}".', name=wanted))
                return
            seat = found[0]
        self._session.submit(Vote(motion, seat, agree))
