"""What a screen for everybody shows that is at no table: standings, or how to join."""

from typing import Final

from typing_extensions import override

from server.coordinator import messages as m
from server.coordinator.events.days import DayPage
from server.fullscreen.context import SessionContext
from server.fullscreen.history.pages import listed
from server.fullscreen.pages.page import HELP, SETTINGS, Page
from server.fullscreen.tournaments.page import TournamentPage
from server.fullscreen.widgets.chrome import paragraph
from server.fullscreen.widgets.drawing import shorten, side_by_side
from server.fullscreen.widgets.qr import qr_rows
from server.i18n.catalogues import gettext_noop as _
from server.session.account import GameLibrary
from server.session.invite import ssh_url
from server.storage.history import GameRow
from server.storage.store import StoreError
from server.terminal.capabilities import Size
from server.terminal.drawing.frame import BLANK, Frame, Row, row, row_width
from server.terminal.keys.key_table import KeyTable
from server.text.today import points_in_words
from server.text.tournaments import tournament_in_words
from server.timers import OneTimer

_EVERY: Final = 60.0
"""Seconds after which results are read again."""
_GAMES: Final = 8
_TRIES: Final = 5
_BESIDE: Final = 34
"""The least columns beside the code."""


class JoinPage(Page):
    """How to join, what was played last, and who was best at yesterday's tide."""

    SAYS = False
    KEYS = KeyTable["JoinPage"](HELP, SETTINGS)

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self._games: tuple[GameRow, ...] = ()
        self._day: DayPage | None = None
        self._again: Final = OneTimer(context.clock)

    @override
    def opened(self) -> None:
        library = self.context.account.library
        if library is not None:
            self._again.after(_EVERY, self.opened)
            self.spawn(self._read(library))

    @override
    def closed(self) -> None:
        super().closed()
        self._again.cancel()

    async def _read(self, library: GameLibrary) -> None:
        try:
            self._games = await library.games(mine=False)
            self._day = await library.day(1)
        except StoreError:
            return  # what was read before may stay: nobody is there to be told
        self.context.changed()

    @KEYS.add("escape", "q", footer=_("lobby"))
    @override
    def go_back(self) -> None:
        self.context.do(m.LeaveTable())

    @override
    def frame(self, size: Size) -> Frame:
        width, code = size.columns, self._code(size)
        beside = width - row_width(code[0]) - 2 if code else width
        rows = self._how_to_join(beside)
        if day := self._yesterday(beside):
            rows += [BLANK, *day]
        rows = side_by_side(rows, code, beside)
        if games := self._results(width):
            rows += [BLANK, *games]
        return self.framed(self.words.t("Turn the Tide"), rows, size)

    def _code(self, size: Size) -> tuple[Row, ...]:
        """The address as a QR code, where there is room for it beside what is said."""
        way_in = self.context.facts().way_in
        if not way_in:
            return ()
        code = qr_rows(ssh_url(way_in), self.context.look)
        fits = code and len(code) <= size.rows - 4 and row_width(code[0]) + _BESIDE <= size.columns
        return code if fits else ()

    def _how_to_join(self, width: int) -> list[Row]:
        context, words = self.context, self.words
        rows: list[Row] = []
        if way_in := context.facts().way_in:
            rows += paragraph(words.t("To join, type in any terminal:"), width)
            rows += [BLANK, *paragraph(f"ssh {way_in}", width, "title"), BLANK]
        others = max(0, len(context.lobby.players) - 1) if context.lobby else 0
        here = words.n("{count} player is here", "{count} players are here", others)
        rows += paragraph(here, width, "seat") if others else []
        for each in context.tournaments:
            if each.phase is m.TournamentPhase.OPEN:
                said = tournament_in_words(each, context.clock.time(), words)
                rows += paragraph(said, width, "warm")
        return rows

    def _yesterday(self, width: int) -> list[Row]:
        if self._day is None or not self._day.tries:
            return []
        words, glyphs = self.words, self.context.look.glyphs
        rows = [row("  ", ("heading", words.t("Yesterday's tide")))]
        for each in self._day.tries[:_TRIES]:
            said = f"{each.rank}. {each.name}: {points_in_words(each, words)}"
            rows.append(row("  ", shorten(said, width - 3, glyphs)))
        return rows

    def _results(self, width: int) -> list[Row]:
        if not self._games:
            return []
        context = self.context
        rows = [row("  ", ("heading", self.words.t("Latest results")))]
        for each in self._games[:_GAMES]:
            said = shorten(listed(each, context), width - 3, context.look.glyphs)
            rows.append(row("  ", said))
        return rows


class StandingsPage(TournamentPage):
    """The standings of the tournament that everybody is shown now."""

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context, "")

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
