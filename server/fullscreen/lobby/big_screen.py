"""What a screen for everybody shows that is at no table: standings, or how to join."""

from collections.abc import Sequence
from functools import partial
from typing import Final

from typing_extensions import override

from server.coordinator import messages as m
from server.fullscreen.context import SessionContext
from server.fullscreen.pages.page import HELP, SETTINGS, Page
from server.fullscreen.tournaments.page import TournamentPage
from server.fullscreen.widgets.boxes import WHOLE, Pane, banner, panes
from server.fullscreen.widgets.chrome import blank_region, paragraph, paragraphs
from server.fullscreen.widgets.drawing import invitation_qr, shorten, shortest, side_by_side
from server.i18n.lookup import _
from server.terminal.capabilities import Size
from server.terminal.drawing.frame import BLANK, Frame, Row, row, row_width, text_width
from server.terminal.keys.bindings import KeyTable
from server.text.events import news_in_words
from server.text.tournaments import cup_forms
from server.viewmodels.lobby import present_lobby

_BESIDE: Final = 34
"""The least columns beside the code."""
_ROOMY: Final = 15
"""Rows beside which what is to be typed has a box of its own."""
_OTHERS: Final = 14
"""Rows of what stands below it beside the standings."""
_TALL: Final = 30
"""Rows from which there is room for all there is to say."""


class JoinPage(Page):
    """How to join, what has happened lately, who is here, and today's tide."""

    SAYS = False
    LARGEST = Size(160, 50)
    KEYS = KeyTable["JoinPage"](HELP, SETTINGS)

    @KEYS.add("escape", "q", footer=_("lobby"))
    @override
    def go_back(self) -> None:
        self.context.do(m.LeaveTable())

    @override
    def frame(self, size: Size) -> Frame:
        context, words, room = self.context, self.words, self.body_size(size)
        news = [news_in_words(each, words) for each in context.news] or [words.t("Nothing yet.")]
        here = present_lobby(context.lobby, words).here_in_words if context.lobby else ""
        how = Pane(
            words.t("how to join"),
            lambda width: how_to_join(context, width, room.rows),
            least=WHOLE,
        )
        # Rather one sentence than half of several.
        some, least = (slice(None), 1) if size.rows >= _TALL else (slice(1), WHOLE)
        others = [
            Pane(words.t("news"), partial(paragraphs, news[some]), least=least, grows=True),
            Pane(
                words.t("today's tide"), partial(paragraphs, context.today_lines[some]), least=least
            ),
            Pane(words.t("who is here"), partial(paragraph, here), least=WHOLE),
        ]
        body = panes([[how], others], room, context.look, (3, 2))
        return self.framed(words.t("Turn the Tide"), body, size)


def how_to_join(context: SessionContext, width: int, rows: int) -> list[Row]:
    """What to type, a code that says the same, and which tournaments one can register for."""
    words, said = context.words, list[Row]()
    way_in = context.facts().way_in
    code = invitation_qr(way_in, context.look)
    beside = bool(code) and row_width(code[0]) + _BESIDE <= width
    room = width - row_width(code[0]) - 2 if beside else width
    if way_in:
        said += paragraph(words.t("To join, type in any terminal:"), room)
        typed = f"ssh {way_in}"
        # Large enough to be read from afar, where there is room.
        wide = text_width(typed) + 8 <= room and rows >= _ROOMY
        lines = banner(typed, context.look.glyphs) if wide else ()
        large = [row("  ", ("title", line)) for line in lines]
        said += [BLANK, *(large or paragraph(typed, room, "title"))]
    for each in context.tournaments:
        if each.phase is m.TournamentPhase.OPEN:
            (forms,) = cup_forms([each], context.clock.time(), words)
            if rows < _TALL:
                forms = (shortest(forms, room - 3, context.look.glyphs),)
            said += [BLANK, *paragraph(forms[0], room, "warm")]
    if beside and len(code) <= rows - 2:
        return side_by_side(said, code, room)
    fits = code and row_width(code[0]) < width and len(said) + 1 + len(code) <= rows
    return [*said, BLANK, *(row("  ", *line) for line in code)] if fits else said


def with_invitation(frame: Frame, context: SessionContext, size: Size) -> Frame:
    """A table that a big screen shows, and how to join: in place of the keys, and as a code in blank rows."""
    way_in, rows = context.facts().way_in, list(frame.rows)
    if not way_in:
        return frame
    code = invitation_qr(way_in, context.look)
    region = blank_region(frame, size, context.look, len(code))
    if code and region is not None:
        for number, line in enumerate(code, region.top):
            rows[number] = row(" " * (size.columns - row_width(line) - 2), *line)
    said = shorten(f"ssh {way_in}", size.columns - 4, context.look.glyphs)
    rows[-1] = row("  ", ("title", said), ("dim", f"   Esc {context.words.t('leave')}"))
    return frame._replace(rows=tuple(rows))


class StandingsPage(TournamentPage):
    """The standings of the tournament that everybody is shown now."""

    @override
    def _refresh(self) -> None:
        which = self.context.standings or ""
        if which != self.which:
            self.which, self._found = which, None
        if which:
            super()._refresh()

    @override
    def go_back(self) -> None:
        self.context.do(m.LeaveTable())

    @override
    def beside(self, size: Size) -> Sequence[Pane]:
        title, rows = self.words.t("how to join"), size.rows - _OTHERS
        join = Pane(title, lambda width: how_to_join(self.context, width, rows), least=WHOLE)
        return [join, *super().beside(size)]
