"""One visit in line mode: what is typed becomes commands, what happens becomes sentences."""

import asyncio
import math
from collections.abc import Sequence
from typing import Final

from msgspec import structs
from typing_extensions import override

from server.coordinator import messages as m
from server.linemode import commands, tournaments
from server.linemode.narration import LineContext, told
from server.linemode.people import hear
from server.session.account import GameLibrary
from server.session.attention import (
    WARNING_SECONDS,
    attention,
    can_join,
    is_alone,
    may_skip,
    owes_bid,
    people_wait_for,
    skips,
    waits_for,
    watching_in_words,
)
from server.session.client import UpdateHandler, Visitor
from server.session.command_queue import CommandQueue
from server.session.preferences import Verbosity, filling
from server.session.table_in_sentences import after_game_line, place_lines
from server.session.tutorial import Lesson, lesson_in_words
from server.terminal.capabilities import Capabilities, Terminal
from server.terminal.drawing.frame_encoder import USUAL_KEYS
from server.terminal.keys.lines import LineTyping
from server.text.happenings import happening_in_words, return_in_words
from server.text.refusals import refusal
from server.text.server_messages import closing_forms, word_in_words
from server.text.tournaments import still_playing
from server.timers import OneTimer
from server.viewmodels.table import rematch_in_words, rematch_vote


