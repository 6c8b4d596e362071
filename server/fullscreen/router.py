"""Which screen is shown and what keys do: for one session, and for a replay without a server behind it."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from msgspec import structs
from typing_extensions import override

from server.coordinator import messages as m
from server.coordinator.clock import Clock, OneTimer
from server.coordinator.feed import Visit
from server.fullscreen.banner import Banner, with_notice
from server.fullscreen.chat.overlay import ChatOverlay, ChatPage
from server.fullscreen.chat.view import blank_region
from server.fullscreen.context import Menu, SessionContext
from server.fullscreen.history.pages import GamesPage, replay_this_game, review_newest
from server.fullscreen.history.statistics import StatisticsPage
from server.fullscreen.history.today_page import TodayPage
from server.fullscreen.lobby.big_screen import JoinPage, StandingsPage
from server.fullscreen.lobby.page import LobbyPage
from server.fullscreen.lobby.waiting_page import WaitingPage
from server.fullscreen.menus.account import AccountPage
from server.fullscreen.menus.help import HelpPage
from server.fullscreen.menus.leave import LeavePage
from server.fullscreen.menus.settings import SettingsPage
from server.fullscreen.menus.title import TitlePage
from server.fullscreen.operators.page import OperatorsPage, ReportPage
from server.fullscreen.pages.page import LEAVE, LEAVE_TYPING, Focusable, Page, PageScreen
from server.fullscreen.pages.plain_page import PlainPage
from server.fullscreen.replay.page import ReplayPage
from server.fullscreen.standings.page import CHAT_ROWS, FinalPage, StagePage
from server.fullscreen.table.page import TablePage
from server.fullscreen.tournaments.pages import TournamentsPage
from server.fullscreen.widgets.chrome import below, game_header, in_place_of_the_sea
from server.playback.recorded_game import RecordedGame
from server.playback.reveal_player import RevealPlayer, SummaryScene, scenes_from
from server.session.account import Account
from server.session.client import Frontend, Known
from server.session.turn_status import people_wait_for, table_clock, waits_for
from server.session.tutorial import Lesson
from server.terminal.application import Invalidate
from server.terminal.capabilities import Capabilities, Size
from server.terminal.drawing.frame import Frame
from server.terminal.keys.key_table import Key
from server.text.countdown import next_change, next_until
from server.text.happenings import happening_in_words, info_before, return_in_words
from server.text.refusals import refusal
from server.text.server_messages import closing_in_words, word_in_words
from server.text.tournaments import countdown_in_words
from server.viewmodels.table import present_table

COUNT_SECONDS: Final = 2.0
"""At most so often the title screen counts anew who else is here: nobody there looks for company yet, and
when many come at once, each of them would have to be drawn for each."""

ENTER_RESTS: Final = 0.7
"""Seconds after the screen has moved on by itself in which Enter, meant for what was there, does nothing."""


def _opens(page: Callable[[SessionContext], Page]) -> Callable[[SessionContext], None]:
    return lambda context: context.open(page(context))


def _operators(context: SessionContext) -> Page:
    """For an operator what they can do; for everybody else the way to tell them about somebody."""
    actions = context.account.operator_actions
    return ReportPage(context) if actions is None else OperatorsPage(context, actions)


MENUS: Final[Mapping[Menu, Callable[[SessionContext], None]]] = {
    "account": _opens(AccountPage),
    "chat_log": _opens(ChatPage),
    "games": _opens(GamesPage),
    "help": _opens(HelpPage),
    "leave": _opens(LeavePage),
    "operators": _opens(_operators),
    "review": review_newest,
    "settings": _opens(SettingsPage),
    "statistics": _opens(StatisticsPage),
    "tournaments": _opens(TournamentsPage),
    "this_game": replay_this_game,
    "today": _opens(TodayPage),
}
"""Opens the pages that many others lead to."""


class Router(PageScreen, Frontend):
    """Screens, focus and keys of one visit, until ``done``; deadlines are told in the coordinator's time."""

    def __init__(
        self, visit: Visit, clock: Clock, abilities: Capabilities, account: Account | None = None
    ) -> None:
        super().__init__(
            SessionContext(visit.player, clock, abilities, self.changed, account, visit)
        )
        self.context.settled = self._look_what_is_shown
        self._clock: Final = clock
        self._tick: Final = OneTimer(clock)
        self._counted = 0.0
        self._count_later: Final = OneTimer(clock)
        self.show: Final = RevealPlayer(clock, self._stepped)
        self._banner: Final = Banner()
        self._last_word = ""
        self.goodbye: tuple[str, ...] = ()
        """Why the session has ended, when the server ended it, and how to come back: lines to print at the
        end."""
        self._chat: Final = ChatOverlay(self.context)
        self.context.open_chat = self._open_chat
        self.context.menus = MENUS
        self._title: Final = TitlePage(self.context)
        self._lobby: Final = LobbyPage(self.context)
        self._join: Final = JoinPage(self.context)
        self._standings: Final = StandingsPage(self.context)
        self._waiting: Final = WaitingPage(self.context)
        self._table: Final = TablePage(self.context, self.show)
        self._final: Final = FinalPage(self.context)
        self._stage: Final = StagePage(self.context, self.show)
        self._plain: Final = PlainPage(self.context, self.show)
        self._drawn: Focusable = self._title
        """What is being drawn."""
        self._chat_is_broken = False
        self._places: Final[Sequence[Page]] = (
            *(self._title, self._lobby, self._join, self._standings, self._waiting),
            *(self._table, self._stage, self._final, self._plain),
        )
        """What is shown where nothing is laid over it."""
        self._shown_place = self._place
        self._shown = self._what_is_shown()
        self._enter_rests_until = 0.0

    # ---------------------------------------------------------------- keys, and the picture

    @property
    @override
    def shown_page(self) -> Page:
        return self._page

    @property
    @override
    def focus(self) -> Focusable:
        return self._chat if self._chat.is_open else self._page

    @override
    def press(self, key: Key | None, name: str) -> None:
        self.context.changes += 1
        with self.context.doing():
            self.context.touch()
            if key is LEAVE or key is LEAVE_TYPING or not self._ignores(key):
                self.context.message = ("", "")
                if not self._chat.is_open:
                    self.context.notice = ("", "")
                self._banner.pressed(self._clock.time())
                if self._chat.is_open or self._may_chat(self._page):
                    self.context.book.answered()
                self.focus.press(key, name)
            self._look_what_is_shown()

    def _ignores(self, key: Key | None) -> bool:
        """Whether a key does nothing: nobody sees what it would do, or it is an Enter that was meant for what
        has just gone from the screen. Who has typed a card's number since then means what is there now.
        """
        page = self._page
        if self._unseen and not isinstance(page, LeavePage):
            return not self._chat.is_open or key is None or "c-c" not in key.names
        if self._chat.is_open:
            return False
        if self._clock.time() >= self._enter_rests_until or key is None:
            return False
        return "enter" in key.names and not (page is self._table and self._table.typed)

    @override
    def attach(self, invalidate: Invalidate) -> None:
        super().attach(invalidate)
        self.context.show_in(self)

    def _moved(self) -> None:
        """It has changed by itself, as time goes on."""
        self.context.changes += 1
        self._stepped()

    def _stepped(self) -> None:
        """What is played back has come to its next picture."""
        self._look_what_is_shown()
        self._invalidate(in_background=True)

    @override
    def picture(self, size: Size) -> Frame:
        frame = self._with_chat(size)
        if self._chat.repeats:
            self.context.notice = ("", "")
            self.context.changes += 1
            frame = self._with_chat(size)
        if coming := self._coming():
            frame = with_notice(frame, coming, size)
        return self._banner.over(frame, size)

    @override
    def failed(self, error: Exception, *, drawing: bool) -> bool:
        """Go on without the page, and without ending the session: one that is laid over others is closed, the
        others are told in sentences. A key that fails on one of those leaves it as it is.
        """
        context = self.context
        at = self._drawn if drawing else self.focus
        if at is self._chat:
            self._chat.close()
            self._chat_is_broken = drawing
        if isinstance(at, Page):
            at.entry = None
            if drawing and (at is self._place or isinstance(at, LeavePage)):
                self._plain.broken.add(self._page_of_place)
                self.show.stop()
            if drawing and at not in context.overlays:
                context.log_mistake(error, type(at).__name__)
                return at is not self._plain
        context.failed(error, at)
        self._look_what_is_shown()
        return True

    def _open_chat(self) -> None:
        if self._chat_is_broken:
            self.context.say("error", refusal(m.Reply(m.Refusal.INTERNAL), self.context.words))
        else:
            self._chat.open()

    def _coming(self) -> str:
        """That the server goes down soon, or a round of the player's tournament begins."""
        context, now = self.context, self._clock.time()
        if closing := context.closing_time:
            return closing_in_words(closing - now, context.words, context.look.thin)
        return countdown_in_words(context.tournaments, now, context.words)

    def _what_is_shown(self) -> tuple[object, ...]:
        """The page, with the line typed on it, and at the table the round: not who has bid in it, what is
        said, or how late it is.
        """
        page, table = self._page, self.context.table
        if page is not self._table or table is None or table.table is None:
            return (page, page.entry)
        game, view = (table.info.id, table.info.game), table.table
        return (page, *game, view.stage, view.round, self.show.scene)

    def _look_what_is_shown(self) -> None:
        """When that has changed without the player's doing, Enter rests for a moment; a page that is no
        longer what lies below all others is closed.
        """
        if self._place is not self._shown_place:
            self._reopen()
        shown, now = self._what_is_shown(), self._clock.time()
        if shown != self._shown:
            self._shown = shown
            self._enter_rests_until = 0.0 if self.context.players_doing else now + ENTER_RESTS

    def _reopen(self) -> None:
        """What lies below all other pages is another one, or the same at another table."""
        self._shown_place.closed()
        self._shown_place = self._place
        self._shown_place.opened()

    @override
    def text(self, text: str) -> None:
        self.context.changes += 1
        self.context.touch()
        if not self._unseen:
            self.focus.text(text)

    def close(self) -> None:
        """The session is over: stop every timer and task."""
        self.show.stop()
        for timer in (self._tick, self._count_later, self.context.notice_timer):
            timer.cancel()
        for page in self._pages:
            page.closed()
        self.context.stop()

    # ---------------------------------------------------------------- chat

    def _may_chat(self, page: Page) -> bool:
        """Whether the keys of the chat work on this page."""
        return page.CHATS and page.entry is None and not self._chat_is_broken

    def _with_chat(self, size: Size) -> Frame:
        """The page's frame, with what is said where it has room for that."""
        page, chat, region = self._page, self._chat, None
        self._drawn = page
        reading = isinstance(page, ChatPage)
        # What is being answered stays in sight.
        room = size._replace(rows=size.rows - 2) if reading and chat.is_open else size
        frame = self._with_the_game(page, room)
        if self._may_chat(page) and not reading:
            look, least = self.context.look, CHAT_ROWS if page is self._final else 3
            at_table = page is self._table
            region = self._table.chat_region if at_table else blank_region(frame, size, look, least)
        if self._chat_is_broken:
            return frame
        self._drawn = chat
        frame = chat.over(frame, region, size, read=reading, marked=self._may_chat(page))
        self._drawn = page
        return frame

    def _with_the_game(self, page: Page, size: Size) -> Frame:
        """The page's frame; during a game each but the table's own has the game in one of its first rows."""
        frame, table, look = page.frame(size), self.context.table, self.context.look
        # The end of a stage is told whole; what is known of the next one stands in its message.
        if page in (self._table, self._stage, self._plain) or table is None or table.table is None:
            return frame
        if table.info.status is not m.Status.PLAYING:
            return frame
        model = present_table(table.info, table.table, look.words)
        game = game_header(
            (model.stage_words, model.round_words),
            look.words.t("All wait for you.") if waits_for(table) else "",
            table_clock(table, self._clock.time(), look.words, look.thin),
            size.columns,
            look,
        )
        # A replay has a table of its own, of which every row may be needed.
        placed = None if isinstance(page, ReplayPage) else in_place_of_the_sea(frame, game)
        return placed or below(game, page.frame(size._replace(rows=size.rows - 1)))

    # ---------------------------------------------------------------- which page

    @property
    def _page(self) -> Page:
        return self.top if self.context.overlays else self._place

    @property
    def _pages(self) -> Sequence[Page]:
        """All that there are for now."""
        return (*self._places, *(each for each in self.context.overlays if isinstance(each, Page)))

    @property
    def _place(self) -> Page:
        """The page of where the player is, or what stands in its place."""
        page = self._page_of_place
        return self._plain if page in self._plain.broken else page

    @property
    def _page_of_place(self) -> Page:
        table = self.context.table
        if table is None:
            if (which := self.context.standings) is not None:
                return self._standings if which else self._join
            return self._lobby if self.context.greeted else self._title
        if isinstance(self.show.scene, SummaryScene):
            return self._stage
        if table.info.status is m.Status.OPEN or table.table is None:
            return self._waiting
        if table.info.status is m.Status.OVER and self.show.scene is None:
            return self._final
        return self._table

    def ask_for_word(self, command: m.JoinTable | m.WatchTable) -> None:
        """The player came for a private table without its word: the lobby has it typed."""
        self.context.greeted = True
        self._lobby.ask_for_word(command)
        self._shown = self._what_is_shown()

    # ---------------------------------------------------------------- the feed

    @override
    def happened(self, before: Known, update: m.Update) -> None:
        self.context.changes += 1
        self._apply(before.lobby, before.table, update)
        if self.context.standings != before.standings:
            self.context.greeted = True
            self._at_another_place()
        for page in self._pages:
            page.updated(update)
        self._chat.hear(update.chat)

    @override
    def taught(self, lessons: Sequence[Lesson]) -> None:
        """The pages show what the guide says now (``SessionContext.lesson``)."""

    @override
    def announced(self, word: m.ServerMessage) -> None:
        """Show it, and keep it with what happened."""
        text = word_in_words(word, self._clock.time(), self.context.words)
        if word.kind == "tournament_round":
            return  # there is a countdown
        if word.kind == "operator":
            self.context.say("notice", text)
        else:
            self._banner.say(text, self._clock.time())
            self.context.note(text)
            self._last_word = text

    @override
    def ended(self, why: Sequence[str]) -> None:
        last = (self._last_word,) if self._last_word else ()
        self.goodbye = tuple(why) or last
        self.context.leave()

    @override
    def caught_up(self, before: Known, update: m.Update) -> None:
        self._schedule_tick()
        self._look_what_is_shown()
        known = before.lobby
        if known is not None and self._page is self._title and _is_count(known, update):
            # There are others here than before: show it, now or in a while.
            if not self._count_later.running:
                self._count_later.start(self._counted + COUNT_SECONDS, self._count)
        else:
            self._has_counted()
            # A lobby of hundreds changes all the time, and for everybody in it.
            self._invalidate(in_background=update.table is None and not update.closed)

    def _count(self) -> None:
        self._has_counted()
        self._moved()

    def _has_counted(self) -> None:
        """The next frame shows who is here."""
        self._counted = self._clock.time()
        self._count_later.cancel()

    def _apply(
        self, known: m.LobbySnapshot | None, before: m.TableSnapshot | None, update: m.Update
    ) -> None:
        """Where the player was until then is ``known`` of the lobby, or ``before`` at a table."""
        context = self.context
        if update.table is None:
            if before is not None:
                self._at_another_place()
            if why := return_in_words(update.happenings, context.words):
                context.say("warm", why)
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
            self.show.stop()
            before = structs.replace(before, table=None)
        for happening in update.happenings:
            if text := happening_in_words(happening, now, context.words):
                context.note(text)
                context.notify(text)
        self.show.bids_due(now.info.deadline)
        if before is not None and not update.resynced:
            scenes = scenes_from(before.table, update.happenings)
            if context.abilities.thin:
                scenes = [scene for scene in scenes if isinstance(scene, SummaryScene)]
            then = info_before(now.info, update.happenings)
            self.show.add(
                scenes,
                motion=context.abilities.moves,
                seconds=context.preferences.reveal_seconds,
                played_by=then if then is not now.info else None,
            )
        if people_wait_for(now) and not (before and waits_for(before)):
            context.call(context.words.t("All wait for you."))

    def _at_another_place(self) -> None:
        self.show.stop()
        self.context.close_all()
        self._reopen()
        self.context.notices.clear()
        self.context.message = self.context.notice = ("", "")

    @override
    def nobody_came(self) -> None:
        self._waiting.ask_to_start()
        self.changed()

    # ---------------------------------------------------------------- the clock and the bell

    def _schedule_tick(self) -> None:
        table, now = self.context.table, self._clock.time()
        due = [table.info.deadline if table else 0.0, self.context.closing_time]
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


class ReplayRouter(PageScreen):
    """Shows one game until the viewer has seen enough."""

    def __init__(self, game: RecordedGame, clock: Clock, abilities: Capabilities) -> None:
        super().__init__(SessionContext(m.Player("", "", True), clock, abilities, self.changed))
        self.context.menus = {**MENUS, "leave": self._leave}
        self.page: Final = ReplayPage(self.context, game, self.context.leave)
        self.context.open(self.page)

    def _leave(self, _context: SessionContext) -> None:
        """There is nothing to leave but what is seen."""
        page = self.top
        if page.entry is None:
            page.go_back()
        page.entry = None
