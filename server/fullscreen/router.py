"""Which page is shown and what keys do, in one session."""

from collections.abc import Sequence
from typing import Final

from msgspec import structs
from typing_extensions import override

from server.coordinator import messages as m
from server.fullscreen.chat.overlay import ChatOverlay
from server.fullscreen.context import SessionContext
from server.fullscreen.lobby.big_screen import with_invitation
from server.fullscreen.page_map import MENUS, page_of_place
from server.fullscreen.pages.page import (
    ENTER_RESTS,
    LEAVE,
    LEAVE_TYPING,
    Focusable,
    Page,
    PageScreen,
)
from server.fullscreen.tournaments.list_page import EndedTournaments
from server.fullscreen.widgets.chrome import SURE_SECONDS, Banner, with_notice
from server.fullscreen.widgets.drawing import shortest
from server.playback import RevealPlayer, Scene, SummaryScene, motion_on, scenes_from, scenes_since
from server.session.attention import people_wait_for, skips, waits_for
from server.session.client import UpdateHandler, Visitor
from server.terminal.application import Invalidate
from server.terminal.capabilities import Size
from server.terminal.drawing.frame import Frame
from server.terminal.keys.bindings import AnyKey
from server.text.happenings import happening_in_words, info_before, return_in_words
from server.text.refusals import refusal
from server.text.server_messages import closing_forms, word_in_words
from server.text.times import next_change, next_until
from server.text.tournaments import countdown_forms
from server.timers import OneTimer
from server.viewmodels.table import rematch_in_words

COUNT_SECONDS: Final = 2.0
"""At most so often a page that counts who else is here is drawn anew: nobody there looks for company yet, and
when many come at once, each of them would have to be drawn for each."""


class ChatFailed(Exception):
    """What the chat shows could not be drawn, because of this ``mistake``."""

    def __init__(self, mistake: Exception) -> None:
        super().__init__(mistake)
        self.mistake: Final = mistake


