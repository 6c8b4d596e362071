"""All games by correspondence of a player: who waits for whom, since when, and how long."""

from collections.abc import Sequence
from functools import partial

from typing_extensions import override

from server.coordinator.messages import CorrespondenceGame, JoinTable, Update
from server.fullscreen.pages.page import BACK, LISTED, ListPage
from server.fullscreen.widgets.boxes import WHOLE, Pane, has_boxes, panes
from server.fullscreen.widgets.chrome import paragraph
from server.i18n.lookup import _
from server.terminal.capabilities import Size
from server.terminal.drawing.frame import Frame, Row, Span
from server.terminal.keys.key_table import KeyTable
from server.viewmodels.correspondence import briefly_in_words, facts_of
from server.viewmodels.table_options import options_in_words


class CorrespondencePage(ListPage[CorrespondenceGame]):
    """The player's games by correspondence, those that wait first; Enter goes to one."""

    TITLE = _("Games by correspondence")
    KEYS = KeyTable["CorrespondencePage"](*LISTED)
    _table = ""
    """The code of the chosen one: it stays chosen when others come before it."""

    @override
    def items(self) -> Sequence[CorrespondenceGame]:
        return self.context.correspondence

    @override
    def opened(self) -> None:
        super().opened()
        self._keep()

    @override
    def updated(self, update: Update) -> None:
        self._keep()

    def _keep(self) -> None:
        codes = [game.table for game in self.items()]
        self._at = codes.index(self._table) if self._table in codes else 0
        self._table = codes[self._at] if codes else ""

    @override
    def move(self, step: int) -> None:
        self._at = max(0, min(self._at + step, len(self.items()) - 1))
        self._table = self.chosen.table if self.chosen is not None else ""

    @override
    def frame(self, size: Size) -> Frame:
        words, game = self.words, self.chosen
        look, body = self.context.look, self.body_size(size)
        if game is None:
            said = words.t(
                "You have no games by correspondence. In one, a round may take a day, and nobody "
                'has to be there at the same time. Open a table with the pace "by correspondence" '
                "(n in the lobby), and send its invitation to your friends."
            )
            none = Pane("", partial(paragraph, said))
            return self.framed(self.title(), panes([[none]], body, look), size)
        title = words.t("the chosen game")
        chosen = Pane(title, partial(self._told, game), least=WHOLE)
        if has_boxes(body, look):
            chosen = Pane(title, lambda width: self._told(game, width) + self._options(game, width))
        rows = panes([[self.list_pane(self._line)], [chosen]], body, look, (3, 2))
        return self.framed(self.title(), rows, size, aside=self.context.own_games.said)

    def _line(self, game: CorrespondenceGame, _width: int) -> Span:
        said = briefly_in_words(
            game, self.context.player.name, self.context.clock.time(), self.words
        )
        return ("strong" if game.waits else "text", said)

    def _told(self, game: CorrespondenceGame, width: int) -> list[Row]:
        """All that there is to know of it, here."""
        name, now = self.context.player.name, self.context.clock.time()
        others, *facts = facts_of(game, name, now, self.words)
        rows = paragraph(f"{game.title} ({game.table}): {others}", width, "strong")
        for fact in facts:
            style = "warm" if game.waits and fact == facts[-1] else "text"
            rows += paragraph(fact, width, style)
        return rows

    def _options(self, game: CorrespondenceGame, width: int) -> list[Row]:
        return paragraph(", ".join(options_in_words(game.options, self.words)), width, "dim")

    @KEYS.add("enter", footer=_("go there"), shown=lambda page: bool(page.items()))
    def go(self) -> None:
        """Where one plays live one has to stay, and is told so."""
        here = self.context.table
        if here is not None and here.info.id == self._table:
            self.go_back()
        elif self._table:
            self.context.do(JoinTable(self._table))

    KEYS.include(BACK)
