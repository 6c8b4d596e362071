"""Pages about a game that is over: all its hands, and a text about it to copy."""

from collections.abc import Sequence
from contextlib import suppress

from typing_extensions import override

from server.coordinator.events.days import is_day
from server.fullscreen.context import SessionContext
from server.fullscreen.pages.reading_page import ReadingPage, closed_by
from server.fullscreen.widgets.chrome import paragraph
from server.i18n.catalogues import gettext_noop as _
from server.session.account import GameLibrary, day_played, game_played
from server.session.invite import replay_line
from server.storage.store import StoreError
from server.terminal.drawing.frame import BLANK, Row, row, wrap
from server.terminal.keys.key_table import KeyTable
from server.text.highlights import shared_own, shared_text
from server.text.today import place_in_words
from server.viewmodels.standings import hands_in_words
from server.viewmodels.table import seat_names


class HandsPage(ReadingPage):
    """All hands of a finished game."""

    TITLE = _("All hands of this game")
    KEYS = KeyTable["HandsPage"](*ReadingPage.KEYS, closed_by("h"))

    @override
    def lines(self, width: int) -> Sequence[Row]:
        table = self.context.table
        rows: list[Row] = []
        for line in hands_in_words(table.info, self.context.words) if table is not None else ():
            rows += [*paragraph(line, width), BLANK]
        return rows[:-1]


class SharePage(ReadingPage):
    """A game that is over as a text to copy: nothing stands beside it."""

    TITLE = _("To share")
    KEYS = KeyTable["SharePage"](*ReadingPage.KEYS, closed_by("s"))

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self._place = self._replay = ""

    @override
    def opened(self) -> None:
        library = self.context.account.library
        if library is not None and is_day(self.table.info.event):
            self.spawn(self._find_place(library))
        elif library is not None and not self.table.info.event:
            self.spawn(self._find_replay(library))

    async def _find_place(self, library: GameLibrary) -> None:
        with suppress(StoreError):  # the rest can be told without it
            found = await day_played(library, self.table.info.event)
            self._place = place_in_words(found, self.context.player.id, self.words)
            self.context.changed()

    async def _find_replay(self, library: GameLibrary) -> None:
        with suppress(StoreError):
            game = await game_played(library, self.table)
            self._replay = replay_line(game.code if game else "", self.context.facts().way_in)
            self.context.changed()

    @override
    def lines(self, width: int) -> Sequence[Row]:
        context, table, words = self.context, self.context.table, self.context.words
        if table is None or table.table is None:
            return []
        unicode, way_in, info = context.abilities.unicode, context.facts().way_in, table.info
        if info.event:
            own = shared_own(
                *(table.table, table.seat, info.event, info.title, words),
                place=self._place,
                way_in=way_in,
            )
            told = [own]
        else:
            names = seat_names(info)
            told = shared_text(
                *(table.table, names, words),
                unicode=unicode,
                way_in=way_in,
                replay=self._replay,
            )
        lines = [row(("text", part)) for line in told for part in wrap(line, width - 1)]
        more = words.t(
            'Copy these lines. With its record, "tide replay --svg" makes a picture of them.'
        )
        return [*lines, BLANK, *paragraph(more, width, "dim", "")]