class Router(PageScreen, UpdateHandler):
    """Screens, focus and keys of one visit, until ``done``; deadlines are told in the coordinator's time."""

    def __init__(self, who: Visitor) -> None:
        super().__init__(SessionContext(who, self.changed))
        self._clock: Final = who.clock
        self._tick: Final = OneTimer(who.clock)
        self._counted = 0.0
        self._count_later: Final = OneTimer(who.clock)
        self._banner: Final = Banner()
        self._last_word = ""
        self._ended: Final = EndedTournaments(self.context, self._moved)
        self.goodbye: tuple[str, ...] = ()
        """Why the session has ended, when the server ended it, and how to come back: lines to print at the
        end."""
        self._chat: Final = ChatOverlay(self.context)
        self._chat_is_broken = False
        self.context.carried_out = self._look_what_is_shown
        self.context.reveal = RevealPlayer(who.clock, self._moved)
        self.context.open_chat = self._open_chat
        self.context.open_chat_log = self._chat.open_log
        self.context.menus = MENUS
        self._pages: Final[dict[type[Page], Page]] = {}
        self._shown_place = self._place
        self._shown_state = self.page.state()
        self._enter_rests_until = self._space_rests_until = 0.0

    # ---------------------------------------------------------------- keys, and the picture

    @property
    @override
    def page(self) -> Page:
        return super().page if self.context.overlays else self._shown_place

    @property
    @override
    def focus(self) -> Focusable:
        return self._chat if self._chat.is_open else self.page

    @override
    def do(self, key: AnyKey | None, name: str) -> None:
        context = self.context
        context.answer_is_due = False
        # As ``doing`` does, whose generator would cost more than all else that is done here.
        context.players_doing += 1
        try:
            context.touch()
            if key is LEAVE or key is LEAVE_TYPING or not self._ignores(key):
                context.message = ("", "")
                if not self._chat.is_open:
                    context.notice = ("", "")
                self._banner.look(self._clock.time(), SURE_SECONDS)
                if self._chat.is_open or self._may_chat(self.page):
                    context.chat_history.rung = False
                self.focus.press(key, name)
            self._look_what_is_shown()
        finally:
            context.players_doing -= 1

    def _ignores(self, key: AnyKey | None) -> bool:
        """Whether a key does nothing.

        Nobody sees what it would do, or it is an Enter that was meant for what has just gone from
        the screen, or a Space for the page that has.
        """
        if self._unseen and not self.page.WAY_OUT:
            return not self._chat.is_open or key is None or "c-c" not in key.names
        if self._chat.is_open or key is None:
            return False
        if " " in key.names:
            return self.page.LEFT_BY_SPACE and self._clock.time() < self._space_rests_until
        if "enter" not in key.names:
            return False
        return self._clock.time() < self._enter_rests_until and not self.page.enter_is_meant

    @override
    def attach(self, invalidate: Invalidate) -> None:
        super().attach(invalidate)
        self._shown_place.opened()
        self.context.show_in(self)

    def _moved(self) -> None:
        """It has changed by itself, as time goes on."""
        self._look_what_is_shown()
        self._invalidate(in_background=True)

    @override
    def picture(self, size: Size) -> Frame:
        context, page, chat = self.context, self.page, self._chat
        # What is being answered stays in sight.
        answers = page.READS_CHAT and chat.is_open
        frame = page.frame(size._replace(rows=size.rows - 2) if answers else size)
        if not self._chat_is_broken:
            may_chat, read = self._may_chat(page), page.READS_CHAT
            region = page.chat_region(frame, size) if may_chat and not read else None
            try:
                frame = chat.over(frame, region, size, read=read, marked=may_chat)
            except Exception as error:
                raise ChatFailed(error) from error
        follows = context.standings is not None and context.table is not None
        if follows and page is self._shown_place:
            frame = with_invitation(frame, context, size)
        now, coming = self._clock.time(), tuple[str, ...]()
        if closing := context.closing_time:
            coming = closing_forms(closing - now, context.words, context.look.thin)
        elif context.tournaments:
            coming = countdown_forms(context.tournaments, now, context.words)
        if coming:
            text = shortest(coming, size.columns - 2, context.look.glyphs)
            frame = with_notice(frame, text, size)
        return self._banner.over(frame, size)

    @override
    def failed(self, error: Exception, *, drawing: bool) -> bool:
        """Go on without the page, and without ending the session.

        One that is laid over others is closed, the others are told in sentences. A key that fails
        on one of those leaves it as it is.
        """
        context, page = self.context, self.page
        if isinstance(error, ChatFailed) or (self._chat.is_open and not drawing):
            self._chat.close()
            self._chat_is_broken = drawing
            context.failed(error.mistake if isinstance(error, ChatFailed) else error, self._chat)
            return True
        page.entry = None
        if drawing and (page is self._shown_place or page.WAY_OUT):
            if type(self._shown_place) not in context.broken:
                context.broken.append(type(self._shown_place))
            context.reveal.stop()
        if drawing and page not in context.overlays:
            context.log_mistake(error, type(page).__name__)
        else:
            context.failed(error, page)
        self._look_what_is_shown()
        return not drawing or self.page is not page

    def _open_chat(self) -> None:
        if self._chat_is_broken:
            self.context.say("error", refusal(m.Reply(m.Refusal.INTERNAL), self.context.words))
        else:
            self._chat.open()

    def _look_what_is_shown(self) -> None:
        """Show the page that belongs to where the player is.

        When that has changed without the player's doing, Enter rests for a moment, and Space when it is
        another page; one that is no longer what lies below all others is closed.
        """
        if self._ended.waiting is not None:
            self._ended.show(self._ended.waiting)
        if self._place is not self._shown_place:
            self._reopen()
        state = self.page.state()
        if state != self._shown_state:
            rests = 0.0 if self.context.players_doing else self._clock.time() + ENTER_RESTS
            self._enter_rests_until = rests
            if state[0] is not self._shown_state[0]:
                self._space_rests_until = rests
            self._shown_state = state

    def _reopen(self) -> None:
        """What lies below all other pages is another one, or the same at another table."""
        self._shown_place.closed()
        self._shown_place = self._place
        self._shown_place.opened()

    @override
    def text(self, text: str) -> None:
        self.context.touch()
        if not self._unseen:
            self.focus.text(text)
        self._look_what_is_shown()

    def close(self) -> None:
        """The session is over: stop every timer and task."""
        self.context.reveal.stop()
        for timer in (self._tick, self._count_later):
            timer.cancel()
        self.context.close_all()
        self._shown_place.closed()
        self.context.stop()

    # ---------------------------------------------------------------- chat

    def _may_chat(self, page: Page) -> bool:
        """Whether the keys of the chat work on this page."""
        return page.CHATS and page.entry is None and not self._chat_is_broken

    @property
    def _place(self) -> Page:
        """The page of where the player is, which is made once for the session."""
        page = page_of_place(self.context)
        if page not in self._pages:
            self._pages[page] = page(self.context)
        return self._pages[page]

    def ask_for_word(self, command: m.JoinTable | m.WatchTable) -> None:
        """The player came for a private table without its word: the lobby has it typed."""
        self.context.greeted = True
        self.context.locked_out = command
        self._look_what_is_shown()
        self._enter_rests_until = 0.0

    # ---------------------------------------------------------------- the feed

    @override
    def happened(self, before: m.Update, update: m.Update) -> None:
        self._apply(before, update)
        if update.tournaments is not before.tournaments:
            self._ended.heard(before.tournaments, update.tournaments)
        if self.context.standings != before.standings:
            self.context.greeted = True
            self._at_another_place()
        if self._place is not self._shown_place:
            self._reopen()
        for page in (self._shown_place, *self.context.overlays):
            page.updated(update)
        self._chat.hear(update.chat)

    @override
    def announced(self, word: m.ServerMessage) -> None:
        """Show it, and keep it with what happened."""
        text = word_in_words(word, self._clock.time(), self.context.words, lines=False)
        if word.kind == "tournament_round":
            return  # there is a countdown
        if word.kind in ("operator", "cut", "came"):
            self.context.notify(text)
        elif word.kind == "your_turn":
            self._announce_turn(word.about, text)
        else:
            if word.kind == "invited":
                self.context.call(text)
            self._banner.say(text, self._clock.time())
            self.context.note(text)
            self._last_word = text

    def _announce_turn(self, code: str, text: str) -> None:
        """A game by correspondence waits: that is no news for who looks at it, and rings in no other game."""
        table = self.context.table
        if table is None:
            self.context.call(text)
        if table is None or table.info.id != code:
            self.context.notify(text)

    @override
    def ended(self, why: Sequence[str]) -> None:
        last = (self._last_word,) if self._last_word else ()
        self.goodbye = tuple(why) or last
        self.context.leave()

    @override
    def caught_up(self, before: m.Update, update: m.Update) -> None:
        known = before.lobby
        self._look_what_is_shown()
        self._schedule_tick()
        if known is not None and self.page.COUNTS and _is_count(known, update):
            # There are others here than before: show it, now or in a while.
            if not self._count_later.running:
                self._count_later.start(self._counted + COUNT_SECONDS, self._count)
        else:
            # The next frame shows who is here.
            self._counted = self._clock.time()
            self._count_later.cancel()
            # A lobby of hundreds changes all the time, and for everybody in it.
            waits = update.table is None and not update.closed
            self._invalidate(in_background=waits, now=not waits)

    def _count(self) -> None:
        self._counted = self._clock.time()
        self._moved()

    def _apply(self, last: m.Update, update: m.Update) -> None:
        context, known, before = self.context, last.lobby, last.table
        words = context.look.words
        if update.table is None:
            if before is not None:
                self._at_another_place()
            if why := return_in_words(update.happenings, words):
                context.say("warm", why, stays=True)
            return
        context.greeted = True
        now = update.table
        if before is None or before.info.id != now.info.id:
            if before is not None or context.overlays:
                self._at_another_place()
            elif known is not None:
                context.message = ("", "")
            before = None
        elif before.info.game != now.info.game:
            self.context.reveal.stop()
            before = structs.replace(before, table=None)
        for happening in update.happenings:
            if text := happening_in_words(happening, now, words):
                context.note(text)
                context.notify(text)
        self.context.reveal.bids_due(now.info.deadline)
        if skips(now) and not skips(before):
            self.context.reveal.stop()
        scenes: list[Scene] = []
        if before is None and now.table is not None:
            scenes = scenes_since(now.table, *context.missed(now))
        elif before is not None and not update.resynced:
            scenes = scenes_from(before.table, update.happenings)
        if context.abilities.thin or skips(before):
            scenes = [scene for scene in scenes if isinstance(scene, SummaryScene)]
        if scenes:
            then = info_before(now.info, update.happenings)
            context.reveal.add(
                scenes,
                motion=motion_on(context.abilities),
                seconds=context.preferences.reveal_seconds,
                played_by=then if then is not now.info else None,
                hurries=before is not None,
            )
        if people_wait_for(now) and not (before and waits_for(before)):
            context.call(words.t("Waiting for you."))

    def _at_another_place(self) -> None:
        self.context.reveal.stop()
        self.context.close_all()
        self._reopen()
        self.context.notices.clear()
        self.context.message = self.context.notice = ("", "")

    @override
    def nobody_came(self) -> None:
        self._shown_place.nobody_came()

    # ---------------------------------------------------------------- the clock and the bell

    @override
    def asked_again(self) -> None:
        assert self.context.table is not None
        info, now = self.context.table.info, self._clock.time()
        self.context.call(rematch_in_words(info, now, self.context.words))

    def _schedule_tick(self) -> None:
        table, now = self.context.table, self._clock.time()
        due = [self.context.closing_time]
        due += [table.info.deadline, table.info.begins] if table else []
        waits = [next_change(when - now, self.context.abilities.thin) for when in due if when]
        waits += [next_until(each.begins - now) for each in self.context.tournaments]
        waits.append(self._banner.look(now))
        if wait := min(filter(None, waits), default=0.0):
            self._tick.start(now + wait, self._ticked)
        else:
            self._tick.cancel()

    def _ticked(self) -> None:
        if not self.context.done:
            self._schedule_tick()
            self._moved()

    @override
    def bid_is_due(self, left: float) -> None:
        """The time for a bid is nearly over."""
        self.context.call(self.context.words.t("Your time is nearly over."))
        self._moved()


def _is_count(known: m.LobbySnapshot, update: m.Update) -> bool:
    """Whether nothing is new in the lobby but who is there, and which tables."""
    lobby = update.lobby
    news = update.happenings or update.chat or update.said or update.closed
    return lobby is not None and lobby.closing == known.closing and not news
