"""Today's tide: the way into it, and who made most; yesterday's, with every game to see again."""

from collections.abc import Sequence
from functools import partial
from typing import Final

from typing_extensions import override

from server.coordinator.events.days import DayPage, Try
from server.coordinator.messages import PlayToday
from server.fullscreen.context import SessionContext
from server.fullscreen.history.pages import open_game
from server.fullscreen.pages.lists import ListPage, people_key
from server.fullscreen.pages.page import BACK
from server.fullscreen.pages.reading import AGAIN, LoadedPage, ReadingPage, SharePage
from server.fullscreen.widgets.boxes import Pane, has_boxes, panes
from server.fullscreen.widgets.chrome import paragraph, paragraphs
from server.fullscreen.widgets.drawing import wrap_facts
from server.i18n.lookup import _
from server.session.sharing import shared_day
from server.terminal.capabilities import Size
from server.terminal.drawing.frame import Frame, Row, Span, row, text_width
from server.terminal.keys.bindings import Key, KeyTable
from server.text.bots import bot_briefly
from server.text.events import (
    commitment_lines,
    day_lines,
    no_tries,
    opponents_in_words,
    opponents_title,
    place_in_words,
    try_in_words,
)
from server.text.times import day_in_words

_LEAST: Final = 3
"""Lines of a ranking that are of any use."""


class TodayPage(LoadedPage[tuple[DayPage | None, ...]], ListPage[Try]):
    """A day, today or the one before, and its ranking."""

    KEYS = KeyTable["TodayPage"](*ListPage.KEYS)

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self.before = 0
        """Which day: so many days ago."""

    @override
    async def load(self) -> tuple[DayPage | None, ...]:
        """Today and yesterday."""
        return await self.context.library.day(), await self.context.library.day(1)

    @property
    def day(self) -> DayPage | None:
        """The one that is shown."""
        return self._found[self.before] if self._found else None

    @property
    def playable(self) -> bool:
        """Whether this player can begin, or go on."""
        return self.day is not None and self.day.playable

    @property
    def replayable(self) -> bool:
        """Whether the game that is chosen can be seen again: before the day is over only one's own."""
        if self.day is None or self.chosen is None:
            return False
        return self.day.closed or self.chosen.player == self.context.player.id

    @override
    def items(self) -> Sequence[Try]:
        return self.day.tries if self.day else ()

    @override
    def frame(self, size: Size) -> Frame:
        words, width, day = self.words, size.columns, self.day
        title = words.t("Yesterday's tide") if self.before else words.t("Today's tide")
        if not self._found:
            return self.framed(title, self.waiting_rows(width), size)
        body = self.body_size(size)
        last = self._yesterday(self._found[1], body)
        if day is None:
            text = words.t("Today's tide is not played on this server.")
            if self.before:
                text = words.t("There was none.")
            about = Pane("", lambda room: paragraph(text, room), least=2)
            rows = panes([[about, *last]], body, self.context.look)
            return self.framed(title, rows, size)
        about = Pane(words.t("how it works"), lambda room: self._about(day, room), least=2)
        bots = Pane(opponents_title(day, words), lambda room: self._bots(day, room))
        left = [self._ranking(day), about] if day.tries else [about]
        rows = panes([left, [bots, *last]], body, self.context.look, (3, 2))
        return self.framed(title, rows, size, aside=day_in_words(day.day, words))

    def _ranking(self, day: DayPage) -> Pane:
        """The people of the day that is shown, of whom one is chosen."""
        place = place_in_words(day, self.context.player.id, self.words)
        ranking = self.list_pane(self._line, self.words.t("ranking"))
        return ranking._replace(aside=place, least=min(_LEAST, len(day.tries)))

    def _yesterday(self, day: DayPage | None, size: Size) -> list[Pane]:
        """Draw the best of yesterday, where there are any, and a box that says that they are not today's."""
        if self.before or day is None or not (day.tries and has_boxes(size, self.context.look)):
            return []
        best = self.list_pane(self._line, self.words.t("yesterday"), day.tries)
        return [best._replace(key="Tab", least=min(_LEAST, len(day.tries)))]

    def _line(self, each: Try, room: int) -> Span:
        """Somebody of a day."""
        style = "strong" if each.player == self.context.player.id else "text"
        return (style, try_in_words(each, self.words))

    def _about(self, day: DayPage, room: int) -> list[Row]:
        words = self.words
        lines = day_lines(day, self.context.player.id, self.context.clock.time(), words)
        if not day.tries:
            lines.append(no_tries(day, words))
        return paragraphs(lines, room)

    def _bots(self, day: DayPage, room: int) -> list[Row]:
        facts: tuple[str, ...] = opponents_in_words(day, self.words)
        if max(map(text_width, facts), default=0) > room - 3:
            facts = tuple(map(bot_briefly, day.opponents))
        return [
            row("  ", ("text", line)) for line in wrap_facts(facts, room - 3, self.context.look)
        ]

    @KEYS.add("enter", footer=_("play"), when=lambda page: page.playable)
    def play(self) -> None:
        """Begin, or go on."""
        self.context.do(PlayToday(), lambda: self.context.close(self))

    @KEYS.add("enter", footer=_("replay"), when=lambda page: page.replayable)
    def replay(self) -> None:
        """Show the game that is chosen."""
        if self.chosen is not None and self.replayable:
            game = self.context.library.game(self.chosen.game)
            self.fetch(open_game(self.context, game))

    @KEYS.add(
        "s",
        footer=_("share"),
        when=lambda page: bool(page.day and page.day.own_try(page.context.player.id)),
    )
    def share(self) -> None:
        """Show what there is to tell others."""
        if self.day is not None:
            find = partial(shared_day, self.context, self.context.library, self.day)
            self.context.open(SharePage(self.context, find))

    @KEYS.add(*("tab", "y"), footer=_("yesterday"), shown=lambda page: not page.before)
    def turn(self) -> None:
        """To the day before, or back."""
        self.before, self._at = 1 - self.before, 0

    @KEYS.add("f", footer=_("fairness"), when=lambda page: page.day is not None)
    def check(self) -> None:
        """Show what the deal can be checked with."""
        if self.day is not None:
            words, day = self.words, self.day
            told = words.t(
                "The deal is fixed before the day begins: its commitment is shown the day before, and its"
                " seed once the day is closed."
            )
            lines = [told, *commitment_lines(day, words)]
            title = f"{words.t('Fairness')}, {day_in_words(day.day, words)}"
            read = partial(paragraphs, lines, apart=True)
            self.context.open(ReadingPage(self.context, title, read))

    @property
    def names(self) -> Sequence[str]:
        """Return the player of the chosen try."""
        return [self.chosen.name] if self.chosen is not None else ()

    KEYS.include(
        people_key(of=lambda page: page.names, footer=_("people")),
        Key(
            "tab",
            does=lambda page: page.turn(),
            footer=_("today"),
            shown=lambda page: page.before > 0,
        ),
        AGAIN,
        BACK,
    )
