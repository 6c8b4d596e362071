"""The review page: the bids of one seat of a finished game, beside those of the strongest bot."""

from collections.abc import Callable, Sequence
from contextlib import aclosing
from functools import partial
from typing import Final, NamedTuple

from typing_extensions import override

from engine.bots.review import Grade, ReviewedBid, costliest
from server import StoreError
from server.coordinator.messages import Refusal, Reply
from server.fullscreen.context import SessionContext
from server.fullscreen.pages.lists import ListPage
from server.fullscreen.pages.page import BACK
from server.fullscreen.widgets.boxes import WHOLE, Pane, has_boxes, panes
from server.fullscreen.widgets.chrome import paragraphs
from server.i18n.lookup import _
from server.playback import ReplayedGame
from server.terminal.capabilities import Size
from server.terminal.drawing.frame import Frame, Span, fit, row, text_width
from server.terminal.keys.bindings import KeyTable
from server.text.bots import GRADES, bid_in_words, summary_in_words
from server.text.refusals import refusal

_COLUMNS: Final = ((_("round"), 6), (_("card"), 6), (_("bot"), 6), (_("points"), 14))
"""What stands in a line, and in how many columns; after it the grade: its sign, and the word for it ..."""
_TALL: Final = 20
"""Rows of a screen from which there is room for how it is judged."""
_WORDS: Final = 60
"""... from so many columns of a screen on."""
_LEAST: Final = 3
"""Lines of the list of any use."""
_BAR: Final = 80
"""Columns from which there is room for bars."""
_GRADE: Final = 17
"""Columns of a grade before a bar ..."""
_LONGEST: Final = 13
"""... and of the longest bar."""
_STYLES: Final = {Grade.INACCURACY: "warm", Grade.MISTAKE: "bad", Grade.BLUNDER: "alarm"}


class _Line(NamedTuple):
    """Row of the list: all bids together, then the costliest, then each of them."""

    bid: ReviewedBid | None = None
    costliest: bool = False


_IN_ALL: Final = _Line()


class ReviewPage(ListPage[_Line]):
    """What the bids come to, the costliest, and all of them; Enter shows the round of one."""

    KEYS = KeyTable["ReviewPage"](*ListPage.KEYS)

    def __init__(
        self,
        context: SessionContext,
        game: ReplayedGame,
        seat: int,
        show: Callable[[int, int, int], None],
    ) -> None:
        """``show`` a round (stage, round) through the eyes of a seat."""
        super().__init__(context)
        self.game: Final = game
        self._show: Final = show
        self._seat = seat
        self._bids: list[ReviewedBid] = []
        self._listed: Sequence[_Line] = (_IN_ALL,)
        self._done = False

    @override
    def opened(self) -> None:
        self._begin()

    @override
    def items(self) -> Sequence[_Line]:
        return self._listed

    @override
    def frame(self, size: Size) -> Frame:
        words, width = self.words, size.columns
        names = tuple(seat.name for seat in self.game.info.seats)
        title = words.t(
            "Review: {name} in {game}", name=names[self._seat], game=self.game.info.title
        )
        told = [words.t("Reviewing ...")]
        if self._done:  # how it is known takes more room than the smallest screens have
            told = summary_in_words(self._bids, words)[: 3 if size.rows >= _TALL else 2]
        if (one := self._listed[self._at].bid) is not None:
            told = [bid_in_words(one, names, words)]
        about = Pane("", partial(paragraphs, told), least=WHOLE)
        heading = "".join(fit(words.t(each), columns) for each, columns in _COLUMNS).rstrip()
        body, look = self.body_size(size), self.context.look
        boxed = has_boxes(body, look)
        listed = self.list_pane(partial(self._line, width), heading if boxed else "")
        listed = listed._replace(least=min(_LEAST, len(self._listed)))
        head = [] if boxed else [row("  ", ("heading", heading))]
        rows = panes([[listed, about]], body._replace(rows=body.rows - len(head)), look)
        return self.framed(title, [*head, *rows], size)

    def _line(self, width: int, line: _Line, _room: int) -> list[Span]:
        """What all bids come to, or one of them, on a screen of that width."""
        one, points = line.bid, ""
        if one is None:
            before = sum(columns for _, columns in _COLUMNS[:-1])
            cost = self.words.decimal(sum(one.cost for one in self._bids))
            return [("strong", fit(self.words.t("total"), before) + cost)]
        if one.best != one.bid:
            found = (one.difference, one.error)
            points = " +-".join(self.words.decimal(each) for each in found)
            points = points if one.sure else f"({points})"
        place = f"{one.stage + 1}.{one.round + 1}"
        cells = zip((place, str(one.bid), str(one.best), points), _COLUMNS, strict=True)
        told = "".join(fit(cell, columns) for cell, (_, columns) in cells)
        name, sign = GRADES[one.grade]
        grade = f"{sign:3}{self.words.p('grade', name) if width >= _WORDS else ''}"
        spans = [("text" if one.sure else "dim", told), (_STYLES.get(one.grade, "dim"), grade)]
        if one.sure and width >= _BAR:
            # What is listed first has cost most.
            bar = self.context.look.glyphs.bar[0] * round(_LONGEST * one.cost / self._most)
            spans += [("", " " * (_GRADE - text_width(grade))), ("bad", bar)]
        if line.costliest:
            spans.append(("warm", self.words.t(" cost most") if width >= _BAR else "*"))
        return spans

    @KEYS.add("enter", footer=_("see this round"), shown=lambda page: page.at > 0)
    def look(self) -> None:
        """The round that is chosen, through the eyes of who bid."""
        if (one := self._listed[self._at].bid) is not None:
            self._show(one.stage, one.round, self._seat)

    @KEYS.add("c", when=lambda page: page.can_play_on, footer=_("play on from here"))
    def play_on(self) -> None:
        """Take this seat before the round that is chosen, against bots."""
        if (one := self._listed[self._at].bid) is not None:
            self.context.play_on(self.game, self._seat, one.stage, one.round)

    @property
    def can_play_on(self) -> bool:
        """Whether a round is chosen, of a game whose deal is public."""
        return self.at > 0 and bool(self.game.info.seed)

    @KEYS.add(*("e", "tab"), when=lambda page: not page.game.held, footer=_("whose bids"))
    def next_seat(self) -> None:
        """The bids of another player."""
        self._seat = (self._seat + 1) % len(self.game.info.seats)
        self._begin()

    KEYS.include(BACK)

    def _begin(self) -> None:
        """Ask for the bids of this seat."""
        bids: list[ReviewedBid] = []
        self._at, self._bids, self._listed, self._done = 0, bids, (_IN_ALL,), False
        self._most = 0.0

        async def review() -> None:
            try:
                async with aclosing(self.context.library.review(self.game, self._seat)) as told:
                    async for one in told:
                        if bids is not self._bids:
                            return
                        bids.append(one)
                        first = [_Line(each, True) for each in costliest(bids)]
                        chosen = self._listed[self._at]
                        self._listed = (_IN_ALL, *first, *map(_Line, bids))
                        still = chosen if chosen in self._listed else _Line(chosen.bid)
                        self._at = self._listed.index(still)
                        self._most = max(self._most, one.cost)
                        self.context.changed()
            except StoreError:  # too much is thought about already
                if bids is self._bids:
                    self.context.say("error", refusal(Reply(Refusal.BUSY), self.words))
            if bids is self._bids:
                self._done = True
                self.context.changed()

        self.spawn(review())
