"""The page after a game."""

from collections.abc import Sequence
from functools import partial
from itertools import chain

from typing_extensions import override

from engine.views import TableView
from server.coordinator.events.days import is_day
from server.fullscreen.context import SessionContext
from server.fullscreen.pages.page import HELP, TALK, TOURNAMENTS, WAYS_OUT, menu
from server.fullscreen.pages.people import people_key
from server.fullscreen.pages.reading import PAGING, SCROLL, SCROLLING, ReadingPage, SharePage
from server.fullscreen.standings.podium import ALL, CeremonyPage
from server.fullscreen.standings.view import final_lines
from server.fullscreen.table.log import LogPage
from server.fullscreen.widgets.chrome import Keys, paragraph, paragraphs
from server.i18n.lookup import _
from server.session.preferences import same_people
from server.session.sharing import Shared, shared_here
from server.session.tutorial import lesson_in_words
from server.terminal.capabilities import Size
from server.terminal.drawing.frame import BLANK, Row, Span
from server.terminal.keys.key_table import AnyKey, Key, KeyTable
from server.text.tournaments import still_playing
from server.viewmodels.table import (
    code_of,
    hands_in_words,
    rematch_in_words,
    rematch_vote,
    seat_names,
    title_of,
)


class FinalPage(CeremonyPage):
    """The game is over: standings, hands, the seed; another game?"""

    CHATS = SAYS = True
    SHARE = 1.0
    LARGEST = None
    CHAT_ROWS = 2
    KEYS = KeyTable["FinalPage"](
        SCROLLING[0].named("down", "j"),
        *PAGING,
        *TALK,
        Key(
            "r",
            does=lambda page: page.context.play_again(),
            when=lambda page: page.plays and not page.table.info.event,
            footer=_("another game"),
            shown=lambda page: page.plays and not page.context.learns and not page.table.info.event,
        ),
        Key(
            "r",
            does=lambda page: page.context.play_again(),
            when=lambda page: page.plays and page.context.learns,
            footer=_("a whole game"),
        ),
        Key(
            "d",
            does=menu("today"),
            when=lambda page: is_day(page.table.info.event) and not page.table.info.seed,
            footer=_("today's tide"),
        ),
        TOURNAMENTS,
        SCROLL,
        Key(
            "h",
            does=lambda page: page.show_hands(),
            footer=_("all hands"),
            help=_("h, g\tafter the game: all hands; a replay from the start"),
        ),
        Key(
            "g",
            does=menu("this_game"),
            when=lambda page: bool(page.context.account.library),
            footer=_("replay"),
        ),
        Key(
            "s",
            does=lambda page: page.share(),
            when=lambda page: bool(page.view.winners),
            footer=_("share"),
            help=_("s\tafter the game: a text about it, to share"),
        ),
        Key(
            "p",
            does=lambda page: page.context.play_with_same(),
            when=lambda page: (
                page.plays and bool(same_people(page.table, page.context.player.name))
            ),
            footer=_("same people"),
            help=_(
                "p\tafter the game: a new table with a seat for everybody who has played; if you have "
                "an account, they are invited"
            ),
        ),
        Key(
            "d",
            does=lambda page: page.context.play_deal(code_of(page.table.info)),
            when=lambda page: bool(page.table.info.seed),
            footer=_("same deal"),
            help=_("d\tafter the game, or in a replay: the same deal again, against bots"),
        ),
        Key(
            "v",
            does=menu("review"),
            when=lambda page: page.plays and bool(page.context.account.library),
            footer=_("review"),
            help=_("v\tafter the game: your bids beside those of the strongest bot"),
        ),
        people_key("i", "I", of=lambda page: page.context.people_named, footer=_("people")),
        HELP,
        Key("L", "tab", does=lambda page: page.show_page(LogPage), footer=_("log")),
        Key("o", does=menu("settings")),
        *WAYS_OUT,
    )

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self._day: Shared | None = None
        """What others are told, if that was today's tide."""

    @override
    def opened(self) -> None:
        self._day = None
        self.begin()
        if self.plays and is_day(self.table.info.event):
            self.spawn(self._read_day())

    async def _read_day(self) -> None:
        self._day = await shared_here(self.context, unicode=self.context.abilities.unicode)
        self.context.changed()

    def show_hands(self) -> None:
        """All hands as they were dealt."""
        info, words = self.table.info, self.words
        title = words.t("All hands of this game")
        hands = tuple(hands_in_words(info, words))
        self.context.open(ReadingPage(self.context, title, partial(paragraphs, hands, apart=True)))

    def share(self) -> None:
        """Show a text to copy."""
        self.context.open(SharePage(self.context, partial(shared_here, self.context)))

    @property
    def view(self) -> TableView:
        assert self.table.table is not None
        return self.table.table

    @override
    def title(self) -> str:
        return title_of(self.view, self.context.words)

    @override
    def lines_on(self, size: Size) -> Sequence[Row]:
        info, seat = self.table.info, self.table.seat
        if seat >= 0 and seat_names(info)[seat] != self.context.player.name:
            seat = -1  # somebody else played there
        told = final_lines(info, self.view, seat, size, self.context.look, self.standing)
        return [*self._shared_rows(size.columns), *told]

    def _shared_rows(self, width: int) -> Sequence[Row]:
        """First what one would pass on; not before it is announced."""
        if self._day is None or self.standing < ALL:
            return []
        lines = [paragraph(line, width, "strong") for line in self._day.lines]
        return [*chain(*lines), *paragraph(self._day.counts, width, "dim"), BLANK]

    @property
    @override
    def said(self) -> Span:
        """Also who is waited for, or how the guide takes leave: below all that scrolls."""
        info, words, guide = self.table.info, self.words, self.context.guide
        if super().said[1]:
            return super().said
        if waits := still_playing(self.context.tournaments, info.event, words):
            return ("warm", waits)
        now, thin = self.context.clock.time(), self.context.look.thin
        if rematch := rematch_in_words(info, now, words, thin=thin):
            return ("notice", rematch)
        return ("strong", lesson_in_words(guide.unread[-1], words) if guide.unread else "")

    @override
    def footer(self, *without: AnyKey) -> Keys:
        keys, vote = super().footer(*without), rematch_vote(self.table.info)
        if vote is None or vote.needed < 2 or not self.plays:
            return keys
        again = self.words.t("another game")
        count = self.words.t("{count} of {needed}", count=len(vote.agreed), needed=vote.needed)
        told = {("r", again): ("r", f"{again} ({count})")}
        return tuple(told.get(key, key) for key in keys)

    @override
    def room_on(self, size: Size) -> int:
        room = super().room_on(size)
        return room - self.CHAT_ROWS if self.context.chat_history.spoken else room

    @property
    def plays(self) -> bool:
        """Somebody who has played, not only watched."""
        return self.table.seat >= 0
