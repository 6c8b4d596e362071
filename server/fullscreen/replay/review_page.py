"""The review page: the bids of one seat of a finished game, beside those of the strongest bot."""

from collections.abc import Callable
from contextlib import aclosing
from typing import Final

from typing_extensions import override

from engine.bots.review import ReviewedBid, costliest
from server.coordinator.messages import Refusal, Reply
from server.fullscreen.context import SessionContext
from server.fullscreen.pages.page import BACK, DOWN, FAR_DOWN, FAR_UP, UP, ListPage
from server.fullscreen.pages.reading_page import closed_by
from server.fullscreen.widgets.chrome import menu_row, paragraph, window
from server.i18n.catalogues import gettext_noop as _
from server.playback.recorded_game import RecordedGame
from server.storage.store import StoreError
from server.terminal.capabilities import Size
from server.terminal.drawing.frame import BLANK, Frame, Span, fit, row
from server.terminal.keys.key_table import KeyTable
from server.text.history import decimal
from server.text.refusals import refusal
from server.text.review import bid_in_words, summary_in_words

_COLUMNS: Final = (_("round"), _("card"), _("bot"), _("points"), _("+-"))
_BAR: Final = 80
"""Columns of a screen from which there is room for bars."""


class ReviewPage(ListPage):
    """What the bids come to, the costliest, and all of them; Enter shows the round of one."""

    KEYS = KeyTable["ReviewPage"](UP, DOWN, FAR_UP, FAR_DOWN)

    def __init__(
        self,
        context: SessionContext,
        game: RecordedGame,
        seat: int,
        show: Callable[[int, int, int], None],
    ) -> None:
        """``show`` a round (stage, round) through the eyes of a seat."""
        super().__init__(context)
        self._game: Final = game
        self._show: Final = show
        self._seat = seat
        self._bids: list[ReviewedBid] = []
        self._listed: list[ReviewedBid] = []
        """The costliest, and then all of them."""

    @override
    def opened(self) -> None:
        self._begin()

    @property
    def held(self) -> bool:
        """Only the player's own bids can be reviewed yet."""
        return self._game.held

    @property
    @override
    def count(self) -> int:
        return 1 + len(self._listed)

    @override
    def frame(self, size: Size) -> Frame:
        words, width, name = self.words, size.columns, self._game.info.seats[self._seat].name
        title = words.t("Review: {name} in {game}", name=name, game=self._game.info.title)
        told = summary_in_words(self._bids, words)
        if self._chosen:
            told = [bid_in_words(self._listed[self._chosen - 1], words)]
        text = [line for each in told for line in paragraph(each, width)]
        cost = decimal(sum(one.difference for one in self._bids if one.sure), words)
        lines: list[list[Span]] = [[("strong", fit(words.t("in all"), 21) + cost)]]
        lines += [self._line(number, width) for number in range(len(self._listed))]
        heading = "".join(fit(words.t(each), 7) for each in _COLUMNS)
        room = size.rows - 5 - 2 * (size.rows >= 20) - len(text) - bool(self.said[1])
        shown = window(len(lines), self._chosen, max(1, room))
        rows = [menu_row(number == self._chosen, lines[number], width) for number in shown]
        body = [row("  ", ("heading", heading.rstrip())), *rows, BLANK, *text]
        return self.framed(title, body, size)

    def _line(self, number: int, width: int) -> list[Span]:
        one, points, error = self._listed[number], "", ""
        if one.best != one.bid:
            points, error = decimal(one.difference, self.words), decimal(one.error, self.words)
            points = points if one.sure else f"({points})"
        place = f"{one.stage + 1}.{one.round + 1}"
        cells = (place, str(one.bid), str(one.best), points, error)
        line = [("text" if one.sure else "dim", "".join(fit(cell, 7) for cell in cells))]
        if one.sure and width >= _BAR:
            long = round(20 * one.difference / self._listed[0].difference)
            line.append(("bad", self.context.look.glyphs.bar[0] * long))
        if number < len(self._listed) - len(self._bids):
            line.append(("warm", self.words.t(" cost most") if width >= _BAR else "*"))
        return line

    @property
    def on_a_bid(self) -> bool:
        """One is chosen."""
        return self._chosen > 0

    @KEYS.add("enter", footer=_("see this round"), shown=lambda page: page.on_a_bid)
    def look(self) -> None:
        """The round that is chosen, through the eyes of who bid."""
        if self._chosen:
            one = self._listed[self._chosen - 1]
            self._show(one.stage, one.round, self._seat)

    @KEYS.add(*("e", "tab"), when=lambda page: not page.held, footer=_("whose bids"))
    def next_seat(self) -> None:
        """The bids of another player."""
        self._seat = (self._seat + 1) % len(self._game.info.seats)
        self._begin()

    KEYS.include(BACK, closed_by("v"))

    def _begin(self) -> None:
        """Ask for the bids of this seat."""
        bids: list[ReviewedBid] = []
        self._chosen, self._bids, self._listed = 0, bids, []
        library = self.context.account.library
        assert library is not None

        async def review() -> None:
            try:
                async with aclosing(library.review(self._game, self._seat)) as told:
                    async for one in told:
                        if bids is not self._bids:
                            break
                        bids.append(one)
                        self._listed = costliest(bids) + bids
                        self.context.changed()
            except StoreError:  # too much is thought about already
                self.context.say("error", refusal(Reply(Refusal.BUSY), self.words))
                self.context.changed()

        self.spawn(review())
