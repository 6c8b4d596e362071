"""What a screen for everybody shows that is at no table: standings, or how to join."""

from functools import partial
from typing import Final

from typing_extensions import override

from server.coordinator import messages as m
from server.fullscreen.pages.page import HELP, SETTINGS, Page
from server.fullscreen.tournaments.page import TournamentPage
from server.fullscreen.widgets.boxes import WHOLE, Pane, panes
from server.fullscreen.widgets.chrome import paragraph, paragraphs
from server.fullscreen.widgets.drawing import invitation_qr, shortest, side_by_side
from server.i18n.lookup import _
from server.terminal.capabilities import Size
from server.terminal.drawing.frame import BLANK, Frame, Row, row_width
from server.terminal.keys.key_table import KeyTable
from server.text.news import news_in_words
from server.text.tournaments import cup_forms
from server.viewmodels.lobby import present_lobby

_BESIDE: Final = 34
"""The least columns beside the code."""
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
            words.t("how to join"), lambda width: self._how_to_join(width, room.rows), least=WHOLE
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

    def _how_to_join(self, width: int, rows: int) -> list[Row]:
        context, words = self.context, self.words
        said: list[Row] = []
        way_in = context.facts().way_in
        code = invitation_qr(way_in, context.look)
        if code and (len(code) > rows - 2 or row_width(code[0]) + _BESIDE > width):
            code = ()
        room = width - row_width(code[0]) - 2 if code else width
        if way_in:
            said += paragraph(words.t("To join, type in any terminal:"), room)
            said += [BLANK, *paragraph(f"ssh {way_in}", room, "title")]
        for each in context.tournaments:
            if each.phase is m.TournamentPhase.OPEN:
                (forms,) = cup_forms([each], context.clock.time(), words)
                if rows < _TALL:
                    forms = (shortest(forms, room - 3, context.look.glyphs),)
                said += [BLANK, *paragraph(forms[0], room, "warm")]
        return side_by_side(said, code, room)


class StandingsPage(TournamentPage):
    """The standings of the tournament that everybody is shown now."""

    @override
    def _refresh(self) -> None:
        which = self.context.standings or ""
        if which != self.which:
            self.which, self._view = which, None
        if which:
            super()._refresh()

    @override
    def go_back(self) -> None:
        self.context.do(m.LeaveTable())