class LineSession(LineContext, UpdateHandler):
    """One visit in line mode; ``notices`` are sentences to begin with, ``first`` a command."""

    lines: Final = True

    def __init__(
        self, terminal: Terminal, who: Visitor, notices: Sequence[str] = (), first: str = ""
    ) -> None:
        super().__init__(terminal, who)
        self._notices: Final = tuple(notices)
        self._first: Final = first
        self._typing = LineTyping(
            echo=not terminal.abilities.echoes,
            write=terminal.write,
            width=lambda: self.width,
            cursor=terminal.abilities.cursor,
            line=self._typed,
            leave=lambda: self._typed(None),
        )
        self._lines: Final[CommandQueue[str | None]] = CommandQueue(
            self._obey,
            ready=lambda: self._greeted and not (self._tasks or self.done),
            meter=terminal.meter,
        )
        """``None`` is to leave: Ctrl-C, Ctrl-D, or the end of what comes in."""
        self._greeted = False
        """Until then, what is typed waits."""
        self._arrives = True
        """Nothing has been told of how things stand."""
        self._bids_explained = self._asks_later = False
        self._closing = 0.0
        """The end of the server that has been told."""
        self._last_call: Final = OneTimer(who.clock)

    # ---------------------------------------------------------------- the life of a session

    async def run(self) -> Capabilities | None:
        """Until the player leaves or the visit ends.

        Cancelled when the line drops. Returns how the terminal is to be used from now on, when the
        player wants the full screen.
        """
        able = self.abilities
        try:
            if able.cursor and not (able.echoes or able.wraps):
                # What a screen reader does not know, it says.
                keys = "" if able.reader else USUAL_KEYS
                self._terminal.write(f"{keys}\x1b[m\r\x1b[K")
            self._greet()
            self.show_in(self)
            library = self.account.library
            if library is not None and library.played_yesterday:
                self.fetch(self._tell_of_yesterday(library))
            self._greeted = True
            if self._first:
                self._lines.add(self._first)
            self._lines.go_on()
            await self._over.wait()
            return self.abilities if self.wants_other else None
        finally:
            self._last_call.cancel()
            self.stop()

    def feed(self, text: str) -> None:
        """The player typed."""
        waits = bool(self._lines)
        if not self.done:
            self._typing.feed(text)
        if not waits:
            self._lines.go_on()

    def drained(self) -> None:
        """The terminal takes text again: say how things stand instead of all that was missed."""
        if self._missed:
            self._missed = False
            place = place_lines(self.lobby, self.table, self.words, self.clock.time())
            self.say(self.words.t("You missed some messages."), *place)

    def _greet(self) -> None:
        words, name, login = self.words, self.player.name, self.way_back
        back = words.t("To come back as {name}, log in as {login}.", name=name, login=login)
        self.say(
            words.t("Turn the Tide. You are {name}.", name=name),
            *self._notices,
            words.t(
                'Type "play" for a game against bots, "learn" for a first one with a guide, "lobby" to'
                ' meet people, "help" for more.'
            ),
            back if login else "",
        )

    async def _tell_of_yesterday(self, library: GameLibrary) -> None:
        told = await self.told_of_yesterday(library)
        self.together(lambda: self.say(told))

    # ---------------------------------------------------------------- the feed

    @override
    def catch_up(self) -> None:
        self.together(super().catch_up)

    @override
    def happened(self, before: m.Update, update: m.Update) -> None:
        self._happened(before.table, update)
        if caller := hear(self, update.chat):
            assert self._unsaid
            said = self.words.t("{name} is talking to you.", name=caller)
            self._unsaid[-1] += self._attention(said)

    def _happened(self, before: m.TableSnapshot | None, update: m.Update) -> None:
        words, table = self.words, update.table
        if _game(before) != _game(table) and self.replay is not None:
            self.replay = None
            self.say(words.t("The replay is closed."))
        if before is None and self._arrives and (said := self.own_games.said):
            self.say(words.t('{games}: type "turns".', games=said))
        self._arrives = False
        if table is None:
            self.say(return_in_words(update.happenings, words))
            if before is not None:
                self.say(words.t("You are in the lobby."))
        elif before is None or before.info.id != table.info.id or update.resynced:
            reveals, seen = self.missed(table)
            missed = structs.replace(update, happenings=tuple(reveals[seen:]))
            self.say(*told(missed, table, words, self.talk))
            self.say(*place_lines(None, table, words, self.clock.time()))
            if table.seat < 0 and table.info.status is m.Status.PLAYING:
                self.say(watching_in_words(table, self.player.name, words))
                if can_join(table, self.player.name):
                    self.say(words.t('Type "join" to play for a bot from the next stage on.'))
            arrived = [each for each in update.happenings if isinstance(each, m.OpenedInstead)]
            self.say(*(happening_in_words(each, table, words) for each in arrived))
        else:
            self.say(*told(update, table, words, self.talk, skipped=skips(before)))
            happened = update.happenings
            if any(isinstance(each, m.GameOver | m.GameEnded) for each in happened):
                still = still_playing(update.tournaments, table.info.event, words)
                self.say(still, after_game_line(table, words))
            if any(isinstance(it, m.Paused) and it.pause is m.Pause.VOTED for it in happened):
                self.say(words.t('Type "resume" to go on.'))
            vote = rematch_vote(table.info)
            if not self.players_doing and vote is not None and vote != rematch_vote(before.info):
                self.say(rematch_in_words(table.info, self.clock.time(), words))
            if may_skip(table) and not may_skip(before):
                said = words.t('Only bots are left in this stage: "skip" goes on to its end.')
                self.say(said)

    @override
    def taught(self, lessons: Sequence[Lesson]) -> None:
        self.say(*(lesson_in_words(lesson, self.words) for lesson in lessons))

    @override
    def announced(self, word: m.ServerMessage) -> None:
        here = self.table is not None and self.table.info.id == word.about
        if word.kind == "your_turn" and (here or self.talk is Verbosity.QUIET):
            return
        if word.kind == "came" and self.talk is Verbosity.QUIET:
            return
        said = word_in_words(word, self.clock.time(), self.words, lines=True)
        self.say(said + (self._attention(said) if word.kind == "invited" else ""))

    @override
    def ended(self, why: Sequence[str]) -> None:
        self.end(*why)

    @override
    def caught_up(self, before: m.Update, update: m.Update) -> None:
        if self.done:
            return  # the last words have been said
        self._explain_bids()
        table, known = update.table, before.table
        here = table and known and known.info.id == table.info.id and not update.resynced
        waits = here and table and known and waits_for(table) and not waits_for(known)
        if table and waits and self.talk is not Verbosity.QUIET:
            said = self.words.t("Waiting for you.")
            self.say(said + (self._attention(said) if people_wait_for(table) else ""))
        self._server_may_close()
        for work in tournaments.news(self, before.tournaments):
            self.spawn(work)

    @override
    def nobody_came(self) -> None:
        """Offer a game against bots to who waits alone, once no line is half typed."""
        self._asks_later = self._typing.begun
        if self._asks_later or not is_alone(self.table):
            return
        question = self.words.t(
            "Nobody else is here yet. Should bots take the other seats and the game begin? Type"
            ' "yes" or "no".'
        )
        self.ask(question, self._start_with_bots)

    @override
    def asked_again(self) -> None:
        said = self.words.t('Type "again" to play another game too, or "leave".')
        self.say(said + self._attention(said))

    def _start_with_bots(self) -> None:
        if not is_alone(self.table):
            self.say(
                self.words.t('You are not alone any more: type "start" when everybody is here.')
            )
        elif self.table is not None:
            self.do_all(filling(self.table))

    @override
    def call_guide(self) -> None:
        self.taught(self.guide.begin(self.table))

    def _explain_bids(self) -> None:
        """Once a visit, with the first hand: how a card is bid. The guide tells it as well."""
        own = self.table.own if self.table is not None and owes_bid(self.table) else None
        if self._bids_explained or own is None or not own.hand:
            return
        self._bids_explained = True
        if not self.guide.here and self.talk is not Verbosity.QUIET:
            card = own.hand[len(own.hand) // 2]
            self.say(self.words.t("To bid a card, type its number, such as {card}.", card=card))
            if not self.games_played:
                self.say(self.words.t('First game? "learn" brings a guide who explains it.'))

    def _attention(self, why: str) -> str:
        """What rings, or shows a notification, as the player wants it, after a sentence."""
        return attention(self.preferences, self.abilities, why)

    # ---------------------------------------------------------------- because of the time

    @override
    def bid_is_due(self, left: float) -> None:
        said = self.words.n(
            "{count} second left to bid.", "{count} seconds left to bid.", round(left)
        )
        self.say(said + self._attention(said))

    def _server_may_close(self) -> None:
        """Say when the server goes down: as soon as that is known, and shortly before."""
        when = self.closing_time
        if when == self._closing:
            return
        stays = bool(self._closing) and not when
        self._closing = when
        if stays and self.table is None:  # tables tell it by themselves
            self.say(self.words.t("The server stays open, and new games may begin."))
        self._last_call.cancel()
        if when:
            self._say_closing()
            if not math.isinf(when) and when - self.clock.time() > WARNING_SECONDS:
                self._last_call.start(when - WARNING_SECONDS, self._say_closing)

    def _say_closing(self) -> None:
        self.say(closing_forms(self._closing - self.clock.time(), self.words, False)[0])

    # ---------------------------------------------------------------- what is typed

    def _typed(self, line: str | None) -> None:
        if self._lines.add(line):
            self.chat_history.rung = False
        elif line is None:
            self.goodbye()
        else:
            self.say(self.words.t("Too much input at once: the rest was ignored."))

    def _obey(self, line: str | None) -> None:
        self.touch()
        if line is None:
            self.together(lambda: commands.leave_server(self))
        else:
            self.together(lambda: commands.obey(self, line))
        if self._asks_later and not self.done:
            self.nobody_came()

    @override
    def failed(self, error: Exception) -> None:
        self.log_mistake(error)
        if not self.done:
            self.say(refusal(m.Reply(m.Refusal.INTERNAL), self.words))

    @override
    def _carried_out(self, task: asyncio.Task[object]) -> None:
        super()._carried_out(task)
        self._lines.go_on()


def _game(table: m.TableSnapshot | None) -> tuple[str, int] | None:
    """Which game of which table a player is at."""
    return (table.info.id, table.info.game) if table is not None else None
